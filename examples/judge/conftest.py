"""A judge of one's own: the more often a demo answers to the player, the better, whatever the rubric asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmark.craft.judging.protocol import DemoEvidence, DemoJudgement, ItemScore
from benchmark.craft.rubric import Rubric

ENOUGH = 3


@dataclass(frozen=True)
class CountingJudge:
    """Counts the different pictures of each demo. See benchmark/craft/judging/protocol.py for what is needed."""

    name: str = "counting"
    version: str = "1"
    proxy: bool = True  # its numbers do not belong on a leaderboard
    needs_untouched: bool = False
    steady: bool = True

    def ready(self) -> None:
        """There is nothing that could be missing."""

    def judge(
        self, rubric: Rubric, demos: Sequence[DemoEvidence], log: Path | None = None, repeat: int = 1
    ) -> tuple[DemoJudgement, ...]:
        return tuple(self._one(rubric, demo) for demo in demos)

    def _one(self, rubric: Rubric, demo: DemoEvidence) -> DemoJudgement:
        pictures = len({still.pixels for still in demo.evidence.stills})
        said = ItemScore(min(pictures / ENOUGH, 1.0), f"{pictures} different pictures")
        return DemoJudgement(demo.name, dict.fromkeys(rubric.ids, said), {"pictures": float(pictures)})


@pytest.fixture
def judge() -> CountingJudge:
    """In place of what `--judge` names."""
    return CountingJudge()
