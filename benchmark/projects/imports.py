"""Importing without the editor: what nearly every project brings is made by a script, in a tenth of the time.

Starting the editor costs seconds per submission, on one core, and most of what it then does is plain: pictures, fonts
and sounds with the settings it gives every one of them. Those are made here as it makes them: pictures byte for byte,
the others but for an id that the engine makes up each time; a test compares every kind of file in the table. As soon
as one file is not plain, or does not load, all of them are left to the editor, which knows what to say about it.
"""

import hashlib
import json
import re
import shutil
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath

from benchmark.projects import settings
from benchmark.projects.indexes import IMPORT_ID, NotPlainError, id_text
from benchmark.projects.project import PROJECT_FILE
from benchmark.runtime.machine import Machine
from benchmark.runtime.sandbox import Job, Limits, Mount
from benchmark.runtime.tokens import cpu_token
from benchmark.runtime.workdir import hand_over

_SCRIPT = Path(__file__).with_name("godot") / "importer.gd"
_IMPORTERS = Path(__file__).with_name("importers.toml")
_ENGINE = (4, 6)  # whose editor was compared
_LIMITS = Limits(wall_sec=60, cpu_sec=120)
_NOTE = ".import"
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
        return f"{self.source}{_NOTE}"

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
    known = [Importer(kind, **one) for kind, one in tomllib.loads(_IMPORTERS.read_text(encoding="utf-8")).items()]
    return {suffix: one for one in known for suffix in one.suffixes}


def import_plainly(project: Path, files: Iterable[str], work: Path, machine: Machine) -> tuple[PlainImport, ...] | None:
    """Import these files of a folder that holds nothing else. None, and nothing written, if only the editor can.

    The notes about them are left to the caller, who writes them where the engine, which has read hostile files, had
    no hand in: here it could have put a link in their place.
    """
    if machine.engine.number != _ENGINE:
        return None
    try:
        plan = tuple(_plan(project, tuple(files)))
    except NotPlainError:
        return None
    if not _made(plan, project, work, machine):
        shutil.rmtree(project / ".godot", ignore_errors=True)
        return None
    return plan


def _plan(project: Path, files: tuple[str, ...]) -> Iterator[PlainImport]:
    text = (project / PROJECT_FILE).read_text("utf-8", "replace")
    if any(entry.path.startswith(_DECIDING) for entry in settings.entries(text)):
        raise NotPlainError(PROJECT_FILE)
    notes = {name for name in files if name.endswith(_NOTE)}
    sources = [name for name in files if name not in notes]
    if lost := notes - {f"{name}{_NOTE}" for name in sources}:  # notes about files that are not there
        raise NotPlainError(min(lost))
    for name in sources:
        importer = importers().get(PurePosixPath(name).suffix.lower())
        hidden = any(part.startswith(".") for part in PurePosixPath(name).parts)
        if importer is None or hidden or '"' in name or not name.isprintable():
            raise NotPlainError(name)
        uid = id_text(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little"))
        if f"{name}{_NOTE}" in notes:
            uid = _known_id((project / f"{name}{_NOTE}").read_text("utf-8", "replace"), importer, name) or uid
        yield PlainImport(name, importer, uid)


def _known_id(note: str, importer: Importer, name: str) -> str | None:
    """The id in a note that came with the project, which must say what the editor says by itself."""
    _, found, params = note.partition("[params]")
    said = re.search(r'^importer="(\w+)"', note, re.MULTILINE)
    if not found or params.strip() != importer.params_of(name) or not said or said[1] != importer.importer:
        raise NotPlainError(name)
    uid = IMPORT_ID.search(note)
    return uid[1] if uid else None


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
