"""What every page of a trial, and its card in the list, is made of, whatever its track."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmark.trials import TrialId, TrialRecord

_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,149}")
# what a hash or version in a record belongs to
VERSION_NAMES = {
    "harness": "Harness", "engine": "Engine", "agent": "Agent", "judge": "Judge", "rubric": "Rubric hash",
    "instruction": "Instruction hash", "recorder": "Recorder", "project": "Submission hash",
    "start": "Start project hash", "solution": "Solution hash",
}  # fmt: skip


def page_id(trial: TrialId) -> str:
    """The trial's name in files and links; a name that is no plain file name gets its hash."""
    name = trial.folder
    if _SAFE.fullmatch(name):
        return name
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name).lstrip("._-")[:100] or "trial"
    return f"{plain}-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:8]}"


def title_of(task: str) -> str:
    """`craft/platformer/lantern-keeper` → `Lantern Keeper`."""
    return task.rpartition("/")[2].replace("-", " ").title() or task


@dataclass(frozen=True)
class Card:
    """A trial in the list."""

    record: TrialRecord
    page: str
    title: str
    outcome: str
    thumbnail: str | None  # below `media/`
    parts: Mapping[str, str] = field(default_factory=dict)  # of its score, drawn as little bars: short → long name

    @property
    def held(self) -> tuple[bool, ...]:
        """Each check, in order, of a trial that passes or fails."""
        return tuple(bool(score) for score in self.record.items.values()) if self.record.passes_or_fails else ()


def stages_of(record: TrialRecord, order: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """How long each took, in the order in which they come."""
    ordered = {name: record.seconds[name] for name in order if name in record.seconds}
    return tuple((ordered | record.seconds).items())
