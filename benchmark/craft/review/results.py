"""Results of a run's reviews: for the page while it is served, and as files for everyone else."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from benchmark.craft.review import calibration
from benchmark.craft.review.calibration import Judged, finished_trials, largest_gaps
from benchmark.craft.review.ledger import Ledger, Review
from benchmark.craft.review.pages import GapRow, Results, name_of, places, results_page
from benchmark.craft.review.queue import Case, ReviewQueue
from benchmark.errors import UsageError
from benchmark.files import write_json, write_whole
from benchmark.results.report.cards import page_id
from benchmark.results.report.place import check_place
from benchmark.results.store import RunStore
from benchmark.results.tables import RENDERERS, Table

KIND = "gamecraft-bench review"  # how a folder of ours is known
SUMMARY_FILE = "review.json"
PAGE_FILE = "review.html"
FORMATS = ("html", *RENDERERS)
Ways = tuple[tuple[str, str], ...]  # wording and address of each


def served_results(store: RunStore, queue: ReviewQueue, ledger: Ledger, review: Review, *, blind: bool) -> Results:
    """For a reviewer: only trials this reviewer has finished, so that nothing is given away. Blind, without agents."""
    order = places(queue, review, blind=blind)
    numbers = {place.case.key: place.number for place in order}
    mine = [place.case for place in order if place.done]
    judged = finished_trials(mine, ledger.read_all())

    def called(case: Case) -> str:
        return name_of(case, numbers[case.key], blind=blind)

    tables = [calibration.calibration_table(judged), *([] if blind else [calibration.agent_table(judged)])]
    tables += [calibration.agreement_table(judged), calibration.trial_table(judged, called)]

    def ways(case: Case, item: str) -> Ways:
        return (("look again", f"trials/{case.key}#{item}"),)

    counts = (f"{len(mine)} of {len(queue.cases)} trials finished by {review.reviewer}; only these are shown.",)
    return _results("" if blind else store.name, judged, counts, tables, called, ways)


def export(
    store: RunStore, queue: ReviewQueue, ledger: Ledger, out: Path, formats: Sequence[str] = FORMATS
) -> list[Path]:
    """Write all tables and the page; returns the files. A folder that is not an export is never touched."""
    out = out.resolve()
    check_place(out, SUMMARY_FILE, KIND, f"--export: {out} exists and is no export of ours")
    reviews = ledger.read_all()
    tables, judged = all_tables(queue, reviews, out)
    written = []
    try:
        for name, table in tables.items():
            for kind in formats:
                if kind in RENDERERS:
                    ending, render = RENDERERS[kind]
                    written.append(out / f"{name}{ending}")
                    write_whole(written[-1], render(table))
        if "html" in formats:
            written.append(out / PAGE_FILE)
            shown = [table for name, table in tables.items() if name not in ("scores", "items", "gaps")]
            counts = counts_of(queue, reviews)
            page = _results(
                store.name, judged, counts, shown, lambda case: case.label, lambda case, _: _links(store, case, out)
            )
            write_whole(written[-1], results_page(page).encode("utf-8", "replace").decode("utf-8"))
        written.append(out / SUMMARY_FILE)
        write_json(written[-1], _summary(store, queue, reviews, tables))
    except OSError as error:
        raise UsageError(f"cannot write to {out}: {error.strerror}", fix="name another folder with --export") from error
    return written


def all_tables(queue: ReviewQueue, reviews: Sequence[Review], out: Path) -> tuple[dict[str, Table], tuple[Judged, ...]]:
    """By the names of their files; evidence is named as seen from `out`."""
    judged = finished_trials(queue.cases, reviews)

    def evidence(case: Case) -> str:
        return os.path.relpath(case.folder / "evidence", out)

    tables = {
        "calibration": calibration.calibration_table(judged),
        "agents": calibration.agent_table(judged),
        "agreement": calibration.agreement_table(judged),
        "trials": calibration.trial_table(judged, _label),
        "items": calibration.item_table(judged, _label),
        "gaps": calibration.gap_table(judged, _label, evidence),
        "scores": calibration.score_table(queue.cases, reviews),
    }
    return tables, judged


def _label(case: Case) -> str:
    return case.label


def counts_of(queue: ReviewQueue, reviews: Sequence[Review]) -> tuple[str, ...]:
    """How much of the run has been judged, and by whom."""
    lines = [f"{one.reviewer} finished {queue.finished_by(one)} of {len(queue.cases)} trials." for one in reviews]
    lines += [remark for one in reviews for remark in one.remarks]
    return (*lines, "Only finished reviews count.", *queue.remarks)


def _results(
    run: str,
    judged: Sequence[Judged],
    counts: tuple[str, ...],
    tables: Sequence[Table],
    called: calibration.NameOf,
    ways: Callable[[Case, str], Ways],
) -> Results:
    cases = {one.case.record.id: one.case for one in judged}
    gaps = []
    for gap in largest_gaps(judged):
        case = cases[gap.trial]
        text = next(item.description for item in case.rubric.requirements if item.id == gap.item)
        gaps.append(
            GapRow(
                name=called(case),
                item=gap.item,
                judge=gap.one,
                human=gap.other,
                description=text,
                links=ways(case, gap.item),
            )
        )
    judges = sorted({one.case.record.judge for one in judged})
    proxy = any(one.case.record.proxy for one in judged)
    return Results(
        run=run,
        judges=", ".join(judges),
        proxy=proxy,
        counts=counts,
        tables=tuple(table for table in tables if table.rows),
        gaps=tuple(gaps),
    )


def _links(store: RunStore, case: Case, out: Path) -> Ways:
    """To the evidence, and to the report's page where there is one; relative, so that the run can be moved."""
    links = [("evidence", quote(os.path.relpath(case.folder / "evidence", out)) + "/")]
    page = store.folder / "report" / "trials" / f"{page_id(case.record.id)}.html"
    if page.is_file():
        links.insert(0, ("report", quote(os.path.relpath(page, out))))
    return tuple(links)


def _summary(
    store: RunStore, queue: ReviewQueue, reviews: Sequence[Review], tables: Mapping[str, Table]
) -> dict[str, object]:
    render = RENDERERS["json"][1]
    return {
        "kind": KIND,
        "run": store.name,
        "trials": len(queue.cases),
        "left_out": queue.left_out,
        "finished": {one.reviewer: queue.finished_by(one) for one in reviews},
        **{name: json.loads(render(table)) for name, table in tables.items() if name not in ("scores", "items")},
    }
