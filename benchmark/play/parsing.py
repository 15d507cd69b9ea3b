"""From what was proposed to one legal action: semantic actions by name, low-level ones as they are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from benchmark.play.actions import LETTER_FRAMES, Action, RefusedProposal, as_action, refused
from benchmark.play.game import Binding, Parameter, Place, PlayGame, Point, Role, SemanticAction
from benchmark.play.keys import key_of
from benchmark.untrusted import shown

Interface = Literal["semantic", "computer"]
INTERFACES: tuple[Interface, ...] = ("semantic", "computer")


@dataclass(frozen=True)
class ActionCall:
    """One function that an agent called. In the interface `computer` the arguments are those of `as_action`."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


def parse(calls: tuple[ActionCall, ...], interface: Interface, game: PlayGame, role: Role) -> Action | RefusedProposal:
    """Exactly one call is an action. None is none, and of two nobody knows which was meant."""
    if not calls:
        return RefusedProposal("no call", "the answer calls no action")
    if len(calls) > 1:
        return RefusedProposal("out of space", f"the answer calls {len(calls)} actions; one is allowed")
    (call,) = calls
    if interface == "semantic":
        return resolve(role, call.name, call.arguments)
    return as_action({"action": call.name, **call.arguments}, role.controls, game.width, game.height)


def resolve(role: Role, name: object, arguments: object) -> Action | RefusedProposal:
    """A semantic action by its name, whatever the case and with blanks or hyphens for `_`."""
    if not isinstance(name, str) or not name.strip():
        return RefusedProposal("no call", f"{shown(name)} names no action")
    found = role.action(name.strip().lower().replace("-", "_").replace(" ", "_"))
    if found is None:
        return RefusedProposal("out of space", f"{shown(name)} is no action of this role; there are {names(role)}")
    if not isinstance(arguments, Mapping):
        return RefusedProposal("out of space", f"{found.id}: {shown(arguments)} are no arguments")
    try:
        action = _bound(found, arguments)
    except ValueError as error:
        return RefusedProposal("out of space", f"{found.id}: {error}")
    return refused(action, role.controls) or action


def names(role: Role) -> str:
    return ", ".join(action.id for action in role.actions)


def _bound(action: SemanticAction, arguments: Mapping[str, Any]) -> Action:
    """The action with its arguments in their places. Arguments that nobody asked for are passed over."""
    values = {one.name: _value(one, arguments.get(one.name)) for one in action.parameters}
    binding = action.binding
    frames = values[binding.frames] if isinstance(binding.frames, str) else binding.frames
    if binding.verb == "wait":
        return Action("wait", frames)
    if binding.verb == "hold":
        keys = (values[binding.key_from],) if binding.key_from else binding.keys
        return Action("press_key" if len(keys) == 1 else "press_keys", frames, keys=keys)
    if binding.verb == "type":
        text = values[binding.text_from] if binding.text_from else binding.text
        return Action("type", (len(text) + binding.enter) * LETTER_FRAMES, text=text, enter=binding.enter)
    at, to = _place(binding.at, values), _place(binding.to, values)
    if binding.verb == "click":
        return Action("click", frames, at=at, button=binding.button)
    if binding.verb == "drag":
        return Action("drag", frames, at=at, to=to, button=binding.button)
    return Action("mouse_move", frames, at=at, to=to) if binding.verb == "move" else _scroll(binding, frames, at)


def _scroll(binding: Binding, frames: int, at: Point | None) -> Action:
    return Action("scroll", frames, at=at, delta=binding.delta)


def _place(place: Place | None, values: Mapping[str, Any]) -> Point | None:
    return values[place] if isinstance(place, str) else place


def _value(parameter: Parameter, value: object) -> Any:
    if parameter.kind == "number":
        number = isinstance(value, int | float) and not isinstance(value, bool) and value == value
        if not number or not parameter.low <= value <= parameter.high or value != int(value):  # type: ignore[operator, call-overload]
            raise ValueError(
                f"{parameter.name}: {shown(value)} is not a whole number from {parameter.low} to {parameter.high}"
            )
        return int(value)  # type: ignore[call-overload]
    if not isinstance(value, str):
        raise ValueError(f"{parameter.name}: {shown(value)} is not a text")
    if parameter.kind == "point":
        found = parameter.points.get(value.strip().lower(), parameter.points.get(value.strip()))
        if found is None:
            raise ValueError(f"{parameter.name}: {shown(value)} is not one of {_some(tuple(parameter.points))}")
        return found
    if parameter.kind == "key":
        key = key_of(value.strip() or value)
        if key not in parameter.words:
            raise ValueError(f"{parameter.name}: {shown(value)} is not one of {_some(parameter.words)}")
        return key
    if not 0 < len(value) <= parameter.letters or any(key_of(letter) is None for letter in value):
        raise ValueError(f"{parameter.name}: {shown(value)} is not a text of 1 to {parameter.letters} letters")
    return value


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names) if len(names) <= 8 else f"{', '.join(names[:3])}, …, {names[-1]}"
