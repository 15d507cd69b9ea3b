"""A play trial: the players play, and their log is the evidence that the number is made from."""

import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmark.agents.protocol import Agent, AgentReport
from benchmark.errors import InfrastructureError, TaskError
from benchmark.files import write_json
from benchmark.play.browsers import forget_browser, shared_browser
from benchmark.play.efficiency import policy_actions
from benchmark.play.episode import Mode, Setup, play
from benchmark.play.game import PlayGame
from benchmark.play.game_page import GamePage
from benchmark.play.goals import Goal
from benchmark.play.options import PlaySettings
from benchmark.play.package import PlayPackage
from benchmark.play.packages import package_of
from benchmark.play.players import Player, Seat
from benchmark.play.simple_players import sit_down
from benchmark.play.step_log import STEPS_FILE, PlayStep, StepLog, Summary, read_steps, summarize
from benchmark.running import Check, Result, Tools, Trial
from benchmark.tasks import Task
from benchmark.trials import Stage, TrialId, TrialRecord
from benchmark.versions import text_digest, tree_digest

VERIFIER = "game state"
VERIFIER_VERSION = "1"  # of what turns states into numbers: evaluation.py and step_log.summarize
PLAY_FILE = "play.json"


@dataclass
class PlayTrial(Trial):
    """One goal of one game."""

    package: PlayPackage = field(kw_only=True)
    goal: Goal = field(kw_only=True)
    steps: tuple[PlayStep, ...] = ()
    summary: Summary | None = None
    settings: PlaySettings = field(default_factory=PlaySettings)
    agent: str = ""
    reference: int = 0  # actions of the policy
    played: dict[str, Any] = field(default_factory=dict)

    @property
    def game(self) -> PlayGame:
        return self.package.game

    def check_ready(self, tools: Tools) -> None:
        if self.game.fault:
            raise TaskError(f"{self.game.id}: {self.game.fault}")
        shared_browser()

    def produce(self, agent: Agent, tools: Tools) -> None:
        assert isinstance(tools.settings, PlaySettings)
        self.settings = tools.settings
        try:
            self._play(agent)
        except InfrastructureError:
            forget_browser()
            raise

    def _play(self, agent: Agent) -> None:
        settings, game, goal = self.settings, self.game, self.goal
        browser = shared_browser()
        seed = seed_of(settings, goal, self.id.attempt)
        mode: Mode = "real time" if goal.real_time else settings.mode
        setup = Setup(game, goal, mode, every_picture=settings.every_picture, limit_sec=self.task.agent_timeout_sec)
        began = time.monotonic()
        with ExitStack() as stack:
            page = stack.enter_context(GamePage(browser, game, goal, seed))
            log = StepLog(self.folder)
            stack.callback(log.close)
            players: dict[str, Player] = {}
            for role in game.roles:
                seat = Seat(
                    game=game, goal=goal, role=role, seed=seed, browser=browser, policy=self.package.policy,
                    folder=self.folder,
                )  # fmt: skip
                players[role.id] = sit_down(agent, seat)
                stack.callback(players[role.id].close)
            steps = play(page, setup, players, log)
            self.played = {
                "game": game.id, "goal": asdict(goal), "seed": seed, "mode": mode,
                "browser": browser.browser.version, "troubles": list(page.troubles),
                "seconds": round(time.monotonic() - began, 3),
            }  # fmt: skip
        write_json(self.folder / PLAY_FILE, self.played)
        identity = {
            f"{role}.{key}" if len(players) > 1 else key: value
            for role, player in players.items()
            for key, value in player.identity.items()
        }
        cost, activity = spent(steps)
        ended = steps[-1].signal
        self.report = AgentReport(
            ended="time limit" if ended == "time limit" else "finished", detail=ended, cost_usd=cost,
            identity=identity, activity=activity,
        )  # fmt: skip

    def handed_over(self) -> str:
        """The log is what the players left."""
        return _digest(self.folder / STEPS_FILE)

    def taken_up(self, digest: str) -> None:
        if _digest(self.folder / STEPS_FILE) != digest:
            raise InfrastructureError(f"{self.folder / STEPS_FILE} is not what was played", fix="play the trial again")

    def score(self, tools: Tools, start: Stage) -> None:
        assert isinstance(tools.settings, PlaySettings)
        self.settings = tools.settings
        self.steps = read_steps(self.folder)
        self.played = self.played or self.read(PLAY_FILE)
        self.summary = summarize(self.steps, self.goal.target)
        if self.summary.solved and self.package.policy is not None and not self.game.foreign:
            with self.timed(tools, "reference"):
                own = self.id.agent == "oracle"
                self.reference = (
                    (self.summary.solved_at or 0) if own else policy_actions(self.package, self.goal, self._seed)
                )

    @property
    def _seed(self) -> int:
        seed = self.played.get("seed")
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise InfrastructureError(f"{self.folder / PLAY_FILE}: seed: {seed!r} is none", fix="play the trial again")
        return seed

    def describe(self, record: TrialRecord, tools: Tools) -> TrialRecord:
        browser = {"browser": str(self.played["browser"])} if self.played.get("browser") else {}
        versions = {**record.versions, "judge": VERIFIER_VERSION, **browser}
        return replace(record, judge=VERIFIER, versions=versions)

    def result(self) -> Result:
        summary = self.summary
        assert summary is not None
        found = asdict(summary)
        progress = found.pop("progress")
        interfaces = Counter(move.interface for step in self.steps for move in step.moves)
        return Result(
            score=progress,
            reason=summary.ended,
            items={"solved": float(summary.solved)},
            facts={
                **found, "seed": self._seed, "mode": str(self.played.get("mode", self.settings.mode)),
                "interface": "+".join(sorted(interfaces)) or "none", "policy_actions": self.reference,
            },
        )  # fmt: skip

    def checks(self) -> tuple[Check, ...]:
        assert self.record is not None
        return stored_checks(self.folder, self.record)


