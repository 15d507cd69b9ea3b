"""Whole trials in the browser: what is done, what is kept, and that it repeats."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.play.episode import MAX_THINK_FRAMES, Setup
from benchmark.play.errors import BrokenPolicyError
from benchmark.play.package import PlayPackage
from benchmark.play.players import Proposal, Seat
from benchmark.play.replaying import replay
from benchmark.play.simple_players import NopPlayer, PolicyPlayer, RandomPlayer
from benchmark.play.step_log import STEPS_FILE, read_steps, summarize
from benchmark.runtime.stepped.browser import SteppedBrowser
from tests.play.playing import Played, ScriptedPlayer, calls

Play = Callable[..., Played]
pytestmark = pytest.mark.browser


def seat(package: PlayPackage, browser: SteppedBrowser, number: int = 1, seed: int = 1, role: int = 0) -> Seat:
    game = package.game
    return Seat(
        game=game, goal=package.goal(number), role=game.roles[role], seed=seed, browser=browser, policy=package.policy,
        folder=Path("unused"),
    )  # fmt: skip


def test_the_policy_reaches_the_target_and_chance_repeats(
    played: Play, steps_game: PlayPackage, stepped: SteppedBrowser
) -> None:
    setup = Setup(steps_game.game, steps_game.goal(3))
    oracle = played(setup, {"walker": PolicyPlayer(seat(steps_game, stepped, 3))})
    found = summarize(oracle.steps, 8)
    assert (found.solved, found.first_try, found.actions, found.ended, found.progress) == (
        True,
        True,
        4,
        "target reached",
        1,
    )
    idle = played(setup, {"walker": NopPlayer()})
    assert summarize(idle.steps, 8).ended == "budget used up"
    assert (idle.last.number, idle.last.progress) == (14, 0.0)
    one, other = (played(setup, {"walker": RandomPlayer(seat(steps_game, stepped, 3, seed=5))}) for _ in range(2))
    assert one.steps == other.steps
    again = played(setup, {"walker": RandomPlayer(seat(steps_game, stepped, 3, seed=6))})
    assert [step.moves for step in again.steps] != [step.moves for step in one.steps]


def test_refused_proposals_cost_an_action_and_do_nothing(played: Play, steps_game: PlayPackage) -> None:
    script = [
        calls(),
        calls("right", "right"),
        calls("fly"),
        calls("press_key", key="w", interface="computer"),
        calls("right"),
    ]
    player = ScriptedPlayer(script, sees_state=True)
    trial = played(Setup(steps_game.game, steps_game.goal(1)), {"walker": player})
    found = summarize(trial.steps, 2)
    assert (found.no_call, found.out_of_space, found.proposals, found.solved_at) == (1, 3, 5, 5)
    assert len({(step.state, step.pixels) for step in trial.steps[:5]}) == 1
    assert [step.act_frames for step in trial.steps] == [0, 0, 0, 0, 0, 20]
    assert "calls no action" in player.turns[1].refused
    assert player.turns[0].refused == ""
    assert [turn.steps_left for turn in player.turns] == [14, 13, 12, 11, 10]


def test_a_lost_game_begins_again_and_keeps_its_best(played: Play, steps_game: PlayPackage) -> None:
    script = [calls("right"), calls("lose"), calls("wait"), calls("stride", frames=60)]
    trial = played(Setup(steps_game.game, steps_game.goal(2)), {"walker": ScriptedPlayer(script)})
    lost = trial.steps[2]
    assert (lost.signal, lost.outcome, lost.episode) == ("reset", "fail", 0)
    assert lost.after_reset is not None
    waited = trial.steps[3]
    assert (waited.episode, waited.score, waited.best, waited.progress) == (1, 0.0, 2.0, 0.5)
    found = summarize(trial.steps, 4)
    assert (found.solved, found.first_try, found.resets) == (True, False, 1)


def test_pictures_are_taken_for_those_who_look(played: Play, steps_game: PlayPackage) -> None:
    setup = Setup(steps_game.game, steps_game.goal(5))
    blind = played(setup, {"walker": ScriptedPlayer([calls("wait")])})
    assert [step.number for step in blind.steps if step.picture] == [0, 14]
    player = ScriptedPlayer([calls("right")], looks=True)
    seen = played(setup, {"walker": player})
    assert all((seen.folder / step.picture).read_bytes().startswith(b"\xff\xd8") for step in seen.steps)
    pictures = [turn.picture for turn in player.turns]
    assert all(pictures)
    assert len(set(pictures)) == len(pictures)
    assert player.turns[0].state is None


def test_in_real_time_thinking_is_frames_and_repeats_from_the_log(
    played: Play, duo_game: PlayPackage, stepped: SteppedBrowser
) -> None:
    setup = Setup(duo_game.game, duo_game.goal(1), mode="real time")
    slow = {
        "left": ScriptedPlayer([calls("push", latency_sec=0.5)]),
        "right": ScriptedPlayer([calls("wait", latency_sec=9e8)]),
    }
    trial = played(setup, slow)
    assert [step.think_frames for step in trial.steps] == [0, MAX_THINK_FRAMES, MAX_THINK_FRAMES]
    paused = played(replace(setup, mode="paused"), slow)
    assert [step.think_frames for step in paused.steps] == [0, 0, 0]
    assert replay(stepped, duo_game.game, setup.goal, 1, read_steps(trial.folder)) is None


def test_two_roles_act_within_one_step(played: Play, duo_game: PlayPackage) -> None:
    both = {role.id: ScriptedPlayer([calls("push")]) for role in duo_game.game.roles}
    trial = played(Setup(duo_game.game, duo_game.goal(2)), both)
    assert [step.act_frames for step in trial.steps] == [0, 10, 10]
    assert trial.last.score == 40  # ten steps of each, twice
    assert [move.role for move in trial.last.moves] == ["left", "right"]


def test_roles_may_also_act_in_turn(played: Play, duo_game: PlayPackage) -> None:
    game = replace(duo_game.game, turns="in turn")
    players = {role.id: ScriptedPlayer([calls("push")]) for role in game.roles}
    trial = played(Setup(game, duo_game.goal(2)), players)
    assert [[move.role for move in step.moves] for step in trial.steps] == [
        [],
        ["left"],
        ["right"],
        ["left"],
        ["right"],
    ]
    assert [turn.step for turn in players["right"].turns] == [1, 3]


def test_the_seed_and_the_level_reach_the_game(played: Play, duo_game: PlayPackage) -> None:
    setup = Setup(duo_game.game, duo_game.goal(1))
    states = {
        played(setup, {r.id: NopPlayer() for r in duo_game.game.roles}, seed=seed).steps[0].state for seed in (1, 1, 2)
    }
    assert len(states) == 2


def test_a_log_is_read_as_it_was_written_and_repeats(
    played: Play, steps_game: PlayPackage, duo_game: PlayPackage, stepped: SteppedBrowser
) -> None:
    for package in (steps_game, duo_game):
        roles = {role.id: RandomPlayer(seat(package, stepped, 5, role=n)) for n, role in enumerate(package.game.roles)}
        trial = played(Setup(package.game, package.goal(5)), roles)
        logged = read_steps(trial.folder)
        assert [step.to_json() for step in logged] == [step.to_json() for step in trial.steps]
        assert replay(stepped, package.game, package.goal(5), 1, logged) is None
        assert replay(stepped, package.game, package.goal(5), 1, logged, draw_all=True) is None


def test_a_log_that_was_changed_is_found_out(played: Play, steps_game: PlayPackage, stepped: SteppedBrowser) -> None:
    goal = steps_game.goal(2)
    trial = played(
        Setup(steps_game.game, goal), {"walker": ScriptedPlayer([calls("right"), calls("wait"), calls("right")])}
    )
    lines = [json.loads(line) for line in (trial.folder / STEPS_FILE).read_text().splitlines()]

    def difference(number: int, **changed: object) -> str:
        rows = [{**line, **(changed if line["step"] == number else {})} for line in lines]
        (trial.folder / STEPS_FILE).write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(replay(stepped, steps_game.game, goal, 1, read_steps(trial.folder)))

    assert difference(1, score=4.0).startswith("step 1: score")
    assert difference(2, state="0" * 16).startswith("step 2: state")
    assert difference(3, pixels="screen 0").startswith("step 3: pixels")
    illegal = [{"role": "walker", "calls": [], "action": {"kind": "press_key", "frames": 20, "keys": ["F5"]}}]
    assert difference(1, moves=illegal).startswith("step 1: action: refused here, the key F5 is not allowed")
    long = [{"role": "walker", "calls": [], "action": {"kind": "wait", "frames": 60000}}]
    assert "60000 frames in the log" in difference(1, moves=long)
    assert difference(0) == "None"


def test_a_player_may_stop(played: Play, steps_game: PlayPackage) -> None:
    script = [calls("right"), Proposal((), stops="has enough")]
    trial = played(Setup(steps_game.game, steps_game.goal(5)), {"walker": ScriptedPlayer(script)})
    assert summarize(read_steps(trial.folder), 20).ended == "player stopped"
    assert (trial.last.number, trial.last.progress) == (1, 0.1)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("function decide() { throw new Error('no idea') }", "no idea"),
        ("const decide = 5", "no function decide"),
        ("function decide( {", "policy.js"),
        ("function decide() { return {id: 'fly'} }", "'fly' is no action"),
        ("function decide() { return {id: 'right', arguments: 5} }", "no {id, arguments}"),
        ("function decide() { return fetch('file:///etc/passwd').then((r) => r.text()) }", "no action"),
    ],
)
def test_a_policy_that_fails_is_the_packages_fault(
    policy: str, said: str, played: Play, steps_game: PlayPackage, stepped: SteppedBrowser, tmp_path: Path
) -> None:
    path = tmp_path / "policy.js"
    path.write_text(policy)
    package = replace(steps_game, policy=path)
    with pytest.raises(BrokenPolicyError, match=said):
        played(Setup(package.game, package.goal(3)), {"walker": PolicyPlayer(seat(package, stepped))})
