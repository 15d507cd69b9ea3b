"""A game of our own that draws one of everything: proof that recording works, and a warm shader cache."""

import shutil
from dataclasses import replace
from pathlib import Path

from benchmark.paths import beside
from benchmark.projects.prepare import prepare
from benchmark.projects.project import scan_project
from benchmark.replay import engine_recorder, x11_recorder
from benchmark.replay.evidence import Evidence, RecorderSettings
from benchmark.replay.take_order import TakeOrder
from benchmark.replay.traces import Event, make_trace
from benchmark.runtime.locking import exclusive
from benchmark.runtime.machine import Machine, graphics_cache_folder
from benchmark.runtime.workdir import work_folder

PROJECT = Path(__file__).with_name("godot") / "testcard"
_TRACE = make_trace("testcard", None, 16, (Event("mouse_move", 4, 700, 400),))


def record_testcard(machine: Machine, out: Path) -> Evidence:
    """Really start display and engine and draw two stills."""
    prepared = prepare(scan_project(PROJECT), machine)
    return engine_recorder.record(prepared, TakeOrder(_TRACE, RecorderSettings(video_fps=0)), machine, out)


def prove_recording(machine: Machine) -> None:
    """Raises InfrastructureError if not even our own game can be recorded here."""
    with work_folder("testcard") as out:
        record_testcard(machine, out)


def prove_filming(machine: Machine) -> None:
    """Raises InfrastructureError if not even our own game can be played and filmed in real time here."""
    with work_folder("testcard") as out:
        order = TakeOrder(_TRACE, RecorderSettings(recorder="x11", video_fps=0))
        x11_recorder.record(prepare(scan_project(PROJECT), machine), order, machine, out)


def warm_up(machine: Machine) -> None:
    """Compile the engine's shaders once. Games get the result read-only: none can plant code for another.

    Saves 0.3 to 0.7 s at the start of every replay.
    """
    folder = graphics_cache_folder(machine.engine)
    with exclusive(beside(folder, ".lock")):
        if folder.exists():
            return
        partial = beside(folder, ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        partial.chmod(0o777)
        out = partial.with_name("testcard.partial")
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        record_testcard(replace(machine, graphics_cache=partial, graphics_writable=True), out)
        shutil.rmtree(out)
        for path in (partial, *partial.rglob("*")):  # whoever the games run as later
            path.chmod(0o755 if path.is_dir() else 0o644)
        partial.rename(folder)
