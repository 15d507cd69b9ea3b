"""Semantic actions as packages write them: a name, what it does, and exactly one thing that is done."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from benchmark.checked import Fields
from benchmark.play.game import (
    BUTTONS,
    CLICK_FRAMES,
    MAX_ACTION_FRAMES,
    Binding,
    Button,
    Controls,
    Grid,
    Parameter,
    Place,
    Point,
    SemanticAction,
)
from benchmark.play.keys import keys_of
from benchmark.untrusted import shown

_VERBS = ("wait", "hold", "click", "drag", "move", "scroll", "type")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
DRAG_FRAMES = 20


def read_actions(
    given: Sequence[Fields], controls: Controls, grids: Mapping[str, Grid], role: str
) -> tuple[SemanticAction, ...]:
    """All actions of a role. Raises ValueError."""
    actions = tuple(_action(one, controls, grids, f"{role}.actions[{place}]") for place, one in enumerate(given))
    names = [action.id for action in actions]
    if not names:
        raise ValueError(f"{role}.actions: at least one is needed")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{role}.actions: {name} is there twice")
    return actions


def _action(given: Fields, controls: Controls, grids: Mapping[str, Grid], where: str) -> SemanticAction:
    given.refuse_others(("id", "does", "parameters", "frames", "button", "at", "enter", *_VERBS))
    name = given.text("id")
    if not _NAME.fullmatch(name):
        raise ValueError(f"{where}.id: {shown(name)} must be a word of small letters, digits and _")
    where = f"{where} ({name})"
    parameters = {key: _parameter(key, one, grids) for key, one in given.named_objects("parameters").items()}
    verbs = [verb for verb in _VERBS if given.raw(verb) is not None]
    if len(verbs) != 1:
        raise ValueError(f"{where}: exactly one of {', '.join(_VERBS)} is needed, not {', '.join(verbs) or 'none'}")
    binding = _binding(given, verbs[0], parameters, where)
    _check_legal(binding, controls, parameters, where)
    used = {binding.frames, binding.key_from, binding.at, binding.to, binding.text_from}
    for key in parameters:
        if key not in used:
            raise ValueError(f"{where}.parameters.{key}: nothing uses it")
    return SemanticAction(name, given.text("does").strip(), binding, tuple(parameters.values()))


def _parameter(name: str, given: Fields, grids: Mapping[str, Grid]) -> Parameter:
    given.refuse_others(("does", "cell", "place", "text", "number", "key"))
    kinds = [kind for kind in ("cell", "place", "text", "number", "key") if given.raw(kind) is not None]
    if not _NAME.fullmatch(name) or len(kinds) != 1:
        raise ValueError(f"parameters.{name}: exactly one of cell, place, text, number, key is needed")
    does = given.text("does", "")
    if kinds == ["cell"]:
        if given.text("cell") not in grids:
            raise ValueError(f"parameters.{name}.cell: {shown(given.text('cell'))} is none of the grids")
        return Parameter(name, does, points=grids[given.text("cell")].cells())
    if kinds == ["place"]:
        points = {
            key: _point(value, f"parameters.{name}.place.{key}") for key, value in given.whatever("place").items()
        }
        if not points:
            raise ValueError(f"parameters.{name}.place: at least one is needed")
        return Parameter(name, does, points=points)
    if kinds == ["text"]:
        return Parameter(name, does, letters=given.whole("text", 1, 100))
    if kinds == ["key"]:
        return Parameter(name, does, words=keys_of(given.one_or_more_texts("key"), f"parameters.{name}.key"))
    low, high = _pair(given.raw("number"), f"parameters.{name}.number")
    if low != int(low) or high != int(high) or low >= high:
        raise ValueError(f"parameters.{name}.number: [lowest, highest] is needed, whole numbers")
    return Parameter(name, does, low=int(low), high=int(high))


def _binding(given: Fields, verb: str, parameters: Mapping[str, Parameter], where: str) -> Binding:
    frames: int | str = _frames(given, "wait" if verb == "wait" else "frames", parameters, verb)
    if verb == "wait":
        return Binding("wait", frames)
    if verb == "hold":
        named = given.raw("hold")
        if isinstance(named, str) and named in parameters and parameters[named].kind == "key":
            return Binding("hold", frames, key_from=named)
        return Binding("hold", frames, keys=keys_of(given.one_or_more_texts("hold"), f"{where}.hold"))
    button = _button(given)
    if verb == "click":
        return Binding("click", frames, at=_place(given.raw("click"), parameters, f"{where}.click"), button=button)
    if verb == "move":
        return Binding("move", frames, at=_place(given.raw("move"), parameters, f"{where}.move"))
    if verb == "drag":
        ends = given.raw("drag")
        if not isinstance(ends, list) or len(ends) != 2:
            raise ValueError(f"{where}.drag: [from, to] is needed, not {shown(ends)}")
        first, last = (_place(one, parameters, f"{where}.drag") for one in ends)
        return Binding("drag", frames, at=first, to=last, button=button)
    if verb == "scroll":
        at = given.raw("at")
        place = _place(at, parameters, f"{where}.at") if at is not None else None
        return Binding("scroll", frames, at=place, delta=_pair(given.raw("scroll"), f"{where}.scroll"))
    text = given.text("type")
    named = text in parameters and parameters[text].kind == "text"
    return Binding(
        "type", frames, text="" if named else text, text_from=text if named else "", enter=given.flag("enter", False)
    )


_USUAL_FRAMES = {"hold": 12, "click": CLICK_FRAMES, "drag": DRAG_FRAMES, "move": 2, "scroll": 6, "type": 3}


def _frames(given: Fields, key: str, parameters: Mapping[str, Parameter], verb: str) -> int | str:
    value = given.raw(key)
    if isinstance(value, str) and value in parameters and parameters[value].kind == "number":
        if not 1 <= parameters[value].low <= parameters[value].high <= MAX_ACTION_FRAMES:
            raise ValueError(f"parameters.{value}: frames are from 1 to {MAX_ACTION_FRAMES}")
        return value
    return given.whole(key, 1, MAX_ACTION_FRAMES, _USUAL_FRAMES.get(verb, 12))


def _button(given: Fields) -> Button:
    return given.choice("button", BUTTONS) if given.has("button") else "left"


def _place(value: Any, parameters: Mapping[str, Parameter], where: str) -> Place:
    if isinstance(value, str):
        if value not in parameters or parameters[value].kind != "point":
            raise ValueError(f"{where}: {shown(value)} is no parameter that names a cell or a place")
        return value
    return _point(value, where)


def _point(value: Any, where: str) -> Point:
    return _pair(value, where)


def _pair(value: Any, where: str) -> Point:
    numbers = [one for one in value if _is_coordinate(one)] if isinstance(value, list) else []
    if not isinstance(value, list) or len(numbers) != 2 or len(value) != 2:
        raise ValueError(f"{where}: {shown(value)} is not a pair of numbers: [640, 360]")
    return float(numbers[0]), float(numbers[1])


def _is_coordinate(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 10_000


def _check_legal(binding: Binding, controls: Controls, parameters: Mapping[str, Parameter], where: str) -> None:
    """A role's own actions stay within its own limits: both interfaces can do the same."""
    keys = [*binding.keys, *(parameters[binding.key_from].words if binding.key_from else ())]
    for key in keys:
        if not controls.allows(key):
            raise ValueError(f"{where}: the key {key} is not among controls.keys")
    if binding.verb == "hold" and not keys:
        raise ValueError(f"{where}: no key is held")
    if binding.verb in ("click", "drag", "move", "scroll") and binding.verb not in controls.pointer:
        raise ValueError(f"{where}: {binding.verb} is not among controls.pointer")
