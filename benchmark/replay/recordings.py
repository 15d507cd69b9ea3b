"""Replaying the demos of a submission: from the cache where possible, several at once where it pays."""

import re
import shutil
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmark.cache import made_once, place
from benchmark.errors import InfrastructureError, UsageError
from benchmark.projects.prepare import VERSION as PREPARE_VERSION
from benchmark.projects.prepare import PreparedProject
from benchmark.replay import engine_recorder, x11_recorder
from benchmark.replay.evidence import Evidence, RecorderSettings, cache_key, read_evidence
from benchmark.replay.pointer import LOOK
from benchmark.replay.take_order import TakeOrder
from benchmark.replay.testcard import prove_filming, prove_recording
from benchmark.replay.traces import Trace
from benchmark.runtime.engine import OLDEST_FOR_RECORDING
from benchmark.runtime.machine import Machine
from benchmark.runtime.tokens import core_count, cpu_token, whole_machine


@dataclass(frozen=True)
class Recording:
    """The evidence of one demo and the folder in the cache that holds it."""

    trace: Trace
    evidence: Evidence
    folder: Path
    cached: bool
    seconds: float


def record_fresh(
    prepared: PreparedProject, order: TakeOrder, machine: Machine, out: Path, software_threads: int
) -> Evidence:
    """Record into `out`, whatever the cache holds."""
    if machine.engine.number < OLDEST_FOR_RECORDING:
        raise InfrastructureError(
            f"recording needs Godot 4.6, this is {machine.engine.version}",
            fix="let `python -m benchmark setup` fetch a newer engine, or name one with --godot",
        )
    if order.settings.recorder == "x11":
        return x11_recorder.record(prepared, order, machine, out, witness=prove_filming)
    return engine_recorder.record(
        prepared, order, machine, out, software_threads=software_threads, witness=prove_recording
    )


def record_cached(
    prepared: PreparedProject, order: TakeOrder, machine: Machine, software_threads: int, *, fresh: bool = False
) -> Recording:
    """The evidence of one demo; recorded only if it never was, or if `fresh` asks for it."""
    started = time.monotonic()
    folder = place("evidence", _key(prepared, order, machine))

    def make(target: Path) -> None:
        with whole_machine() if order.settings.recorder == "x11" else cpu_token():
            record_fresh(prepared, order, machine, target, software_threads)

    evidence, made = made_once(folder, make, read_evidence, fresh=fresh)
    seconds = time.monotonic() - started
    return Recording(trace=order.trace, evidence=evidence, folder=folder, cached=not made, seconds=seconds)


def _key(prepared: PreparedProject, take: TakeOrder, machine: Machine) -> str:
    trace, settings, window = take
    library = machine.clock_library.name if machine.clock_library else "none"
    if settings.recorder == "x11":
        library += f" x11-{x11_recorder.VERSION}"
    if settings.pointer:
        library += f" pointer-{LOOK}"
    return cache_key(
        prepared.digest,
        f"{trace.digest} {trace.name}" + (f" {window[0]}-{window[1]}" if window else ""),
        machine.engine.version,
        f"{engine_recorder.scripts_digest()} {library} {machine.sandbox.confined} {PREPARE_VERSION}",
        settings,
    )


@dataclass(frozen=True)
class Studio:
    """Where recordings are made, and how: so many at once, past the cache or not, and who is told of each."""

    machine: Machine
    jobs: int | None = None  # as many as there are cores
    fresh: bool = False
    on_done: Callable[[Recording], None] = lambda _: None


def replay(
    prepared: PreparedProject, takes: Iterable[TakeOrder | tuple[Trace, RecorderSettings]], studio: Studio
) -> tuple[Recording, ...]:
    """Record all takes. On n cores n games draw with one thread each: a quarter more than one with n."""
    takes = tuple(TakeOrder(*take) for take in takes)
    cores = core_count()
    workers = max(1, min(studio.jobs or cores, len(takes)))
    threads = max(1, cores // workers) if studio.jobs is None else 1

    def one(take: TakeOrder) -> Recording:
        recording = record_cached(prepared, take, studio.machine, threads, fresh=studio.fresh)
        studio.on_done(recording)
        return recording

    # The threads live until all are done: a sandbox dies with the thread that started it.
    with ThreadPoolExecutor(max_workers=workers) as pool:
        return tuple(pool.map(one, takes))


def folder_names(traces: Iterable[Trace]) -> list[str]:
    """A folder's name for each demo. File names come from the submission: `...json` must not become `..`."""
    names: list[str] = []
    for trace in traces:
        name = re.sub(r"[^\w-]+", "_", Path(trace.name).stem).strip("_") or "demo"
        names.append(name if name not in names else f"{name}_{len(names) + 1}")
    return names


def export(recording: Recording, target: Path) -> None:
    """Copy evidence out of the cache, replacing an earlier copy."""
    if target.exists():
        if any(target.iterdir()) and not (target / "evidence.json").exists():
            raise UsageError(f"{target} is in the way and holds something else", fix="name another --out")
        shutil.rmtree(target)
    shutil.copytree(recording.folder, target, copy_function=shutil.copyfile)
