"""The functions that a model may call, as JSON Schema: one per semantic action, or one per kind of low-level action."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmark.play.game import BUTTONS, FPS, MAX_ACTION_FRAMES, Parameter, Role
from benchmark.play.parsing import Interface
from benchmark.yaml_reader import load_plain

REASONING = "reasoning"
_TOOLS = Path(__file__).with_name("computer_tools.yaml")
_WHY = {"type": "string", "description": "what you see, and why you do this; one or two sentences"}
_OPTIONAL = ("button", "duration", "press_enter", "delta_x")


@dataclass(frozen=True)
class Function:
    """One function that is offered."""

    name: str
    does: str
    schema: dict[str, Any]


def functions_for(role: Role, interface: Interface, size: tuple[int, int]) -> tuple[Function, ...]:
    """What a role can do. `size` is that of the picture in which positions are told."""
    if interface == "semantic":
        return tuple(
            Function(action.id, action.does, _schema({one.name: _parameter(one) for one in action.parameters}))
            for action in role.actions
        )
    return tuple(_computer(role, size))


@cache
def _tools() -> tuple[dict[str, Any], ...]:
    return tuple(load_plain(_TOOLS.read_text(encoding="utf-8"), 500))


def _computer(role: Role, size: tuple[int, int]) -> list[Function]:
    controls = role.controls
    found = []
    for tool in _tools():
        if "pointer" in tool and tool["pointer"] not in controls.pointer:
            continue
        if tool.get("keys") and not (controls.keys or controls.any_key):
            continue
        kinds = {name: _low_level(name, kind, role, size) for name, kind in tool["parameters"].items()}
        found.append(Function(tool["name"], tool["does"], _schema(kinds)))
    return found


def _schema(properties: dict[str, Any]) -> dict[str, Any]:
    """The reason comes first: a model that writes it first thinks before it chooses."""
    every = {REASONING: _WHY, **properties}
    return {
        "type": "object",
        "properties": every,
        "required": [name for name in every if name not in _OPTIONAL],
        "additionalProperties": False,
    }


def _parameter(wanted: Parameter) -> dict[str, Any]:
    about = {"description": wanted.does} if wanted.does else {}
    if wanted.kind == "point":
        return {"type": "string", "enum": list(wanted.points), **about}
    if wanted.kind == "key":
        return {"type": "string", "enum": list(wanted.words), **about}
    if wanted.kind == "number":
        return {"type": "integer", "minimum": wanted.low, "maximum": wanted.high, **about}
    return {"type": "string", "description": f"{wanted.does} (1 to {wanted.letters} letters)".strip()}


def _low_level(name: str, kind: str, role: Role, size: tuple[int, int]) -> dict[str, Any]:
    key = {"type": "string"} if role.controls.any_key else {"type": "string", "enum": list(role.controls.keys)}
    if kind == "position":
        return {"type": "integer", "minimum": 0, "maximum": size[name.startswith("y")] - 1}
    if kind == "button":
        return {"type": "string", "enum": list(BUTTONS), "description": "left, if you do not say"}
    if kind == "seconds":
        return {"type": "number", "description": f"seconds of play, at most {MAX_ACTION_FRAMES / FPS:g}"}
    if kind == "key":
        return key
    if kind == "keys":
        return {"type": "array", "items": key}
    return {"type": {"amount": "number", "flag": "boolean"}.get(kind, "string")}
