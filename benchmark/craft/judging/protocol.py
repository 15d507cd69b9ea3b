"""What a judge is to the harness."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchmark.craft.rubric import Rubric
from benchmark.replay.evidence import Evidence


@dataclass(frozen=True)
class DemoEvidence:
    """One demo as a judge gets it. `folder` holds the files that `evidence` names.

    `untouched` is the folder of the same demo without inputs, where the judge asked for it.
    """

    name: str
    folder: Path
    evidence: Evidence
    untouched: Path | None = None

    def __repr__(self) -> str:
        """Short: people meet it in a debugger."""
        return f"<demo {self.name}: {self.evidence.outcome.kind}, {len(self.evidence.stills)} stills in {self.folder}>"


@dataclass(frozen=True)
class ItemScore:
    """What a judge says of one item in one demo."""

    score: float
    reason: str


@dataclass(frozen=True)
class DemoJudgement:
    """All items of one demo, and the numbers the judge took them from, if it has any."""

    demo: str
    items: dict[str, ItemScore]
    numbers: dict[str, float] = field(default_factory=dict)
    cost_usd: float = 0.0

    @property
    def scores(self) -> dict[str, float]:
        return {name: item.score for name, item in self.items.items()}


class Judge(Protocol):
    """Raises InfrastructureError where it cannot judge; it never makes a number up."""

    @property
    def name(self) -> str:
        """As given to `--judge`."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever the same evidence could get other scores; part of cache keys and records."""
        ...

    @property
    def proxy(self) -> bool:
        """True if its scores only stand in for a judgement and must not enter a leaderboard."""
        ...

    @property
    def needs_untouched(self) -> bool:
        """Whether each demo must also be replayed without its inputs."""
        ...

    @property
    def steady(self) -> bool:
        """True if the same evidence always gets the same scores: asking again would say nothing."""
        ...

    def ready(self) -> None:
        """Asked before an agent is set to work: raises InfrastructureError if nothing could be judged anyway."""
        ...

    def judge(
        self, rubric: Rubric, demos: Sequence[DemoEvidence], log: Path | None = None, repeat: int = 1
    ) -> tuple[DemoJudgement, ...]:
        """`log` is a file for notes on how it came to its scores, one JSON object per line.

        `repeat` counts how often this was asked, from 1; only what was recorded before depends on it.
        """
        ...
