"""The order in which workers get their trials."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmark.agents.builtin import NopAgent
from benchmark.suite.collection import TrialSpec, label_of, order_for_workers
from benchmark.suite.doing import running, running_line
from benchmark.suite.live import write_stage
from benchmark.tasks import Task
from benchmark.trials import TrialId


def items(count: int, attempts: int = 1) -> list[Any]:
    task = Task(
        track="craft",
        family="puzzle",
        slug="x",
        difficulty="easy",
        folder=Path(),
        agent_timeout_sec=1,
        verifier_timeout_sec=1,
    )
    ids = [TrialId(f"craft/puzzle/t{n}", "nop", attempt + 1) for n in range(count) for attempt in range(attempts)]
    specs = [TrialSpec(trial, task, NopAgent()) for trial in ids]
    return [SimpleNamespace(callspec=SimpleNamespace(params={"trial": spec})) for spec in specs]


def names(ordered: list[Any]) -> list[str]:
    return [item.callspec.params["trial"].id.task.rpartition("/t")[2] for item in ordered]


def test_the_longest_start_first_and_none_waits_behind_another() -> None:
    listed = items(8)
    order_for_workers(listed, {f"craft/puzzle/t{n}[nop]": 10.0 * n for n in range(8)}, 2)
    assert names(listed) == ["7", "0", "6", "1", "5", "4", "3", "2"]  # two workers begin with (7, 0) and (6, 1)


def test_what_never_ran_comes_first_and_nothing_is_lost() -> None:
    listed = items(5)
    order_for_workers(listed, {"craft/puzzle/t0[nop]": 5.0, "craft/puzzle/t1[nop]": 9.0}, 4)
    assert names(listed) == ["2", "3", "4", "1", "0"]


def test_what_may_take_longest_comes_first_of_what_never_ran() -> None:
    listed = items(4)
    slow = listed[2].callspec.params["trial"]
    listed[2].callspec.params["trial"] = replace(slow, task=replace(slow.task, verifier_timeout_sec=120))
    order_for_workers(listed, {}, 4)
    assert names(listed) == ["2", "0", "1", "3"]


def test_trials_of_one_task_do_not_begin_side_by_side() -> None:
    listed = items(3, attempts=2)
    order_for_workers(listed, {}, 4)
    assert names(listed) == ["0", "1", "2", "0", "1", "2"]


@pytest.mark.parametrize(
    ("nodeid", "label"),
    [
        ("benchmark/suite/test_benchmark.py::test_trial[craft/puzzle/a[nop#2]]", "craft/puzzle/a[nop#2]"),
        ("::test_trial[craft/puzzle/a[nop]]", "craft/puzzle/a[nop]"),
        ("tests/unit/test_x.py::test_y[a]", None),
        ("tests/unit/test_x.py::test_y[::test_trial[a]]", None),
    ],
)
def test_a_nodeid_holds_the_label(nodeid: str, label: str | None) -> None:
    assert label_of(nodeid) == label


def test_the_live_line_tells_each_running_trials_stage(tmp_path: Path) -> None:
    write_stage(tmp_path, "replay, 2 recorded")
    started = {"craft/puzzle/a[nop]": (0.0, tmp_path), "craft/puzzle/b[nop]": (1.0, tmp_path / "none")}
    line = running_line(running(started), " · end", 200)
    assert line.startswith("2 running: a[nop] replay, 2 recorded, ")
    assert line.endswith(" s · end")
    write_stage(tmp_path, "")
    assert not list(tmp_path.iterdir())
