"""The public catalogue: both schemas, bindings, presets, suite files, and whole trials of a game from it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.errors import TaskError, UsageError
from benchmark.play.actions import Action, RefusedProposal
from benchmark.play.episode import Setup
from benchmark.play.packages import package_of
from benchmark.play.parsing import ActionCall, parse
from benchmark.play.public.catalogue import find_tasks, read_catalogue_game
from benchmark.play.public.suites import Preset, read_preset, read_suite
from benchmark.play.step_log import summarize
from benchmark.tasks import survey_tasks
from tests.play.conftest import GAMES
from tests.play.playing import Played, ScriptedPlayer, calls

CATALOGUE = Path(__file__).parent / "catalogue"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The catalogue, with a game folder for one of its two games."""
    shutil.copytree(CATALOGUE, tmp_path / "checkout")
    shutil.copytree(GAMES / "arcade/tiny-steps", tmp_path / "checkout/games/benchmark/01_puddle")
    return tmp_path / "checkout"


def test_its_tasks_are_found_and_missing_games_are_told_once(checkout: Path) -> None:
    survey = survey_tasks([checkout])
    assert [task.id for task in survey.tasks] == ["play/puzzle/01-puddle-1", "play/puzzle/01-puddle-2"]
    assert [(task.labels, task.has_oracle, task.foreign) for task in survey.tasks] == [
        ({"level": "L4"}, False, True)
    ] * 2
    (missing,) = survey.broken
    assert "1 games are named and not there: 12_brook" in missing.message
    assert find_tasks(checkout / "catalog", []) is None


def test_both_schemas_of_tasks_are_read(checkout: Path) -> None:
    one, two = (package_of(task)[1] for task in survey_tasks([checkout]).tasks)
    assert (one.target, one.start, one.actions, one.fields, one.end_field) == (
        4,
        0,
        9,
        ("game_state.score",),
        "terminal.isTerminal",
    )
    assert (two.target, two.start, two.actions, two.suffix) == (6, 1, 100, "bad=quits")
    both = read_catalogue_game(checkout, "12_brook")
    assert both.goals[0].fields == ("game_state.left", "game_state.right")
    assert [role.id for role in both.game.roles] == ["one", "two"]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (ActionCall("walk"), Action("press_key", 15, keys=("ArrowRight",))),
        (ActionCall("LEAP"), Action("press_key", 180, keys=("ArrowUp",))),
        (ActionCall("look"), Action("mouse_move", 6, at=(100.0, 100.0), to=(200.0, 100.0))),
        (ActionCall("open", {"cell": "B1"}), Action("click", 4, at=(700.0, 20.0), button="right")),
    ],
)  # fmt: skip
def test_bindings_of_every_kind_work(call: ActionCall, expected: Action, checkout: Path) -> None:
    game = read_catalogue_game(checkout, "01_puddle").game
    assert parse((call,), "semantic", game, game.roles[0]) == expected


def test_role_limits_hold_also_for_what_is_typed(checkout: Path) -> None:
    game = read_catalogue_game(checkout, "01_puddle").game
    assert isinstance(parse((ActionCall("say", {"text": "hi"}),), "semantic", game, game.roles[0]), RefusedProposal)
    brook = read_catalogue_game(checkout, "12_brook").game
    anything, little = brook.roles
    typed = (ActionCall("type", {"text": "hi"}),)
    assert isinstance(parse(typed, "computer", brook, anything), Action)  # an empty list means any key there
    assert isinstance(parse(typed, "computer", brook, little), RefusedProposal)
    click = (ActionCall("click", {"x": 1, "y": 1}),)
    assert isinstance(parse(click, "computer", brook, anything), RefusedProposal)


def test_presets_and_suites_are_expanded(checkout: Path) -> None:
    assert read_preset("01_puddle+01_02+alpha", checkout) == Preset("01_puddle", "01_02", ("alpha",))
    assert read_preset("12_brook + 12_01 + alpha", checkout).models == ("alpha", "alpha")
    assert str(read_preset("12_brook+12_01+alpha,beta", checkout)) == "12_brook+12_01+alpha,beta"
    runs = read_suite(checkout / "suites/small.yaml", checkout, ("alpha", "gamma"))
    assert len(runs) == 8 + 3
    assert [str(run) for run in runs[:3]] == ["01_puddle+01_01+alpha", "01_puddle+01_01+beta", "01_puddle+01_02+alpha"]
    assert [run.models for run in runs[8:]] == [("alpha", "alpha"), ("alpha", "beta"), ("gamma", "gamma")]


@pytest.mark.parametrize(
    ("preset", "said"),
    [
        ("01_puddle+01_01", "is no preset"),
        ("01_puddle+09_09+x", "has no task"),
        ("12_brook+12_01+a,b,c", "names 3 models, and the game has 2 role"),
        ("99_none+01_01+x", "there is no such file"),
        ("../x+01_01+x", "is no id of a game"),
    ],
)
def test_a_preset_that_fits_nothing_is_refused(preset: str, said: str, checkout: Path) -> None:
    with pytest.raises(UsageError, match=said):
        read_preset(preset, checkout)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("task_target_score_field: 4\n", "", "task_target_score_field is missing"),
        ("evaluator_id: game_api_metric", "evaluator_id: guess", "evaluator_id: 'guess' is not known"),
        ("task_target_score_field: 4", "task_target_score_field: .nan", "nan is not a number"),
        ("max_steps: 9", "max_steps: 1e9", "max_steps"),
    ],
)
def test_a_task_that_cannot_be_decided_is_broken(old: str, new: str, said: str, checkout: Path) -> None:
    path = checkout / "catalog/tasks/01_puddle/01_01.yaml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(TaskError, match=said):
        read_catalogue_game(checkout, "01_puddle")


@pytest.mark.browser
def test_an_outcome_that_the_public_evaluator_counts_is_no_success_here(
    checkout: Path, played: Callable[..., Played]
) -> None:
    package, goal = package_of(survey_tasks([checkout]).tasks[1])
    player = ScriptedPlayer([calls("walk"), calls("leap")])
    trial = played(Setup(package.game, goal), {"walker": player})
    found = summarize(trial.steps, goal.target)
    assert (found.solved, found.ended, found.public) == (False, "end field", "success")
    assert trial.last.outcome == "quit"
