"""How far a state is: progress towards the target, and whether the task goes on. Plain functions over frozen values.

Solved means that the target was reached, and nothing else does. An outcome that the game calls success, an end that it
calls quit, or a number that is none solve nothing.
"""

from dataclasses import dataclass, replace
from typing import Literal

from benchmark.play.goals import Goal
from benchmark.play.states import GameState

Signal = Literal["reset", "target reached", "budget used up", "end field", "terminal"]


@dataclass(frozen=True)
class GoalStanding:
    """What is known after some steps. `best` outlives resets, `episode_best` does not."""

    best: float | None = None
    episode_best: float | None = None
    resets: int = 0
    scoreless: int = 0  # steps in which the score was no number
    solved_at: int | None = None  # after how many actions
    first_try: bool = False  # solved before any reset

    @property
    def solved(self) -> bool:
        return self.solved_at is not None


@dataclass(frozen=True)
class StepVerdict:
    """What one state means. `signal` None: go on."""

    score: float | None
    progress: float
    standing: GoalStanding
    signal: Signal | None


def score_of(goal: Goal, state: GameState) -> float | None:
    """The sum of the task's fields; None if one of them is no number."""
    numbers = [state.number(path) for path in goal.fields]
    return None if None in numbers else sum(number for number in numbers if number is not None)


def progress_of(goal: Goal, best: float | None) -> float:
    """From 0 to 1."""
    if best is None:
        return 0.0
    if goal.target <= goal.start:  # public tasks may be written so
        return float(best >= goal.target)
    return min(1.0, max(0.0, (best - goal.start) / (goal.target - goal.start)))


def judge(goal: Goal, state: GameState, before: GoalStanding, actions: int, seconds: float) -> StepVerdict:
    """After `actions` of the budget and so many seconds of play. The signals in their order: the first one counts."""
    score = score_of(goal, state)
    standing = _with_score(before, score)
    reached = standing.best is not None and standing.best >= goal.target
    if reached and not standing.solved:
        standing = replace(standing, solved_at=actions, first_try=standing.resets == 0)
    spent = actions >= goal.actions or seconds >= goal.seconds
    failed = state.terminal and state.outcome == "fail"
    ends = _end_field(goal, state)
    own_end = ends and goal.end_field != "terminal.isTerminal"
    signal: Signal | None = None
    if failed and goal.on_fail == "reset" and not (reached or spent or own_end):
        signal = "reset"
    elif reached:
        signal = "target reached"
    elif spent:
        signal = "budget used up"
    elif ends:
        signal = "end field"
    elif state.terminal:
        signal = "terminal"
    return StepVerdict(score, progress_of(goal, standing.best), standing, signal)


def after_reset(standing: GoalStanding) -> GoalStanding:
    """A new try: only the best is kept."""
    return replace(standing, episode_best=None, resets=standing.resets + 1)


def public_says(goal: Goal, state: GameState, verdict: StepVerdict) -> str:
    """What the evaluator of the public code would have called this end: an outcome of its own counts there."""
    if verdict.signal == "target reached":
        return "success"
    if verdict.score is None:
        return "unknown"
    if verdict.signal == "budget used up":
        return "fail"
    if state.terminal:
        return state.outcome if state.outcome in ("success", "fail") else goal.public_status or "unknown"
    return goal.public_status or "unknown" if verdict.signal == "end field" else "unknown"


def _with_score(before: GoalStanding, score: float | None) -> GoalStanding:
    if score is None:
        return replace(before, scoreless=before.scoreless + 1)
    best = score if before.best is None else max(before.best, score)
    episode = score if before.episode_best is None else max(before.episode_best, score)
    return replace(before, best=best, episode_best=episode)


def _end_field(goal: Goal, state: GameState) -> bool:
    if not goal.end_field:
        return False
    found = state.field(goal.end_field)
    return (type(found) is type(goal.end_value) and found == goal.end_value) or (
        _is_number(found) and _is_number(goal.end_value) and found == goal.end_value
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
