"""Building what is written in C: libraries that are loaded before others, and two programs for agents.

The libraries: what is pinned in the engine, and a keymap compiler for a display without sandbox.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Literal

from benchmark.errors import SetupError
from benchmark.paths import cache_root
from benchmark.runtime.sandbox import AnySandbox, Job, Mount, Sandbox
from benchmark.runtime.userland import Userland
from benchmark.runtime.workdir import work_folder

Library = Literal["clockwork", "keyboard", "relay", "porter"]
LIBRARIES: dict[Library, tuple[str, ...]] = {
    "clockwork": ("clockwork.c", "canvas.c", "processor.c"),
    "keyboard": ("keyboard.c",),
    "relay": ("relay.c",),
    "porter": ("porter.c",),
}
PROGRAMS: frozenset[Library] = frozenset({"relay", "porter"})  # these need nothing of the place where they run
_SHARED, _STATIC = ("-shared", "-fPIC", "-O2", "-o"), ("-static", "-O2", "-s", "-o")


def _sources(library: Library) -> tuple[Path, ...]:
    return tuple(Path(__file__).with_name(name) for name in LIBRARIES[library])


def library_path(library: Library) -> Path:
    """Where the built library lies; its name carries the hash of its sources."""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in _sources(library))).hexdigest()[:16]
    return cache_root() / "native" / f"{library}-{digest}{'' if library in PROGRAMS else '.so'}"


def all_built() -> bool:
    return all(library_path(library).exists() for library in LIBRARIES)


def host_compiler() -> str | None:
    """A C compiler of this machine that really links a shared library."""
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        compiler = shutil.which(name) if name else None
        if compiler is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "probe.c")
            source.write_text("#include <dlfcn.h>\nint probe;\n", encoding="ascii")
            command = [compiler, *_SHARED, f"{folder}/probe.so", str(source)]
            if subprocess.run(command, capture_output=True).returncode == 0:
                return compiler
    return None


def build(userland: Userland, sandbox: AnySandbox) -> None:
    """Compile what is missing; the private root's compiler serves where the host has none."""
    compiler = host_compiler()
    for library in LIBRARIES:
        target = library_path(library)
        if target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        with work_folder("compile") as folder:
            names, flags = LIBRARIES[library], _STATIC if library in PROGRAMS else _SHARED
            for source in _sources(library):
                shutil.copyfile(source, folder / source.name)
            if compiler is not None:
                command = [compiler, *flags, "library.so", *names, "-ldl", "-lpthread"]
                done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
                failed, message = done.returncode != 0, done.stderr
            elif (gcc := userland.program("gcc")) and isinstance(sandbox, Sandbox):
                arguments = (*flags, "/build/library.so", *(f"/build/{name}" for name in names), "-ldl", "-lpthread")
                job = Job(gcc, arguments, (Mount("build", folder, "write"),), env={"PATH": "/usr/bin"})
                finished = sandbox.run(job)
                failed, message = finished.exit_code != 0, finished.text
            else:
                raise SetupError("no C compiler to build our libraries with", fix="install gcc, then run setup again")
            if failed:
                raise SetupError(f"{library} does not compile: {message.strip()[-400:]}")
            partial = target.with_name(f"{target.name}.{os.getpid()}")
            shutil.copyfile(folder / "library.so", partial)
            partial.chmod(0o755)
            partial.replace(target)
