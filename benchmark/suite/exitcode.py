"""Which exit code comes of a run: pytest's own, unless the gate decides or too little is known."""

import math
from typing import TYPE_CHECKING

import pytest

from benchmark.suite.session import SuiteSession
from benchmark.trials import TrialRecord

if TYPE_CHECKING:
    from benchmark.results.release_gate import Decision

TOO_MANY_VOID = 10
RUN_UNWRITABLE = 11
BROKEN_PACKAGES = 12  # all is well, but some trials could not even be listed
_DECIDED_BY_US = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)


def exit_code(here: SuiteSession, exitstatus: int) -> int:
    """Called when all trials are settled, now or before. Interruptions and errors of pytest stay what they are."""
    code = _exit_code(here, exitstatus)
    if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and here.met and here.broken:
        return BROKEN_PACKAGES
    return code


def _exit_code(here: SuiteSession, exitstatus: int) -> int:
    if exitstatus not in _DECIDED_BY_US or not (here.opened or here.retold):
        return exitstatus
    records = run_records(here)
    void = sum(not record.scored for record in records) / len(records) if records else 0.0
    if void > here.options.max_void and not math.isclose(void, here.options.max_void):
        return TOO_MANY_VOID
    if not all(verdict.passed for verdict in verdicts(records, here)):
        return int(pytest.ExitCode.TESTS_FAILED)
    return int(exitstatus if here.options.gate is None else pytest.ExitCode.OK)


def run_records(here: SuiteSession) -> list[TrialRecord]:
    """The run's records of the agents of this invocation."""
    names = {agent.name for agent in here.options.agents}
    return [record for trial, record in here.store.latest().items() if trial.agent in names]


def verdicts(records: list[TrialRecord], here: SuiteSession) -> "list[Decision]":
    """Gate and baseline, for each agent."""
    options = here.options
    if options.gate is None and options.baseline is None:
        return []
    from benchmark.results.baseline import against_baseline, read_baseline  # brings NumPy
    from benchmark.results.release_gate import at_gate

    found = []
    if options.gate is not None:
        agents = dict.fromkeys(record.agent for record in records)
        found += [at_gate(agent, records, options.gate) for agent in agents]
    if options.baseline is not None:
        baseline = read_baseline(options.baseline)
        found += [against_baseline(agent.name, records, baseline) for agent in options.agents]
    return found
