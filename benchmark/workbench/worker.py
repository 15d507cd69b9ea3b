"""One request, in a process of its own: `python -m benchmark.workbench.worker` reads it from standard input, and writes
the frames of its answer to standard output.

A process, because it can be ended at any moment, with everything it started: when its time is up, when whoever asked
is gone, when the trial is over.
"""

import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict

from benchmark.errors import BenchmarkError
from benchmark.projects.submission import take_submission
from benchmark.runtime.machine import find_machine
from benchmark.runtime.workdir import work_folder
from benchmark.tracks import Workbench, track_of
from benchmark.workbench.answers import BUSY, FAILED, MISUSED, Answer
from benchmark.workbench.art import art
from benchmark.workbench.editor import editor_picture
from benchmark.workbench.look import errors, screenshot
from benchmark.workbench.requests import MisuseError, parse


class Order(TypedDict):
    """What the worker is told."""

    project: str
    track: str
    imports: str  # a folder besides the shared cache
    godot: str | None
    words: list[str]


def answer(order: Order) -> Answer:
    """Whatever the request, whatever the project: an answer. Raises nothing that either could bring about."""
    try:
        command, request = parse(order["words"])
    except MisuseError as error:
        return Answer(str(error), MISUSED)
    try:
        if command == "art":
            return art(str(request))
        workbench = track_of(order["track"]).workbench
        if workbench is None:
            return Answer(f"there is nothing to ask on the track {order['track']}", FAILED)
        with work_folder("asked", on_disk=True) as work:
            # As at the end of a trial: what is looked at is a copy, taken within the same limits.
            take_submission(Path(order["project"]), work / "project")
            look = _looks(workbench)[command]
            return look(
                work / "project", find_machine(order["godot"]), Path(order["imports"]), *([request] if request else [])
            )
    except BenchmarkError as error:  # ours: the work of whoever asks is not to blame
        return Answer(f"the workbench failed, not your project: {error.message}", BUSY)
    except Exception:  # a bug of ours; whoever asks learns nothing of the harness
        traceback.print_exc()
        return Answer("the workbench failed, not your project", BUSY)


def _looks(workbench: Workbench) -> dict[str, Callable[..., Answer]]:
    return {
        "check": workbench.check, "replay": workbench.replay, "screenshot": screenshot, "errors": errors,
        "editor": editor_picture,
    }  # fmt: skip


def main() -> int:
    order: Any = json.loads(sys.stdin.buffer.read())
    wire = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything here prints is no part of the answer
    for frame in answer(order).frames():
        wire.write(frame)
    wire.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
