"""The loop: look, propose, act, read, judge, until a signal ends it.

Paused, the game stands still while a player decides. In real time the frames that its decision took pass first; they
are kept in the log, so that a replay needs no clock.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from benchmark.agents.protocol import is_amount
from benchmark.play.actions import RefusedProposal
from benchmark.play.errors import BrokenGameError
from benchmark.play.evaluation import GoalStanding, StepVerdict, after_reset, judge, public_says
from benchmark.play.game import FPS, PlayGame, Role
from benchmark.play.game_page import GamePage, Seen
from benchmark.play.goals import Goal
from benchmark.play.parsing import parse
from benchmark.play.players import Player, Proposal, Turn
from benchmark.play.step_log import Move, PlayStep, StepLog
from benchmark.play.timeline import NOTHING, InputTimeline, timeline, together

Mode = Literal["paused", "real time"]
MODES: tuple[Mode, ...] = ("paused", "real time")
MAX_THINK_FRAMES = 60 * FPS  # in real time: who thinks for longer has thought for a minute
PICTURE_EVERY = 25  # steps, where nobody looks


@dataclass(frozen=True)
class Setup:
    """What is played, and how."""

    game: PlayGame
    goal: Goal
    mode: Mode = "paused"
    every_picture: bool = False  # kept although nobody looks
    limit_sec: float = 7200.0  # of real time: for players that do not come to an end


def play(page: GamePage, setup: Setup, players: Mapping[str, Player], log: StepLog) -> tuple[PlayStep, ...]:
    """Play one trial to its end. `players` are by role. Raises what page and players raise."""
    episode = _Episode(page, setup, players, log)
    return episode.run()


def frames_of(latency_sec: float) -> int:
    """How many frames a decision takes in real time."""
    return min(MAX_THINK_FRAMES, max(0, round(latency_sec * FPS)))


def plan_of(moves: tuple[Move, ...], settle_frames: int) -> InputTimeline:
    """What the moves of a step come to: all at once, then the frames that the game settles in. Refused: nothing."""
    done = [timeline(move.action) for move in moves if move.action]
    if not done:
        return NOTHING
    both = together(tuple(done))
    return replace(both, frames=both.frames + settle_frames)


class _Episode:
    def __init__(self, page: GamePage, setup: Setup, players: Mapping[str, Player], log: StepLog) -> None:
        self._page = page
        self._setup = setup
        self._players = players
        self._log = log
        self._standing = GoalStanding()
        self._frames = 0
        self._steps: list[PlayStep] = []
        self._refused: dict[str, str] = {}
        self._began = time.monotonic()

    def run(self) -> tuple[PlayStep, ...]:
        goal = self._setup.goal
        seen = self._page.begin()
        verdict = judge(goal, seen.state, self._standing, 0, 0.0)
        if verdict.signal == "target reached":
            raise BrokenGameError(f"the target of {goal.target:g} is reached before anybody acted")
        self._standing = verdict.standing
        picture = self._picture(0, always=True)
        self._keep(self._step((), (0, 0), seen, verdict, picture[1]))
        while True:
            number = len(self._steps)
            moves, stops = self._moves(number, seen, picture)
            if stops:
                self._steps[-1] = replace(self._steps[-1], signal=stops)
                return self._rewritten()
            latency = max((move.latency_sec for move in moves), default=0.0)
            think = frames_of(latency) if self._setup.mode == "real time" else 0
            plan = plan_of(moves, self._setup.game.settle_frames)
            if think:
                self._page.perform(InputTimeline(think))
            self._page.perform(plan)
            self._frames += think + plan.frames
            seen = self._page.see()
            verdict = judge(goal, seen.state, self._standing, number, self._frames / FPS)
            self._standing = verdict.standing
            over = verdict.signal not in (None, "reset")
            picture = self._picture(number, always=over)
            step = self._step(moves, (think, plan.frames), seen, verdict, picture[1])
            if verdict.signal == "reset":
                self._standing = after_reset(self._standing)
                seen = self._page.reset()
                step = replace(step, after_reset=(seen.state.digest, seen.pixels))
                if self._look_needed:
                    picture = (self._page.look(), "")
            self._keep(step)
            if over:
                return self._ended()

    def _ended(self) -> tuple[PlayStep, ...]:
        if all(step.score is None for step in self._steps):
            fields = " + ".join(self._setup.goal.fields)
            raise BrokenGameError(f"the score ({fields}) was never a number")
        return tuple(self._steps)

    def _rewritten(self) -> tuple[PlayStep, ...]:
        """The log once more, with a last step that says that the player stopped."""
        self._log.rewrite(self._steps)
        return self._ended()

    def _moves(self, number: int, seen: Seen, picture: tuple[bytes | None, str]) -> tuple[tuple[Move, ...], str]:
        if time.monotonic() - self._began > self._setup.limit_sec:
            return (), "time limit"
        moves = []
        for role in self._acting(number):
            player = self._players[role.id]
            turn = Turn(
                role=role, step=number - 1, steps_left=self._setup.goal.actions - number + 1,
                episode=self._standing.resets, picture=picture[0] if player.looks else None,
                state=seen.state.data if player.sees_state else None, refused=self._refused.get(role.id, ""),
            )  # fmt: skip
            began = time.monotonic()
            proposal = player.propose(turn)
            if proposal.stops:
                return (), "player stopped"
            moves.append(self._move(role, proposal, time.monotonic() - began))
        return tuple(moves), ""

    def _acting(self, number: int) -> tuple[Role, ...]:
        roles = self._setup.game.roles
        return roles if self._setup.game.turns == "together" else (roles[(number - 1) % len(roles)],)

    def _move(self, role: Role, proposal: Proposal, measured_sec: float) -> Move:
        found = parse(proposal.calls, proposal.interface, self._setup.game, role)
        refusal = found if isinstance(found, RefusedProposal) else None
        self._refused[role.id] = refusal.reason if refusal else ""
        return Move(
            role=role.id,
            calls=tuple({"name": call.name, "arguments": dict(call.arguments)} for call in proposal.calls[:20]),
            action=None if isinstance(found, RefusedProposal) else found,
            fault=refusal.fault if refusal else None,
            reason=refusal.reason if refusal else "",
            interface=proposal.interface,
            thought=proposal.thought,
            said=proposal.said,
            latency_sec=_amount(measured_sec if proposal.latency_sec is None else proposal.latency_sec),
            tokens={name: count for name, count in proposal.tokens.items() if is_amount(count)},
            cost_usd=_amount(proposal.cost_usd),
        )

    @property
    def _look_needed(self) -> bool:
        return any(player.looks for player in self._players.values())

    def _picture(self, number: int, *, always: bool) -> tuple[bytes | None, str]:
        kept = always or self._look_needed or self._setup.every_picture or number % PICTURE_EVERY == 0
        if not kept:
            return None, ""
        data = self._page.look()
        return data, self._log.picture(number, data)

    def _step(
        self, moves: tuple[Move, ...], frames: tuple[int, int], seen: Seen, verdict: StepVerdict, picture: str
    ) -> PlayStep:
        goal, state = self._setup.goal, seen.state
        over = verdict.signal not in (None, "reset")
        return PlayStep(
            number=len(self._steps), episode=self._standing.resets, moves=moves, think_frames=frames[0],
            act_frames=frames[1],
            state=state.digest, pixels=seen.pixels, score=verdict.score, best=self._standing.best,
            progress=verdict.progress, status=state.status[:40], outcome=state.outcome, signal=verdict.signal or "",
            public=public_says(goal, state, verdict) if over else "",
            watch={path: _plain(state.field(path)) for path in goal.watch}, picture=picture,
        )  # fmt: skip

    def _keep(self, step: PlayStep) -> None:
        self._steps.append(step)
        self._log.step(step)


def _amount(value: float) -> float:
    """What a player says of itself must fit into a line: no NaN, nothing below zero or beyond all bounds."""
    return value if is_amount(value) else 0.0


def _plain(value: object) -> object:
    """A watched field as a line can hold it."""
    return value if value is None or isinstance(value, bool | int | float) else str(value)[:200]
