"""Reading a model's answer: strict about numbers, patient about the prose around them."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

MAX_REASON = 400


@dataclass(frozen=True)
class Answer:
    """What was usable, and for each requested id that was not, why. `problem` is set if nothing was."""

    scores: dict[str, float] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    rejected: dict[str, str] = field(default_factory=dict)
    extra: tuple[str, ...] = ()
    problem: str = ""


def read_answer(text: str, ids: Sequence[str]) -> Answer:
    """Take the valid numbers of the requested ids. Nothing is clamped, converted or filled in."""
    data = _object_in(text)
    if data is None:
        return _nothing(ids, "no JSON object in the answer")
    given = data.get("scores")
    if not isinstance(given, dict):
        return _nothing(ids, "no object `scores` in the answer")
    said = data.get("rationales")
    said = said if isinstance(said, dict) else {}
    scores: dict[str, float] = {}
    rejected: dict[str, str] = {}
    for name in ids:
        if name not in given:
            rejected[name] = "missing"
        elif (problem := _wrong(given[name])) is not None:
            rejected[name] = problem
        else:
            scores[name] = float(given[name])
    reasons = {name: _reason(said.get(name)) for name in scores}
    return Answer(scores, reasons, rejected, tuple(sorted(str(name) for name in given if name not in ids)))


def _nothing(ids: Sequence[str], problem: str) -> Answer:
    return Answer(rejected=dict.fromkeys(ids, problem), problem=problem)


def _wrong(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"{json.dumps(value)[:40]} is not a number"
    if math.isnan(value) or not 0.0 <= value <= 1.0:
        return f"{value} is outside 0–1"
    return None


def _reason(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    # half of a surrogate pair is legal in JSON and in no file
    return " ".join(value.split())[:MAX_REASON].encode("utf-8", "replace").decode("utf-8")


def _object_in(text: str) -> dict[str, Any] | None:
    """The first JSON object in the text that has `scores`, or the first at all; models like to talk around it."""
    decoder = json.JSONDecoder()
    first: dict[str, Any] | None = None
    start = text.find("{")
    tries = 0
    while start != -1 and tries < 50:
        tries += 1
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        if isinstance(value, dict):
            if "scores" in value:
                return value
            first = first or value
        start = text.find("{", end)
    return first
