"""Semantic controls of the public catalogue, as our bindings."""

from typing import Any

from benchmark.checked import Fields
from benchmark.play.game import (
    BUTTONS,
    CLICK_FRAMES,
    FPS,
    MAX_ACTION_FRAMES,
    Binding,
    Button,
    Controls,
    Parameter,
    Point,
    SemanticAction,
)  # fmt: skip
from benchmark.play.keys import keys_of
from benchmark.untrusted import shown

MAX_TYPED = 40  # where the catalogue sets no bound


def read_action(given: Fields, controls: Controls) -> SemanticAction:
    """Raises ValueError. A binding of the catalogue may name one key as a list, or several in one text."""
    name = given.text("id")
    binding = Fields.of(given.raw("binding"), f"{name}.binding.")
    asked = Fields.of(given.raw("parameters") or {}, f"{name}.parameters.")
    kind = binding.text("action").strip().lower()
    if kind == "wait":
        return _made(given, Binding("wait", _frames(binding, controls.hold_frames)))
    if kind in ("press_key", "press_keys"):
        named = binding.one_or_more_texts("keys") or binding.one_or_more_texts("key")
        keys = keys_of(named, f"{name}.binding")
        usual = max((controls.key_frames.get(key, controls.hold_frames) for key in keys), default=1)
        return _made(given, Binding("hold", _frames(binding, usual), keys=keys))
    if kind == "type":
        if not asked.has("text"):
            return _made(given, Binding("type", text=binding.text("text")))
        parameter = Parameter("text", _does(asked, "text"), letters=MAX_TYPED)
        enter = binding.flag("press_enter", False)
        return _made(given, Binding("type", text_from="text", enter=enter), parameter)
    if kind == "scroll":
        delta = (binding.measure("delta_x", 0.0), binding.measure("delta_y", 0.0))
        return _made(given, Binding("scroll", _frames(binding, controls.hold_frames), delta=delta))
    if kind == "drag":
        first, last = _point(binding, "x1", "y1"), _point(binding, "x2", "y2")
        return _made(given, Binding("drag", _frames(binding, controls.hold_frames), at=first, to=last))
    if kind == "mouse_move":
        frames = _frames(binding, controls.hold_frames)
        target = _point(binding, "x", "y")
        if binding.has("from_x"):
            return _made(given, Binding("move", frames, at=_point(binding, "from_x", "from_y"), to=target))
        return _made(given, Binding("move", frames, at=target))
    if kind in ("click", "click_hold"):
        usual = CLICK_FRAMES if kind == "click" else controls.hold_frames
        frames = _frames(binding, usual)
        if binding.flag("cell_param", False) or binding.has("cell_bindings"):
            parameter = Parameter("cell", _does(asked, "cell"), points=_cells(binding))
            return _made(given, Binding("click", frames, at="cell", button=_button(binding)), parameter)
        return _made(given, Binding("click", frames, at=_point(binding, "x", "y"), button=_button(binding)))
    raise ValueError(f"{name}.binding.action: {shown(kind)} is not known")


def _made(given: Fields, binding: Binding, *parameters: Parameter) -> SemanticAction:
    return SemanticAction(given.text("id").strip().lower(), given.text("description", ""), binding, parameters)


def _does(asked: Fields, key: str) -> str:
    about: Any = asked.raw(key)
    return str(about.get("description", ""))[:400] if isinstance(about, dict) else ""


def _frames(binding: Fields, usual: int) -> int:
    if not binding.has("duration"):
        return usual
    return max(1, min(MAX_ACTION_FRAMES, round(binding.measure("duration", low=0) * FPS)))


def _point(binding: Fields, x: str, y: str) -> Point:
    return binding.measure(x, low=0), binding.measure(y, low=0)


def _cells(binding: Fields) -> dict[str, Point]:
    cells = {name.lower(): _point(place, "x", "y") for name, place in binding.named_objects("cell_bindings").items()}
    if not cells:
        raise ValueError("cell_bindings: at least one cell is needed")
    return cells


def _button(binding: Fields) -> Button:
    return binding.choice("button", BUTTONS) if binding.has("button") else "left"
