"""The two indexes that the engine needs of a project: its global classes and its resource ids.

Only the editor writes them, and starting it to do so costs five seconds per submission. Projects write both in plain
text, so they are read here. Whatever is not plain is left to the editor.
"""

import json
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmark.projects.editor import NotPlainError, suffix_of
from benchmark.projects.ids import read_alone, read_ids

CLASSES = ".godot/global_script_class_cache.cfg"
IDS = ".godot/uid_cache.bin"

_HEAD = re.compile(  # the lines before the first statement of a script
    r"""
    \s* (?: \#.* )? $
    | \s* (?P<tool>@tool) \s* $
    | \s* (?P<abstract>@abstract) \s* $
    | \s* @icon \( \s* "(?P<icon>res://[^"\\]+)" \s* \) \s* $
    | (?: (?P<one_line_abstract>@abstract) \s+ )?
      class_name \s+ (?P<name>[A-Za-z_]\w*) (?: \s+ extends \s+ (?P<its_base>[A-Za-z_]\w*) )? \s* (?: \#.* )? $
    | extends \s+ (?P<base>[A-Za-z_]\w*) \s* (?: \#.* )? $
    """,
    re.VERBOSE,
)
# Blanks, but no line ends: what could begin on any line is looked for once on each.
_CLASS_NAME = re.compile(r"^[^\S\n]*+(?:@\w++(?:\([^)\n]*+\))?[^\S\n]++)*+class_name\b", re.MULTILINE)
_BEHIND_BRACKET = re.compile(r"\)[^\S\n]*+class_name\b")  # of an annotation that may have begun on another line
_EXTENDS = re.compile(r"^[^\S\n]*+extends\b", re.MULTILINE)


@dataclass(frozen=True)
class GlobalClass:
    """A script that goes by a name in the whole project."""

    name: str
    base: str
    path: str
    icon: str = ""
    is_tool: bool = False
    is_abstract: bool = False

    def entry(self) -> str:
        """As the editor writes it."""
        lines = (
            f'"base": &"{self.base}"',
            f'"class": &"{self.name}"',
            f'"icon": {_quoted(self.icon)}',
            f'"is_abstract": {str(self.is_abstract).lower()}',
            f'"is_tool": {str(self.is_tool).lower()}',
            '"language": &"GDScript"',
            f'"path": {_quoted(self.path)}',
        )
        return "{\n" + ",\n".join(lines) + "\n}"


@dataclass(frozen=True)
class Indexes:
    """What is written into a project for the engine to find."""

    classes: tuple[GlobalClass, ...]
    ids: Mapping[int, str]  # → file

    def write(self, project: Path) -> None:
        if self.classes:
            text = ", ".join(one.entry() for one in self.classes)
            _write(project / CLASSES, f"list=[{text}]\n".encode())
        if self.ids:
            places = {number: f"res://{file}".encode() for number, file in sorted(self.ids.items())}
            pairs = (struct.pack("<QI", number, len(place)) + place for number, place in places.items())
            _write(project / IDS, struct.pack("<I", len(places)) + b"".join(pairs))


def read_indexes(project: Path, files: Iterable[str]) -> Indexes:
    """Both, of the files that the editor sees. Raises NotPlainError if only the editor can tell."""
    files = tuple(files)
    classes = tuple(sorted(_classes(project, files), key=lambda one: one.name))
    _refuse_circles(classes)
    return Indexes(classes, read_ids(project, files))


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _classes(project: Path, files: tuple[str, ...]) -> Iterator[GlobalClass]:
    names: set[str] = set()
    for file in files:
        if suffix_of(file) != ".gd":
            continue
        found = global_class(read_alone(project / file, file), f"res://{file}")
        if found is None:
            continue
        if found.name in names:
            raise NotPlainError(file, f"there are two classes {found.name}")
        names.add(found.name)
        yield found


def global_class(source: str, path: str) -> GlobalClass | None:
    """The global class that a script declares, read from the lines before its first statement."""
    source = source.removeprefix("\ufeff")
    if not _CLASS_NAME.search(source) and not _BEHIND_BRACKET.search(source):
        return None
    found: dict[str, str] = {}
    for line in source.splitlines():
        match = _HEAD.match(line)
        if match is None:
            break
        for key, value in match.groupdict().items():
            if value is not None and found.setdefault(key, value) != value:
                raise NotPlainError(path, "its head says something twice")
    declarations = len(_CLASS_NAME.findall(source))
    if "name" not in found or declarations != 1 or {"base", "its_base"} <= set(found):
        raise NotPlainError(path, "where it gets its name is not plain")
    if "base" not in found and "its_base" not in found and _EXTENDS.search(source):
        raise NotPlainError(path, "what it extends is not plain")
    return GlobalClass(
        name=found["name"],
        base=found.get("base") or found.get("its_base") or "RefCounted",
        path=path,
        icon=found.get("icon", ""),
        is_tool="tool" in found,
        is_abstract="abstract" in found or "one_line_abstract" in found,
    )


def _refuse_circles(classes: tuple[GlobalClass, ...]) -> None:
    """The editor leaves out one class of a circle, and it depends on its order which one."""
    bases = {one.name: one.base for one in classes}
    for one in classes:
        seen = {one.name}
        base = one.base
        while base in bases:
            if base in seen:
                raise NotPlainError(one.path, "it extends itself")
            seen.add(base)
            base = bases[base]
