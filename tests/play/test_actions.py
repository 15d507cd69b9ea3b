"""Low-level and semantic actions: one legal action comes out, or a reason why there is none."""

import math
from typing import Any

import pytest

from benchmark.play.actions import Action, RefusedProposal, as_action
from benchmark.play.game import MAX_ACTION_FRAMES, Controls
from benchmark.play.package import PlayPackage
from benchmark.play.parsing import ActionCall, parse
from benchmark.play.timeline import InputEvent, timeline, together

LIMITED = Controls(keys=("ArrowLeft", "ArrowRight", "a", "b", "Enter"), pointer=("click", "drag"), hold_frames=9)


def action(**given: Any) -> Action | RefusedProposal:
    return as_action(given, LIMITED, 1280, 720)


def reason(**given: Any) -> str:
    found = action(**given)
    assert isinstance(found, RefusedProposal), found
    return f"{found.fault}: {found.reason}"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"action": "press_key", "key": "left"}, Action("press_key", 9, keys=("ArrowLeft",))),
        ({"action": "key", "key": "LEFT", "duration": 0.5}, Action("press_key", 30, keys=("ArrowLeft",))),
        ({"action": "press_key", "key": "a+right"}, Action("press_keys", 9, keys=("a", "ArrowRight"))),
        ({"action": "keypress", "keys": ["A", "b"], "frames": 3}, Action("press_keys", 3, keys=("a", "b"))),
        ({"action": "left_click", "x": 10, "y": 20}, Action("click", 4, at=(10.0, 20.0))),
        ({"action": "right_click", "x": 1, "y": 2}, Action("click", 4, at=(1.0, 2.0), button="right")),
        ({"action": "click_hold", "x": 1, "y": 2, "duration": 1}, Action("click_hold", 60, at=(1.0, 2.0))),
        (
            {"action": "left_click_drag", "x1": 1, "y1": 2, "x2": 3, "y2": 4, "frames": 7},
            Action("drag", 7, at=(1.0, 2.0), to=(3.0, 4.0)),
        ),
        ({"action": "type", "text": "ab", "press_enter": True}, Action("type", 9, text="ab", enter=True)),
        ({"action": "noop"}, Action("wait", 9)),
    ],
)  # fmt: skip
def test_other_names_and_units_come_to_the_same_action(given: dict[str, Any], expected: Action) -> None:
    assert as_action(given, LIMITED, 1280, 720) == expected


@pytest.mark.parametrize("given", [{"duration": 999}, {"frames": 10**6}, {"duration": 9e5}])
def test_no_action_lasts_longer_than_three_seconds(given: dict[str, Any]) -> None:
    assert action(action="wait", **given) == Action("wait", MAX_ACTION_FRAMES)
    assert action(action="press_key", key="a", **given) == Action("press_key", MAX_ACTION_FRAMES, keys=("a",))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"action": "press_key", "key": "w"}, "the key w is not allowed"),
        ({"action": "press_keys", "keys": ["a", "w"]}, "the key w is not allowed"),
        ({"action": "type", "text": "abc"}, "the key c is not allowed"),
        ({"action": "type", "text": "ab", "press_enter": 1}, "not a text"),
        ({"action": "type", "text": "é"}, "is on no key"),
        ({"action": "type", "text": "a" * 500}, "not a text of 1 to"),
        ({"action": "mouse_move", "x": 1, "y": 1}, "mouse_move is not allowed"),
        ({"action": "scroll", "delta_y": 10}, "scroll is not allowed"),
        ({"action": "click", "x": 1280, "y": 1}, "outside of the picture"),
        ({"action": "click", "x": -1, "y": 1}, "outside of the picture"),
        ({"action": "click", "x": "10", "y": 1}, "'10' is not a number"),
        ({"action": "click", "x": True, "y": 1}, "True is not a number"),
        ({"action": "click", "x": math.nan, "y": 1}, "nan is not a number"),
        ({"action": "click", "x": math.inf, "y": 1}, "inf is not a number"),
        ({"action": "click", "x": 1, "y": 1, "button": "fourth"}, "not one of left, right, middle"),
        ({"action": "wait", "duration": math.inf}, "inf is not a number"),
        ({"action": "wait", "duration": "long"}, "'long' is not a number"),
        ({"action": "press_key", "key": ["a"] * 9}, "at most 4"),
        ({"action": "press_key", "key": 7}, "is not a key"),
        ({"action": "press_key", "key": "cmd"}, "is no key"),
        ({"action": "open_shell"}, "'open_shell' is no action"),
    ],
)  # fmt: skip
def test_what_is_illegal_or_of_a_wrong_type_is_out_of_space(given: dict[str, Any], said: str) -> None:
    found = reason(**given)
    assert found.startswith("out of space")
    assert said in found


