"""What this machine records games with: one frozen value that every stage is given."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchmark.errors import MissingRuntimeError
from benchmark.paths import cache_root
from benchmark.runtime import engine as engines
from benchmark.runtime.engine import Engine
from benchmark.runtime.native import library_path
from benchmark.runtime.provision.layout import installed_engine, installed_root
from benchmark.runtime.sandbox import AnySandbox, choose_sandbox
from benchmark.runtime.userland import HOST, Userland

SETUP_FIX = "python -m benchmark setup"
FFMPEG_VARIABLE = "FFMPEG"
_GRAPHICS_VERSION = 3  # raise it when the test card draws something new, or SAME_ARITHMETIC another way


@dataclass(frozen=True)
class Machine:
    """Engine, display server, encoder and sandbox, all present and started from one userland."""

    userland: Userland
    sandbox: AnySandbox
    engine: Engine
    xvfb: Path
    xdotool: Path | None
    ffmpeg: Path
    clock_library: Path | None
    graphics_cache: Path | None = None
    graphics_writable: bool = False  # only while our own test card fills it


def graphics_cache_folder(engine: Engine) -> Path:
    """Compiled shaders, for this engine on this machine's Mesa, drawing as our library lets it."""
    name = f"{engine.version}-{library_path('clockwork').stem}-{_GRAPHICS_VERSION}"
    return cache_root() / "graphics" / re.sub(r"[^\w.+-]", "_", name)


def userland_of(engine: Engine | None) -> Userland:
    """The private root if it was laid out and can run the engine, else the machine's own."""
    root = installed_root()
    if root is None:
        return HOST
    private = Userland(root)
    if engine is None or engine.program.is_relative_to(root):
        return private
    # An engine from elsewhere runs against the private libraries if it finds all of them there.
    listed = subprocess.run(
        [*private.command(engine.program)[:3], "--list", str(engine.program)], capture_output=True, text=True
    )
    return private if listed.returncode == 0 and "not found" not in listed.stdout else HOST


def find_engine(option: str | None = None) -> Engine | None:
    """In order: what the user named, PATH, what `setup` installed."""
    return engines.chosen_engine(option) or engines.engine_on_path() or installed_engine()


def find_bwrap(userland: Userland) -> tuple[str, ...] | None:
    """The command that starts bubblewrap; a private copy runs through its own loader."""
    if own := userland.program("bwrap"):
        return userland.command(own)
    host = shutil.which("bwrap")
    return (host,) if host else None


def find_ffmpeg() -> Path:
    """`$FFMPEG`, then the one that PyPI's imageio-ffmpeg ships."""
    if chosen := os.environ.get(FFMPEG_VARIABLE):
        if not os.access(chosen, os.X_OK):
            raise MissingRuntimeError(f"${FFMPEG_VARIABLE}: {chosen} is not an executable file")
        return Path(chosen)
    try:
        import imageio_ffmpeg  # only who records needs it

        return Path(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError as error:
        raise MissingRuntimeError("no ffmpeg", fix="pip install imageio-ffmpeg") from error


def find_machine(godot: str | None = None) -> Machine:
    """Everything needed to record, or one line that says what is missing and how to get it."""
    engine = find_engine(godot)
    if engine is None:
        raise MissingRuntimeError("no Godot 4 engine found", fix=SETUP_FIX)
    userland = userland_of(engine)
    xvfb = userland.program("Xvfb")
    if xvfb is None:
        raise MissingRuntimeError("no Xvfb found", fix=SETUP_FIX)
    library = library_path("clockwork")
    graphics = graphics_cache_folder(engine)
    return Machine(
        userland=userland,
        sandbox=choose_sandbox(userland, find_bwrap(userland), engine.program),
        engine=engine,
        xvfb=xvfb,
        xdotool=userland.program("xdotool"),
        ffmpeg=find_ffmpeg(),
        clock_library=library if library.exists() else None,
        graphics_cache=graphics if graphics.exists() else None,
    )
