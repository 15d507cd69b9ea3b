"""The benchmark itself: every trial is one run of this test."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from benchmark.errors import BenchmarkError
from benchmark.suite.collection import TrialSpec
from benchmark.suite.options import PASS_MARK, SuiteOptions
from benchmark.suite.steps import Steps

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
    evidence, record = getattr(done, "evidence", ()), done.record  # noqa: F841
    assert record is not None
    steps.show(done)
    if not record.scored:
        raise VoidTrialError(f"void: {record.reason}")
    asserted = suite_options.gate is None  # with a gate, misses are only reported: the gate decides
    with steps.build(record):
        if asserted and not record.build:
            pytest.fail(f"BUILD 0: {record.reason}", pytrace=False)
    misses = []
    for check in done.checks() if record.build else ():
        with subtests.test(check.name), steps.check(check):
            if check.score < PASS_MARK and asserted:
                misses.append(f"{check.name} {check.score:.2f}  {check.reason}")
                pytest.fail(f"{check.name} is {check.score:.2f}, below {PASS_MARK}: {check.reason}", pytrace=False)
    if misses:
        shown = f"{len(misses)} of {len(record.items)} items below {PASS_MARK}"
        shown += f", in {len(record.demos)} demo(s)" if record.demos else ""
        pytest.fail("\n".join([shown, *misses]), pytrace=False)
