"""JSON that was written by others, or edited by hand: each field is of the kind that is asked for, or a ValueError.

A message names the field, the bad value and what is allowed; whoever reads the file adds its name and the line.
"""

import json
import reprlib
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from benchmark.untrusted import check_nesting

MAX_TEXT = 1 << 17
MAX_ENTRIES = 100_000
MAX_MEASURE = 1e12
MAX_NAME_BYTES = 100  # of each part of a task's name, and of an agent's: together they are the name of a folder
_ROUNDING = 1e-9  # a mean of ones may end a bit above one
_NEVER = object()
Choice = TypeVar("Choice", bound=str)


def parse_object(text: str, *, nan: bool = False) -> dict[str, Any]:
    """A JSON object without a key twice, and without NaN unless that is asked for.

    Raises ValueError, also for what is nested too deeply.
    """
    try:
        data = json.loads(text, object_pairs_hook=_without_doubles, parse_constant=float if nan else _no_number)
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    if not isinstance(data, dict):
        raise ValueError("is not an object")
    check_nesting(data)
    return data


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{shown(key)} is there twice")
        found[key] = value
    return found


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def shown(value: object) -> str:
    """A bad value in a message: short, and without anything that could steer a terminal."""
    return reprlib.repr(value)


class Fields:
    """The fields of an object, asked for one by one. A default makes a field optional; what nobody asks for is left."""

    def __init__(self, data: Mapping[str, Any], where: str = "") -> None:
        self._data = data
        self._where = where

    @classmethod
    def of(cls, value: object, where: str = "") -> "Fields":
        """Of whatever was read."""
        if not isinstance(value, dict):
            raise ValueError(f"{where.removesuffix('.')}: {shown(value)} is not an object".removeprefix(": "))
        return cls(value, where)

    def text(self, key: str, default: str | object = _NEVER) -> str:
        return _text(self._value(key, default), self.place(key))

    def words(self, key: str) -> str:
        """A text that says something."""
        value = self.text(key)
        if not value.strip():
            raise ValueError(f"{self.place(key)}: a text is needed, not {shown(value)}")
        return value

    def name(self, key: str, *, parts: bool = False) -> str:
        """What is part of a folder's name. With `parts`, several of them with slashes between."""
        value = self.text(key)
        for part in value.split("/") if parts else [value]:
            fits = part.isprintable() and not set(part) & set("/[]") and len(part.encode()) <= MAX_NAME_BYTES
            if not part or part in (".", "..") or not fits:
                allowed = f"a name of at most {MAX_NAME_BYTES} bytes without / [ ] and unprintable characters"
                raise ValueError(f"{self.place(key)}: {shown(value)} is not {allowed}, nor . or ..")
        return value

    def choice(self, key: str, allowed: tuple[Choice, ...]) -> Choice:
        value = self._value(key, _NEVER)
        found = next((one for one in allowed if one == value), None)
        if found is None:
            raise ValueError(f"{self.place(key)}: {shown(value)} is not {' or '.join(allowed)}")
        return found

    def flag(self, key: str, default: bool | object = _NEVER) -> bool:
        value = self._value(key, default)
        if not isinstance(value, bool):
            raise ValueError(f"{self.place(key)}: {shown(value)} is not true or false")
        return value

    def whole(self, key: str, low: int, high: int, default: int | object = _NEVER) -> int:
        value = self._value(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"{self.place(key)}: {shown(value)} is not a whole number from {low} to {high}")
        return value

    def measure(self, key: str, default: float | object = _NEVER, *, low: float = -MAX_MEASURE) -> float:
        """A number of any sign; NaN is none."""
        value = self._value(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= MAX_MEASURE:
            raise ValueError(f"{self.place(key)}: {shown(value)} is not a number from {low:g} to {MAX_MEASURE:g}")
        return float(value)

    def raw(self, key: str) -> Any:
        """Whatever is there; None where there is nothing."""
        return self._data.get(key)

    def share(self, key: str) -> float:
        return _number(self._value(key, _NEVER), 1.0, self.place(key))

    def amount(self, key: str, default: float | object = _NEVER) -> float:
        """Seconds or dollars."""
        return _number(self._value(key, default), 1e9, self.place(key))

    def has(self, key: str) -> bool:
        """Whether it is there and not null."""
        return self._data.get(key) is not None

    def texts(self, key: str) -> dict[str, str]:
        return {name: _text(value, f"{self.place(key)}.{_readable(name)}") for name, value in self._entries(key)}

    def shares(self, key: str) -> dict[str, float]:
        return {name: _number(value, 1.0, f"{self.place(key)}.{_readable(name)}") for name, value in self._entries(key)}

    def amounts(self, key: str) -> dict[str, float]:
        return {name: _number(value, 1e9, f"{self.place(key)}.{_readable(name)}") for name, value in self._entries(key)}

    def measures(self, key: str) -> dict[str, float]:
        """Numbers of any sign; NaN is none."""
        found = {}
        for name, value in self._entries(key):
            if (
                isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MAX_MEASURE
            ):  # nor NaN
                path = f"{self.place(key)}.{_readable(name)}"
                raise ValueError(f"{path}: {shown(value)} is not a number of at most ±{MAX_MEASURE:g}")
            found[name] = float(value)
        return found

    def share_lists(self, key: str) -> dict[str, tuple[float, ...]]:
        found = {}
        for name, values in self._entries(key):
            path = f"{self.place(key)}.{_readable(name)}"
            if not isinstance(values, list) or len(values) > MAX_ENTRIES:
                raise ValueError(f"{path}: {shown(values)} is not a list of at most {MAX_ENTRIES} numbers")
            found[name] = tuple(_number(value, 1.0, f"{path}[{place}]") for place, value in enumerate(values))
        return found

    def text_list(self, key: str) -> tuple[str, ...]:
        """Empty where there is none."""
        return tuple(_text(one, f"{self.place(key)}[{place}]") for place, one in enumerate(self._list(key, "texts")))

    def one_or_more_texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, or a single one; empty where there is none."""
        return (self.text(key),) if isinstance(self._data.get(key), str) else self.text_list(key)

    def whole_list(self, key: str, low: int, high: int) -> tuple[int, ...]:
        """Empty where there is none."""
        found = self._list(key, "whole numbers")
        if not all(type(one) is int and low <= one <= high for one in found):
            raise ValueError(f"{self.place(key)}: {shown(found)} is not a list of whole numbers from {low} to {high}")
        return tuple(found)

    def objects(self, key: str) -> "list[Fields]":
        """A list of objects; empty where there is none."""
        found = self._list(key, "objects")
        return [Fields.of(one, f"{self.place(key)}[{place}].") for place, one in enumerate(found)]

    def named_objects(self, key: str) -> "dict[str, Fields]":
        """An object of objects; empty where there is none."""
        path = self.place(key)
        return {name: Fields.of(one, f"{path}.{_readable(name)}.") for name, one in self._entries(key)}

    def whatever(self, key: str) -> dict[str, Any]:
        """An object of which somebody else knows what it may hold; empty where there is none."""
        return dict(self._entries(key))

    def others(self, known: Collection[str]) -> dict[str, Any]:
        """What is there besides the fields that are known."""
        return {key: value for key, value in self._data.items() if key not in known}

    def refuse_others(self, known: Collection[str]) -> None:
        """Whoever writes by hand misspells: a field that nobody knows is an error."""
        if unknown := sorted(set(self._data) - set(known)):
            where = self._where.removesuffix(".")
            words = f"{', '.join(map(_readable, unknown))} not known; allowed are {', '.join(sorted(known))}"
            raise ValueError(f"{where}: {words}" if where else words)

    def _list(self, key: str, kind: str) -> list[Any]:
        value = self._value(key, [])
        if not isinstance(value, list):
            raise ValueError(f"{self.place(key)}: {shown(value)} is not a list of {kind}")
        if len(value) > MAX_ENTRIES:
            raise ValueError(f"{self.place(key)}: holds more than {MAX_ENTRIES} {kind}")
        return value

    def _entries(self, key: str) -> list[tuple[str, Any]]:
        value = self._value(key, {})
        if not isinstance(value, dict) or len(value) > MAX_ENTRIES:
            raise ValueError(f"{self.place(key)}: {shown(value)} is not an object of at most {MAX_ENTRIES} entries")
        return [(_text(name, self.place(key)), one) for name, one in value.items()]

    def _value(self, key: str, default: object) -> Any:
        value = self._data.get(key, default)
        if value is _NEVER:
            raise ValueError(f"{self.place(key)} is missing")
        return value

    def place(self, key: str) -> str:
        """How messages name a field."""
        return f"{self._where}{key}"


def _readable(name: str) -> str:
    return name if name.isprintable() and len(name) <= 60 else shown(name)


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise ValueError(f"{path}: {shown(value)} is not a text of at most {MAX_TEXT} characters")
    return value


def _number(value: Any, high: float, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= high + _ROUNDING:
        raise ValueError(f"{path}: {shown(value)} is not a number from 0 to {high:g}")
    return float(value)
