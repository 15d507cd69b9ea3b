"""Import: from a submission to a project the engine can run at once. Done once per content.

Pictures, fonts and sounds are imported by themselves, once for all projects that have the same ones: a project that
differs in its scripts and scenes only takes them over. `imports` makes what is plain, `indexes` writes down what the
editor would about scripts and scenes; the editor is started for the rest, in recovery mode, so that no plugin or tool
script of the project runs, and in the sandbox anyway. A project of nothing but scripts and scenes needs no import.
"""

import hashlib
import json
import os
import re
import shutil
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from benchmark.cache import made_once, place
from benchmark.errors import InfrastructureError
from benchmark.projects import settings
from benchmark.projects.editor import (
    COMPOSED_SUFFIXES,
    IMPORT_NOTE,
    IMPORTED_SUFFIXES,
    NotPlainError,
    seen_by_editor,
    suffix_of,
)
from benchmark.projects.ids import read_alone
from benchmark.projects.imports import PlainImport, import_plainly
from benchmark.projects.indexes import CLASSES, IDS, read_indexes
from benchmark.projects.project import PROJECT_FILE, SubmittedProject, copy_project
from benchmark.projects.runlog import EngineMessage, parse_log
from benchmark.runtime.machine import Machine
from benchmark.runtime.sandbox import Job, Limits, Mount
from benchmark.runtime.tokens import cpu_token
from benchmark.runtime.workdir import hand_over, work_folder

VERSION = 6  # of whole copies
IMPORTS_VERSION = 5  # of what the engine made of pictures, fonts and sounds
IMPORT_LIMITS = Limits(wall_sec=180, cpu_sec=300)
_IN_MEMORY_BYTES = 256 << 20  # a larger project is imported on disk: what comes of it may be several times as large
_MOST_MADE_BYTES = 1 << 30
_ROOM_NEEDED_BYTES = 64 << 20

# Which settings decide how a file is imported.
_IMPORT_SECTIONS = ("rendering", "importer_defaults", "internationalization", "gui", "editor")


Left = Literal["nothing", "art", "all"]


@dataclass(frozen=True)
class _Record:
    """What is kept about an import."""

    problem: str | None
    messages: tuple[EngineMessage, ...]
    left: Left = "nothing"
    why: str = ""


@dataclass(frozen=True)
class PreparedProject:
    """An imported copy. `problem` is set if the engine could not import it at all."""

    folder: Path
    digest: str
    messages: tuple[EngineMessage, ...]
    problem: str | None = None
    left: Left = "nothing"  # to the editor, and why
    why: str = ""


def prepare(project: SubmittedProject, machine: Machine, cache: Path | None = None) -> PreparedProject:
    """The imported copy of a submission, from the cache where it was made before: the usual one, or another folder."""
    folder = place("projects", _name(project.digest, machine, VERSION), cache)
    made, _ = made_once(folder, lambda partial: _import_into(partial, project, machine, cache), _read)
    return replace(made, digest=project.digest)


def _name(digest: str, machine: Machine, version: int) -> str:
    return re.sub(r"[^\w.+-]", "_", f"{digest[:32]}-{machine.engine.version}-{version}")


@contextmanager
def folder_for_imports(*, fresh: bool) -> Iterator[Path | None]:
    """What `prepare` takes for its cache: the usual one, or for a fresh start an empty folder that is gone afterwards.

    What lies in the usual one is not renewed in place: another trial may be playing it.
    """
    if not fresh:
        yield None
        return
    with work_folder("imports", on_disk=True) as folder:
        yield folder


def _read(folder: Path) -> PreparedProject:
    record = json.loads((folder / "import.json").read_text(encoding="utf-8"))
    messages = tuple(EngineMessage(**message) for message in record["messages"])
    return PreparedProject(
        folder=folder / "project",
        digest="",
        messages=messages,
        problem=record["problem"],
        left=record["left"],
        why=record["why"],
    )


def imported_files(project: SubmittedProject) -> tuple[str, ...]:
    """What the engine turns into a form of its own before it can be used, and the notes about it."""
    suffixes = IMPORTED_SUFFIXES | {IMPORT_NOTE}
    return tuple(name for name in seen_by_editor(project.files) if suffix_of(name) in suffixes)


def _import_into(folder: Path, project: SubmittedProject, machine: Machine, cache: Path | None) -> None:
    with work_folder("import", on_disk=project.size_bytes > _IN_MEMORY_BYTES) as work:
        copy = work / "project"
        copy_project(project, copy)
        try:
            record = _import_by_parts(project, copy, machine, cache)
        except NotPlainError as error:
            record = _Record(*import_in_place(copy, work, machine), "all", str(error))
        _take(copy, folder / "project")
    _settle(folder, record)


def _import_by_parts(project: SubmittedProject, copy: Path, machine: Machine, cache: Path | None) -> _Record:
    """Art by itself, then the indexes. Raises NotPlainError, at best before anything was done, if it is not for us."""
    seen = seen_by_editor(project.files)
    files = imported_files(project)
    for name in files:
        if suffix_of(name) in COMPOSED_SUFFIXES:
            raise NotPlainError(name, "it may draw on other files of the project, or add some")
        if suffix_of(name) == IMPORT_NOTE:
            _refuse_odd_note(read_alone(copy / name, name), name)
        elif (copy / f"{name}{IMPORT_NOTE}").is_dir():
            raise NotPlainError(name, "a folder stands where the note about it goes")
    read_indexes(copy, seen)
    record = _Record(None, ())
    if files:
        record = _take_over(_imported_alone(copy, files, machine, cache), copy)
    if not record.problem:
        read_indexes(copy, seen).write(copy)  # again: the ids of what was imported are known by now
    return record


