"""What reviewers said: one append-only file each, one line per change, the latest line of an item counts."""

import contextlib
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmark import jsonl
from benchmark.checked import Fields, parse_object
from benchmark.errors import InfrastructureError, UsageError

FOLDER = "reviews"
MAX_NOTE_CHARACTERS = 4000
MAX_FILE_BYTES = 1 << 26
PAUSE_SEC = 180.0  # whoever took longer for one item was away
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def valid_reviewer(name: str) -> str:
    """A reviewer's name is a file's name."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"reviewer: {name[:80]!r} must begin with a letter or digit and be made of up to 64 letters A–Z, digits, "
            "dots, hyphens and underscores"
        )
    return name


def valid_score(value: Any) -> float | None:
    """A number from 0 to 1, or None for an item without a score. Raises ValueError."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:  # NaN fails it too
        raise ValueError(f"score: {value!r} is not a number from 0 to 1")
    return round(float(value), 4)


def valid_note(value: Any) -> str:
    """Free text of bounded length. Raises ValueError."""
    if not isinstance(value, str) or len(value) > MAX_NOTE_CHARACTERS:
        raise ValueError(f"note: a text of at most {MAX_NOTE_CHARACTERS} characters is needed")
    return value.encode("utf-8", "replace").decode("utf-8")  # half of a surrogate pair is no text


@dataclass(frozen=True)
class ReviewMark:
    """What a reviewer last said of an item, or, without a score, of a whole trial."""

    score: float | None = None
    note: str = ""


@dataclass(frozen=True)
class ReviewLine:
    """One line: the whole state of an item after it. `item` is None for the note on a trial.

    `rubric` and `submission` tell what was judged: a score does not outlive a change of either.
    """

    time: str
    trial: str
    item: str | None
    score: float | None
    note: str
    rubric: str
    submission: str = ""

    def to_line(self) -> str:
        return jsonl.as_line(asdict(self))

    @classmethod
    def from_line(cls, line: str) -> "ReviewLine":
        """The inverse. Raises ValueError for what is no change."""
        given = Fields(parse_object(line))
        return cls(
            time=given.text("time", ""),
            trial=given.text("trial", ""),
            item=given.text("item") if given.has("item") else None,
            score=given.share("score") if given.has("score") else None,
            note=valid_note(given.text("note", "")),
            rubric=given.text("rubric", ""),
            submission=given.text("submission", ""),
        )


@dataclass(frozen=True)
class Review:
    """All that one reviewer wrote, oldest first."""

    reviewer: str
    changes: tuple[ReviewLine, ...] = ()
    unreadable: int = 0

    @property
    def remarks(self) -> tuple[str, ...]:
        """What has to be said about its file."""
        if not self.unreadable:
            return ()
        return (f"{self.unreadable} line(s) of {self.reviewer}.jsonl cannot be read and are left out.",)

    def marks(self, trial: str, rubric: str, submission: str) -> dict[str | None, ReviewMark]:
        """What counts for a trial, by item."""
        return {
            one.item: ReviewMark(one.score, one.note)
            for one in self._by_trial.get(trial, ())
            if one.rubric == rubric and one.submission == submission
        }

    @cached_property
    def _by_trial(self) -> dict[str, list[ReviewLine]]:
        found: dict[str, list[ReviewLine]] = {}
        for one in self.changes:
            found.setdefault(one.trial, []).append(one)
        return found


class Ledger:
    """The reviews of a run. Several processes may write at the same time."""

    def __init__(self, run: Path) -> None:
        self.folder = run / FOLDER

    def reviewers(self) -> list[str]:
        """Who has written anything."""
        if self.folder.is_symlink() or not self.folder.is_dir():
            return []
        return sorted(
            path.stem for path in self.folder.iterdir() if path.suffix == ".jsonl" and _NAME.fullmatch(path.stem)
        )

    def path(self, reviewer: str) -> Path:
        return self.folder / f"{valid_reviewer(reviewer)}.jsonl"

    def read(self, reviewer: str) -> Review:
        """Everything that can be read; a torn last line is passed over, and so are lines that are none of ours."""
        self._check_folder()
        path = self.path(reviewer)
        changes, unreadable = [], 0
        try:
            for line in jsonl.read_lines(path, max_bytes=MAX_FILE_BYTES):
                try:
                    changes.append(ReviewLine.from_line(line.content.decode("utf-8")))
                except (ValueError, RecursionError):
                    unreadable += line.ended  # one without line end is the last, and was torn by a crash
        except FileNotFoundError:
            return Review(reviewer)
        except (OSError, ValueError) as error:
            said = getattr(error, "strerror", None) or error
            raise InfrastructureError(f"{path} cannot be read: {said}") from error
        return Review(reviewer, tuple(changes), unreadable)

    def read_all(self) -> tuple[Review, ...]:
        return tuple(self.read(reviewer) for reviewer in self.reviewers())

    def append(self, reviewer: str, change: ReviewLine) -> None:
        """Add one line; it is on the disk when this returns, or nothing has changed."""
        self.folder.mkdir(exist_ok=True)
        self._check_folder()
        jsonl.append(self.path(reviewer), (change.to_line() + "\n").encode("utf-8"), max_bytes=MAX_FILE_BYTES)

    def _check_folder(self) -> None:
        if self.folder.is_symlink():
            raise InfrastructureError(f"{self.folder} is a link", fix="make it a folder of the run")


def pace_sec(changes: Iterable[ReviewLine]) -> float | None:
    """Seconds this reviewer takes for an item, pauses left out; None before there is enough to tell."""
    times = []
    seen: set[tuple[str, str]] = set()
    for change in changes:
        if change.item is None or change.score is None or (change.trial, change.item) in seen:
            continue
        seen.add((change.trial, change.item))
        with contextlib.suppress(ValueError):
            times.append(datetime.fromisoformat(change.time).timestamp())
    gaps = [after - before for before, after in pairwise(times) if 0 <= after - before < PAUSE_SEC]
    return sum(gaps) / len(gaps) if len(gaps) >= 3 else None
