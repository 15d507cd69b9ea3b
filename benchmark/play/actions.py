"""Low-level actions: nine kinds, one form, whatever a model, a player or a binding calls them.

What is not an action, or not a legal one for the role, is refused with a reason. Nothing is guessed: an answer with a
wrong type, a huge number or a name that nobody knows does nothing in the game.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from benchmark.play.game import BUTTONS, CLICK_FRAMES, FPS, MAX_ACTION_FRAMES, Button, Controls, Point
from benchmark.play.keys import key_of
from benchmark.untrusted import shown

Kind = Literal[
    "click", "click_hold", "drag", "mouse_move", "scroll", "type", "press_key", "press_keys", "wait"
]  # fmt: skip
KINDS: tuple[Kind, ...] = (
    "click", "click_hold", "drag", "mouse_move", "scroll", "type", "press_key", "press_keys", "wait",
)  # fmt: skip
LETTER_FRAMES = 3  # of each letter that is typed: down for two, up for one
MAX_LETTERS = MAX_ACTION_FRAMES // LETTER_FRAMES - 1  # one for Enter
MAX_KEYS = 4
MAX_SCROLL = 5000.0
# Other names that models and clients use → ours, and the button they stand for.
_ALIASES: dict[str, tuple[Kind, Button | None]] = {
    "left_click": ("click", "left"), "right_click": ("click", "right"), "middle_click": ("click", "middle"),
    "left_click_hold": ("click_hold", "left"), "mouse_click": ("click", None), "tap": ("click", None),
    "click_and_hold": ("click_hold", None), "left_click_drag": ("drag", "left"), "drag_and_drop": ("drag", None),
    "move": ("mouse_move", None), "hover": ("mouse_move", None), "move_mouse": ("mouse_move", None),
    "mouse_scroll": ("scroll", None), "wheel": ("scroll", None), "type_text": ("type", None), "write": ("type", None),
    "key": ("press_key", None), "keypress": ("press_keys", None), "key_press": ("press_keys", None),
    "hold_key": ("press_key", None), "hotkey": ("press_keys", None), "key_combination": ("press_keys", None),
    "noop": ("wait", None), "sleep": ("wait", None), "pause": ("wait", None), "do_nothing": ("wait", None),
}  # fmt: skip


@dataclass(frozen=True)
class Action:
    """One legal action. `frames` is how long it lasts, held keys and buttons included."""

    kind: Kind
    frames: int
    keys: tuple[str, ...] = ()
    at: Point | None = None
    to: Point | None = None
    button: Button = "left"
    delta: Point = (0.0, 0.0)
    text: str = ""
    enter: bool = False

    def to_json(self) -> dict[str, Any]:
        """What differs from the default."""
        found: dict[str, Any] = {"kind": self.kind, "frames": self.frames}
        found |= {"keys": list(self.keys)} if self.keys else {}
        found |= {"at": list(self.at)} if self.at else {}
        found |= {"to": list(self.to)} if self.to else {}
        found |= {"button": self.button} if self.kind in ("click", "click_hold", "drag") else {}
        found |= {"delta": list(self.delta)} if self.kind == "scroll" else {}
        found |= {"text": self.text, "enter": self.enter} if self.kind == "type" else {}
        return found


Fault = Literal["no call", "out of space"]
FAULTS: tuple[Fault, ...] = ("no call", "out of space")


@dataclass(frozen=True)
class RefusedProposal:
    """What was proposed and not done: there was no call at all, or one outside of what the role may do."""

    fault: Fault
    reason: str


def as_action(given: object, controls: Controls, width: int, height: int) -> Action | RefusedProposal:
    """From a low-level action as a model, a log or an adapter writes it.

    Keys of the mapping: action; x, y; x1, y1, x2, y2; from_x, from_y; button; key, keys; text, press_enter; delta_x,
    delta_y; and frames, or duration in seconds.
    """
    if not isinstance(given, Mapping) or not isinstance(given.get("action"), str) or not given["action"].strip():
        return RefusedProposal("no call", f"{shown(given)} names no action")
    name = given["action"].strip().lower()
    kind, button = _ALIASES.get(name, (next((one for one in KINDS if one == name), None), None))
    if kind is None:
        return RefusedProposal("out of space", f"{shown(name)} is no action; there are {', '.join(KINDS)}")
    try:
        action = _read(kind, given, button, controls, width, height)
    except ValueError as error:
        return RefusedProposal("out of space", f"{kind}: {error}")
    return refused(action, controls) or action


def refused(action: Action, controls: Controls) -> RefusedProposal | None:
    """Why a role may not do this; None if it may."""
    use = {"click": "click", "click_hold": "click", "drag": "drag", "mouse_move": "move", "scroll": "scroll"}
    if (wanted := use.get(action.kind)) and wanted not in controls.pointer:
        return RefusedProposal("out of space", f"{action.kind} is not allowed for this role")
    for key in keys_in(action):
        if not controls.allows(key):
            return RefusedProposal("out of space", f"the key {key} is not allowed for this role")
    return None


def keys_in(action: Action) -> tuple[str, ...]:
    """All keys that go down, those of a typed text among them."""
    typed = [key_of(letter) or letter for letter in action.text]
    return (*action.keys, *typed, *(["Enter"] if action.enter else []))


def _read(
    kind: Kind, given: Mapping[str, Any], button: Button | None, controls: Controls, width: int, height: int
) -> Action:
    if kind == "wait":
        return Action("wait", _frames(given, controls.hold_frames))
    if kind in ("press_key", "press_keys"):
        keys = _keys(given)
        usual = max((controls.key_frames.get(key, controls.hold_frames) for key in keys), default=1)
        return Action("press_key" if len(keys) == 1 else "press_keys", _frames(given, usual), keys=keys)
    if kind == "type":
        return _typing(given)
    if kind == "scroll":
        at = _point(given, "x", "y", width, height) if "x" in given or "y" in given else None
        delta = (_number(given, "delta_x", MAX_SCROLL, 0.0), _number(given, "delta_y", MAX_SCROLL, 0.0))
        return Action("scroll", _frames(given, 6), at=at, delta=delta)
    if kind == "drag":
        first = ("x1", "y1") if "x1" in given else ("from_x", "from_y")
        last = ("x2", "y2") if "x2" in given else ("to_x", "to_y")
        at, to = _point(given, *first, width, height), _point(given, *last, width, height)
        return Action("drag", _frames(given, 20), at=at, to=to, button=button or _button(given))
    at = _point(given, "x", "y", width, height)
    if kind == "mouse_move":
        origin = _point(given, "from_x", "from_y", width, height) if "from_x" in given else None
        return Action("mouse_move", _frames(given, 2), at=origin or at, to=at if origin else None)
    usual = CLICK_FRAMES if kind == "click" else controls.hold_frames
    return Action(kind, _frames(given, usual), at=at, button=button or _button(given))


def _frames(given: Mapping[str, Any], usual: int) -> int:
    """Never more than one action may take: who waits for an hour has waited for three seconds."""
    if given.get("frames") is not None:
        return max(1, min(MAX_ACTION_FRAMES, round(_number(given, "frames", 1e6))))
    if given.get("duration") is not None:
        return max(1, min(MAX_ACTION_FRAMES, round(_number(given, "duration", 1e6) * FPS)))
    return usual


def _number(given: Mapping[str, Any], key: str, most: float, default: float | None = None) -> float:
    value = given.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or abs(value) > most:
        raise ValueError(f"{key}: {shown(value)} is not a number up to {most:g}")
    return float(value)


def _point(given: Mapping[str, Any], x: str, y: str, width: int, height: int) -> Point:
    point = (_number(given, x, 1e6), _number(given, y, 1e6))
    if not (0 <= point[0] < width and 0 <= point[1] < height):
        raise ValueError(f"({point[0]:g}, {point[1]:g}) is outside of the picture, {width} by {height}")
    return point


def _button(given: Mapping[str, Any]) -> Button:
    value = given.get("button", "left")
    found = next((one for one in BUTTONS if one == value), None)
    if found is None:
        raise ValueError(f"button: {shown(value)} is not one of {', '.join(BUTTONS)}")
    return found


def _keys(given: Mapping[str, Any]) -> tuple[str, ...]:
    """`a+b` and `a b` in one text are two keys; `+` and blank alone are not."""
    value = given.get("keys", given.get("key"))
    if isinstance(value, str):
        value = [value] if key_of(value) else value.replace("+", " ").replace(",", " ").split()
    if not isinstance(value, list | tuple) or not value or len(value) > MAX_KEYS:
        raise ValueError(f"{shown(value)} is not a key or a list of at most {MAX_KEYS}")
    keys = []
    for one in value:
        key = key_of(one) if isinstance(one, str) else None
        if key is None:
            raise ValueError(f"{shown(one)} is no key")
        keys.append(key)
    return tuple(dict.fromkeys(keys))


def _typing(given: Mapping[str, Any]) -> Action:
    text, enter = given.get("text"), given.get("press_enter", False)
    if not isinstance(text, str) or not isinstance(enter, bool) or not 0 < len(text) + enter <= MAX_LETTERS:
        raise ValueError(f"text: {shown(text)} is not a text of 1 to {MAX_LETTERS} letters")
    for letter in text:
        if key_of(letter) is None:
            raise ValueError(f"{shown(letter)} is on no key")
    return Action("type", (len(text) + enter) * LETTER_FRAMES, text=text, enter=enter)
