"""Players that need no model: the package's policy, doing nothing, and chance."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from benchmark import __version__
from benchmark.agents.protocol import AgentReport, Assignment
from benchmark.errors import UsageError
from benchmark.limits import MAX_TEXT_BYTES
from benchmark.play.errors import BrokenPolicyError
from benchmark.play.game import Parameter, SemanticAction
from benchmark.play.parsing import ActionCall
from benchmark.play.players import Player, Proposal, Seat, Turn
from benchmark.runtime.stepped.errors import PageError
from benchmark.runtime.stepped.page import SteppedPage
from benchmark.runtime.stepped.site import Site
from benchmark.untrusted import UnreadableFileError, read_utf8

_FOLDER = Path(__file__).with_name("page")
_SCRIPT = (_FOLDER / "policy.js").read_text(encoding="utf-8")
NOP_FRAMES = 30


@dataclass
class NopPlayer:
    """Waits: what a score must not reward."""

    looks: bool = False
    sees_state: bool = False
    identity: Mapping[str, str] = field(default_factory=dict)

    def propose(self, turn: Turn) -> Proposal:
        return Proposal((ActionCall("wait", {"frames": NOP_FRAMES}),), "computer", latency_sec=0.0)

    def close(self) -> None:
        pass


@dataclass
class RandomPlayer:
    """Any action of its role, any argument: the same ones for the same seed."""

    seat: Seat
    looks: bool = False
    sees_state: bool = False
    identity: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _chance(self) -> random.Random:
        seat = self.seat
        return random.Random(f"{seat.seed} {seat.game.id} {seat.goal.number} {seat.role.id}")

    def propose(self, turn: Turn) -> Proposal:
        action: SemanticAction = self._chance.choice(turn.role.actions)
        arguments = {one.name: self._argument(one) for one in action.parameters}
        return Proposal((ActionCall(action.id, arguments),), latency_sec=0.0)

    def _argument(self, wanted: Parameter) -> Any:
        if wanted.kind == "point":
            return self._chance.choice(list(wanted.points))
        if wanted.kind == "key":
            return self._chance.choice(wanted.words)
        if wanted.kind == "number":
            return self._chance.randint(wanted.low, wanted.high)
        letters = [key for key in self.seat.role.controls.keys if len(key) == 1] or ["a"]
        return "".join(self._chance.choice(letters) for _ in range(wanted.letters))

    def close(self) -> None:
        pass


class PolicyPlayer:
    """The package's own policy. Its code is a stranger's: it runs in an empty page, and only its answer is taken.

    It fails as a package fails: by an exception that makes the trial void.
    """

    looks = False
    sees_state = True

    def __init__(self, seat: Seat) -> None:
        self.identity: Mapping[str, str] = {}
        self._seat = seat
        if seat.policy is None:
            raise BrokenPolicyError(f"{seat.game.id} has no policy.js", fix="see docs/games.md")
        try:
            source = read_utf8(seat.policy, MAX_TEXT_BYTES)
        except UnreadableFileError as error:
            raise BrokenPolicyError(f"{seat.policy}: {error}") from error
        self._page: SteppedPage = seat.browser.open(Site({"/": _FOLDER / "policy"}), seed=seat.seed)
        try:
            self._page.evaluate(_SCRIPT, {"source": source})
        except PageError as error:
            self._page.close()
            raise BrokenPolicyError(f"{seat.policy}: {error.message}") from error

    def propose(self, turn: Turn) -> Proposal:
        goal = self._seat.goal
        task = {
            "role": turn.role.id, "number": goal.number, "level": goal.level, "start": goal.start,
            "target": goal.target, "step": turn.step, "steps_left": turn.steps_left, "episode": turn.episode,
        }  # fmt: skip
        try:
            answer = self._page.evaluate(_SCRIPT, {"state": turn.state, "task": task})
        except PageError as error:
            raise BrokenPolicyError(f"{self._seat.policy}: step {turn.step}: {error.message}") from error
        if not isinstance(answer, dict) or not isinstance(answer.get("arguments"), dict):
            raise BrokenPolicyError(f"{self._seat.policy}: step {turn.step}: decide gave no {{id, arguments}}")
        if turn.refused:
            raise BrokenPolicyError(f"{self._seat.policy}: step {turn.step - 1}: {turn.refused}")
        return Proposal((ActionCall(str(answer.get("id")), answer["arguments"]),), latency_sec=0.0)

    def close(self) -> None:
        self._page.close()


@dataclass(frozen=True)
class RandomAgent:
    """`--agent random`: what chance reaches."""

    name: str = "random"
    version: str = __version__
    feedback: str = "none"
    track: str = "play"

    def sit_down(self, seat: Seat) -> Player:
        return RandomPlayer(seat)

    def work(self, assignment: Assignment) -> AgentReport:
        raise UsageError("random plays games; it builds none")


def sit_down(agent: Any, seat: Seat) -> Player:
    """The player that an agent, built in or of this track, makes for a role."""
    if agent.name == "oracle":
        return PolicyPlayer(seat)
    if agent.name == "nop":
        return NopPlayer()
    player: Player = agent.sit_down(seat)
    return player
