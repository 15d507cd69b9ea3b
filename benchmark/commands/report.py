"""`python -m benchmark report`."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from benchmark.errors import UsageError
from benchmark.progress import Progress
from benchmark.results.averages import by_track
from benchmark.results.exports import main_tables, summary_document
from benchmark.results.references import choose_references, reference_document, reference_tables
from benchmark.results.store import RUNS_ROOT, RunStore, open_run
from benchmark.results.tables import RENDERERS
from benchmark.trials import TrialRecord


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="RUN", help="a run's name, `latest`, or its folder")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the pages go (default: report/ in the run)")
    parser.add_argument(
        "--runs-dir", type=Path, default=RUNS_ROOT, metavar="DIR", help=f"where runs are (default: {RUNS_ROOT}/)"
    )
    parser.add_argument(
        "--format", choices=("html", *RENDERERS), default="html",
        help="html writes pages; the others print the leaderboards with families or skills (json: for --baseline)",
    )  # fmt: skip
    parser.add_argument(
        "--pictures", action="store_true",
        help="also draw the main scene of each changed project whose test drew none (about a second each)",
    )  # fmt: skip
    parser.add_argument(
        "--reference", action="append", default=[], metavar="ROW",
        help="show a published result below our own: words of its name, all, FILE.csv or FILE.csv:WORDS (may be given "
        "again; an unknown one lists them)",
    )  # fmt: skip
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


def run(options: argparse.Namespace) -> int:
    # `latest` is a link: the report names the run it leads to
    store = RunStore(open_run(options.name, options.runs_dir).folder.resolve())
    records = sorted(store.latest().values(), key=lambda record: record.id)
    references = choose_references(options.reference)
    pages = {track.name: track.pages(track) for track, _ in by_track(records)}
    if references and not any(one.shows_references for one in pages.values()):
        raise UsageError(f"--reference: {store.name} has no scored games to set it beside", fix="leave it away")
    if options.format == "html":
        from benchmark.results.report.build import build_report  # templates and OpenCV, which tables do not need

        progress = Progress(quiet=options.quiet)
        if options.pictures:
            _draw_pictures(store, records, progress)
        print(build_report(store, options.out or store.folder / "report", progress, references))
        return 0
    if options.out is not None:
        raise UsageError(f"--out: --format {options.format} is printed", fix="redirect it, or leave --out away")
    if options.pictures:
        raise UsageError(f"--pictures: --format {options.format} has none", fix="leave --format or --pictures away")
    if options.format == "json":
        document = summary_document(store.name, records)
        print(json.dumps(document | reference_document(references), indent=1))
    else:
        render = RENDERERS[options.format][1]
        tables = main_tables(records) | reference_tables(references)
        print(*map(render, tables.values()), sep="\n", end="")
    return 0


def _draw_pictures(store: RunStore, records: Sequence[TrialRecord], progress: Progress) -> None:
    for line in store.writing():  # pictures go into the folders of trials
        progress.say(line)
    try:
        for track, own in by_track(records):
            track.pages(track).draw_pictures(store, own, progress)
    finally:
        store.close()
