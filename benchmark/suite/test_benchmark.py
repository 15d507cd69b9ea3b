"""The benchmark itself: every trial is one run of this test."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from benchmark.errors import BenchmarkError
from benchmark.results.averages import metrics_of
from benchmark.suite.allure import Steps
from benchmark.suite.collection import TrialSpec
from benchmark.suite.options import SuiteOptions
from benchmark.trials import PASS_MARK

if TYPE_CHECKING:
    from benchmark.running import StoredTrial, Trial


class VoidTrialError(BenchmarkError):
    """No number: the harness failed, not the agent. The trial runs again when the run is resumed."""


def test_trial(
    trial: TrialSpec,
    run: "Callable[[TrialSpec], Trial | StoredTrial]",
    suite_options: SuiteOptions,
    subtests: pytest.Subtests,
    steps: Steps,
) -> None:
    """One task, one agent, one attempt. With --pdb it stops at an item that failed: look at `done` and `evidence`."""
    done = run(trial)
    evidence, record = getattr(done, "evidence", ()), done.record  # noqa: F841 - for whoever debugs
    assert record is not None
    steps.show(done)
    if not record.scored:
        raise VoidTrialError(f"void: {record.reason}")
    asserted = suite_options.gate is None  # with a gate, misses are only reported: the gate decides
    misses = []
    checks = done.checks()
    for check in (one for one in checks if one.decides_all):
        with steps.check(check):
            if check.score < PASS_MARK and asserted:
                pytest.fail(check.title, pytrace=False)
    for check in (one for one in checks if not one.decides_all):
        with subtests.test(check.name), steps.check(check):
            if check.score < PASS_MARK and asserted:
                misses.append(f"{check.name} {check.score:.2f}  {check.reason}")
                pytest.fail(f"{check.name} is {check.score:.2f}, below {PASS_MARK}: {check.reason}", pytrace=False)
    if misses:
        shown = f"{len(misses)} of {len(record.items)} items below {PASS_MARK}"
        where = metrics_of(record).seen_in(record)
        shown += f", {where}" if where else ""
        pytest.fail("\n".join([shown, *misses]), pytrace=False)
