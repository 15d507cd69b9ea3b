"""How changes made show themselves in the report. The page of a trial is read without trust, like all of a trial."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmark.edit.report.board import pass_board
from benchmark.edit.report.diffs import FileChange, read_diff
from benchmark.edit.results.passrates import group_values, pass_standings
from benchmark.edit.scenes import SCENE, draw_scenes
from benchmark.edit.trial import CHANGES, LOG, PICTURE, VERDICT
from benchmark.progress import Progress
from benchmark.results.references import Reference
from benchmark.results.report.agent_files import LOG_LINES, NO_FOLDER, AgentFiles, read_agent
from benchmark.results.report.cards import VERSION_NAMES, Card, page_id, stages_of
from benchmark.results.report.damaged import as_dict, as_list, as_number, as_text, head, is_whole_png, json_object, tail
from benchmark.results.report.section import Page, Pages, Section, Siblings, named_versions, take
from benchmark.results.store import RunStore
from benchmark.results.tables import Table
from benchmark.trials import TrialRecord

_DIFF_LINES = 2500  # a little more than the harness writes
_CHECKS = 500
_OPEN_LINES = 300  # diffs up to here are shown without being asked for
_BLANKS = re.compile(r"\n\s*\n(\s*\n)+")
_STAGES = ("produce", "reference", "verify", "aggregate")
_VERSIONS = VERSION_NAMES | {"judge": "Test kit hash", "rubric": "Test hash"}
ENDINGS = {
    "passed": "every check held", "failed": "not every check held", "no verdict": "the test did not come to its end",
    "broken test": "the test could not run in this project",
}  # fmt: skip


@dataclass(frozen=True)
class CheckLine:
    """One check of the test."""

    name: str
    held: bool
    message: str
    test: str


@dataclass(frozen=True)
class EditFiles:
    """Everything of the trial that its page shows besides the record."""

    problems: tuple[str, ...]
    how: str
    reason: str
    checks: tuple[CheckLine, ...]
    engine_seconds: dict[str, float]
    changes: tuple[FileChange, ...] | None  # None where it is not known what was changed
    log: str
    picture: Path | None
    agent: AgentFiles


def read_edit_trial(folder: Path | None, record: TrialRecord) -> EditFiles:
    """All that is there. `folder` is None where the trial's name leads out of the run."""
    from_record = tuple(CheckLine(name, bool(score), "", "") for name, score in record.items.items())
    if folder is None or not folder.is_dir():
        return EditFiles(
            problems=(NO_FOLDER,),
            how="",
            reason=record.reason,
            checks=from_record,
            engine_seconds={},
            changes=None,
            log="",
            picture=None,
            agent=AgentFiles(),
        )
    problems: list[str] = []
    data: dict[str, Any] = {}
    if record.scored or (folder / VERDICT).exists():  # a void trial may never have come to its test
        data = json_object(folder / VERDICT, problems)
    how = as_text(data.get("how"))
    if record.scored and how and (how == "passed") != (record.score == 1):
        problems.append(f"{VERDICT} is of another try at this trial: the record says otherwise.")
    checks = tuple(_checks(data.get("checks")))
    if from_record and not checks:
        problems.append("The messages of the checks are not known.")
    seconds = {str(name): as_number(value) for name, value in as_dict(data.get("seconds")).items()}
    picture = folder / (PICTURE if (folder / PICTURE).exists() else SCENE)
    if picture.exists() and not is_whole_png(picture):
        problems.append(f"{picture.name} is damaged.")
    changed = folder / CHANGES
    lines, whole = head(changed, _DIFF_LINES)
    if record.scored and not changed.is_file():
        problems.append(f"{CHANGES} is missing.")
    elif not whole:
        problems.append(f"{CHANGES} is long: only its beginning is shown.")
    agent = read_agent(folder, problems)
    return EditFiles(
        problems=tuple(problems),
        how=how,
        reason=as_text(data.get("reason")) or record.reason,
        checks=checks or from_record,
        engine_seconds={name: value for name, value in seconds.items() if value is not None},
        changes=read_diff(lines) if changed.is_file() else None,
        log=_BLANKS.sub("\n\n", tail(folder / LOG, LOG_LINES)).strip("\n"),
        picture=picture if is_whole_png(picture) else None,
        agent=agent,
    )


