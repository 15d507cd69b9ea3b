"""`python -m benchmark bench-suite`: what a run costs, as ratios measured side by side."""

import argparse
import os
import secrets
import shutil
import tempfile
from pathlib import Path

from benchmark.commands.timed import time_collection, time_suite
from benchmark.errors import BenchmarkError
from benchmark.progress import Progress
from benchmark.results.store import RunStore
from benchmark.tasks import TASKS_ROOT, find_tasks
from benchmark.tracks import all_tracks


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--copies", type=int, default=2, metavar="N", help="trials per task (default: 2)")


def run(options: argparse.Namespace) -> int:
    progress = Progress()
    progress.say("collection …")
    collection = time_collection([TASKS_ROOT], attempts=-(-1000 // len(find_tasks())))
    with tempfile.TemporaryDirectory(prefix="bench-suite-") as name:
        folder = Path(name)
        count = _lay_out(folder / "one", options.copies)
        _lay_out(folder / "two", options.copies)
        progress.say(f"{count} oracle trials with one worker …")
        one = _run(folder, "one", "n1", 1)
        progress.say(f"{count} oracle trials with two workers …")
        two = _run(folder, "two", "n2", 2)
        progress.say("the same submissions again, in a new run …")
        again = _run(folder, "two", "again", 2)
        if _scores(folder / "n2") != _scores(folder / "again"):
            raise BenchmarkError("the second run gave other scores")
    print(f"{collection.trials} trials collected in {collection.wall_sec:.2f} s  (wanted: 1,000 in < 1 s)")
    print(f"{count} oracle trials on {os.cpu_count()} cores, import, recording and judging included")
    print(f"  -n 1                       {one:6.1f} s")
    print(f"  -n 2                       {two:6.1f} s   {two / one:.2f} of -n 1      (wanted: ≤ 0.75)")
    print(f"  again, nothing changed     {again:6.1f} s   {again / two:.3f} of the first  (wanted: < 0.10)")
    return 0


def _lay_out(target: Path, copies: int) -> int:
    """Copies of our games whose oracles differ by one meaningless file, so that no cache knows them."""
    count = 0
    for task in find_tasks():
        if "judge" not in all_tracks()[task.track].needs:  # what is only tested is measured by bench-edit
            continue
        for number in range(copies):
            folder = target / task.track / task.family / f"{task.slug}-{number}"
            shutil.copytree(task.folder, folder)
            (folder / "solution" / "bench.txt").write_text(secrets.token_hex(16), encoding="utf-8")
            count += 1
    return count


def _run(folder: Path, tasks: str, run: str, workers: int) -> float:
    return time_suite(folder / tasks, folder, run, workers, "--gate", "build >= 1")


def _scores(run: Path) -> dict[str, float | None]:
    return {trial.label: record.score for trial, record in RunStore(run).latest().items()}
