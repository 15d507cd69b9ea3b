"""For the benchmarks of ourselves: a run of the suite in a process of its own, and how long things took."""

import contextlib
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmark.errors import BenchmarkError
from benchmark.runtime.processes import tree
from benchmark.suite.door import SUITE

_COLLECTED = re.compile(r"^(\d+) tests collected in ([\d.]+)s", re.MULTILINE)


def time_suite(tasks: Path, runs: Path, run: str, workers: int, *options: str) -> float:
    """Seconds from the call of pytest to its end, which must be a good one."""
    began = time.monotonic()
    _pytest("-n", str(workers), f"--tasks={tasks}", f"--runs-dir={runs}", f"--run={run}", *options)
    return time.monotonic() - began


@dataclass(frozen=True)
class CollectionCost:
    """What it took pytest to list trials. Processor time, start-up included, is the same on a crowded machine."""

    trials: int
    wall_sec: float
    processor_sec: float


def time_collection(tasks: Sequence[Path], attempts: int) -> CollectionCost:
    """List trials in a process of its own; the wall time is what pytest says of itself."""
    before = children_processor_sec()
    folders = [f"--tasks={folder}" for folder in tasks]
    said = _pytest("--collect-only", "--agent=nop", f"--attempts={attempts}", *folders)
    found = _COLLECTED.search(said)
    if found is None:
        raise BenchmarkError(f"pytest does not say what it collected:\n{said[-1000:]}")
    return CollectionCost(int(found[1]), float(found[2]), children_processor_sec() - before)


def children_processor_sec() -> float:
    """Of all processes of ours that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cpu_sec() -> float:
    """What this process and all that it started and that still runs have used together."""
    ticks = 0
    for pid in tree(os.getpid()):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _pytest(*options: str) -> str:
    command = [sys.executable, "-m", "pytest", str(SUITE), "-q", "-p", "no:cacheprovider", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchmarkError(f"pytest failed with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-1000:]}")
    return done.stdout
