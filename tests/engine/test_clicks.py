"""A click reaches buttons that are rebuilt on every frame, and games that ask whether the mouse button is down."""

import json
from pathlib import Path

import pytest

from benchmark.replay.build_gate import check_build
from benchmark.replay.evidence import RecorderSettings
from benchmark.replay.recordings import record_fresh
from benchmark.replay.take_order import TakeOrder
from benchmark.runtime.machine import Machine

pytestmark = pytest.mark.engine


@pytest.mark.parametrize(
    ("demo", "frames_down"), [("in_draw", 0), ("every_frame", 0), ("once", 2)], ids=lambda value: str(value)
)
def test_every_click_lands_and_is_held_where_the_button_lives(
    demo: str, frames_down: int, games: Path, machine: Machine, tmp_path: Path
) -> None:
    gate = check_build(games / "rebuilt", machine)
    assert gate.prepared is not None
    trace = next(one for one in gate.traces.traces if one.scenario == demo)
    evidence = record_fresh(gate.prepared, TakeOrder(trace, RecorderSettings(video_fps=0)), machine, tmp_path, 1)
    log = (tmp_path / "engine.log").read_text(encoding="utf-8")
    assert evidence.outcome.complete
    assert [line for line in log.splitlines() if "clicked" in line] == ["clicked column 0", "clicked column 1"]
    assert sum("down" in line for line in log.splitlines()) == frames_down
    rows = [json.loads(line) for line in (tmp_path / "inputs.jsonl").read_text(encoding="utf-8").splitlines()]
    presses = [row for row in rows if row["kind"] == "button"]
    assert [(row["frame"], row["delivered_frame"]) for row in presses] == (
        [(20, 20), (21, 21), (40, 40), (41, 41)] if frames_down else [(20, 20), (21, 20), (40, 40), (41, 40)]
    )
