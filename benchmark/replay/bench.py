"""Measuring the recorders against each other, side by side in one run on one machine."""

import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmark.errors import BenchmarkError
from benchmark.projects.prepare import PreparedProject
from benchmark.replay.build_gate import check_build
from benchmark.replay.evidence import Evidence, RecorderSettings
from benchmark.replay.recordings import record_fresh
from benchmark.replay.take_order import TakeOrder
from benchmark.replay.traces import FPS, Trace
from benchmark.runtime.machine import Machine
from benchmark.runtime.sandbox import Job, Mount
from benchmark.runtime.workdir import work_folder

BATCH = 10
VIDEO_BATCH = 4


@dataclass(frozen=True)
class BenchRow:
    """Seconds per 20 s demo of one game. A batch is many demos on all cores, divided by their number."""

    game: str
    bare_sec: float
    stills_sec: float
    video10_sec: float
    video30_sec: float
    x11_sec: float
    batch_sec: float
    video_batch_sec: float
    x11_dropped: int
    engine_dropped: int

    @property
    def stills_over_bare(self) -> float:
        return self.stills_sec / self.bare_sec

    @property
    def batch_speedup(self) -> float:
        return self.x11_sec / self.batch_sec

    @property
    def video_batch_speedup(self) -> float:
        return self.x11_sec / self.video_batch_sec

    @property
    def video10_speedup(self) -> float:
        return self.x11_sec / self.video10_sec


def measure(folder: Path, machine: Machine, repeats: int, x11_demos: int, say: Callable[[str], None]) -> BenchRow:
    """All measurements of one game; the repeats of each are interleaved, so that drift hits all alike."""
    gate = check_build(folder, machine)
    if not gate.build or gate.prepared is None:
        raise BenchmarkError(f"{folder.name} does not pass the gate: {[str(f) for f in gate.findings if f.blocks]}")
    prepared, traces = gate.prepared, gate.traces.traces
    cores = os.cpu_count() or 1
    times: dict[str, list[float]] = {}
    dropped = 0
    for number in range(repeats):
        times.setdefault("bare", []).append(_bare(prepared, traces[0], machine))
        for label, fps in (("stills", 0), ("video10", 10), ("video30", 30)):
            say(f"{folder.name}: {label}, run {number + 1} of {repeats}")
            seconds, evidence = _one(prepared, traces[0], RecorderSettings(video_fps=fps), machine, cores)
            times.setdefault(label, []).append(seconds)
            dropped += evidence.frames.dropped + evidence.frames.expected - evidence.frames.played
    batch = tuple(traces[index % len(traces)] for index in range(BATCH))
    say(f"{folder.name}: {BATCH} demos, {cores} at once")
    batch_sec = _many(prepared, batch, RecorderSettings(video_fps=0), machine, cores)
    say(f"{folder.name}: {VIDEO_BATCH} demos with 10 fps video, {cores} at once")
    video_batch_sec = _many(prepared, batch[:VIDEO_BATCH], RecorderSettings(video_fps=10), machine, cores)
    x11: list[float] = []
    x11_dropped: list[int] = []
    for index in range(x11_demos):
        say(f"{folder.name}: x11 in real time, {index + 1} of {x11_demos}")
        settings = RecorderSettings(recorder="x11", video_fps=10)
        seconds, evidence = _one(prepared, batch[index], settings, machine, cores)
        x11.append(seconds)
        x11_dropped.append(evidence.frames.dropped)
    middle = {label: statistics.median(values) for label, values in times.items()}
    return BenchRow(
        game=folder.name,
        bare_sec=middle["bare"],
        stills_sec=middle["stills"],
        video10_sec=middle["video10"],
        video30_sec=middle["video30"],
        x11_sec=statistics.mean(x11),
        batch_sec=batch_sec,
        video_batch_sec=video_batch_sec,
        x11_dropped=round(statistics.mean(x11_dropped)),
        engine_dropped=dropped,
    )


def _bare(prepared: PreparedProject, trace: Trace, machine: Machine) -> float:
    """The engine alone: no window, no picture, no input, the same number of frames."""
    mount = Mount("project", prepared.folder)
    arguments = (
        "--headless",
        "--path",
        machine.sandbox.place(mount),
        "--audio-driver",
        "Dummy",
        "--fixed-fps",
        str(FPS),
        "--quit-after",
        str(trace.duration_frames),
    )
    started = time.monotonic()
    machine.sandbox.run(Job(machine.engine.program, arguments, (mount,)))
    return time.monotonic() - started


def _one(
    prepared: PreparedProject, trace: Trace, settings: RecorderSettings, machine: Machine, threads: int
) -> tuple[float, Evidence]:
    with work_folder("bench") as out:
        started = time.monotonic()
        evidence = record_fresh(prepared, TakeOrder(trace, settings), machine, out, threads)
        return time.monotonic() - started, evidence


def _many(
    prepared: PreparedProject, traces: tuple[Trace, ...], settings: RecorderSettings, machine: Machine, cores: int
) -> float:
    """Seconds per demo when each core plays one."""
    started = time.monotonic()
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(lambda trace: _one(prepared, trace, settings, machine, 1), traces))
    return (time.monotonic() - started) / len(traces)


def table(rows: list[BenchRow]) -> str:
    """The result for people; speedups are against the x11 recorder."""
    columns = {
        "bare": (row.bare_sec for row in rows),
        "stills": (row.stills_sec for row in rows),
        "10 fps": (row.video10_sec for row in rows),
        "30 fps": (row.video30_sec for row in rows),
        "x11": (row.x11_sec for row in rows),
        "10 demos": (row.batch_sec for row in rows),
        "4 with video": (row.video_batch_sec for row in rows),
        "stills/bare": (row.stills_over_bare for row in rows),
        "10 fps ×": (row.video10_speedup for row in rows),
        "10 demos ×": (row.batch_speedup for row in rows),
        "4 with video ×": (row.video_batch_speedup for row in rows),
    }
    counts = {"dropped": (row.engine_dropped for row in rows), "x11 dropped": (row.x11_dropped for row in rows)}
    head = ["game", *columns, *counts]
    cells = [[row.game for row in rows], *([f"{n:.2f}" for n in column] for column in columns.values())]
    cells += [[str(n) for n in column] for column in counts.values()]
    lines = [head, *map(list, zip(*cells, strict=True))]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    shown = [
        "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    ]
    return "\n".join([shown[0], "-" * len(shown[0]), *shown[1:]])
