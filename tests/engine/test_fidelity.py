"""Both recorders give a game the same input: to buttons, drags, hover, text fields, polling and actions."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmark.replay.build_gate import check_build
from benchmark.replay.evidence import RecorderSettings
from benchmark.replay.recordings import record_fresh
from benchmark.replay.take_order import TakeOrder
from benchmark.runtime.machine import Machine

pytestmark = [pytest.mark.engine, pytest.mark.realtime]

# base width, base height, stretch mode, aspect
VARIANTS = {
    "unstretched": (1280, 720, "disabled", "keep"),
    "half size, canvas items": (640, 360, "canvas_items", "keep"),
    "half size, viewport": (640, 360, "viewport", "keep"),
    "larger than the window": (1920, 1080, "canvas_items", "expand"),
    "portrait": (480, 720, "canvas_items", "keep"),
}
# In real time a press can come and go between two looks; the engine recorder never misses one.
POLLED = ("poll_key", "poll_mouse", "poll_mouse_button", "poll_action", "physics_action")
# Read back from the X server at an arbitrary later moment, so not defined in real time.
RACY = {"frame", "button_mask"}


def probe(machine: Machine, project: Path, recorder: str, out: Path) -> dict[str, list[dict[str, Any]]]:
    """What the probe game logged, by the place where it saw it."""
    gate = check_build(project, machine)
    assert gate.prepared is not None
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    settings = RecorderSettings(recorder=recorder, video_fps=0)  # type: ignore[arg-type]
    record_fresh(gate.prepared, TakeOrder(gate.traces.traces[0], settings), machine, out, 2)
    seen: dict[str, list[dict[str, Any]]] = {}
    for line in (out / "engine.log").read_text(encoding="utf-8").splitlines():
        if line.startswith("PROBE "):
            row = json.loads(line.removeprefix("PROBE "))
            if not row.get("echo"):  # how often a held key repeats depends on the wall clock
                seen.setdefault(row["src"], []).append({k: _rounded(v) for k, v in row.items() if k not in RACY})
    return seen


def _rounded(value: Any) -> Any:
    return [round(part, 1) for part in value] if isinstance(value, list) else value


def is_part_of(part: list[Any], whole: list[Any]) -> bool:
    """In the same order, with nothing added."""
    rest: Iterator[Any] = iter(whole)
    return all(item in rest for item in part)


@pytest.mark.parametrize(
    "variant",
    [name if name == "half size, canvas items" else pytest.param(name, marks=pytest.mark.slow) for name in VARIANTS],
)
def test_the_same_input_reaches_the_game(machine: Machine, games: Path, tmp_path: Path, variant: str) -> None:
    width, height, mode, aspect = VARIANTS[variant]
    project = tmp_path / "probe"
    shutil.copytree(games / "probe", project)
    text = (project / "project.godot").read_text(encoding="utf-8")
    text = re.sub(r"\n\[display\].*?(?=\n\[|\Z)", "", text, flags=re.DOTALL)
    text += f"\n[display]\nwindow/size/viewport_width={width}\nwindow/size/viewport_height={height}\n"
    text += f'window/stretch/mode="{mode}"\nwindow/stretch/aspect="{aspect}"\n'
    (project / "project.godot").write_text(text, encoding="utf-8")
    driven = probe(machine, project, "engine", tmp_path / "engine")
    assert {"_input", "button", "poll_key", "poll_action"} <= set(driven)
    differences: list[str] = []
    for _ in range(3):  # real time: a busy machine may delay an event into the next one
        filmed = probe(machine, project, "x11", tmp_path / "x11")
        differences = [
            source
            for source in {*driven, *filmed}
            if not (
                is_part_of(filmed.get(source, []), driven.get(source, []))
                if source in POLLED
                else filmed.get(source) == driven.get(source)
            )
        ]
        if not differences:
            return
    pytest.fail(f"{variant}: the recorders differ in {differences}")
