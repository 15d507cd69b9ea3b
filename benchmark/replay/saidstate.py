"""The state of a running game as our observer writes it down: one validator for all who take it in.

The observer runs inside the game, so what it says may be forged. Whatever is not of its form is left out and named.
"""

import math
import re
from collections.abc import Callable
from typing import Any

COLUMNS, ROWS = 32, 18  # of the observer's grid
KINDS = ("none", "textured", "generated", "plain", "text", "widget_themed", "widget_default", "custom")
MAX_TEXTS = 80
MAX_TEXT_LENGTH = 120
MAX_NAMES = 200
MAX_NAME_LENGTH = 260
_MAX_CLASSES = 1000
_MAX_COUNT = 10_000_000
_FARTHEST_PX = 1_000_000
_MAX_NOTES = 5
_SURROGATES = re.compile("[\ud800-\udfff]")


def checked_state(said: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What is of the observer's form, in the order it was said, and remarks on what is not."""
    kept: dict[str, Any] = {}
    odd = []
    for name, value in said.items():
        good = _FIELDS[name](value) if name in _FIELDS else None
        if good is None:
            odd.append(short_text(name, 40))
        else:
            kept[name] = good
    remarks = [f"the state's field {name!r} is not as our observer writes it: left out" for name in odd[:_MAX_NOTES]]
    missing = [name for name in _FIELDS if name not in said]
    if missing:
        remarks.append(f"the state lacks {', '.join(missing)}")
    return kept, tuple(remarks)


def short_text(value: Any, length: int) -> str | None:
    """A text that can be written anywhere, cut to a length; None if it is none."""
    return _SURROGATES.sub("\ufffd", value[:length]) if isinstance(value, str) else None


def whole(value: Any, least: int, most: int) -> int | None:
    """A whole number within bounds, or None."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return value if is_whole and least <= value <= most else None


def number(value: Any, farthest: float) -> float | None:
    """A finite number whose size is within bounds, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= farthest:
        return None
    return value if math.isfinite(value) else None


def _count(value: Any) -> int | None:
    return whole(value, 0, _MAX_COUNT)


def _name(value: Any) -> str | None:
    return short_text(value, MAX_NAME_LENGTH)


def _texts(value: Any, most: int, length: int) -> list[str] | None:
    if not isinstance(value, list) or len(value) > most:
        return None
    texts = [short for text in value if (short := short_text(text, length)) is not None]
    return texts if len(texts) == len(value) else None


def _written(value: Any) -> list[str] | None:
    return _texts(value, MAX_TEXTS, MAX_TEXT_LENGTH)


def _names(value: Any) -> list[str] | None:
    return _texts(value, MAX_NAMES, MAX_NAME_LENGTH)


def _boxes(value: Any) -> list[list[int]] | None:
    """A box that is none counts as that of a text that cannot be seen."""
    if not isinstance(value, list) or len(value) > MAX_TEXTS:
        return None
    return [_box(box) for box in value]


def _box(value: Any) -> list[int]:
    if not isinstance(value, list) or len(value) != 5:
        return []
    sides = [side for one in value if (side := whole(one, -_FARTHEST_PX, _FARTHEST_PX)) is not None]
    return sides if len(sides) == 5 else []


def _cover(value: Any) -> dict[str, float] | None:
    if not isinstance(value, dict) or not set(value) <= set(KINDS):
        return None
    fine = all((share := number(one, 1.0)) is not None and share >= 0 for one in value.values())
    return value if fine else None


def _grid(value: Any) -> str | None:
    fine = isinstance(value, str) and len(value) in (0, COLUMNS * ROWS) and set(value) <= set("01234567")
    return value if fine else None


def _classes(value: Any) -> dict[str, int] | None:
    if not isinstance(value, dict) or len(value) > _MAX_CLASSES:
        return None
    fine = all(_count(one) is not None and len(name) <= MAX_NAME_LENGTH for name, one in value.items())
    return {str(short_text(name, MAX_NAME_LENGTH)): one for name, one in value.items()} if fine else None


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _scale(value: Any) -> float | None:
    return number(value, 1e6)


_FIELDS: dict[str, Callable[[Any], Any]] = {
    "boxes": _boxes,
    "classes": _classes,
    "cover": _cover,
    "default_font_texts": _count,
    "default_widgets": _count,
    "focus": _name,
    "grid": _grid,
    "images": _names,
    "nodes": _count,
    "paused": _flag,
    "scene": _name,
    "scripts": _names,
    "texts": _written,
    "textures": _count,
    "three_d": _count,
    "time_scale": _scale,
    "widgets": _count,
}
