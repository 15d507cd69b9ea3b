"""What all protocols have in common: one question, one answer, nothing believed."""

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

    def ask(self, question: PlayQuestion, seconds: float) -> PlayAnswer:
        """Within so many seconds."""
        ...

    def close(self) -> None: ...


def call_of(name: object, arguments: object) -> ActionCall:
    """A call as the loop takes it. Arguments are an object, or its JSON; what is neither names no action."""
    label = redact(name)[:200] if isinstance(name, str) else ""
    found: object = arguments
    if isinstance(arguments, str):
        try:
            found = parse_object(arguments) if arguments.strip() else {}
        except ValueError:
            found = None
    if arguments is None:
        found = {}
    if not isinstance(found, dict):
        return ActionCall(f"{label} {UNREADABLE}", {"arguments": redact(str(arguments))[:400]})
    return ActionCall(label, redact_data(found))


def said(*texts: object) -> str:
    """Texts of an answer as one, short enough to be kept."""
    return redact("\n".join(text for text in texts if isinstance(text, str) and text.strip()))[:_MAX_TEXT]


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
