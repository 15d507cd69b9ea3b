"""The two indexes that the engine needs of a project: its global classes and its resource ids.

Only the editor writes them, and starting it to do so costs five seconds per submission. Projects write both in plain
text, so they are read here. Whatever is not plain is left to the editor: `write_indexes` then says False.
"""

import json
import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

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
_CLASS_NAME = re.compile(r"^\s*(@\w+(\([^)]*\))?\s+)*class_name\b", re.MULTILINE)
_OWN_ID = re.compile(r'\[(?:gd_scene|gd_resource)\b[^\]\n]*\buid="(uid://\w+)"')
IMPORT_ID = re.compile(r'^uid="(uid://\w+)"', re.MULTILINE)
_LETTERS = "abcdefghijklmnopqrstuvwxy012345678"  # as the engine counts: no z, no 9
_WITH_HIDDEN_IDS = {".scn", ".res"}


class NotPlainError(ValueError):
    """Something the editor has to look at."""


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


def write_indexes(project: Path, files: Iterable[str]) -> bool:
    """Write both into a copy whose pictures are imported. False, and nothing written, if only the editor can."""
    files = tuple(files)
    try:
        classes = sorted(_classes(project, files), key=lambda one: one.name)
        ids = dict(_ids(project, files))
    except NotPlainError:
        return False
    if classes:
        _write(project / CLASSES, f"list=[{', '.join(one.entry() for one in classes)}]\n".encode())
    if ids:
        pairs = (struct.pack("<QI", number, len(path)) + path for number, path in sorted(ids.items()))
        _write(project / IDS, struct.pack("<I", len(ids)) + b"".join(pairs))
    return True


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _classes(project: Path, files: tuple[str, ...]) -> Iterator[GlobalClass]:
    names: set[str] = set()
    for file in files:
        if not file.endswith(".gd"):
            continue
        found = global_class((project / file).read_text("utf-8", "replace"), f"res://{file}")
        if found is None:
            continue
        if found.name in names or _is_ignored(project, file):
            raise NotPlainError(file)
        names.add(found.name)
        yield found


def global_class(source: str, path: str) -> GlobalClass | None:
    """The global class that a script declares, read from the lines before its first statement."""
    if not _CLASS_NAME.search(source):
        return None
    found: dict[str, str] = {}
    for line in source.removeprefix("\ufeff").splitlines():
        match = _HEAD.match(line)
        if match is None:
            break
        for key, value in match.groupdict().items():
            if value is not None and found.setdefault(key, value) != value:
                raise NotPlainError(path)
    declarations = len(_CLASS_NAME.findall(source))
    if "name" not in found or declarations != 1 or {"base", "its_base"} <= set(found):
        raise NotPlainError(path)
    if "base" not in found and "its_base" not in found and re.search(r"^\s*extends\b", source, re.MULTILINE):
        raise NotPlainError(path)
    return GlobalClass(
        found["name"],
        found.get("base") or found.get("its_base") or "RefCounted",
        path,
        found.get("icon", ""),
        "tool" in found,
        "abstract" in found or "one_line_abstract" in found,
    )


def _is_ignored(project: Path, file: str) -> bool:
    return any((project / folder / ".gdignore").exists() for folder in Path(file).parents)


def _ids(project: Path, files: tuple[str, ...]) -> Iterator[tuple[int, bytes]]:
    for file in files:
        path = project / file
        if path.suffix in _WITH_HIDDEN_IDS:
            raise NotPlainError(file)
        if path.suffix == ".uid":
            yield from _one_id(re.match(r"(uid://\w+)", path.read_text("utf-8", "replace")), file.removesuffix(".uid"))
        elif path.suffix in {".tscn", ".tres"}:
            yield from _one_id(_OWN_ID.match(_first_line(path)), file)
        elif (note := path.with_name(path.name + ".import")).exists():
            yield from _one_id(IMPORT_ID.search(note.read_text("utf-8", "replace")), file)


def _first_line(path: Path) -> str:
    with path.open("rb") as handle:
        return handle.readline(4096).decode("utf-8-sig", "replace")


def _one_id(match: re.Match[str] | None, file: str) -> Iterator[tuple[int, bytes]]:
    if match is None:
        return
    number = id_number(match[1])
    if number is not None:
        yield number, f"res://{file}".encode()


def id_number(text: str) -> int | None:
    """The number behind `uid://…`, None if it is none."""
    number = 0
    for letter in text.removeprefix("uid://"):
        digit = _LETTERS.find(letter)
        if digit < 0:
            return None
        number = number * len(_LETTERS) + digit
    return number & 0x7FFF_FFFF_FFFF_FFFF


def id_text(number: int) -> str:
    """`uid://…` of a number, as the engine writes it."""
    number &= 0x7FFF_FFFF_FFFF_FFFF
    letters = ""
    while number or not letters:
        number, digit = divmod(number, len(_LETTERS))
        letters = _LETTERS[digit] + letters
    return f"uid://{letters}"
