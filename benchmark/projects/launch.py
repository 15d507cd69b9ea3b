"""Starting a prepared game with one of our scripts before its own."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmark.projects.held_back import hold_back, instead
from benchmark.projects.prepare import PreparedProject
from benchmark.projects.project import override_file
from benchmark.runtime.arithmetic import SAME_ARITHMETIC
from benchmark.runtime.machine import Machine
from benchmark.runtime.sandbox import Job, Limits, Mount


@dataclass(frozen=True)
class HostScript:
    """A script of ours that runs before the game's autoloads, and the folder that holds it.

    `first`: before any code of the game, because our script is told what the game must not know. Once it knows, it
    gives back what was held back for that.
    """

    folder: Path
    name: str
    first: bool = False


@dataclass(frozen=True)
class GameStart:
    """How the engine is started with it."""

    arguments: tuple[str, ...]
    limits: Limits
    env: Mapping[str, str] = field(default_factory=dict)
    extra: tuple[Mount, ...] = ()


def game_job(machine: Machine, prepared: PreparedProject, script: HostScript, start: GameStart) -> Job:
    """A start of the game with one of our scripts."""
    harness = script.folder
    sandbox = machine.sandbox
    ours = Mount("harness", harness)
    over = hold_back(prepared.folder).lay_out(harness) if script.first else {}
    pinned = instead(sandbox.place(ours)) if script.first else {}
    over["override.cfg"] = harness / "override.cfg"
    over["override.cfg"].write_text(override_file(f"{sandbox.place(ours)}/{script.name}", pinned), encoding="utf-8")
    game = Mount("project", prepared.folder)
    mounts: tuple[Mount, ...] = (
        game,
        *(Mount(f"project/{name}", file) for name, file in over.items()),
        ours,
        *start.extra,
    )
    if not sandbox.confined:  # nothing can be laid over: give the game a copy of its own
        game = Mount("project", _private_copy(prepared, harness, over))
        mounts = (game, ours, *start.extra)
    return Job(
        program=machine.engine.program,
        args=("--path", sandbox.place(game), "--audio-driver", "Dummy", *start.arguments),
        mounts=mounts,
        env={"GODOT_SILENCE_ROOT_WARNING": "1", "LIBGL_ALWAYS_SOFTWARE": "1", **SAME_ARITHMETIC, **start.env},
        limits=start.limits,
        home=harness,
    )


def no_proc(work: Path) -> Mount:
    """In place of /proc, by which a program reads its own memory, and with it whatever we told our script."""
    folder = work / "proc"
    (folder / "self").mkdir(parents=True)
    (folder / "self/exe").symlink_to("/usr/bin/godot")  # all that the engine asks for
    return Mount("proc", folder)


def _private_copy(prepared: PreparedProject, harness: Path, over: dict[str, Path]) -> Path:
    target = harness / "project"
    shutil.copytree(prepared.folder, target)
    for name, file in over.items():
        shutil.copyfile(file, target / name)
    return target
