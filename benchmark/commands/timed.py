"""For the benchmarks of ourselves: a run of the suite in a process of its own, and how long it took."""

import subprocess
import sys
import time
from pathlib import Path

from benchmark.errors import BenchmarkError
from benchmark.suite.door import SUITE


def time_suite(tasks: Path, runs: Path, run: str, workers: int, *options: str) -> float:
    """Seconds from the call of pytest to its end, which must be a good one."""
    command = [
        sys.executable, "-m", "pytest", str(SUITE), "-q", "-n", str(workers), f"--tasks={tasks}", f"--runs-dir={runs}",
        f"--run={run}", "-p", "no:cacheprovider", *options,
    ]  # fmt: skip
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchmarkError(f"pytest failed with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-1000:]}")
    return time.monotonic() - began
