"""`python -m benchmark bring`."""

import argparse
import shlex

from benchmark.progress import Progress
from benchmark.public_benchmarks.catalogue import PublicBenchmark, known_benchmarks
from benchmark.public_benchmarks.snapshot import Snapshot, bring
from benchmark.trials import one_line

_SHOWN = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    known = known_benchmarks()
    titles = "; ".join(f"{one.name}: {one.title}" for one in known.values())
    parser.add_argument("name", choices=tuple(known), help=titles)
    parser.add_argument(
        "--from", dest="source", metavar="URL_OR_PATH", help="from here, e.g. a local mirror (default: its own place)"
    )
    parser.add_argument("--commit", metavar="SHA", help="another state than the one this version was measured on")


def run(options: argparse.Namespace) -> int:
    benchmark = known_benchmarks()[options.name]
    source, commit = options.source or benchmark.source, options.commit or benchmark.commit
    snapshot = bring(benchmark, source, commit, Progress())
    print("\n".join(_lines(benchmark, snapshot)))
    return 0


def _lines(benchmark: PublicBenchmark, snapshot: Snapshot) -> list[str]:
    is_pinned = snapshot.commit == benchmark.commit
    lines = [
        f"{benchmark.title}",
        f"  commit   {snapshot.commit}{'' if is_pinned else ' (not the one that docs/public.md is about)'}",
        f"  checked  every file against the commit{'' if snapshot.is_new else ', when it was brought'}",
        f"  licence  {one_line(snapshot.licence)}",
        f"  size     {snapshot.files} files, {snapshot.size_bytes / 1e6:.1f} MB",
        f"  folder   {snapshot.folder}",
    ]
    for path, reason in snapshot.missing[:_SHOWN]:
        lines.append(f"  missing  {one_line(path)}: {reason}")
    if len(snapshot.missing) > _SHOWN:
        lines.append(f"  missing  {len(snapshot.missing) - _SHOWN} more; bringing it again tries for them")
    folder = shlex.quote(str((snapshot.folder / benchmark.tasks).resolve()))
    return [*lines, f"next: pytest --track {benchmark.track} --tasks {folder}"]
