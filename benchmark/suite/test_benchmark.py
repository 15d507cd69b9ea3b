"""The benchmark itself: every trial is one run of this test."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from benchmark.errors import BenchmarkError
from benchmark.suite.collection import TrialSpec
from benchmark.suite.options import PASS_MARK, SuiteOptions
from benchmark.suite.steps import Steps

if TYPE_CHECKING:
    from benchmark.craft.trial import CraftTrial


class VoidTrialError(BenchmarkError):
    """No number: the harness failed, not the agent. The trial runs again when the run is resumed."""


def test_trial(
    trial: TrialSpec,
    run: "Callable[[TrialSpec], CraftTrial]",
    suite_options: SuiteOptions,
    subtests: pytest.Subtests,
    steps: Steps,
) -> None:
    """One task, one agent, one attempt. With --pdb it stops at an item that failed: look at `done` and `evidence`."""
    done = run(trial)
    evidence, record = done.evidence, done.record
    assert record is not None
    steps.show(done)
    if not record.scored:
        raise VoidTrialError(f"void: {record.reason}")
    asserted = suite_options.gate is None  # with a gate, misses are only reported: the gate decides
    with steps.build(record):
        if asserted and not record.build:
            pytest.fail(f"BUILD 0: {record.reason}", pytrace=False)
    misses = []
    for item in done.rubric.requirements if record.build else ():
        score, reason = record.items[item.id], done.reason_for(item.id)
        with subtests.test(item.id), steps.item(item, score, done):
            if score < PASS_MARK and asserted:
                misses.append(f"{item.id} {score:.2f}  {reason}")
                pytest.fail(f"{item.id} is {score:.2f}, below {PASS_MARK}: {reason}", pytrace=False)
    if misses:
        shown = f"{len(misses)} of {len(record.items)} items below {PASS_MARK}, in {len(evidence)} demo(s)"
        pytest.fail("\n".join([shown, *misses]), pytrace=False)
