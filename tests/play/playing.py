"""Players for tests: they do what they are told, and nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark.play.parsing import ActionCall, Interface
from benchmark.play.players import Proposal, Turn
from benchmark.play.step_log import PlayStep


@dataclass(frozen=True)
class Played:
    """What came of a trial."""

    steps: tuple[PlayStep, ...]
    folder: Path
    troubles: tuple[dict[str, Any], ...]

    @property
    def last(self) -> PlayStep:
        return self.steps[-1]


@dataclass
class ScriptedPlayer:
    """Proposes one thing after the other, the last one again and again; keeps what it was shown."""

    script: Sequence[Proposal]
    looks: bool = False
    sees_state: bool = False
    identity: Mapping[str, str] = field(default_factory=dict)
    turns: list[Turn] = field(default_factory=list)

    def propose(self, turn: Turn) -> Proposal:
        self.turns.append(turn)
        return self.script[min(len(self.turns), len(self.script)) - 1]

    def close(self) -> None:
        pass


def calls(*names: str, latency_sec: float = 0.0, interface: Interface = "semantic", **arguments: Any) -> Proposal:
    """A proposal with these calls, each with the same arguments."""
    made = tuple(ActionCall(name, arguments) for name in names)
    return Proposal(made, interface, latency_sec=latency_sec)
