"""Reading and trimming `project.godot`, a file of `[section]`s and `key=value` whose values may span lines.

The engine reads it as a stream of tokens: blanks, line ends and comments may stand between any of them, a key may be
quoted or have blanks inside, and a line may hold several settings. So do we: what only the engine would see could
undo what we pin.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

_BLANKS = re.compile(r"(?:[\x00-\x20]+|;[^\n]*\n?)*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_WORD = re.compile(r"[&^@]?\w[\w.+-]*|[#.+-][\w.+-]+")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{6})|(.))", re.DOTALL)
_LETTERS = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r"}
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_BEHIND = {"Array": "[(", "Dictionary": "[("}  # after any other name, a "[" begins the next section


@dataclass(frozen=True)
class Setting:
    """One setting, with the span of text it takes."""

    section: str
    key: str
    value: str
    start: int
    end: int

    @property
    def path(self) -> str:
        """`application/run/main_scene`, as the engine names it."""
        return f"{self.section}/{self.key}" if self.section else self.key

    @property
    def base_path(self) -> str:
        """Without a feature tag: `display/window/size/mode.linux` sets `display/window/size/mode`."""
        return self.path.split(".", 1)[0]

    @property
    def text(self) -> str:
        """The value of a string setting without its quotes."""
        quoted = len(self.value) >= 2 and self.value[0] == self.value[-1] == '"'
        return _unescaped(self.value[1:-1]) if quoted else self.value


def entries(text: str) -> tuple[Setting, ...]:
    """All settings of a project file, up to the first place where the engine would stop reading."""
    found: list[Setting] = []
    section, position = "", 0
    while (position := _skip(text, position)) < len(text):
        start = position
        if text[position] == "[":
            end = text.find("]", position)
            if end < 0:
                break
            section, position = text[position + 1 : end].strip(), end + 1
            continue
        key, position = _key(text, position)
        if position >= len(text):
            break
        if text[position] == "[":
            continue
        value = _skip(text, position + 1)
        position = _value_end(text, value)
        found.append(Setting(section=section, key=key, value=text[value:position].strip(), start=start, end=position))
    return tuple(found)


def _skip(text: str, position: int) -> int:
    """Past blanks and comments."""
    match = _BLANKS.match(text, position)
    return match.end() if match else position


def _key(text: str, position: int) -> tuple[str, int]:
    """A key, as the engine puts it together, and where its `=` stands, or a section that begins instead."""
    key: list[str] = []  # a key of a megabyte is not put together letter by letter
    while (position := _skip(text, position)) < len(text) and text[position] != "=":
        if quoted := _STRING.match(text, position):
            key, position = [_unescaped(quoted[0][1:-1])], quoted.end()
        elif text[position] == "[" and not any(key):
            break
        else:
            key.append(text[position])
            position += 1
    return "".join(key), position


def _unescaped(text: str) -> str:
    """What the engine makes of the inside of a quoted text."""

    def one(match: re.Match[str]) -> str:
        if match[3]:
            return _LETTERS.get(match[3], match[3])
        number = int(match[1] or match[2], 16)
        return chr(number) if number <= 0x10FFFF else "\N{REPLACEMENT CHARACTER}"

    return _ESCAPE.sub(one, text) if "\\" in text else text


def _value_end(text: str, position: int) -> int:
    """A value is a text, a word or number, a name with brackets behind it, or brackets."""
    if text[position : position + 1] in ("&", "^", "@") and text[position + 1 : position + 2] == '"':
        position += 1
    if string := _STRING.match(text, position):
        return string.end()
    if word := _WORD.match(text, position):
        position = word.end()
        while (opening := _skip(text, position)) < len(text) and text[opening] in _BEHIND.get(word[0], "("):
            position = _closing(text, opening)
        return position
    if text[position : position + 1] in _CLOSING:
        return _closing(text, position)
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _closing(text: str, position: int) -> int:
    """Behind the bracket that closes the one here."""
    open_brackets: list[str] = []
    while position < len(text):
        if string := _STRING.match(text, position):
            position = string.end()
            continue
        if text[position] == ";":
            position = _skip(text, position)
            continue
        if text[position] in _CLOSING:
            open_brackets.append(_CLOSING[text[position]])
        elif text[position] == open_brackets[-1]:
            open_brackets.pop()
        position += 1
        if not open_brackets:
            break
    return position


def value_of(found: tuple[Setting, ...], path: str) -> str | None:
    """The last value given to a setting, unquoted; feature-tagged variants do not count."""
    return next((entry.text for entry in reversed(found) if entry.path == path), None)


def without(text: str, unwanted: Callable[[Setting], bool]) -> str:
    """The file with some settings cut out; everything else stays byte for byte."""
    kept, position = [], 0
    for entry in entries(text):
        if unwanted(entry):
            kept.append(text[position : entry.start])
            position = entry.end
    return "".join([*kept, text[position:]])
