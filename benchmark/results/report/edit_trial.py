"""The page of an edit trial: what its test said, what the agent changed. Read without trust, like all of a trial."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmark.edit.scenes import SCENE
from benchmark.edit.trial import CHANGES, LOG, PICTURE, VERDICT
from benchmark.results.passrates import feedback_of
from benchmark.results.report.diffs import FileChange, read_diff
from benchmark.results.report.loose import as_dict, as_list, as_number, as_text, head, is_whole_png, json_object, tail
from benchmark.results.report.pages import VERSION_NAMES, Card, outcome_of, page_id, stages_of, title_of
from benchmark.results.report.reading import LOG_LINES, NO_FOLDER, AgentFiles, read_agent
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
        return EditFiles((NO_FOLDER,), "", record.reason, from_record, {}, None, "", None, AgentFiles())
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
        tuple(problems), how, as_text(data.get("reason")) or record.reason, checks or from_record,
        {name: value for name, value in seconds.items() if value is not None},
        read_diff(lines) if changed.is_file() else None,
        _BLANKS.sub("\n\n", tail(folder / LOG, LOG_LINES)).strip("\n"),
        picture if is_whole_png(picture) else None, agent,
    )  # fmt: skip


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


def edit_page(
    run: str,
    record: TrialRecord,
    files: EditFiles,
    siblings: Sequence[Card],
    neighbours: tuple[Card | None, Card | None],
) -> EditPage:
    groups: dict[str, list[CheckLine]] = {}
    for check in files.checks:
        groups.setdefault(check.test, []).append(check)
    picture = f"../media/{quote(page_id(record.id))}/{files.picture.name}" if files.picture else None
    return EditPage(
        run, record, title_of(record.task), outcome_of(record), files, ENDINGS.get(files.how, files.how),
        feedback_of(record), tuple((test, tuple(found)) for test, found in groups.items()), picture,
        tuple((_VERSIONS.get(key, key), value) for key, value in record.versions.items() if value),
        stages_of(record, _STAGES), tuple(siblings), *neighbours,
    )  # fmt: skip
