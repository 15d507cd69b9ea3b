"""What all protocols have in common: one question, one answer, nothing believed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from benchmark.checked import parse_object
from benchmark.judges.endpoint import MAX_TOKENS
from benchmark.play.models.functions import Function
from benchmark.play.models.prompt import Part
from benchmark.play.parsing import ActionCall
from benchmark.redaction import redact, redact_data

MAX_CALLS = 20  # of one answer that are told; two are one too many already
_MAX_TEXT = 4000
_MAX_ARGUMENTS = 20_000  # characters
UNREADABLE = "(arguments that are no object)"  # stands behind a name, so that no action is called so


@dataclass(frozen=True)
class PlayQuestion:
    """What goes out at one step."""

    system: str
    parts: tuple[Part, ...]
    functions: tuple[Function, ...]
    max_tokens: int
    temperature: float
    dropped: frozenset[str] = frozenset()  # parameters that the endpoint does not take


@dataclass(frozen=True)
class PlayAnswer:
    """What came back, without secrets."""

    calls: tuple[ActionCall, ...] = ()
    text: str = ""
    tokens: Mapping[str, float] = field(default_factory=dict)
    model: str = ""


class ModelWire(Protocol):
    """One protocol, spoken through its official client. Raises FaultError of judges/endpoint.py."""

    @property
    def address(self) -> str: ...

    def ask(self, question: PlayQuestion, seconds: float) -> PlayAnswer:
        """Within so many seconds."""
        ...

    def close(self) -> None: ...


def call_of(name: object, arguments: object) -> ActionCall:
    """A call as the loop takes it. Arguments are an object, or its JSON; what is neither names no action."""
    label = _sound(redact(name))[:200] if isinstance(name, str) else ""
    found: object = arguments
    if isinstance(arguments, str):
        try:
            found = parse_object(arguments) if arguments.strip() else {}
        except ValueError:
            found = None
    if arguments is None:
        found = {}
    if isinstance(found, dict) and (kept := _storable(found)) is not None:
        return ActionCall(label, kept)
    return ActionCall(f"{label} {UNREADABLE}", {"arguments": _sound(redact(str(arguments)[:_MAX_TEXT]))[:400]})


def said(*texts: object) -> str:
    """Texts of an answer as one, short enough to be kept."""
    told = "\n".join(text for text in texts if isinstance(text, str) and text.strip())
    return _sound(redact(told))[:_MAX_TEXT]


def _storable(arguments: dict[str, Any]) -> dict[str, Any] | None:
    """As a log and the next question can hold them; None for what is too long, or has numbers that are none."""
    try:
        text = json.dumps(redact_data(arguments), ensure_ascii=False, allow_nan=False)
        return parse_object(_sound(text)) if len(text) <= _MAX_ARGUMENTS else None
    except (ValueError, RecursionError):
        return None


def _sound(text: str) -> str:
    """Half a character, which JSON can hold, cannot be written anywhere."""
    return text.encode("utf-8", "replace").decode("utf-8")


def tokens_of(given: object, names: Mapping[str, tuple[str, ...]]) -> dict[str, float]:
    """Counts by our names; each is looked for along a path. What is no count that a model could take is left out."""
    found: dict[str, float] = {}
    for ours, path in names.items():
        value = given
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if type(value) is int and 0 <= value <= MAX_TOKENS:
            found[ours] = value
    return found


def objects(value: object) -> list[dict[str, Any]]:
    """The objects of what should be a list of them."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
