"""The trials of a run that a person can judge, and in which order a reviewer gets them."""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmark.craft.instruction import read_instruction
from benchmark.craft.record import facts_of
from benchmark.craft.review.ledger import Review, ReviewMark
from benchmark.craft.rubric import Rubric, read_rubric
from benchmark.errors import BenchmarkError, complain
from benchmark.results.report.cards import title_of
from benchmark.results.report.damaged import inside, is_plain
from benchmark.results.store import RunStore
from benchmark.tasks import TASKS_ROOT, Task, find_tasks
from benchmark.trials import TrialRecord


@dataclass(frozen=True)
class Case:
    """A trial in the queue. `key` names it in addresses and says nothing about it."""

    key: str
    record: TrialRecord
    rubric: Rubric
    specification: str
    folder: Path

    @property
    def label(self) -> str:
        return self.record.id.label

    @property
    def title(self) -> str:
        return title_of(self.record.task)

    @property
    def rubric_digest(self) -> str:
        """As reviews name it."""
        return self.rubric.digest[:16]

    @property
    def submission(self) -> str:
        """As reviews name it."""
        return self.record.versions.get("project", "")

    def marks(self, review: Review) -> dict[str | None, ReviewMark]:
        """What this reviewer said of it, by item."""
        found = review.marks(self.label, self.rubric_digest, self.submission)
        return {item: mark for item, mark in found.items() if item is None or item in self.rubric.ids}

    def scores(self, review: Review) -> dict[str, float]:
        """The items that have a score."""
        marks = self.marks(review)
        return {
            item: mark.score
            for item in self.rubric.ids
            if (mark := marks.get(item)) is not None and mark.score is not None
        }

    def finished(self, review: Review) -> bool:
        """Whether every item has a score."""
        return len(self.scores(review)) == len(self.rubric.ids)


@dataclass(frozen=True)
class ReviewQueue:
    """What lies there, by label, and why the rest does not (reason → number of trials)."""

    cases: tuple[Case, ...]
    left_out: dict[str, int]

    def case(self, key: str) -> Case | None:
        return next((case for case in self.cases if case.key == key), None)

    def finished_by(self, review: Review) -> int:
        """How many of them this reviewer has finished."""
        return sum(case.finished(review) for case in self.cases)

    def in_order(self, reviewer: str, *, blind: bool) -> list[Case]:
        """By task and agent; blind, in an order of the reviewer's own that tells nothing and is always the same."""
        if not blind:
            return list(self.cases)
        return sorted(self.cases, key=lambda case: hashlib.sha256(f"{reviewer}/{case.label}".encode()).digest())

    @property
    def remarks(self) -> list[str]:
        return [f"{count} trial(s) left out: {reason}" for reason, count in self.left_out.items()]


def lay_out(store: RunStore, secret: bytes, task_folders: Iterable[Path] = (TASKS_ROOT,)) -> ReviewQueue:
    """All trials of the run that have something to judge, each with the rubric its judge had."""
    tasks = {task.id: task for task in find_tasks(task_folders, complain)}
    load = cache(_load)
    cases: list[Case] = []
    left_out: dict[str, int] = {}
    for record in sorted(store.latest().values(), key=lambda one: str(one.id)):
        try:
            _check_record(store, record)
            rubric, specification = load(tasks.get(record.task))
            _check_scores(record, rubric)
        except _LeftOutError as reason:
            left_out[str(reason)] = left_out.get(str(reason), 0) + 1
            continue
        key = hmac.new(secret, record.id.label.encode(), hashlib.sha256).hexdigest()[:16]
        cases.append(
            Case(
                key=key, record=record, rubric=rubric, specification=specification, folder=store.trial_folder(record.id)
            )
        )
    return ReviewQueue(tuple(cases), dict(sorted(left_out.items())))


class _LeftOutError(Exception):
    """Why a trial does not lie in the queue."""


def _check_record(store: RunStore, record: TrialRecord) -> None:
    names_ok = isinstance(record.task, str) and isinstance(record.agent, str) and isinstance(record.attempt, int)
    if not names_ok or not isinstance(record.versions, dict) or not isinstance(record.items, dict):
        raise _LeftOutError("its record is damaged")
    if record.passes_or_fails:
        raise _LeftOutError("it passes or fails by tests, so there is nothing to judge")
    if not record.scored:
        raise _LeftOutError("void, so there is nothing to judge")
    if not facts_of(record).build:
        raise _LeftOutError("BUILD 0, so there is nothing to judge")
    folder = store.trial_folder(record.id)
    if not inside(folder, store.folder / "trials") or not (folder / "evidence").is_dir():
        raise _LeftOutError("its evidence is not there")
    if not is_plain(folder):
        raise _LeftOutError("its folder holds links or special files")


def _load(task: Task | None) -> tuple[Rubric, str]:
    if task is None:
        raise _LeftOutError("its task is not here; name its folder with --tasks")
    try:
        return read_rubric(task.folder), read_instruction(task)
    except BenchmarkError as error:
        raise _LeftOutError(error.message) from error


def _check_scores(record: TrialRecord, rubric: Rubric) -> None:
    digest = record.versions.get("rubric", "")
    if not digest or not rubric.digest.startswith(digest):
        raise _LeftOutError("it was judged under another rubric than the task has now")
    values = [record.items.get(item) for item in rubric.ids] + [record.score]
    if not all(isinstance(value, int | float) and 0 <= value <= 1 for value in values):
        raise _LeftOutError("its record lacks scores of the judge")
