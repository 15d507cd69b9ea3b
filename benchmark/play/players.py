"""Who plays: asked once per step for each role, with what it may see.

An agent of this track is anything with `name`, `version`, `feedback`, `track = "play"` and `sit_down`. It makes one
player for each role of a trial, so that a game for two may have two models.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from benchmark.play.game import PlayGame, Role
from benchmark.play.goals import Goal
from benchmark.play.parsing import ActionCall, Interface
from benchmark.runtime.stepped.browser import SteppedBrowser


@dataclass(frozen=True)
class Turn:
    """What a player gets before it acts. The picture and the state are of the same frozen frame."""

    role: Role
    step: int  # from 0
    steps_left: int
    episode: int  # 0, and one more after each reset
    picture: bytes | None  # a JPEG, for players that look
    state: Mapping[str, Any] | None  # for players that are shown it: the oracle
    refused: str = ""  # why the last proposal was not done; empty if it was


@dataclass(frozen=True)
class Proposal:
    """What a player wants done. None or several calls are allowed here, and counted as faults."""

    calls: tuple[ActionCall, ...]
    interface: Interface = "semantic"
    thought: str = ""
    said: str = ""  # the whole answer, as text
    latency_sec: float | None = None  # how long it took to decide; None: as measured from outside
    tokens: Mapping[str, float] = field(default_factory=dict)  # input, output, …
    cost_usd: float = 0.0
    stops: str = ""  # why the player plays no further; empty: it does


@dataclass(frozen=True)
class Seat:
    """Where a player sits: everything that it may know before the first turn."""

    game: PlayGame
    goal: Goal
    role: Role
    seed: int
    browser: SteppedBrowser
    policy: Path | None  # of the package; for the oracle alone
    folder: Path  # of the trial, for what the player wants to keep


class Player(Protocol):
    """Raises InfrastructureError when it could not be asked; whatever it answers is a Proposal."""

    @property
    def looks(self) -> bool:
        """Whether it wants pictures."""
        ...

    @property
    def sees_state(self) -> bool: ...

    @property
    def identity(self) -> Mapping[str, str]:
        """Which program, model and prompt it is, for the record."""
        ...

    def propose(self, turn: Turn) -> Proposal: ...

    def close(self) -> None: ...


class PlayAgent(Protocol):
    """An agent of this track. `version` changes whenever it would behave differently."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def feedback(self) -> str: ...

    @property
    def track(self) -> str: ...

    def sit_down(self, seat: Seat) -> Player: ...
