"""`gamecraft-bench demo`, also as `make demo`: the oracle on the tasks that come along, and a report to look at."""

import argparse
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from benchmark.commands import assets, report, setup
from benchmark.files import remove_tree
from benchmark.results.store import RUNS_ROOT, TRIALS_FILE
from benchmark.suite.door import SUITE
from benchmark.tasks import EXAMPLE_FAMILY, Task, find_tasks
from benchmark.tracks import all_tracks

RUN = "demo"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help="only the example task, instead of all")
    parser.add_argument(
        "--runs-dir", type=Path, default=RUNS_ROOT, metavar="DIR", help=f"where runs are kept (default: {RUNS_ROOT}/)"
    )


def run(options: argparse.Namespace) -> int:
    tasks = [task for task in find_tasks() if not options.quick or task.family == EXAMPLE_FAMILY]
    _provision(tasks)
    folder: Path = options.runs_dir / RUN
    if (folder / TRIALS_FILE).is_file():
        remove_tree(folder)  # a demo shows work, not what is settled
    where = (f"--run={RUN}", f"--runs-dir={options.runs_dir}")
    chosen = ("-m", EXAMPLE_FAMILY) if options.quick else ("-n", "2")
    command = [sys.executable, "-m", "pytest", str(SUITE), *where, "--video-fps=6", *chosen, "--gate", _reached(tasks)]
    code = subprocess.run(command, check=False).returncode
    if (folder / TRIALS_FILE).is_file():
        _command(report, RUN, f"--runs-dir={options.runs_dir}", "--pictures")
    return code


def _provision(tasks: Iterable[Task]) -> None:
    """Bring what these tasks need, and nothing else."""
    needs = {need for task in tasks for need in all_tracks()[task.track].needs}
    if "engine" in needs:
        _command(setup)
    if "art" in needs:
        _command(assets, "--quiet")
    if "browser" in needs:
        _command(setup, "--browser", "--quiet")


def _reached(tasks: Iterable[Task]) -> str:
    """What the solutions of these tasks must reach, as a condition."""
    tracks = dict.fromkeys(task.track for task in tasks)
    return " and ".join(f"{name}_{all_tracks()[name].oracle_reaches}" for name in tracks)


def _command(module: ModuleType, *words: str) -> None:
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    module.run(parser.parse_args(words))
