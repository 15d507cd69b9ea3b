"""Which trials there are, which of them are left to do, in which order."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from benchmark.agents.protocol import Agent
from benchmark.suite.options import SuiteOptions
from benchmark.tasks import DIFFICULTIES, EXAMPLE_FAMILY, TASK_FILE, UNRATED, UNSORTED, Task, own_markers
from benchmark.tracks import all_tracks, track_of, why_not
from benchmark.trials import TrialId

TEST = "test_trial"
_TRIAL_NODE = re.compile(rf"[^\[]*::{TEST}\[(?P<label>.+)\]")
TIMEOUT_MARGIN_SEC = 600.0  # pytest-timeout is the last resort; agent and verifier have limits of their own


@dataclass(frozen=True)
class TrialSpec:
    """A trial to run: what pytest parametrizes over."""

    id: TrialId
    task: Task
    agent: Agent

    def __repr__(self) -> str:
        return self.id.label


def markers() -> list[str]:
    """What trials can be selected by: track, family, label, difficulty."""
    names = [EXAMPLE_FAMILY, UNSORTED, *DIFFICULTIES, UNRATED]
    for name, track in all_tracks().items():
        names += [name, *track.families, *(value for values in track.labels.values() for value in values)]
    return list(dict.fromkeys(names))


def plan_trials(options: SuiteOptions, found: Iterable[Task]) -> tuple[TrialSpec, ...]:
    """Every task × agent × attempt. The oracle takes only tasks that have one, and nobody those he cannot work on."""
    tasks = [task for task in found if options.track in (None, task.track) and not task.is_template]
    return tuple(
        TrialSpec(TrialId(task.id, agent.name, attempt), task, agent)
        for task in tasks
        for agent in options.agents
        for attempt in range(1, options.attempts + 1)
        if (agent.name != "oracle" or task.has_oracle) and not why_not(track_of(task.track), agent)
    )


def left_out(options: SuiteOptions, found: Iterable[Task]) -> tuple[str, ...]:
    """Which agents have nothing to do in which of the tracks that there are tasks of, and why."""
    tracks = sorted({task.track for task in found if options.track in (None, task.track)})
    pairs = ((track, agent) for track in tracks for agent in options.agents)
    return tuple(
        f"no trials of {agent.name} in track {track}: {why}"
        for track, agent in pairs
        if (why := why_not(track_of(track), agent))
    )


def why_no_trials(options: SuiteOptions, tasks: Sequence[Task]) -> str:
    """For a plan without trials: what there is too little of."""
    where = f"below {', '.join(map(str, options.tasks))}"
    if not tasks:
        return f"no trials: there is no task package ({' or '.join((TASK_FILE, *own_markers()))}) {where}"
    chosen = [task for task in tasks if options.track in (None, task.track)]
    if not chosen:
        tracks = ", ".join(sorted({task.track for task in tasks}))
        return f"no trials: --track {options.track}: the {len(tasks)} task(s) {where} are of {tracks}"
    if reasons := left_out(options, chosen):
        return "; ".join(reasons)
    return f"no trials: none of the {len(chosen)} task(s) {where} has a solution for the oracle; name another --agent"


def as_parameters(specs: Iterable[TrialSpec]) -> list[Any]:
    """For `metafunc.parametrize`, with markers to select by."""
    return [
        pytest.param(
            spec,
            id=spec.id.label,
            marks=[
                getattr(pytest.mark, spec.task.track),
                getattr(pytest.mark, spec.task.family),
                getattr(pytest.mark, spec.task.difficulty),
                *(getattr(pytest.mark, label) for label in spec.task.labels.values()),
                pytest.mark.timeout(spec.task.agent_timeout_sec + spec.task.verifier_timeout_sec + TIMEOUT_MARGIN_SEC),
            ],
        )
        for spec in specs
    ]


def trial_of(item: pytest.Item) -> TrialSpec | None:
    """The trial behind a test item, if it is one of ours."""
    callspec = getattr(item, "callspec", None)
    spec = callspec.params.get("trial") if callspec else None
    return spec if isinstance(spec, TrialSpec) else None


def label_of(nodeid: str) -> str | None:
    """The trial's label inside a nodeid. The controller of xdist sees nothing else of an item."""
    found = _TRIAL_NODE.fullmatch(nodeid)
    return found["label"] if found else None


def order_for_workers(items: list[pytest.Item], seconds: dict[str, float], workers: int) -> None:
    """Sort in place, longest first. What never ran is put first, by the time its verifier may take at most: it may be
    the longest of all.

    Among equals the trials of one task are kept apart: side by side one would wait for what the other imports.
    xdist gives each worker two items to begin with, because a worker must know the next one before it runs the first.
    So that the second longest does not wait behind the longest, each of them is followed by one of the shortest.
    """

    seen: Counter[str] = Counter()
    keyed: list[tuple[tuple[float, float, int], pytest.Item]] = []
    for item in items:
        key = (0.0, 0.0, 0)
        if spec := trial_of(item):
            longest = -spec.task.verifier_timeout_sec
            key = (-seconds.get(spec.id.label, float("inf")), longest, seen[spec.id.task])
            seen[spec.id.task] += 1
        keyed.append((key, item))
    items[:] = [item for _, item in sorted(keyed, key=lambda pair: pair[0])]  # stable: else in the order of their ids
    if len(items) >= 2 * workers:
        long, middle, short = items[:workers], items[workers : len(items) - workers], items[len(items) - workers :]
        pairs = [item for pair in zip(long, reversed(short), strict=True) for item in pair]
        items[:] = pairs + middle
