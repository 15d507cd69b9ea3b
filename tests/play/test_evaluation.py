"""Progress, success and the signals that end a task."""

import json
from typing import Any

import pytest

from benchmark.play.errors import BrokenGameError
from benchmark.play.evaluation import GoalStanding, StepVerdict, after_reset, judge, progress_of, public_says
from benchmark.play.goals import Goal
from benchmark.play.states import GameState, read_state

GOAL = Goal(
    1, "x", "", fields=("game_state.score",), target=10.0, start=2.0, actions=5, seconds=60, public_status="success"
)

FRESH = GoalStanding()


def state(score: object = 0, outcome: object = None, ended: bool = False, **more: Any) -> GameState:
    data = {"game_state": {"score": score}, "terminal": {"isTerminal": ended, "outcome": outcome}, **more}
    return read_state(json.dumps(data))


def judged(
    goal: Goal = GOAL, *, actions: int = 1, seconds: float = 1.0, before: GoalStanding = FRESH, **given: Any
) -> StepVerdict:
    return judge(goal, state(**given), before, actions, seconds)


@pytest.mark.parametrize(
    ("best", "progress"),
    [(None, 0.0), (-5.0, 0.0), (2.0, 0.0), (6.0, 0.5), (10.0, 1.0), (1e9, 1.0)],
)
def test_progress_is_clipped(best: float | None, progress: float) -> None:
    assert progress_of(GOAL, best) == progress


@pytest.mark.parametrize("outcome", ["success", "fail", "quit", "aborted", None, 7, "x" * 500])
def test_only_the_target_is_success(outcome: object) -> None:
    verdict = judged(score=9, outcome=outcome, ended=True)
    assert not verdict.standing.solved
    assert judged(score=10, outcome=outcome, ended=True).standing.solved


@pytest.mark.parametrize(
    "score", [None, "11", True, [11], {"x": 11}, "not a number: NaN", "not a number: Infinity", 1e300]
)
def test_what_is_no_number_solves_nothing_and_costs_no_progress(score: object) -> None:
    before = judged(score=6).standing
    verdict = judged(score=score, before=before)
    assert verdict.score is None
    assert (verdict.progress, verdict.standing.scoreless, verdict.standing.solved) == (0.5, 1, False)


def test_signals_come_in_their_order() -> None:
    ends = Goal(**{**GOAL.__dict__, "end_field": "over", "end_value": True})
    assert judged(score=10, outcome="fail", ended=True).signal == "target reached"
    assert judged(score=10, actions=5).signal == "target reached"
    assert judged(score=9, actions=5, outcome="fail", ended=True).signal == "budget used up"
    assert judged(score=9, seconds=60).signal == "budget used up"
    assert judged(score=9, outcome="fail", ended=True).signal == "reset"
    assert judged(ends, score=9, outcome="fail", ended=True, over=True).signal == "end field"
    assert judged(ends, score=9, over=True).signal == "end field"
    assert judged(ends, score=9, over=1).signal is None  # true is not one
    assert judged(score=9, outcome="success", ended=True).signal == "terminal"
    assert judged(score=9, outcome="quit", ended=True).signal == "terminal"
    assert judged(score=9).signal is None


def test_a_task_that_stops_on_fail_is_not_reset() -> None:
    stops = Goal(**{**GOAL.__dict__, "on_fail": "stop"})
    assert judged(stops, score=9, outcome="fail", ended=True).signal == "terminal"


def test_a_reset_keeps_the_best_and_counts_against_the_first_try() -> None:
    tried = after_reset(judged(score=6, outcome="fail", ended=True).standing)
    assert (tried.best, tried.episode_best, tried.resets) == (6, None, 1)
    again = judged(score=3, before=tried)
    assert (again.progress, again.standing.episode_best) == (0.5, 3)
    solved = judged(score=10, before=tried, actions=4).standing
    assert (solved.solved_at, solved.first_try) == (4, False)
    assert judged(score=10, actions=4).standing.first_try


def test_a_sum_wants_all_of_its_fields() -> None:
    both = Goal(1, "x", "", fields=("a", "b.c"), target=5.0)
    assert judge(both, read_state('{"a": 2, "b": {"c": 3}}'), GoalStanding(), 1, 0).standing.solved
    assert judge(both, read_state('{"a": 9, "b": {}}'), GoalStanding(), 1, 0).score is None


def test_what_the_public_evaluator_would_have_said_is_kept_apart() -> None:
    for outcome, said in (("success", "success"), ("fail", "fail"), ("quit", "success"), (None, "success")):
        at = state(score=9, outcome=outcome, ended=True)
        verdict = judge(GOAL, at, GoalStanding(), 5 if outcome == "fail" else 1, 1.0)
        assert not verdict.standing.solved
        assert public_says(GOAL, at, verdict) == said


@pytest.mark.parametrize("text", [None, 5, "5", "null", "[]", "{", "[" * 500, '{"a": "' + "x" * (1 << 20) + '"}'])
def test_what_is_no_state_breaks_the_game(text: object) -> None:
    with pytest.raises(BrokenGameError):
        read_state(text)


def test_the_wall_clock_is_not_in_the_digest() -> None:
    one, other = (read_state(f'{{"timestampMs": {n}, "debug": {n}, "game_state": {{"score": 1}}}}') for n in (1, 2))
    assert one.digest == other.digest
    assert one.digest != read_state('{"game_state": {"score": 2}}').digest