def _checks(value: Any) -> list[CheckLine]:
    rows = [row for row in as_list(value)[:_CHECKS] if isinstance(row, dict)]
    texts = [tuple(as_text(row.get(key)) for key in ("name", "message", "test")) for row in rows]
    return [
        CheckLine(name, row.get("ok") is True, message, test)
        for row, (name, message, test) in zip(rows, texts, strict=True)
    ]


@dataclass(frozen=True)
class EditPage:
    """The page of an edit trial."""

    run: str
    record: TrialRecord
    title: str
    outcome: str
    files: EditFiles
    ended: str
    feedback: str
    groups: tuple[tuple[str, tuple[CheckLine, ...]], ...]  # by the test function that made them
    picture: str | None
    versions: tuple[tuple[str, str], ...]
    stages: tuple[tuple[str, float], ...]
    siblings: tuple[Card, ...]
    previous: Card | None
    following: Card | None

    @property
    def held(self) -> int:
        return sum(check.held for check in self.files.checks)

    @property
    def changed(self) -> int:
        """How many files."""
        return sum(bool(change.what) for change in self.files.changes or ())

    @property
    def remembered(self) -> bool:
        """Whether the verdict came from the cache: the test took longer than the stage that asked for it."""
        return sum(self.files.engine_seconds.values()) > self.record.seconds.get("verify", float("inf"))

    @property
    def drawn_by_test(self) -> bool:
        """Whether the picture is what the test saw last, and not one that was drawn for people."""
        return self.files.picture is not None and self.files.picture.name == PICTURE

    @property
    def short(self) -> bool:
        """Whether all changes are shown at once."""
        return sum(len(change.lines) for change in self.files.changes or ()) <= _OPEN_LINES


class EditPages(Pages):
    """Of changes made."""

    templates = Path(__file__).with_name("templates")

    def draw_pictures(self, store: RunStore, records: Sequence[TrialRecord], progress: Progress) -> None:
        from benchmark.runtime.machine import find_machine

        draw_scenes(store, records, find_machine(), progress)

    def outcome(self, record: TrialRecord) -> str:
        if not record.scored:
            return "void"
        return "passed" if record.score == 1 else "failed"

    def section(
        self, records: Sequence[TrialRecord], tables: Mapping[str, Table], references: tuple[Reference, ...], *,
        alone: bool,
    ) -> Section:  # fmt: skip
        standings = pass_standings(records)
        board = pass_board(records, standings)
        return Section(
            track=self.track,
            template="changes.html",
            board={
                "passes": board, "title": "Leaderboard" if alone else "Leaderboard: changes made",
                "table": tables["pass-groups"], "links": {one.id.label: page_id(one.id) for one in records},
            },
            agents=tuple(one.summary.agent for one in standings),
            families=group_values(records, "skill"),
            outcomes=("passed", "failed"),
            facts={"Passed": f"{board.passed} of {board.scored} tested"},
            best="passed first",
            worst="failed first",
        )  # fmt: skip

    def page(self, run: str, card: Card, folder: Path | None, siblings: Siblings, media: Path) -> Page:
        record = card.record
        files = read_edit_trial(folder, record)
        if files.picture is not None:
            take(files.picture, media / files.picture.name)
        groups: dict[str, list[CheckLine]] = {}
        for check in files.checks:
            groups.setdefault(check.test, []).append(check)
        value = EditPage(
            run=run,
            record=record,
            title=card.title,
            outcome=card.outcome,
            files=files,
            ended=ENDINGS.get(files.how, files.how),
            feedback=record.feedback,
            groups=tuple((test, tuple(found)) for test, found in groups.items()),
            picture=f"../media/{quote(card.page)}/{files.picture.name}" if files.picture else None,
            versions=tuple((name, value) for name, value in named_versions(record, _VERSIONS) if value),
            stages=stages_of(record, _STAGES),
            siblings=siblings.same_task,
            previous=siblings.previous,
            following=siblings.following,
        )
        return Page("edit.html", value, files.picture)
