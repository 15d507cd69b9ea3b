"""Sessions of agents made by hand, as an adapter would have left them in a trial's folder."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import cv2
import numpy as np

from benchmark.agents.activity import activity_of
from benchmark.agents.trajectory import (
    Picture,
    Step,
    Tokens,
    ToolCall,
    ToolResult,
    Trajectory,
    Who,
    write_trajectory,
)
from benchmark.results.report.trajectory_reader import TRAJECTORY

START = datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)
_SCRIPT = "extends CharacterBody2D\n\nvar speed := 120.0\n" * 8
_TOOLS = (
    ("Bash", {"command": "godot --headless --path game --quit-after 5"}, 3.0),
    ("Write", {"file_path": "game/scripts/player.gd", "content": _SCRIPT}, 0.1),
    ("Edit", {"file_path": "game/main.tscn", "old_string": "position = 1", "new_string": "position = 2"}, 0.1),
    ("Read", {"file_path": "assets/library/LICENSES.md"}, 0.1),
    ("Grep", {"pattern": "func _ready", "path": "game"}, 0.2),
    ("Bash", {"command": "tools/screenshot.sh --path game -- --out /tmp/shot.png --frames 60"}, 8.0),
    ("Read", {"file_path": "/tmp/shot.png"}, 0.3),
    ("TodoWrite", {"todos": [{"content": "the cave", "status": "done"}]}, 0.1),
)  # fmt: skip


def make_session(
    folder: Path, steps: int = 12, *, seed: int = 1, words: str = "", timed: bool = True, told: bool = True
) -> Trajectory:
    """Writes trajectory.json with its pictures. `told`: whether the times of results are there."""
    chance = random.Random(seed)
    (folder / "trajectory").mkdir(parents=True, exist_ok=True)
    now = START
    made = [Step("user", f"Build the game of instruction.md {words}", time=_iso(now, timed))]
    for number in range(1, steps):
        now += timedelta(seconds=chance.uniform(2, 25))
        name, arguments, took = chance.choice(_TOOLS)
        call = ToolCall(f"c{number}", name, {**arguments, **({"note": words} if words else {})})
        began = now
        now += timedelta(seconds=took * chance.uniform(0.5, 2))
        pictures = (_picture(folder, number),) if arguments.get("file_path") == "/tmp/shot.png" else ()
        result = ToolResult(
            call.id,
            "\n".join([f"line {line} {words}" for line in range(chance.choice((1, 3, 40)))]),
            pictures,
            failed=chance.random() < 0.1,
            time=_iso(now, timed and told),
        )
        last = number == steps - 1
        made.append(
            Step(
                "agent",
                f"Now the next thing. {words}" if chance.random() < 0.4 or last else "",
                time=_iso(began, timed),
                reasoning=f"The jump feels heavy.\nLower the gravity a little. {words}"
                if chance.random() < 0.3
                else "",
                calls=() if last else (call,),
                results=() if last else (result,),
                tokens=Tokens(4000 + 300 * number, chance.randrange(50, 900), 3500 + 300 * number, 40),
                cost_usd=0.01,
            )
        )
    trajectory = Trajectory(tuple(made), "session-1", "2.1.326", "opus-4.7", turns=steps - 1)
    who = Who("claude", "2.1.326", "opus-4.7", "high")
    write_trajectory(folder / TRAJECTORY, trajectory, who)
    return trajectory


def activity(folder: Path, steps: int, seed: int) -> dict[str, float]:
    """What the record of such a session holds."""
    return activity_of(make_session(folder, steps, seed=seed))


def _iso(moment: datetime, timed: bool) -> str:
    return moment.isoformat(timespec="milliseconds") if timed else ""


def _picture(folder: Path, number: int) -> Picture:
    path = f"trajectory/{number:04d}.png"
    picture = np.full((360, 640, 3), 40 + number % 7 * 20, np.uint8)
    cv2.circle(picture, (80 + number * 37 % 480, 180), 60, (60, 200, 240), -1)
    cv2.imwrite(str(folder / path), picture)
    return Picture(path)
