"""Autoloads that would take the place of an engine class in every script, ours among them."""

import re
from collections.abc import Iterable
from pathlib import Path

from benchmark.projects import settings

_STRING = re.compile(r'&?"(?:\\.|[^"\\\n])*"')
_COMMENT = re.compile(r"#.*$", re.MULTILINE)
_CONSTANT = re.compile(r"^const\s+(\w+)", re.MULTILINE)
_CLASS = re.compile(r"\b[A-Z]\w+")


def autoload_in_the_way(settings_text: str, scripts: Iterable[Path]) -> str:
    """What is wrong with a project file in which an autoload goes by a name that our scripts need; empty if none does.

    While it stands in the class's place our script cannot read what it is told, and the autoload can.
    """
    needed = {name for path in scripts for name in class_names(path.read_text(encoding="utf-8"))}
    for entry in settings.entries(settings_text):
        name = entry.base_path.removeprefix("autoload/")
        if name != entry.base_path and name in needed:
            return f"the autoload {name} has the name of an engine class"
    return ""


def class_names(source: str) -> set[str]:
    """What a script of ours may mean by a class: a word with a capital that it does not declare itself."""
    bare = _COMMENT.sub("", _STRING.sub('""', source))
    return set(_CLASS.findall(bare)) - set(_CONSTANT.findall(bare))
