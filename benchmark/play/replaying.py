"""A stored trial played once more from its log: the same actions, and the same state and pixels at every step."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.limits import STORED_BYTES
from benchmark.play.actions import refused
from benchmark.play.browsers import shared_browser
from benchmark.play.episode import MAX_THINK_FRAMES, plan_of
from benchmark.play.errors import BrokenGameError
from benchmark.play.evaluation import GoalStanding, after_reset, judge
from benchmark.play.game import FPS, MAX_ACTION_FRAMES, PlayGame
from benchmark.play.game_page import GamePage, Seen
from benchmark.play.goals import Goal
from benchmark.play.packages import package_of
from benchmark.play.step_log import PlayStep, read_steps
from benchmark.play.timeline import InputTimeline
from benchmark.runtime.stepped.browser import SteppedBrowser
from benchmark.tasks import Task
from benchmark.trials import TrialRecord, one_line
from benchmark.untrusted import read_json
from benchmark.verify_run.findings import Finding, VerifyTools


@dataclass(frozen=True)
class Difference:
    """The first step in which a replay is not as the log says."""

    step: int
    what: str  # state, pixels, score, …
    logged: str
    found: str

    def __str__(self) -> str:
        return f"step {self.step}: {self.what}: {self.found} here, {self.logged} in the log"


def replay(
    browser: SteppedBrowser,
    game: PlayGame,
    goal: Goal,
    seed: int,
    steps: tuple[PlayStep, ...],
    *,
    draw_all: bool = False,
) -> Difference | None:
    """None: every step is as it was. Raises BrokenGameError."""
    with GamePage(browser, game, goal, seed, draw_all=draw_all) as page:
        seen = page.begin()
        standing, frames = GoalStanding(), 0
        for step in steps:
            if step.number:
                if problem := _illegal(step, game):
                    return Difference(step.number, "action", problem, "refused")
                page.perform(InputTimeline(step.think_frames))
                plan = plan_of(step.moves, game.settle_frames)
                page.perform(plan)
                seen = page.see()
                frames += step.think_frames + plan.frames
            verdict = judge(goal, seen.state, standing, step.number, frames / FPS)
            standing = verdict.standing
            if found := _compare(step, seen, verdict.score, verdict.progress):
                return found
            if step.after_reset:
                if verdict.signal != "reset":
                    return Difference(step.number, "reset", "the game began again", verdict.signal or "it goes on")
                standing = after_reset(standing)
                seen = page.reset()
                if (seen.state.digest, seen.pixels) != step.after_reset:
                    return Difference(step.number, "after the reset", step.after_reset[0], seen.state.digest)
    return None


def _illegal(step: PlayStep, game: PlayGame) -> str:
    """A log of somebody else may hold what no player could have done."""
    roles = {role.id: role for role in game.roles}
    if step.think_frames > MAX_THINK_FRAMES:
        return f"{step.think_frames} frames of thought"
    for move in step.moves:
        if move.role not in roles:
            return f"role {one_line(move.role, 40)}"
        if move.action is None:
            continue
        if move.action.frames > MAX_ACTION_FRAMES or (reason := refused(move.action, roles[move.role].controls)):
            return (
                reason.reason if move.action.frames <= MAX_ACTION_FRAMES and reason else f"{move.action.frames} frames"
            )
        if any(point and not (0 <= point[0] < game.width and 0 <= point[1] < game.height) for point in
               (move.action.at, move.action.to)):  # fmt: skip
            return "a point outside of the picture"
    return ""


def _compare(step: PlayStep, seen: Seen, score: float | None, progress: float) -> Difference | None:
    pairs: tuple[tuple[str, Any, Any], ...] = (
        ("state", step.state, seen.state.digest),
        ("score", step.score, score),
        ("progress", step.progress, progress),
        ("pixels", step.pixels, seen.pixels),
    )
    for what, logged, found in pairs:
        if logged != found:
            return Difference(step.number, what, one_line(str(logged), 80), one_line(str(found), 80))
    return None


def replay_trial(folder: Path, record: TrialRecord, task: Task) -> Iterator[Finding]:
    """For `python -m benchmark replay --trial` and `verify-run`."""
    package, goal = package_of(task)
    steps = read_steps(folder)
    seed = read_json(folder / "play.json", STORED_BYTES).get("seed")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed != record.facts.get("seed"):
        yield Finding("seed", "unreadable", f"{seed!r} is not that of the record")
        return
    try:
        difference = replay(shared_browser(), package.game, goal, seed, steps)
    except BrokenGameError as error:
        yield Finding("steps", "different", error.message)
        return
    if difference:
        yield Finding("steps", "different", str(difference))
        return
    yield Finding("steps", "identical", f"state and pixels of all {len(steps)} steps")
    last = steps[-1]
    same = record.score == last.progress and bool(record.facts.get("solved")) == any(
        step.best is not None and step.best >= goal.target for step in steps
    )
    yield Finding("score", "identical" if same else "different", f"{last.progress:g} here, {record.score} recorded")


def verify(folder: Path, record: TrialRecord, task: Task | None, tools: VerifyTools) -> Iterator[Finding]:
    """A trial of a run from elsewhere."""
    if task is None:
        yield Finding("steps", "not replayed", f"the task {one_line(record.task, 100)} is not here")
        return
    yield from replay_trial(folder, record, task)
    tools.on_done("steps")
