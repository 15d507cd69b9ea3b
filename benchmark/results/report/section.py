"""How a track shows itself in the report: its part of the front page, and the page of each of its trials.

The default suits any track whose trials get a score and have items. A track with more to show overrides what differs
and brings templates of its own.
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmark.progress import Progress
from benchmark.results.metrics import ranked
from benchmark.results.references import Reference
from benchmark.results.report.agent_files import NO_FOLDER, AgentFiles, read_agent
from benchmark.results.report.agents_page import BehaviourSection, behaviour_section
from benchmark.results.report.cards import VERSION_NAMES, Card, page_id, stages_of, title_of
from benchmark.results.store import RunStore
from benchmark.results.tables import Table
from benchmark.trials import TrialRecord

if TYPE_CHECKING:
    from benchmark.tracks import Track


@dataclass(frozen=True)
class Section:
    """A track's part of the front page. `board` is what its template shows."""

    track: "Track"
    template: str
    board: Any
    agents: tuple[str, ...]  # best first
    families: tuple[str, ...]
    outcomes: tuple[str, ...]  # of its trials, besides void
    facts: Mapping[str, str] = field(default_factory=dict)  # for the head of the page
    banner: tuple[str, str] | None = None  # what has to be known of its numbers: in bold, and the rest
    best: str = "best score"  # how the list of trials can be sorted
    worst: str = "lowest score"


@dataclass(frozen=True)
class Siblings:
    """The other trials that a page leads to."""

    same_task: tuple[Card, ...]
    previous: Card | None
    following: Card | None


@dataclass(frozen=True)
class Page:
    """The page of a trial, ready for its template, with the picture that stands for it in the list."""

    template: str
    value: Any
    picture: Path | None = None
    names: Mapping[str, Any] = field(default_factory=dict)  # what the template may use besides `page`


@dataclass(frozen=True)
class TrialFiles:
    """What the page of any trial shows besides its record."""

    problems: tuple[str, ...]
    agent: AgentFiles


@dataclass(frozen=True)
class PlainPage:
    """The default page of a trial: its items, its agent, its versions."""

    run: str
    record: TrialRecord
    title: str
    outcome: str
    files: TrialFiles
    items: tuple[tuple[str, float], ...]
    versions: tuple[tuple[str, str], ...]
    stages: tuple[tuple[str, float], ...]
    siblings: tuple[Card, ...]
    previous: Card | None
    following: Card | None


class Pages:
    """Of one track. Stateless but for the track it is about, and for what it remembers while a report is written."""

    templates: Path | None = None  # a folder of its own templates
    parts: Mapping[str, str] = {}  # of a score, drawn as little bars in the list: short → long name

    shows_references = False  # whether what was published elsewhere can stand below its leaderboard

    def __init__(self, track: "Track") -> None:
        self.track = track

    def draw_pictures(self, store: RunStore, records: Sequence[TrialRecord], progress: Progress) -> None:
        """`--pictures`: of trials that left none."""

    def outcome(self, record: TrialRecord) -> str:
        """`void`, or what else the tags of the pages know."""
        return "scored" if record.scored else "void"

    def card(self, record: TrialRecord, thumbnail: str | None = None) -> Card:
        return Card(
            record=record, page=page_id(record.id), title=title_of(record.task), outcome=self.outcome(record),
            thumbnail=thumbnail, parts=self.parts,
        )  # fmt: skip

    def section(
        self, records: Sequence[TrialRecord], tables: Mapping[str, Table], references: tuple[Reference, ...], *,
        alone: bool,
    ) -> Section:  # fmt: skip
        """`tables` by file name, of all tracks; `alone`: whether there is no other track in the run."""
        return Section(
            track=self.track,
            template="board.html",
            board={name: tables[name] for name in self.track.metrics(self.track).tables(records)},
            agents=tuple(one.agent for one in ranked(records)),
            families=tuple(sorted({record.family for record in records})),
            outcomes=("scored",),
            facts={"Scored": f"{sum(one.scored for one in records)} of {len(records)}"} if not alone else {},
        )

    def behaviour(self, agents: Sequence[str], records: Sequence[TrialRecord]) -> BehaviourSection:
        """Its part of the page of what agents did; `agents` best first."""
        return behaviour_section(self.track, agents, records)

    def page(self, run: str, card: Card, folder: Path | None, siblings: Siblings, media: Path) -> Page:
        """`folder` is the trial's, None where its name leads out of the run; pictures and films go to `media`."""
        problems: list[str] = []
        agent = AgentFiles()
        if folder is None or not folder.is_dir():
            problems.append(NO_FOLDER)
        else:
            agent = read_agent(folder, problems)
        record = card.record
        value = PlainPage(
            run=run, record=record, title=card.title, outcome=card.outcome,
            files=TrialFiles(tuple(problems), agent), items=tuple(record.items.items()),
            versions=named_versions(record), stages=stages_of(record, ()), siblings=siblings.same_task,
            previous=siblings.previous, following=siblings.following,
        )  # fmt: skip
        return Page("plain.html", value)


def named_versions(record: TrialRecord, names: Mapping[str, str] = VERSION_NAMES) -> tuple[tuple[str, str], ...]:
    """What the number depends on, in words."""
    return tuple((names.get(key, key), value) for key, value in record.versions.items())


def take(source: Path, path: Path) -> None:
    """Hard links where the file system has them: a report of a large run costs no second copy of its films."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, path, follow_symlinks=False)
    except OSError:
        shutil.copyfile(source, path, follow_symlinks=False)
