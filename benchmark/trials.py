"""One trial: a task, an agent, an attempt; and the record of how it ended."""

import re
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from benchmark.checked import Fields, parse_object
from benchmark.jsonl import as_line
from benchmark.tracks import all_tracks

FORMAT = 2
PASS_MARK = 0.5  # an item below it is missed
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
OUTCOMES: tuple[Outcome, ...] = ("scored", "void")
# Where a trial may begin; what comes before is taken from its folder.
Stage = Literal["produce", "gate", "judge", "aggregate"]


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
    """The truth about one trial: what all tracks have, and a map of its own track's. A void has no number anywhere."""

    task: str
    agent: str
    attempt: int
    family: str
    difficulty: str
    outcome: Outcome
    reason: str = ""  # why it is void, or why its score is what it is
    labels: dict[str, str] = field(default_factory=dict)  # what else results are grouped by: editor, feedback
    variant_of: str = ""  # the task that its task varies
    judge: str = ""
    proxy: bool = False
    score: float | None = None
    categories: dict[str, float] = field(default_factory=dict)
    items: dict[str, float] = field(default_factory=dict)
    opinions: tuple[OpinionRecord, ...] = ()  # empty where there was only one, which is the record's own
    facts: dict[str, Any] = field(default_factory=dict)  # what only its track knows, as JSON has it; empty if void
    agent_ended: str = ""
    agent_identity: dict[str, str] = field(default_factory=dict)  # program, its version, model asked and answered, …
    activity: dict[str, float] = field(default_factory=dict)  # what the agent did, in numbers
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
        track = all_tracks().get(self.track)
        return track is not None and track.pass_or_fail

    @property
    def feedback(self) -> str:
        """How the agent could look at its work: none, screenshot, video or both."""
        return self.labels.get("feedback", "none")

    @property
    def items_held(self) -> int:
        """How many of its items are at least half there."""
        return sum(score >= PASS_MARK for score in self.items.values())

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
        return as_line(asdict(self))

    @classmethod
    def from_line(cls, line: str) -> "TrialRecord":
        """The inverse; keys of a later version are passed over. Raises ValueError for what is no record."""
        given = Fields(parse_object(line))
        written = given.whole("format", 1, 1 << 31, 1)
        record = cls(
            task=given.name("task", parts=True),
            agent=given.name("agent"),
            attempt=given.whole("attempt", 1, 1 << 20),
            family=given.text("family"),
            difficulty=given.text("difficulty"),
            outcome=given.choice("outcome", OUTCOMES),
            reason=given.text("reason", ""),
            labels=given.texts("labels"),
            variant_of=given.text("variant_of", ""),
            judge=given.text("judge", ""),
            proxy=given.flag("proxy", False),
            score=given.share("score") if given.has("score") else None,
            categories=given.shares("categories"),
            items=given.shares("items"),
            opinions=tuple(map(_opinion, given.objects("opinions"))),
            # before there was a map for them, the facts of tracks stood among the others
            facts=given.whatever("facts") if written > 1 else given.others(_COMMON),
            agent_ended=given.text("agent_ended", ""),
            agent_identity=given.texts("agent_identity"),
            activity=given.amounts("activity"),
            cost_usd=given.amount("cost_usd", 0.0),
            seconds=given.amounts("seconds"),
            versions=given.texts("versions"),
            started=given.text("started", ""),
            finished=given.text("finished", ""),
            format=written,
        )
        if record.scored != (record.score is not None):
            raise ValueError(f"score: {record.score} does not go with outcome: {record.outcome}")
        if track := all_tracks().get(record.track):
            track.trials.check_facts(Fields(record.facts, "facts." if written > 1 else ""), record.score)
        return record


_COMMON = frozenset(one.name for one in fields(TrialRecord))


def _opinion(given: Fields) -> OpinionRecord:
    return OpinionRecord(
        judge=given.text("judge"),
        version=given.text("version"),
        proxy=given.flag("proxy"),
        repeat=given.whole("repeat", 1, 1 << 20),
        score=given.share("score"),
        categories=given.shares("categories"),
        items=given.shares("items"),
        cost_usd=given.amount("cost_usd", 0.0),
    )
