"""`python -m benchmark report`."""

import argparse
import json
from pathlib import Path

from benchmark.errors import UsageError
from benchmark.progress import Progress
from benchmark.results.store import RUNS_ROOT, RunStore, open_run
from benchmark.results.tables import RENDERERS, family_table, leaderboard, summary_document


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="RUN", help="a run's name, `latest`, or its folder")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the pages go (default: report/ in the run)")
    parser.add_argument(
        "--runs-dir", type=Path, default=RUNS_ROOT, metavar="DIR", help=f"where runs are (default: {RUNS_ROOT}/)"
    )
    parser.add_argument(
        "--format", choices=("html", *RENDERERS), default="html",
        help="html writes pages; the others print the leaderboard and the families (json: a baseline for --baseline)",
    )  # fmt: skip
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


def run(options: argparse.Namespace) -> int:
    # `latest` is a link: the report names the run it leads to
    store = RunStore(open_run(options.name, options.runs_dir).folder.resolve())
    if options.format == "html":
        from benchmark.results.report.build import build_report  # templates and OpenCV, which tables do not need

        print(build_report(store, options.out or store.folder / "report", Progress(quiet=options.quiet)))
        return 0
    if options.out is not None:
        raise UsageError(f"--out: --format {options.format} is printed", fix="redirect it, or leave --out away")
    records = sorted(store.latest().values(), key=lambda record: record.id)
    if options.format == "json":
        print(json.dumps(summary_document(store.name, records), indent=1))
    else:
        render = RENDERERS[options.format][1]
        print(render(leaderboard(records)), render(family_table(records)), sep="\n", end="")
    return 0
