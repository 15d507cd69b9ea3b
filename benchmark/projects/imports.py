"""Importing without the editor: what nearly every project brings is made by a script, in a tenth of the time.

Starting the editor costs seconds per submission, on one core, and most of what it then does is plain: pictures, fonts
and sounds with the settings it gives every one of them. Those are made here as it makes them: pictures byte for byte,
the others but for an id that the engine makes up each time; a test compares every kind of file in the table, and
`compare-editor` any project. As soon as one file is not plain, or does not load, all of them are left to the editor,
which knows what to say about it.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath

from benchmark.limits import MAX_TOML_BYTES
from benchmark.projects import settings
from benchmark.projects.editor import IMPORT_NOTE, NotPlainError, suffix_of
from benchmark.projects.ids import IMPORT_ID, id_number, id_text, read_alone
from benchmark.projects.project import PROJECT_FILE
from benchmark.runtime.machine import Machine
from benchmark.runtime.sandbox import Job, Limits, Mount
from benchmark.runtime.tokens import cpu_token
from benchmark.runtime.workdir import hand_over
from benchmark.untrusted import read_toml

_SCRIPT = Path(__file__).with_name("godot") / "importer.gd"
_IMPORTERS = Path(__file__).with_name("importers.toml")
_ENGINE = (4, 6)  # whose editor was compared
# A failed import is not tried again, a file may be part of another one.
_UNUSUAL = re.compile(r"^(valid|group_file)\b|^\[(?!remap\]|deps\])", re.MULTILINE)
_LIMITS = Limits(wall_sec=60, cpu_sec=120)
_FOLDER = ".godot/imported"
# With these a project changes what the editor makes of its files.
_DECIDING = (
    "importer_defaults/", "editor/import/", "rendering/textures/lossless_compression/",
    "rendering/textures/webp_compression/", "rendering/textures/vram_compression/",
)  # fmt: skip


@dataclass(frozen=True)
class Importer:
    """One kind of file, and what the editor notes down about it."""

    kind: str
    suffixes: Sequence[str]
    importer: str
    type: str
    ending: str
    params: str
    more: Mapping[str, str] = field(default_factory=dict)  # suffix → further params
    metadata: str = ""

    def params_of(self, name: str) -> str:
        return (self.params + self.more.get(PurePosixPath(name).suffix.lower(), "")).strip()


@dataclass(frozen=True)
class PlainImport:
    """A file to import, where the result goes, and the id it has."""

    source: str
    importer: Importer
    uid: str

    @property
    def note_name(self) -> str:
        return f"{self.source}{IMPORT_NOTE}"

    @property
    def target(self) -> str:
        digest = hashlib.md5(f"res://{self.source}".encode(), usedforsecurity=False).hexdigest()
        return f"{_FOLDER}/{PurePosixPath(self.source).name}-{digest}.{self.importer.ending}"

    def note(self) -> str:
        """The text of its `.import` file."""
        remap = [
            f'importer="{self.importer.importer}"', f'type="{self.importer.type}"', f'uid="{self.uid}"',
            f"path={_quoted(self.target)}", *self.importer.metadata.strip().splitlines(),
        ]  # fmt: skip
        deps = [f"source_file={_quoted(self.source)}", f"dest_files=[{_quoted(self.target)}]"]
        sections = {"remap": remap, "deps": deps, "params": self.importer.params_of(self.source).splitlines()}
        return "\n".join(f"[{name}]\n\n" + "\n".join(lines) + "\n" for name, lines in sections.items())


def _quoted(name: str) -> str:
    return f'"res://{name}"'


@cache
def importers() -> dict[str, Importer]:
    """By suffix."""
    known = [Importer(kind, **one) for kind, one in read_toml(_IMPORTERS, MAX_TOML_BYTES).items()]
    return {suffix: one for one in known for suffix in one.suffixes}


def import_plainly(project: Path, files: Iterable[str], work: Path, machine: Machine) -> tuple[PlainImport, ...]:
    """Import these files of a folder that holds nothing else. Raises NotPlainError, and writes nothing, if only the
    editor can.

    The notes about them are left to the caller, who writes them where the engine, which has read hostile files, had
    no hand in: here it could have put a link in their place.
    """
    if machine.engine.number != _ENGINE:
        raise NotPlainError(PROJECT_FILE, f"the editor of Godot {machine.engine.version} was not compared")
    plan = tuple(_plan(project, tuple(files)))
    if not _made(plan, project, work, machine):
        shutil.rmtree(project / ".godot", ignore_errors=True)
        raise NotPlainError(PROJECT_FILE, "one of its pictures, fonts or sounds does not load")
    return plan


def _plan(project: Path, files: tuple[str, ...]) -> Iterator[PlainImport]:
    text = (project / PROJECT_FILE).read_text("utf-8", "replace")
    deciding = next((entry.path for entry in settings.entries(text) if entry.path.startswith(_DECIDING)), None)
    if deciding:
        raise NotPlainError(PROJECT_FILE, f"{deciding} changes how files are imported")
    notes = {name for name in files if name.endswith(IMPORT_NOTE)}  # those about files that are not there say nothing
    for name in files:
        if name in notes:
            continue
        importer = importers().get(suffix_of(name))
        if importer is None:
            raise NotPlainError(name, "a kind of file that only the editor imports")
        if '"' in name or not name.isprintable():
            raise NotPlainError(name, "a name that needs quoting")
        uid = id_text(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little"))
        note = f"{name}{IMPORT_NOTE}"
        if note in notes:
            uid = _known_id(read_alone(project / note, note), importer, note) or uid
        yield PlainImport(name, importer, uid)


def _known_id(note: str, importer: Importer, name: str) -> str | None:
    """The id in a note that came with the project, which must ask for nothing but what the editor does by itself.

    Notes of older engines have fewer params, or some that are no more: the editor adds the ones and drops the others.
    """
    head, found, params = note.partition("[params]")
    if not found or _UNUSUAL.search(head) or f'importer="{importer.importer}"' not in head.splitlines():
        raise NotPlainError(name, "it asks for something unusual")
    usual = dict(_lines(importer.params_of(name.removesuffix(IMPORT_NOTE))))
    for key, value in _lines(params):
        if usual.get(key, value) != value:
            raise NotPlainError(name, f"{key}={value} where {usual[key]} is usual")
    uid = IMPORT_ID.search(head)
    return uid[1] if uid and id_number(uid[1]) is not None else None


def _lines(params: str) -> Iterator[tuple[str, str]]:
    for line in params.splitlines():
        key, found, value = line.partition("=")
        if line and not found:
            raise NotPlainError(line[:80], "a value over several lines")
        if line:
            yield key, value


def _made(plan: tuple[PlainImport, ...], project: Path, work: Path, machine: Machine) -> bool:
    hand_over(project)
    harness = work / "harness"
    harness.mkdir()
    shutil.copyfile(_SCRIPT, harness / _SCRIPT.name)
    jobs = [{"kind": p.importer.kind, "source": f"res://{p.source}", "target": f"res://{p.target}"} for p in plan]
    (harness / "imports.json").write_text(json.dumps(jobs), encoding="utf-8")
    mounts = (Mount("project", project, "write"), Mount("harness", harness))
    place, script = (machine.sandbox.place(mount) for mount in mounts)
    job = Job(
        machine.engine.program, ("--headless", "--path", place, "--script", f"{script}/{_SCRIPT.name}"), mounts,
        env={"GODOT_SILENCE_ROOT_WARNING": "1"}, limits=_LIMITS, home=work,
    )  # fmt: skip
    with cpu_token():
        finished = machine.sandbox.run(job)
    shutil.rmtree(harness)
    return finished.ending == "exited" and finished.exit_code == 0 and all((project / p.target).is_file() for p in plan)
