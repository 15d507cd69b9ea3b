"""The submitted project: what is in it, its identity, and a safe copy to run.

The copy never contains what could run before or instead of the game (engine caches, native extensions,
setting overrides), nor links, special files or the traces.
"""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from benchmark.limits import MAX_PROJECT_FILE_BYTES, MAX_TEXT_BYTES
from benchmark.projects import settings
from benchmark.projects.walk import Tally, TooMuchError, walk
from benchmark.trials import one_line
from benchmark.untrusted import UnreadableFileError, open_regular, read_json, read_text

PROJECT_FILE = "project.godot"
TRACE_FOLDER = "demo_outputs"  # demos are read from the submission; the game that plays them never sees them
NOTE = ".submission.json"  # in a submission: why it was refused, what could not be copied
# Left out of every copy, files and folders: what would run before or instead of the game.
_LEFT_OUT = {"project.binary", "override.cfg"}
_ENGINE_CACHES = {".import"}
_NATIVE_SUFFIXES = {".gdextension", ".so", ".dll", ".dylib"}

# Settings whose values decide how a game is recorded. They are cut from the copy in every feature-tagged
# variant, because `key.linux` in project.godot would win over our override.cfg.
PINNED = {
    "application/run/main_loop_type": '"SceneTree"',
    "application/run/low_processor_mode": "false",
    "application/run/max_fps": "0",
    "application/run/frame_delay_msec": "0",
    "application/run/disable_stdout": "false",
    "application/run/disable_stderr": "false",
    "application/run/flush_stdout_on_print": "true",
    "application/config/project_settings_override": '""',
    "application/config/custom_user_dir_name": '""',
    "debug/file_logging/enable_file_logging": "false",
    "debug/file_logging/enable_file_logging.pc": "false",  # the engine's own default wins over the one above
    # else any script reads the local variables of those that called it, ours among them
    "debug/settings/gdscript/always_track_local_variables": "false",
    "display/window/size/mode": "0",
    "display/window/subwindows/embed_subwindows": "true",
    "display/window/vsync/vsync_mode": "0",
    "physics/2d/run_on_separate_thread": "false",
    "physics/3d/run_on_separate_thread": "false",
    "rendering/driver/threads/thread_model": "1",
    "xr/openxr/enabled": "false",
}


@dataclass(frozen=True)
class SubmittedProject:
    """A scanned project folder. `files` are relative paths of what goes into the copy, sorted."""

    folder: Path
    files: tuple[str, ...]
    size_bytes: int
    digest: str
    left_out: tuple[str, ...]
    problem: str | None = None

    def has(self, path: str) -> bool:
        return path in self.files

    def settings_text(self) -> str:
        """Its project file."""
        return read_text(self.folder / PROJECT_FILE, MAX_PROJECT_FILE_BYTES)

    @property
    def scripts(self) -> tuple[str, ...]:
        """Scripts of the game itself; add-ons may hold editor code that does not load in a game."""
        return tuple(f for f in self.files if f.endswith(".gd") and not f.startswith("addons/"))


def scan_project(folder: Path) -> SubmittedProject:
    """Walk and hash a project without following any link. Oddities are noted, not raised."""
    files: list[str] = []
    size = 0
    tally = Tally()
    problem, earlier = _read_note(folder)
    try:
        for found in walk(folder, tally):
            if why := _unwanted(found.name):
                tally.leave_out(found.name, why)
            elif _is_of_the_game(found.name):
                files.append(found.name)
                size += found.size
                if found.name == PROJECT_FILE and found.size > MAX_PROJECT_FILE_BYTES:
                    problem = problem or f"a {PROJECT_FILE} of more than {MAX_PROJECT_FILE_BYTES >> 20} MiB"
    except TooMuchError as error:
        problem = problem or str(error)
    digests = {} if problem else dict(_digests(folder, sorted(files), tally))
    return SubmittedProject(
        folder=folder, files=tuple(digests) if not problem else tuple(sorted(files)), size_bytes=size,
        digest=_digest(digests, problem), left_out=(*earlier, *tally.notes), problem=problem,
    )  # fmt: skip


def _unwanted(name: str) -> str:
    if name.partition("/")[0] in _LEFT_OUT:
        return f"settings come from {PROJECT_FILE} alone"
    return "native code is not loaded" if PurePosixPath(name).suffix.lower() in _NATIVE_SUFFIXES else ""


def _is_of_the_game(name: str) -> bool:
    parts = name.split("/")
    folders = {part.casefold() for part in parts[:-1]}
    return name != NOTE and TRACE_FOLDER not in folders and _ENGINE_CACHES.isdisjoint(parts)


def _read_note(folder: Path) -> tuple[str | None, tuple[str, ...]]:
    """Why a submission was refused, if it was, and what was left out when it was copied."""
    note: Any = None
    with suppress(UnreadableFileError):
        note = read_json(folder / NOTE, MAX_TEXT_BYTES)
    if not isinstance(note, dict):
        return None, ()
    refused, left_out = note.get("refused"), note.get("left_out")
    names = [one_line(name) for name in left_out if isinstance(name, str)] if isinstance(left_out, list) else []
    return one_line(refused) if refused and isinstance(refused, str) else None, tuple(names)


def _digests(folder: Path, files: list[str], tally: Tally) -> Iterator[tuple[str, bytes]]:
    """The hash of each file that can be read."""
    for name in files:
        try:
            with open_regular(folder / name) as handle:
                yield name, hashlib.file_digest(handle, "sha256").digest()
        except UnreadableFileError as error:
            tally.leave_out(name, str(error))


def _digest(digests: dict[str, bytes], problem: str | None) -> str:
    """Of names and contents; of a project that is refused, of the reason."""
    total = hashlib.sha256((problem or "").encode())
    for name, content in digests.items():
        total.update(name.encode() + b"\0" + content)
    return total.hexdigest()


def copy_project(project: SubmittedProject, target: Path) -> None:
    """Lay out the safe copy, with the settings that decide recording taken out of project.godot."""
    for name in project.files:
        destination = target / name
        destination.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(project.folder / name, destination, follow_symlinks=False)
    project_file = target / PROJECT_FILE
    text = project_file.read_text(encoding="utf-8", errors="surrogateescape")
    project_file.write_text(settings.without(text, _decides_recording), encoding="utf-8", errors="surrogateescape")
    (target / "override.cfg").touch()  # a place to mount ours on


def put_in_place(project: Path, name: str, data: bytes) -> None:
    """Write a file of ours, whatever stands in its place: a folder of its name, a file where its folder goes."""
    place = project / name
    for folder in reversed(place.relative_to(project).parents[:-1]):
        if not (project / folder).is_dir():
            (project / folder).unlink(missing_ok=True)
            (project / folder).mkdir()
    if place.is_dir():
        shutil.rmtree(place)
    place.write_bytes(data)


def _decides_recording(entry: settings.Setting) -> bool:
    return entry.base_path in PINNED or entry.path.startswith("autoload_prepend/")


def override_file(autoload: str, more: dict[str, str] | None = None) -> str:
    """override.cfg: the pinned settings and more of them, and our script before every autoload of the game."""
    lines = ["[autoload_prepend]", f'GameCraftHarness="*{autoload}"']
    for path, value in (PINNED | (more or {})).items():
        section, key = path.split("/", 1)
        lines += [f"[{section}]", f"{key}={value}"]
    return "\n".join(lines) + "\n"
