"""Records the sessions of tests/agents/recorded anew: `python -m tests.agents.record claude codex gemini codebuddy`.

Each plays our own script with the real program: killed in the middle, then gone on with. What is kept is what our
script said and what the program counted; instructions and descriptions of the program's own makers are left out.
"""

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmark.agents.install import install
from benchmark.agents.programs import Recipe, recipe_of
from benchmark.jsonl import read_lines, write_lines
from benchmark.progress import Progress
from tests.agents.driving import drive
from tests.agents.server import Fault, ModelServer, Script, Turn

RECORDED = Path(__file__).with_name("recorded")
KILLED_AT = 2  # the turn that the first start never gets
Event = dict[str, Any]


def session(workspace: Path) -> Script:
    """Speaks, thinks, writes, fails, looks: one of each."""
    return Script.of(
        Turn("ls", thinks="I look at what is there before I begin."),
        Turn("mkdir -p game && echo one > game/one.txt", says="Now the first file."),
        Turn("exit 3", says="This will fail."),
        Turn(look=str(workspace / "shot.png"), thinks="How does it look?"),
        closing="The game is there.",
    )


def program_of(kind: str) -> tuple[str, ...]:
    """Installed if it is not."""
    recipe = recipe_of(kind)
    assert isinstance(recipe, Recipe)
    install(recipe, Progress())
    return recipe.words()


def record(kind: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, program = Path(name), program_of(kind)
        workspace = folder / "workspace"
        workspace.mkdir()
        small_picture(workspace / "shot.png")
        with ModelServer(session(workspace), Fault("hang", at=KILLED_AT)) as server:
            first = drive(kind, program, server, folder, limit_sec=25)
        with ModelServer(session(workspace)) as server:
            drive(kind, program, server, folder, resume=first.read.trajectory.session, prompt="Go on.")
        target = RECORDED / kind
        shutil.rmtree(target, ignore_errors=True)
        _keep(folder / "out", target / "out", _EVENTS[kind], folder)
        for path in sorted((folder / "home").rglob("*.jsonl")):
            place = re.sub(r"[^/]*tmp[\w-]*workspace", "workspace", path.relative_to(folder).as_posix())
            _keep(path, target / place, _RECORDS[kind], folder)


def small_picture(path: Path) -> None:
    import cv2
    import numpy as np

    cv2.imwrite(str(path), np.full((4, 6, 3), (40, 160, 220), np.uint8))


def _keep(source: Path, target: Path, choose: Callable[[Event], Event | None], folder: Path) -> None:
    kept = [chosen for line in read_lines(source) if (event := line.object()) and (chosen := choose(event))]
    if kept:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_lines(target, json.loads(json.dumps(kept).replace(str(folder), "")))


def _all(event: Event) -> Event | None:
    return event


def _claude_event(event: Event) -> Event | None:
    if event.get("subtype") == "init":
        return {
            key: event[key] for key in ("type", "subtype", "session_id", "model", "claude_code_version") if key in event
        }
    return event if event["type"] in ("assistant", "user", "result") else None


def _claude_record(event: Event) -> Event | None:
    return event if event["type"] in ("assistant", "user") else None


def _codex_record(event: Event) -> Event | None:
    said = event["payload"]
    if event["type"] == "session_meta":
        return {**event, "payload": {key: said[key] for key in ("id", "cli_version")}}
    if event["type"] == "turn_context":
        return {**event, "payload": {"model": said["model"]}}
    if event["type"] == "response_item" and said.get("role") in ("developer", "user"):
        return None
    return (
        event
        if event["type"] in ("response_item", "token_usage_record") or said.get("type") == "task_started"
        else None
    )


def _gemini_record(event: Event) -> Event | None:
    return None if "session_context" in json.dumps(event) else event


_EVENTS: dict[str, Callable[[Event], Event | None]] = {
    "claude": _claude_event, "codebuddy": _claude_event, "codex": _all, "gemini": _all,
}  # fmt: skip
_RECORDS: dict[str, Callable[[Event], Event | None]] = {
    "claude": _claude_record, "codebuddy": _all, "codex": _codex_record, "gemini": _gemini_record,
}  # fmt: skip


if __name__ == "__main__":
    for one in sys.argv[1:]:
        record(one)