@pytest.mark.parametrize("given", [None, 5, [], {}, {"action": ""}, {"action": 3}, {"tool": "click"}])
def test_what_names_no_action_is_no_call(given: object) -> None:
    found = as_action(given, LIMITED, 1280, 720)
    assert isinstance(found, RefusedProposal)
    assert found.fault == "no call"


def test_a_role_without_keys_and_pointer_may_only_wait() -> None:
    nothing = Controls()
    assert isinstance(as_action({"action": "press_key", "key": "a"}, nothing, 1280, 720), RefusedProposal)
    assert isinstance(as_action({"action": "type", "text": "a"}, nothing, 1280, 720), RefusedProposal)
    assert isinstance(as_action({"action": "click", "x": 1, "y": 1}, nothing, 1280, 720), RefusedProposal)
    assert isinstance(as_action({"action": "wait"}, nothing, 1280, 720), Action)


def semantic(package: PlayPackage, *calls: ActionCall) -> Action | RefusedProposal:
    return parse(calls, "semantic", package.game, package.game.roles[0])


def test_semantic_actions_become_low_level_ones(steps_game: PlayPackage) -> None:
    assert semantic(steps_game, ActionCall("right")) == Action("press_key", 20, keys=("ArrowRight",))
    assert semantic(steps_game, ActionCall(" RIGHT ", {"reasoning": "on"})) == Action(
        "press_key", 20, keys=("ArrowRight",)
    )
    assert semantic(steps_game, ActionCall("stride", {"frames": 33})) == Action("press_key", 33, keys=("ArrowRight",))
    assert semantic(steps_game, ActionCall("tap", {"cell": "B2"})) == Action("click", 4, at=(480.0, 270.0))
    assert semantic(steps_game, ActionCall("spell", {"word": "cab"})) == Action("type", 9, text="cab")


@pytest.mark.parametrize(
    ("calls", "fault", "said"),
    [
        ((), "no call", "calls no action"),
        ((ActionCall("right"), ActionCall("wait")), "out of space", "calls 2 actions"),
        ((ActionCall("fly"),), "out of space", "'fly' is no action of this role; there are wait, right"),
        ((ActionCall("press_key", {"key": "a"}),), "out of space", "is no action of this role"),
        ((ActionCall("stride", {"frames": 61}),), "out of space", "61 is not a whole number from 1 to 60"),
        ((ActionCall("stride", {"frames": "33"}),), "out of space", "'33' is not a whole number"),
        ((ActionCall("stride", {"frames": math.nan}),), "out of space", "nan is not a whole number"),
        ((ActionCall("stride", {"frames": 1.5}),), "out of space", "1.5 is not a whole number"),
        ((ActionCall("stride", {}),), "out of space", "None is not a whole number"),
        ((ActionCall("tap", {"cell": "e1"}),), "out of space", "'e1' is not one of a1, b1, c1, …, d4"),
        ((ActionCall("spell", {"word": "door"}),), "out of space", "'door' is not a text of 1 to 3 letters"),
        ((ActionCall("spell", {"word": "dad"}),), "out of space", "the key d is not allowed"),
        ((ActionCall("", {}),), "no call", "names no action"),
    ],
)  # fmt: skip
def test_what_cannot_be_resolved_is_never_guessed(
    calls: tuple[ActionCall, ...], fault: str, said: str, steps_game: PlayPackage
) -> None:
    found = semantic(steps_game, *calls)
    assert isinstance(found, RefusedProposal)
    assert found.fault == fault
    assert said in found.reason


def test_both_interfaces_come_to_the_same_events(steps_game: PlayPackage) -> None:
    role = steps_game.game.roles[0]
    low = parse((ActionCall("press_key", {"key": "ArrowRight", "frames": 20}),), "computer", steps_game.game, role)
    assert isinstance(low, Action)
    assert low == semantic(steps_game, ActionCall("right"))
    assert timeline(low).events == (InputEvent(0, "key_down", "ArrowRight"), InputEvent(20, "key_up", "ArrowRight"))


def test_actions_of_two_roles_lie_over_one_another() -> None:
    both = together((timeline(Action("press_key", 4, keys=("a",))), timeline(Action("press_key", 9, keys=("l",)))))
    assert both.frames == 9
    assert [(one.frame, one.kind, one.key) for one in both.events] == [
        (0, "key_down", "a"), (0, "key_down", "l"), (4, "key_up", "a"), (9, "key_up", "l"),
    ]  # fmt: skip


def test_typing_takes_three_frames_for_each_letter() -> None:
    plan = timeline(Action("type", 6, text="ab"))
    assert [(one.frame, one.kind, one.key) for one in plan.events] == [
        (0, "key_down", "a"), (2, "key_up", "a"), (3, "key_down", "b"), (5, "key_up", "b"),
    ]  # fmt: skip
