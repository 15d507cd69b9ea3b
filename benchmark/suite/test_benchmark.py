"""The benchmark itself: every trial is one run of this test."""

from collections.abc import Callable

import pytest

from benchmark.craft.trial import CraftTrial
from benchmark.errors import BenchmarkError
from benchmark.suite.collection import TrialSpec
from benchmark.suite.options import PASS_MARK, SuiteOptions
from benchmark.suite.steps import Steps


class VoidTrialError(BenchmarkError):
    """No number: the harness failed, not the agent. The trial runs again when the run is resumed."""


def test_trial(
    trial: TrialSpec,
    run: Callable[[TrialSpec], CraftTrial],
    suite_options: SuiteOptions,
    subtests: pytest.Subtests,
    steps: Steps,
) -> None:
    """One task, one agent, one attempt. With --pdb it stops where an item fails: look at `evidence` and `done`."""
    done = run(trial)
    evidence, record = done.evidence, done.record
    assert record is not None
    steps.show(done)
    if not record.scored:
        raise VoidTrialError(f"void: {record.reason}")
    asserted = suite_options.gate is None  # with a gate, misses are reported and the gate decides
    if not record.build:
        steps.build_failed(record.reason)
        assert not asserted, f"BUILD 0: {record.reason}"
        return
    for item in done.rubric.requirements:
        score = record.items[item.id]
        with subtests.test(item.id), steps.item(item, score, done):
            assert score >= PASS_MARK or not asserted, f"{item.id} {score:.2f}: {done.reason_for(item.id)}"
    assert evidence
