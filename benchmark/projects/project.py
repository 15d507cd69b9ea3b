"""The submitted project: what is in it, its identity, and a safe copy to run.

The copy never contains what could run before or instead of the game (engine caches, native extensions,
setting overrides), nor links, special files or the traces.
"""

import hashlib
import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from benchmark.projects import settings

MAX_FILES = 20_000
MAX_BYTES = 1 << 30
MAX_DEPTH = 32
PROJECT_FILE = "project.godot"
TRACE_FOLDER = "demo_outputs"  # demos are read from the submission; the game that plays them never sees them
MAX_PROJECT_FILE_BYTES = 1 << 20

# Left out of every copy: version control, engine caches (their extension list loads native code), traces.
_LEFT_OUT_FOLDERS = {".godot", ".import", ".git", "__MACOSX"}
_LEFT_OUT_FILES = {"project.binary", "override.cfg"}
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

    @property
    def scripts(self) -> tuple[str, ...]:
        """Scripts of the game itself; add-ons may hold editor code that does not load in a game."""
        return tuple(f for f in self.files if f.endswith(".gd") and not f.startswith("addons/"))


def scan_project(folder: Path) -> SubmittedProject:
    """Walk and hash a project without following any link. Oddities are noted, not raised."""
    files: list[str] = []
    left_out: list[str] = []
    size = 0
    problem: str | None = None
    pending = [Path()]
    while pending and problem is None:
        relative = pending.pop()
        try:
            children = sorted(os.scandir(folder / relative), key=lambda entry: entry.name)
        except OSError as error:
            left_out.append(f"{relative}: {error.strerror}")
            continue
        for child in children:
            path = relative / child.name
            name = path.as_posix()
            if not _is_clean(name):
                left_out.append(f"{name!r}: a name the engine cannot use")
                continue
            information = child.stat(follow_symlinks=False)
            mode = information.st_mode
            if stat.S_ISLNK(mode):
                left_out.append(f"{name}: a symbolic link")
            elif stat.S_ISDIR(mode):
                if name == TRACE_FOLDER or child.name in _LEFT_OUT_FOLDERS:
                    continue
                if len(path.parts) > MAX_DEPTH:
                    left_out.append(f"{name}: nested deeper than {MAX_DEPTH} folders")
                else:
                    pending.append(path)
            elif not stat.S_ISREG(mode):
                left_out.append(f"{name}: not a regular file")
            elif name in _LEFT_OUT_FILES:
                left_out.append(f"{name}: settings come from {PROJECT_FILE} alone")
            elif path.suffix.lower() in _NATIVE_SUFFIXES:
                left_out.append(f"{name}: native code is not loaded")
            else:
                files.append(name)
                size += information.st_size
                if len(files) > MAX_FILES:
                    problem = f"more than {MAX_FILES} files"
                elif size > MAX_BYTES:
                    problem = f"more than {MAX_BYTES >> 20} MiB"
    files.sort()
    digest = _digest(folder, files) if problem is None else ""
    return SubmittedProject(folder, tuple(files), size, digest, tuple(sorted(left_out)), problem)


def _is_clean(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\n" not in name and "\\" not in name


def _digest(folder: Path, files: list[str]) -> str:
    total = hashlib.sha256()
    for name in files:
        with (folder / name).open("rb") as handle:
            content = hashlib.file_digest(handle, "sha256")
        total.update(name.encode() + b"\0" + content.digest())
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


def _decides_recording(entry: settings.Entry) -> bool:
    return entry.base_path in PINNED or entry.path.startswith("autoload_prepend/")


def override_file(autoload: str) -> str:
    """override.cfg: the pinned settings, and our script before every autoload of the game."""
    lines = ["[autoload_prepend]", f'GameCraftHarness="*{autoload}"']
    for path, value in PINNED.items():
        section, key = path.split("/", 1)
        lines += [f"[{section}]", f"{key}={value}"]
    return "\n".join(lines) + "\n"
