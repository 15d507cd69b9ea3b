"""Import: from a submission to a project the engine can run at once. Done once per content.

The engine's import runs in recovery mode, so that no editor plugin or tool script of the project
runs, and in the sandbox anyway. A project of nothing but scripts and scenes needs no import.
"""

import json
import os
import re
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmark.craft.project import SubmittedProject, copy_project
from benchmark.craft.runlog import EngineMessage, parse_log
from benchmark.errors import InfrastructureError
from benchmark.paths import beside, cache_root
from benchmark.runtime.locking import exclusive
from benchmark.runtime.machine import Machine
from benchmark.runtime.sandbox import Job, Limits, Mount
from benchmark.runtime.tokens import cpu_token
from benchmark.runtime.workdir import hand_over, work_folder

VERSION = 1
IMPORT_LIMITS = Limits(wall_sec=180, cpu_sec=300)

_IMPORTED_SUFFIXES = {
    ".bmp", ".dds", ".exr", ".hdr", ".jpg", ".jpeg", ".ktx", ".png", ".svg", ".tga", ".webp", ".wav", ".ogg",
    ".mp3", ".ttf", ".ttc", ".otf", ".otc", ".woff", ".woff2", ".fnt", ".font", ".csv", ".po", ".glb", ".gltf",
    ".obj", ".dae", ".fbx", ".blend", ".import", ".cs", ".glsl",
}  # fmt: skip
# What only the editor's scan resolves: global classes and resource ids.
_NEEDS_SCAN = re.compile(rb"^\s*(@\w+\s+)*class_name\b|uid://", re.MULTILINE)


@dataclass(frozen=True)
class PreparedProject:
    """An imported copy. `problem` is set if the engine could not import it at all."""

    folder: Path
    digest: str
    messages: tuple[EngineMessage, ...]
    problem: str | None = None


def prepare(project: SubmittedProject, machine: Machine) -> PreparedProject:
    """The imported copy of a submission, from the cache where it was made before."""
    key = f"{project.digest[:32]}-{machine.engine.version}-{VERSION}"
    folder = cache_root() / "projects" / re.sub(r"[^\w.+-]", "_", key)
    with exclusive(beside(folder, ".lock")):
        if not (folder / "import.json").exists():
            _import_into(folder, project, machine)
    record = json.loads((folder / "import.json").read_text(encoding="utf-8"))
    messages = tuple(EngineMessage(**message) for message in record["messages"])
    return PreparedProject(folder / "project", project.digest, messages, record["problem"])


def needs_import(project: SubmittedProject) -> bool:
    """Whether the editor must look at the project before it runs."""
    for name in project.files:
        path = project.folder / name
        if path.suffix.lower() in _IMPORTED_SUFFIXES:
            return True
        if path.suffix.lower() in {".gd", ".tscn", ".tres", ".godot"} and _NEEDS_SCAN.search(path.read_bytes()):
            return True
    return False


def _import_into(folder: Path, project: SubmittedProject, machine: Machine) -> None:
    problem: str | None = None
    messages: tuple[EngineMessage, ...] = ()
    partial = beside(folder, ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    with work_folder("import") as work:
        copy = work / "project"
        copy_project(project, copy)
        if needs_import(project):
            hand_over(copy)
            mount = Mount("project", copy, "write")
            arguments = ("--headless", "--import", "--recovery-mode", "--path", machine.sandbox.place(mount))
            job = Job(
                machine.engine.program, arguments, (mount,),
                env={"GODOT_SILENCE_ROOT_WARNING": "1"}, limits=IMPORT_LIMITS, home=work,
            )  # fmt: skip
            with cpu_token():
                finished = machine.sandbox.run(job)
            messages = parse_log(finished.text)
            if finished.ending == "memory" or "No space left" in finished.text:
                raise InfrastructureError(f"import {finished.describe()}: {finished.text.strip()[-200:]}")
            if finished.ending != "exited" or finished.exit_code != 0:
                problem = f"the engine's import failed ({finished.describe()})"
        _take(copy, partial / "project")
    record = {"problem": problem, "messages": [vars(message) for message in messages]}
    (partial / "import.json").write_text(json.dumps(record), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)


def _regular_files(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder, followlinks=False):
        folders[:] = [name for name in folders if (Path(parent, name) != folder / ".godot/editor")]
        for name in files:
            path = Path(parent, name)
            if stat.S_ISREG(path.lstat().st_mode) and name != "extension_list.cfg":
                yield path


def _take(source: Path, target: Path) -> None:
    """Copy regular files only: the import ran on untrusted input, its result is untrusted too."""
    target.mkdir(parents=True)
    for path in _regular_files(source):
        destination = target / path.relative_to(source)
        destination.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, destination, follow_symlinks=False)