def _refuse_odd_note(note: str, name: str) -> None:
    head, _, params = note.partition("[params]")
    if re.search(r"^valid=false", head, re.MULTILINE):
        raise NotPlainError(name, "an import that failed before, which the editor does not try again")
    if "res://" in params or "Resource(" in params:
        raise NotPlainError(name, "it draws on other files of the project")


def _imported_alone(copy: Path, files: tuple[str, ...], machine: Machine, cache: Path | None) -> PreparedProject:
    """What the engine made of these files, from the cache where it was made before."""
    settings_text = settings.without((copy / PROJECT_FILE).read_text("utf-8", "surrogateescape"), _not_for_import)
    total = hashlib.sha256(settings_text.encode("utf-8", "surrogateescape"))
    for name in files:
        with (copy / name).open("rb") as handle:
            total.update(name.encode() + b"\0" + hashlib.file_digest(handle, "sha256").digest())
    folder = place("imports", _name(total.hexdigest(), machine, IMPORTS_VERSION), cache)
    return made_once(folder, lambda partial: _import_alone(partial, copy, files, settings_text, machine), _read)[0]


def _import_alone(folder: Path, copy: Path, files: tuple[str, ...], settings_text: str, machine: Machine) -> None:
    with work_folder("import") as work:
        alone = work / "project"
        for name in files:
            (alone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(copy / name, alone / name)
        (alone / PROJECT_FILE).write_text(settings_text, encoding="utf-8", errors="surrogateescape")
        record = _Record(None, ())
        made: tuple[PlainImport, ...] = ()
        try:
            made = import_plainly(alone, files, work, machine)
        except NotPlainError as error:
            record = _Record(*import_in_place(alone, work, machine), "art", str(error))
        sources = {name for name in files if not name.endswith(IMPORT_NOTE)}
        _take(alone, folder / "project", without={*sources, PROJECT_FILE, CLASSES, IDS})
    for one in made:
        (folder / "project" / one.note_name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "project" / one.note_name).write_text(one.note(), encoding="utf-8")
    _settle(folder, record)


def _not_for_import(entry: settings.Setting) -> bool:
    return entry.section not in _IMPORT_SECTIONS and entry.section != ""


def _take_over(made: PreparedProject, copy: Path) -> _Record:
    shutil.copytree(made.folder, copy, dirs_exist_ok=True, copy_function=shutil.copyfile)
    return _Record(made.problem, made.messages, made.left, made.why)


def import_in_place(project: Path, work: Path, machine: Machine) -> tuple[str | None, tuple[EngineMessage, ...]]:
    """Let the editor do it, in place."""
    hand_over(project)
    mount = Mount("project", project, "write")
    arguments = ("--headless", "--import", "--recovery-mode", "--path", machine.sandbox.place(mount))
    job = Job(
        machine.engine.program, arguments, (mount,),
        env={"GODOT_SILENCE_ROOT_WARNING": "1"}, limits=IMPORT_LIMITS, home=work,
    )  # fmt: skip
    with cpu_token():
        finished = machine.sandbox.run(job)
    messages = parse_log(finished.text)
    if _space_on_disk(project / ".godot") > _MOST_MADE_BYTES:
        return f"what the engine's import makes of it takes more than {_MOST_MADE_BYTES >> 20} MiB", messages
    if finished.ending != "exited" or finished.exit_code != 0:
        # What the engine says of it, a project can have it say: whether there is room, only the disk knows.
        if shutil.disk_usage(work).free < _ROOM_NEEDED_BYTES:
            raise InfrastructureError(f"import {finished.describe()}: there is no room left in {work.parent}")
        return f"the engine's import failed ({finished.describe()})", messages
    return None, messages


def _space_on_disk(folder: Path) -> int:
    return sum(Path(parent, name).lstat().st_blocks * 512 for parent, _, files in os.walk(folder) for name in files)


def _settle(folder: Path, record: _Record) -> None:
    """What came of an import, beside what it made."""
    document = {**vars(record), "messages": [vars(message) for message in record.messages]}
    (folder / "import.json").write_text(json.dumps(document), encoding="utf-8")


def _regular_files(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder, followlinks=False):
        folders[:] = [name for name in folders if (Path(parent, name) != folder / ".godot/editor")]
        for name in files:
            path = Path(parent, name)
            if stat.S_ISREG(path.lstat().st_mode) and name != "extension_list.cfg":
                yield path


def _take(source: Path, target: Path, without: Collection[str] = ()) -> None:
    """Copy regular files only: the import ran on untrusted input, its result is untrusted too."""
    target.mkdir(parents=True)
    for path in _regular_files(source):
        if path.relative_to(source).as_posix() in without:
            continue
        destination = target / path.relative_to(source)
        destination.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, destination, follow_symlinks=False)