def spent(steps: tuple[PlayStep, ...]) -> tuple[float, dict[str, float]]:
    """Dollars, and what was done in numbers: tokens by kind, seconds of thought."""
    moves = [move for step in steps for move in step.moves]
    activity: Counter[str] = Counter()
    for move in moves:
        activity.update({f"tokens_{kind}": round(count) for kind, count in move.tokens.items()})
    numbers: dict[str, float] = dict(activity)
    numbers["actions"] = steps[-1].number
    thought = sum(move.latency_sec for move in moves)
    if thought:
        numbers |= {"thinking_sec": round(thought, 3), "sec_per_step": round(thought / max(1, len(moves)), 3)}
    return sum(move.cost_usd for move in moves), numbers


def seed_of(settings: PlaySettings, goal: Goal, attempt: int) -> int:
    """The task's own, or the run's, one further with each attempt."""
    return goal.seed if goal.seed is not None else settings.seed + attempt - 1


def begin(trial: TrialId, task: Task, folder: Path) -> PlayTrial:
    package, goal = package_of(task)
    return PlayTrial(trial, task, folder, package=package, goal=goal)


def verifier() -> tuple[str, str]:
    return VERIFIER, VERIFIER_VERSION


def task_versions(task: Task, solution: bool) -> dict[str, str]:
    """By hash: the game with what it shares with others, what is asked, and the policy where it plays."""
    package, goal = package_of(task)
    game = package.game
    folders = [game.folder, *([game.base] if game.base else [])]
    asked = {**asdict(goal), "rules": game.rules, "roles": [asdict(role) for role in game.roles]}
    versions = {
        "start": tree_digest(*folders),
        "instruction": text_digest(repr(asked)),
        "rubric": text_digest(repr((goal.fields, goal.start, goal.target, goal.end_field, goal.end_value))),
    }
    if solution and package.policy:
        versions["solution"] = text_digest(package.policy.read_text(encoding="utf-8", errors="replace"))
    return versions


def stored_checks(folder: Path, record: TrialRecord) -> tuple[Check, ...]:
    """One sub-assertion: whether the target was reached."""
    facts = record.facts
    reason = f"progress {record.score or 0.0:.2f} after {facts.get('actions')} actions: {facts.get('ended')}"
    return (Check("solved", float(bool(facts.get("solved"))), reason),)


def _digest(path: Path) -> str:
    try:
        return text_digest(path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""
