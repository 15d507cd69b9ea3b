"""Is a project that was prepared without the editor what the editor makes of it?

Ids that nobody wrote down may differ: they are made up, so nothing can name a file by them. To scripts and shaders the
editor gives such ids in new `.uid` files, which we do not write at all.
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmark.errors import InfrastructureError
from benchmark.projects.editor import IMPORT_NOTE
from benchmark.projects.ids import IMPORT_ID, id_number, id_text
from benchmark.projects.indexes import CLASSES, IDS
from benchmark.projects.prepare import Left, import_in_place, prepare
from benchmark.projects.project import PROJECT_FILE, SubmittedProject, copy_project, scan_project
from benchmark.runtime.machine import Machine
from benchmark.runtime.sandbox import Job, Limits, Mount
from benchmark.runtime.workdir import hand_over, work_folder

_SCRIPT = Path(__file__).with_name("godot") / "same_resources.gd"
_MENTIONED = re.compile(rb"uid://[a-z0-9]+")
_ENTRY = re.compile(r"\{\n.*?\n\}", re.DOTALL)
_CLASS = re.compile(r'^"class": &"(\w+)"', re.MULTILINE)
_IMPORTED = ".godot/imported"
_AT_ONCE = 200  # pairs of files; a command line has an end
_LIMITS = Limits(wall_sec=120, cpu_sec=240)


@dataclass(frozen=True)
class Comparison:
    """What was left to the editor, and what differs in the rest. A project left as a whole cannot differ."""

    left: Left
    why: str
    differences: tuple[str, ...] = ()


def compare_with_editor(folder: Path, machine: Machine) -> Comparison:
    """Prepare a project both ways, past every cache. The folder is not changed."""
    project = scan_project(folder)
    if project.problem or not project.has(PROJECT_FILE):
        raise InfrastructureError(f"{folder}: {project.problem or f'there is no {PROJECT_FILE} in it'}")
    with work_folder("compare", on_disk=True) as work:
        prepared = prepare(project, machine, work / "cache")
        if prepared.left == "all":
            return Comparison("all", prepared.why)
        theirs = work / "theirs"
        copy_project(project, theirs)
        problem, _ = import_in_place(theirs, work, machine)
        if problem or prepared.problem:
            same = (problem is None) == (prepared.problem is None)
            found = () if same else (f"ours: {prepared.problem or 'fine'}; the editor's: {problem or 'fine'}",)
            return Comparison(prepared.left, prepared.why, found)
        sides = _Sides(project, prepared.folder, theirs)
        return Comparison(prepared.left, prepared.why, tuple(sides.differences(work, machine)))


@dataclass(frozen=True)
class _Sides:
    """The same project, prepared by us and by the editor."""

    project: SubmittedProject
    ours: Path
    theirs: Path

    def differences(self, work: Path, machine: Machine) -> Iterator[str]:
        yield from self._ids()
        yield from _unequal("class", *(_classes(side / CLASSES) for side in (self.ours, self.theirs)))
        yield from self._files()
        yield from self._notes()
        yield from self._imported(work, machine)

    def _ids(self) -> Iterator[str]:
        """The table of ids that somebody wrote; of the others, only which files have one."""
        ours, theirs = (read_id_table(side / IDS) for side in (self.ours, self.theirs))
        written = self._written()
        yield from _unequal("id", *({k: v for k, v in one.items() if k in written} for one in (ours, theirs)))
        new_scripts = {
            f"res://{name.removesuffix('.uid')}"
            for name in _names(self.theirs)
            if name.endswith(".uid") and not self.project.has(name)
        }
        one, other = ({table[text] for text in table.keys() - written} - new_scripts for table in (ours, theirs))
        for place in sorted(one ^ other):
            yield f"{place}: {'only ours' if place in one else 'only the editor'} has a new id for it"

    def _written(self) -> set[str]:
        """As the engine would write them."""
        contents = ((self.project.folder / name).read_bytes() for name in self.project.files)
        texts = {text.decode() for content in contents for text in _MENTIONED.findall(content)}
        return {id_text(number) for text in texts if (number := id_number(text)) is not None}

    def _files(self) -> Iterator[str]:
        """What the editor changes or adds in the project itself, but for notes and the ids that it makes up."""
        ours, theirs = ({name for name in _names(side) if _is_own(name)} for side in (self.ours, self.theirs))
        for name in sorted(ours ^ theirs):
            yield f"{name}: {'only ours' if name in ours else 'only the editor has it'}"
        for name in sorted(ours & theirs):
            if (self.ours / name).read_bytes() != (self.theirs / name).read_bytes():
                yield f"{name}: the editor changes it"

    def _notes(self) -> Iterator[str]:
        written = self._written()

        def notes(side: Path) -> dict[str, str]:
            found = (name for name in _names(side) if name.endswith(IMPORT_NOTE))
            return {name: _without_new_id((side / name).read_text("utf-8", "replace"), written) for name in found}

        yield from _unequal("note", notes(self.ours), notes(self.theirs))

    def _imported(self, work: Path, machine: Machine) -> Iterator[str]:
        """Byte for byte; what is saved with an id that differs each time is compared value by value."""
        ours, theirs = ({name for name in _names(side) if _is_imported(name)} for side in (self.ours, self.theirs))
        for name in sorted(ours ^ theirs):
            yield f"{name}: {'only ours' if name in ours else 'only the editor has it'}"
        unequal = [n for n in sorted(ours & theirs) if (self.ours / n).read_bytes() != (self.theirs / n).read_bytes()]
        for name in unequal:
            if name.endswith(".ctex"):
                yield f"{name}: another picture"
        by_value = [name for name in unequal if not name.endswith(".ctex")]
        yield from unequal_resources(self.ours, self.theirs, by_value, work, machine)


def unequal_resources(ours: Path, theirs: Path, names: list[str], work: Path, machine: Machine) -> Iterator[str]:
    """Of files that are in both folders, those that differ in a value that is stored."""
    for side in (ours, theirs):
        hand_over(side)
    mounts = (Mount("ours", ours), Mount("theirs", theirs), Mount("same.gd", _SCRIPT))
    places = [machine.sandbox.place(mount) for mount in mounts]
    for first in range(0, len(names), _AT_ONCE):
        some = names[first : first + _AT_ONCE]
        pairs = [f"{place}/{name}" for name in some for place in places[:2]]
        arguments = ("--headless", "--path", places[0], "--script", places[2], "--", *pairs)
        said = machine.sandbox.run(Job(machine.engine.program, arguments, mounts, limits=_LIMITS, home=work)).text
        yield from (line for line in said.splitlines() if line.startswith("DIFFERS"))
        if f"COMPARED {len(some)}" not in said:
            raise InfrastructureError(f"imported files could not be compared: {said.strip()[-300:]}")


def read_id_table(index: Path) -> dict[str, str]:
    """`uid_cache.bin` as the engine reads it: how many, then number, length and place of each."""
    if not index.is_file():
        return {}
    data = index.read_bytes()
    found, position = {}, 4
    for _ in range(struct.unpack_from("<I", data)[0]):
        number, length = struct.unpack_from("<QI", data, position)
        position += 12 + length
        found[id_text(number)] = data[position - length : position].decode()
    return found


def _classes(index: Path) -> dict[str, str]:
    entries = _ENTRY.findall(index.read_text(encoding="utf-8")) if index.is_file() else []
    return {match[1]: entry for entry in entries if (match := _CLASS.search(entry))}


def _unequal(what: str, ours: dict[str, str], theirs: dict[str, str]) -> Iterator[str]:
    for key in sorted(ours.keys() | theirs.keys()):
        one, other = ours.get(key), theirs.get(key)
        if one != other:
            yield f"{what} {key}: {_first_difference(one, other)}"


def _first_difference(ours: str | None, theirs: str | None) -> str:
    if ours is None or theirs is None:
        return f"only the editor has it ({_short(theirs)})" if ours is None else f"only ours ({_short(ours)})"
    pairs = zip([*ours.splitlines(), ""], [*theirs.splitlines(), ""], strict=False)
    one, other = next(((a, b) for a, b in pairs if a != b), (ours, theirs))
    return f"{one!r}, the editor's is {other!r}"


def _short(text: str | None) -> str:
    return " ".join((text or "").split())[:80]


def _without_new_id(note: str, written: set[str]) -> str:
    return IMPORT_ID.sub(lambda match: match[0] if match[1] in written else "uid", note)


def _names(side: Path) -> Iterator[str]:
    return (path.relative_to(side).as_posix() for path in side.rglob("*") if path.is_file())


def _is_own(name: str) -> bool:
    return not name.startswith(".godot/") and not name.endswith((IMPORT_NOTE, ".uid"))


def _is_imported(name: str) -> bool:
    return name.startswith(f"{_IMPORTED}/") and not name.endswith(".md5")
