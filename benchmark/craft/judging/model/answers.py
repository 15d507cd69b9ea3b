"""Reading a model's answer: strict about numbers, patient about the prose around them.

Whatever is ambiguous is no answer: two blocks with scores that differ, a key that stands twice, an id in two spellings.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmark.trials import one_line

MAX_REASON = 400
MAX_CHARACTERS = 200_000  # 6,000 tokens are a fifth of it
_MAX_BRACES = 1000
_MAX_EXTRA = 20


class AmbiguousError(ValueError):
    """A key stands twice in one object."""


@dataclass(frozen=True)
class ModelAnswer:
    """What was usable, and for each requested id that was not, why. `problem` is set if nothing was."""

    scores: dict[str, float] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    rejected: dict[str, str] = field(default_factory=dict)
    extra: tuple[str, ...] = ()
    problem: str = ""


def read_answer(text: str, ids: Sequence[str]) -> ModelAnswer:
    """Take the valid numbers of the requested ids. Nothing is clamped, converted or filled in. Never raises."""
    try:
        data = _object_in(text)
    except ValueError as error:
        return _nothing(ids, str(error))
    given, said = data.get("scores"), data.get("rationales")
    if not isinstance(given, dict):
        return _nothing(ids, "no object `scores` in the answer")
    said = said if isinstance(said, dict) else {}
    spellings: dict[str, list[str]] = {}
    for name in given:
        spellings.setdefault(_folded(name), []).append(name)
    scores: dict[str, float] = {}
    rejected: dict[str, str] = {}
    for name in ids:
        if len(spellings.get(_folded(name), ())) > 1 and sum(_folded(one) == _folded(name) for one in ids) == 1:
            rejected[name] = "is there twice, spelt differently"
        elif name not in given:
            rejected[name] = "missing"
        elif (problem := _wrong(given[name])) is not None:
            rejected[name] = problem
        else:
            scores[name] = float(given[name]) + 0.0  # no -0.0
    reasons = {name: _reason(said.get(name)) for name in scores}
    wanted = set(ids)
    extra = sorted(one_line(name, 80) for name in given if name not in wanted)
    return ModelAnswer(scores, reasons, rejected, tuple(extra[:_MAX_EXTRA]))


def _nothing(ids: Sequence[str], problem: str) -> ModelAnswer:
    return ModelAnswer(rejected=dict.fromkeys(ids, problem), problem=problem)


def _folded(name: str) -> str:
    return name.strip().casefold()


def _wrong(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        kinds = {bool: "true or false", str: "a text", list: "a list", dict: "an object"}
        return f"{kinds.get(type(value), 'null')} is not a number"
    if not 0.0 <= value <= 1.0:  # NaN neither
        return f"{str(value)[:40]} is outside 0–1"
    return None


def _reason(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    # half of a surrogate pair is legal in JSON and in no file
    text = " ".join(value[: 10 * MAX_REASON].split())[:MAX_REASON].encode("utf-8", "replace").decode("utf-8")
    return one_line(text, MAX_REASON)


def _object_in(text: str) -> dict[str, Any]:
    """The one JSON object in the text that has `scores`; models like to talk around it. Raises ValueError."""
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"the answer is longer than {MAX_CHARACTERS:,} characters")
    found: dict[str, Any] | None = None
    others, braces = 0, 0
    start = text.find("{")
    while start != -1:
        braces += 1
        if braces > _MAX_BRACES:
            raise ValueError(f"more than {_MAX_BRACES} braces in the answer that begin no JSON object")
        try:
            value, end, twice = _decode(text, start)
        except ValueError:
            start = text.find("{", start + 1)
            continue
        if "scores" not in value:
            others += 1
        elif twice is not None:
            raise AmbiguousError(f"the key {one_line(twice, 40)!r} stands twice in one object of the answer")
        elif found is not None and not _same(found, value):
            raise ValueError("two different JSON objects with `scores` in the answer")
        else:
            found = value
        start = text.find("{", end)
    if found is None:
        raise ValueError("no object `scores` in the answer" if others else "no JSON object in the answer")
    return found


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    try:
        return one == other
    except RecursionError:
        return False


def decode_whole(text: str) -> Any:
    """A text that is one JSON value, with each key once. Raises ValueError."""
    text = text.strip()
    value, end, twice = _decode(text, 0)
    if end != len(text):
        raise ValueError("more than one JSON value")
    if twice is not None:
        raise AmbiguousError(f"the key {twice[:40]!r} stands twice in one object")
    return value


def _decode(text: str, start: int) -> tuple[Any, int, str | None]:
    """The value that begins there, where it ends, and a key that an object of it has twice."""
    twice: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            twice.append(Counter(name for name, _ in pairs).most_common(1)[0][0])
        return made

    try:
        value, end = json.JSONDecoder(object_pairs_hook=once).raw_decode(text, start)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value, end, twice[0] if twice else None
