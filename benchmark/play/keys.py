"""Names of keys: one for each, whatever an author or a model writes."""

import re
from collections.abc import Iterable

from benchmark.untrusted import shown

_NAMED = (
    "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Space", "Enter", "Escape", "Tab", "Backspace", "Delete", "Home",
    "End", "PageUp", "PageDown", "Shift", "Control", "Alt",
)  # fmt: skip
_SIGNS = "-=[];'\\,./`"
_ALIASES = {
    "left": "ArrowLeft", "right": "ArrowRight", "up": "ArrowUp", "down": "ArrowDown", "leftarrow": "ArrowLeft",
    "rightarrow": "ArrowRight", "uparrow": "ArrowUp", "downarrow": "ArrowDown", "arrow_left": "ArrowLeft",
    "arrow_right": "ArrowRight", "arrow_up": "ArrowUp", "arrow_down": "ArrowDown", "spacebar": "Space", " ": "Space",
    "return": "Enter", "\n": "Enter", "\r": "Enter", "kp_enter": "Enter", "esc": "Escape", "del": "Delete",
    "back_space": "Backspace", "\b": "Backspace", "\t": "Tab", "page_up": "PageUp", "page_down": "PageDown",
    "prior": "PageUp", "next": "PageDown", "ctrl": "Control", "controlleft": "Control", "control_l": "Control",
    "shiftleft": "Shift", "shift_l": "Shift", "altleft": "Alt", "alt_l": "Alt", "slash": "/", "period": ".",
    "comma": ",", "quote": "'", "apostrophe": "'", "semicolon": ";", "backslash": "\\", "bracketleft": "[",
    "bracketright": "]", "minus": "-", "equal": "=", "backquote": "`",
}  # fmt: skip
_BY_LOWER = {**{name.lower(): name for name in _NAMED}, **_ALIASES}
_CODE = re.compile(r"(?:key([a-z])|digit([0-9]))")
_RANGE = re.compile(r"([a-z])-([a-z])|([0-9])-([0-9])")


def key_of(text: str) -> str | None:
    """The one name of a key: `left` → `ArrowLeft`, `A` → `a`, ` ` → `Space`. None for what is no key."""
    lower = text.lower()
    if lower in _BY_LOWER:
        return _BY_LOWER[lower]
    if code := _CODE.fullmatch(lower):
        return code[1] or code[2]
    return lower if len(lower) == 1 and (lower in _SIGNS or (lower.isascii() and lower.isalnum())) else None


def keys_of(names: Iterable[str], where: str) -> tuple[str, ...]:
    """A list of keys in which `a-z` and `0-9` stand for all between. Raises ValueError."""
    found: list[str] = []
    for name in names:
        if between := _RANGE.fullmatch(name):
            low, high = (one for one in between.groups() if one)
            found += [chr(code) for code in range(ord(low), ord(high) + 1)]
        elif key := key_of(name):
            found.append(key)
        else:
            raise ValueError(f"{where}: {shown(name)} is no key: a letter, a digit, a-z, 0-9, or {', '.join(_NAMED)}")
    return tuple(dict.fromkeys(found))
