"""`python -m benchmark bench-replay`, also as `make bench-replay`."""

import argparse
import json
import platform
import statistics
from dataclasses import asdict
from pathlib import Path

from benchmark.bundled import bundled
from benchmark.errors import UsageError
from benchmark.progress import Progress
from benchmark.replay.bench import BATCH, measure, table
from benchmark.runtime.machine import find_machine

GAMES = bundled("tests/games/bench")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", help="names of bundled games (default: all)")
    parser.add_argument("--folder", type=Path, default=GAMES, metavar="DIR", help="where the games are")
    parser.add_argument(
        "--repeats", type=int, default=3, metavar="N", help="runs of each single measurement (default: 3)"
    )
    parser.add_argument("--x11-demos", type=int, default=1, metavar="N", help=f"real-time demos per game, 1 to {BATCH}")
    parser.add_argument("--json", type=Path, metavar="F", help="also write the numbers here")


def run(options: argparse.Namespace) -> int:
    folders = sorted(path.parent for path in options.folder.glob("*/project.godot"))
    if options.games:
        folders = [folder for folder in folders if folder.name in options.games]
    if not folders:
        raise UsageError(f"no games named {options.games or 'at all'} in {options.folder}")
    if not 1 <= options.x11_demos <= BATCH or options.repeats < 1:
        raise UsageError(f"--x11-demos must be 1 to {BATCH} and --repeats at least 1")
    machine = find_machine()
    progress = Progress()
    progress.say(f"about {len(folders) * (options.repeats * 45 + options.x11_demos * 25 + 40) // 60} minutes")
    rows = [measure(folder, machine, options.repeats, options.x11_demos, progress.say) for folder in folders]
    print(f"\nseconds per 20 s demo, {platform.machine()}, Godot {machine.engine.version}\n\n{table(rows)}\n")
    total = sum(row.x11_sec for row in rows) / sum(row.batch_sec for row in rows)
    print(f"ten demos, all games together: {total:.1f}× faster than real-time recording")
    print(f"10 fps video, median: {statistics.median(row.video10_speedup for row in rows):.1f}×")
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1), encoding="utf-8")
    return 0
