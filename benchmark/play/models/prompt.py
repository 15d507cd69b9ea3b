"""What a model is told: the frame of the task once, and at each step the last rounds and the present one."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmark.play.parsing import ActionCall, Interface
from benchmark.play.players import Seat, Turn
from benchmark.versions import tree_digest

FOLDER = Path(__file__).with_name("prompts")
Part = str | bytes  # a text, or a JPEG
_MAX_REMEMBERED = 2000  # characters of a thought, and of a call


@dataclass(frozen=True)
class Round:
    """One step as the model remembers it."""

    said: str  # to the model
    picture: bytes | None
    thought: str
    calls: tuple[ActionCall, ...]


@cache
def _environment() -> Environment:
    loader = FileSystemLoader(FOLDER)
    return Environment(loader=loader, undefined=StrictUndefined, autoescape=False, keep_trailing_newline=False)


def prompt_digest() -> str:
    """Of the sections as they are now: another prompt is another agent."""
    return tree_digest(FOLDER)


def system_prompt(seat: Seat, interface: Interface, *, thousandths: bool) -> str:
    """Rules, role and controls, task, output format."""
    return _environment().get_template("system.md").render(
        game=seat.game, role=seat.role, goal=seat.goal, interface=interface, thousandths=thousandths
    )  # fmt: skip


def turn_text(turn: Turn) -> str:
    return _environment().get_template("turn.md").render(turn=turn)


def parts_of(rounds: Sequence[Round], said: str, picture: bytes | None) -> tuple[Part, ...]:
    """The rounds that are remembered, oldest first, then the present step."""
    parts: list[Part] = []
    for past in rounds:
        called = "; ".join(f"{call.name}({json.dumps(dict(call.arguments), default=str)})" for call in past.calls)
        remembered = _environment().get_template("remembered.md").render(
            thought=past.thought[:_MAX_REMEMBERED], called=called[:_MAX_REMEMBERED]
        )  # fmt: skip
        parts += [past.said, *([past.picture] if past.picture else []), remembered]
    return (*parts, said, *([picture] if picture else []))
