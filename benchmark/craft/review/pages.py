"""The pages reviewers see, made from values; nothing here reads a request or writes a file.

Blind, nothing that an agent chose or is called gets this far: no names of agents, runs or demos, no logs.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from benchmark.craft.report.pages import ENDINGS, CraftPages, DemoView, demo_view
from benchmark.craft.report.reading import CraftFiles, DemoFiles, VariedFiles
from benchmark.craft.report.timeline import presses
from benchmark.craft.review.ledger import MAX_NOTE_CHARACTERS, Review, ReviewMark, pace_sec
from benchmark.craft.review.queue import Case, ReviewQueue
from benchmark.craft.rubric import CATEGORIES, CATEGORY_NAMES
from benchmark.replay.traces import FPS
from benchmark.results.report.environment import TEMPLATES as REPORT_TEMPLATES
from benchmark.results.report.environment import environment as report_environment
from benchmark.results.tables import Table, visible

TEMPLATES = Path(__file__).with_name("templates")
# address → file: the only files besides pictures and films that are ever sent
STATIC = {
    "style.css": REPORT_TEMPLATES / "style.css",
    "demo.js": REPORT_TEMPLATES / "demo.js",
    "review.css": TEMPLATES / "review.css",
    "review.js": TEMPLATES / "review.js",
    "start.js": TEMPLATES / "start.js",
    "results.js": TEMPLATES / "results.js",
}


@cache
def environment() -> Environment:
    """The report's, so that everything is escaped in the same way."""
    loader = FileSystemLoader([TEMPLATES, CraftPages.templates, REPORT_TEMPLATES])
    return report_environment().overlay(loader=loader)


@dataclass(frozen=True)
class Place:
    """A case in a reviewer's order."""

    case: Case
    number: int
    scored: int

    @property
    def done(self) -> bool:
        return self.scored == len(self.case.rubric.ids)


def places(queue: ReviewQueue, review: Review, *, blind: bool) -> tuple[Place, ...]:
    return tuple(
        Place(case, number, len(case.scores(review)))
        for number, case in enumerate(queue.in_order(review.reviewer, blind=blind), 1)
    )


def name_of(case: Case, number: int, *, blind: bool) -> str:
    """How pages call a trial."""
    if blind:
        return f"{case.title}, trial {number}"
    attempt = f" #{case.record.attempt}" if case.record.attempt > 1 else ""
    return f"{case.title}, {case.record.agent}{attempt}"


def start_page(run: str, queue: ReviewQueue, suggested: str, known: Sequence[tuple[str, int]]) -> str:
    """Asks who is judging. `known`: reviewers and how many trials each has finished."""
    return _render(
        "start.html", run=run, total=len(queue.cases), remarks=queue.remarks, suggested=suggested, known=known
    )


@dataclass(frozen=True)
class Sitting:
    """What all pages of one reviewer have in common. `queue` names it in the browser's storage."""

    run: str
    queue: str
    review: Review
    blind: bool


def trial_page(sitting: Sitting, case: Case, files: CraftFiles, order: Sequence[Place]) -> str:
    """One trial with its demos and its items. The judge's scores are not in it."""
    review, blind = sitting.review, sitting.blind
    here = next(place for place in order if place.case.key == case.key)
    demos = tuple(_demo(case.key, number, demo) for number, demo in enumerate(files.demos, 1))
    marks = case.marks(review)
    data = {
        "desk": sitting.queue,
        "reviewer": review.reviewer,
        "trial": case.key,
        "marks": {item: {"score": mark.score, "note": mark.note} for item, mark in marks.items() if item},
        "note": marks.get(None, ReviewMark()).note,
        "items": list(case.rubric.ids),
        "trials": [
            {"key": one.case.key, "done": one.done, "open": len(one.case.rubric.ids) - one.scored} for one in order
        ],
        "pace": pace_sec(review.changes),
        "demos": [{**demo.facts, **_inputs(demo.files)} for demo in demos],
    }
    return _render(
        "review.html",
        run=sitting.run,
        name=name_of(case, here.number, blind=blind),
        case=case,
        record=case.record,
        here=here,
        order=[(one, name_of(one.case, one.number, blind=blind)) for one in order],
        reviewer=review.reviewer,
        remarks=review.remarks,
        demos=demos,
        groups=[
            (letter, CATEGORY_NAMES[letter], [item for item in case.rubric.requirements if item.category == letter])
            for letter in CATEGORIES
        ],
        max_note=MAX_NOTE_CHARACTERS,
        blind=blind,
        data=Markup(_script_json(data)),
    )


def _demo(key: str, number: int, demo: DemoFiles) -> DemoView:
    """What inputs caused is left out: it was measured for the judge, and people are to look for themselves."""
    plain = replace(demo, effects={}, first_departure=None, apart="", varied=VariedFiles())
    return demo_view(number, plain, f"../../../media/{key}/{number}")


def _inputs(demo: DemoFiles) -> dict[str, Any]:
    """What is pressed when, and where the pointer is, in frames and pixels of the game."""
    within = [item for item in demo.inputs if demo.first_frame <= item.frame <= demo.last_frame]
    pressed = [
        (item.frame, max(released, item.frame + 1), visible(item.control) + ("" if item.kind == "key" else " button"))
        for item, released in presses(within, demo.last_frame)
    ]
    pointer = [(item.frame, item.x, item.y) for item in within if item.x is not None and item.y is not None]
    return {"pressed": pressed, "pointer": pointer}


def _script_json(data: Any) -> str:
    """JSON that cannot end the element it stands in."""
    text = json.dumps(data, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@dataclass(frozen=True)
class GapRow:
    """An item on which judge and people are apart, with the ways to its evidence."""

    name: str
    item: str
    judge: float
    human: float
    description: str
    links: tuple[tuple[str, str], ...]  # wording, address


@dataclass(frozen=True)
class Results:
    """What the page about judge and people shows."""

    run: str
    judges: str
    proxy: bool
    counts: tuple[str, ...]
    tables: tuple[Table, ...]
    gaps: tuple[GapRow, ...]


def results_page(results: Results, *, reviewer: str | None = None) -> str:
    """Served to a reviewer, or, without one, complete in one file that needs nothing else."""
    style = "".join(STATIC[name].read_text(encoding="utf-8") for name in ("style.css", "review.css"))
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return _render("results.html", results=results, reviewer=reviewer, own_style=Markup(style), style_digest=digest)


def hide_names(text: str, names: Iterable[str]) -> str:
    """For words of a judge about a game that names its maker."""
    for name in sorted(names, key=len, reverse=True):
        if name:
            text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", "[agent]", text, flags=re.IGNORECASE)
    return text


def _render(template: str, **values: Any) -> str:
    return environment().get_template(template).render(letters=CATEGORY_NAMES, fps=FPS, endings=ENDINGS, **values)
