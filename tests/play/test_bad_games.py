"""Games that misbehave. They belong to the benchmark: one that breaks makes no number, an odd one is played on."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from benchmark.play.episode import Setup
from benchmark.play.errors import BrokenGameError
from benchmark.play.game import PlayGame
from benchmark.play.goals import Goal
from benchmark.play.package import PlayPackage
from benchmark.play.step_log import summarize
from benchmark.runtime.browser import Browser
from benchmark.runtime.stepped.browser import SteppedBrowser
from benchmark.runtime.stepped.limits import PageLimits
from tests.play.playing import Played, ScriptedPlayer, calls

Play = Callable[..., Played]
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def impatient(browser_program: Browser) -> Iterator[SteppedBrowser]:
    """So that what never ends is found to be so in seconds."""
    with SteppedBrowser(browser_program, PageLimits(load_sec=60, advance_sec=10, evaluate_sec=10)) as running:
        yield running


def bad(package: PlayPackage, how: str, number: int = 2) -> Setup:
    goal: Goal = replace(package.goal(number), suffix=f"?bad={how}")
    game: PlayGame = package.game
    return Setup(game, goal)


@pytest.mark.attack(
    "a game of a package breaks: no API, never ready, hangs, throws, leaves, eats memory", "void: no number"
)
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("no-api", "no window.gameAPI"),
        ("never-ready", "never ready: status 'loading'"),
        ("never-answers", "begin gave no answer"),
        ("throws", "thrown in getState"),
        ("throws-at-begin", "thrown at begin"),
        ("refuses", "refused by the game: not today"),
        ("no-object", "no object"),
        ("circular", "gameAPI"),
        ("huge", "characters"),
        ("never-a-number", "was never a number"),
        ("loops", "does not go on|did not give way|gone"),
        ("leaves", "gameAPI is gone"),
        ("memory", "does not go on|gone"),
    ],
)
def test_a_game_that_breaks_makes_no_number(
    how: str, said: str, played: Play, steps_game: PlayPackage, impatient: SteppedBrowser
) -> None:
    with pytest.raises(BrokenGameError, match=said):
        played(bad(steps_game, how), {"walker": ScriptedPlayer([calls("right")])}, browser=impatient)


@pytest.mark.parametrize("how", ["dialogs", "throws-in-play", "slow-begin", "sometimes-no-number"])
def test_a_game_that_is_only_odd_is_played_on(how: str, played: Play, steps_game: PlayPackage) -> None:
    trial = played(bad(steps_game, how), {"walker": ScriptedPlayer([calls("right")])})
    found = summarize(trial.steps, 4)
    assert found.ended in ("target reached", "budget used up")
    kinds = {one["kind"] for one in trial.troubles}
    if how == "dialogs":
        assert "dialog" in kinds
    if how == "throws-in-play":
        assert kinds & {"error", "console error"}


def test_a_score_without_end_is_no_success(played: Play, steps_game: PlayPackage) -> None:
    trial = played(bad(steps_game, "endless-number"), {"walker": ScriptedPlayer([calls("right")])})
    found = summarize(trial.steps, 4)
    assert (found.solved, found.progress, found.ended) == (False, 0.0, "budget used up")
    assert found.scoreless == 14


@pytest.mark.parametrize(
    ("how", "public"), [("quits", "unknown"), ("claims-success", "success"), ("no-outcome", "unknown")]
)
def test_an_end_that_the_game_calls_something_else_is_no_success(
    how: str, public: str, played: Play, steps_game: PlayPackage
) -> None:
    trial = played(bad(steps_game, how), {"walker": ScriptedPlayer([calls("right"), calls("lose")])})
    found = summarize(trial.steps, 4)
    assert (found.solved, found.progress, found.ended, found.public) == (False, 0.5, "terminal", public)


def test_a_reset_may_load_the_page_again(played: Play, steps_game: PlayPackage) -> None:
    script = [calls("right"), calls("lose"), calls("right"), calls("right")]
    trial = played(bad(steps_game, "reloads"), {"walker": ScriptedPlayer(script)})
    found = summarize(trial.steps, 4)
    assert (found.resets, found.solved, found.first_try) == (1, True, False)


def test_a_target_that_is_reached_before_anybody_acts_is_a_broken_task(played: Play, steps_game: PlayPackage) -> None:
    gift = Setup(steps_game.game, replace(steps_game.goal(1), target=0.0, start=-1.0))
    with pytest.raises(BrokenGameError, match="before anybody acted"):
        played(gift, {"walker": ScriptedPlayer([calls("wait")])})
