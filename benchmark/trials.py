"""One trial: a task, an agent, an attempt; and the record of how it ended."""

import json
import re
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from benchmark.tasks import PASS_TRACKS

FORMAT = 1
_LABEL = re.compile(r"(?P<task>[^\[\]]+)\[(?P<agent>[^\[\]#]+)(#(?P<attempt>\d+))?\]")


@dataclass(frozen=True, order=True)
class TrialId:
    """What makes a trial the same trial in a later run. Never a pytest nodeid."""

    task: str
    agent: str
    attempt: int = 1

    @property
    def label(self) -> str:
        """For people and for pytest: `craft/platformer/lantern-keeper[codex]`, later attempts `[codex#2]`."""
        return f"{self.task}[{self.agent}{f'#{self.attempt}' if self.attempt > 1 else ''}]"

    @property
    def folder(self) -> str:
        """Its folder in the run."""
        return f"{self.task.replace('/', '.')}--{self.agent}--{self.attempt}"

    @classmethod
    def from_label(cls, label: str) -> "TrialId":
        match = _LABEL.fullmatch(label)
        if match is None:
            raise ValueError(f"{label!r} is not the label of a trial")
        return cls(match["task"], match["agent"], int(match["attempt"] or 1))


def one_line(text: str, limit: int = 500) -> str:
    """For tables and terminals: names and messages of a submission may hold line ends and escape sequences."""
    line = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
    return line if len(line) <= limit else line[: limit - 1] + "…"


Outcome = Literal["scored", "void"]
# Where a trial may begin; what comes before is taken from its folder.
Stage = Literal["produce", "gate", "judge", "aggregate"]


@dataclass(frozen=True)
class DemoRecord:
    """One demo of a trial, for tables; the evidence itself lies in the trial's folder."""

    name: str
    seconds: float
    ended: str
    detail: str = ""
    inputs: int = 0


@dataclass(frozen=True)
class OpinionRecord:
    """What one judge made of a trial, where it was asked several times or was not the only one."""

    judge: str
    version: str
    proxy: bool
    repeat: int
    score: float
    categories: dict[str, float]
    items: dict[str, float]
    cost_usd: float = 0.0


@dataclass(frozen=True)
class TrialRecord:
    """The truth about one trial. A void has no number anywhere; BUILD 0 is a scored 0."""

    task: str
    agent: str
    attempt: int
    family: str
    difficulty: str
    outcome: Outcome
    reason: str = ""  # why it is void, or why BUILD is 0
    labels: dict[str, str] = field(default_factory=dict)  # what else results are grouped by: editor, feedback
    variant_of: str = ""  # the task that its task varies
    judge: str = ""
    proxy: bool = False
    build: int | None = None
    launches: bool | None = None  # the two halves of BUILD; None where nobody looked
    has_trace: bool | None = None
    score: float | None = None
    categories: dict[str, float] = field(default_factory=dict)
    items: dict[str, float] = field(default_factory=dict)
    opinions: tuple[OpinionRecord, ...] = ()  # empty where there was only one, which is the record's own
    demos: tuple[DemoRecord, ...] = ()
    bad_traces: int = 0
    agent_ended: str = ""
    cost_usd: float = 0.0
    seconds: dict[str, float] = field(default_factory=dict)  # stage → wall time
    versions: dict[str, str] = field(default_factory=dict)
    started: str = ""
    finished: str = ""
    format: int = FORMAT

    @property
    def id(self) -> TrialId:
        return TrialId(self.task, self.agent, self.attempt)

    @property
    def track(self) -> str:
        return self.task.partition("/")[0]

    @property
    def origin(self) -> str:
        """The task itself, or the one that it is a variant of."""
        return self.variant_of or self.task

    @property
    def passes_or_fails(self) -> bool:
        """Whether its score is only ever 0 or 1: such trials have metrics of their own."""
        return self.track in PASS_TRACKS

    @property
    def scored(self) -> bool:
        return self.outcome == "scored"

    @property
    def repeats(self) -> tuple[float, ...]:
        """The scores that the judge gave each time it was asked."""
        own = tuple(opinion.score for opinion in self.opinions if opinion.judge == self.judge)
        return own or (() if self.score is None else (self.score,))

    @property
    def total_sec(self) -> float:
        return sum(self.seconds.values())

    def to_line(self) -> str:
        """One line of `trials.jsonl`, without line end."""
        return json.dumps(asdict(self), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_line(cls, line: str) -> "TrialRecord":
        """The inverse; keys of a later version are passed over. Raises ValueError for what is no record."""
        data = json.loads(line)
        if not isinstance(data, dict):
            raise ValueError("a record is an object")
        known = {f.name for f in fields(cls)}
        values: dict[str, Any] = {key: value for key, value in data.items() if key in known}
        try:
            values["demos"] = tuple(DemoRecord(**demo) for demo in values.get("demos", ()))
            values["opinions"] = tuple(OpinionRecord(**opinion) for opinion in values.get("opinions", ()))
            record = cls(**values)
        except TypeError as error:
            raise ValueError(f"not a trial record: {error}") from error
        if record.outcome == "scored" and (record.score is None or record.build is None):
            raise ValueError("a scored trial without a score")
        return record
