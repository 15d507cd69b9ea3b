"""Reading and trimming `project.godot`, a file of `[section]`s and `key=value` whose values may span lines."""

import re
from collections.abc import Callable
from dataclasses import dataclass

_SECTION = re.compile(r"^\[([^\]\n]*)\][ \t]*$", re.MULTILINE)
_KEY = re.compile(r"^([A-Za-z0-9_./\-]+)[ \t]*=[ \t]*", re.MULTILINE)
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Entry:
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
        return self.value[1:-1] if len(self.value) >= 2 and self.value[0] == self.value[-1] == '"' else self.value


def entries(text: str) -> tuple[Entry, ...]:
    """All settings of a project file; text that is no setting is passed over."""
    found: list[Entry] = []
    section, position = "", 0
    while position < len(text):
        line_end = text.find("\n", position)
        line_end = len(text) if line_end < 0 else line_end
        if header := _SECTION.match(text, position):
            section, position = header.group(1), header.end() + 1
        elif key := _KEY.match(text, position):
            end = _value_end(text, key.end())
            found.append(Entry(section, key.group(1), text[key.end() : end].strip(), position, end))
            position = end + 1
        else:
            position = line_end + 1
    return tuple(found)


def _value_end(text: str, position: int) -> int:
    """A value ends at the first line end outside quotes and brackets."""
    open_brackets: list[str] = []
    in_string = False
    while position < len(text):
        character = text[position]
        if in_string:
            if character == "\\":
                position += 1
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character in _CLOSING:
            open_brackets.append(_CLOSING[character])
        elif open_brackets and character == open_brackets[-1]:
            open_brackets.pop()
        elif character == "\n" and not open_brackets:
            return position
        position += 1
    return len(text)


def value_of(found: tuple[Entry, ...], path: str) -> str | None:
    """The last value given to a setting, unquoted; feature-tagged variants do not count."""
    return next((entry.text for entry in reversed(found) if entry.path == path), None)


def without(text: str, unwanted: Callable[[Entry], bool]) -> str:
    """The file with some settings cut out; everything else stays byte for byte."""
    for entry in reversed(entries(text)):
        if unwanted(entry):
            text = text[: entry.start] + text[entry.end :]
    return text
