"""Building the preload library (`clockwork.c`) that gives the engine a virtual clock."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from benchmark.errors import SetupError
from benchmark.paths import cache_root
from benchmark.runtime.sandbox import Job, Mount, Sandbox
from benchmark.runtime.userland import Userland

SOURCE = Path(__file__).with_name("clockwork.c")
_FLAGS = ("-shared", "-fPIC", "-O2", "-o")


def library_path() -> Path:
    """Where the built library lies; its name carries the hash of its source."""
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]
    return cache_root() / "native" / f"clockwork-{digest}.so"


def host_compiler() -> str | None:
    """A C compiler of this machine that really links a shared library."""
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        compiler = shutil.which(name) if name else None
        if compiler is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "probe.c")
            source.write_text("#include <dlfcn.h>\nint probe;\n", encoding="ascii")
            command = [compiler, *_FLAGS, f"{folder}/probe.so", str(source)]
            if subprocess.run(command, capture_output=True).returncode == 0:
                return compiler
    return None


def build(userland: Userland, sandbox: object) -> Path:
    """Compile the library once per source; the private root's compiler serves where the host has none."""
    target = library_path()
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        partial = Path(folder, "clockwork.so")
        if compiler := host_compiler():
            command = [compiler, *_FLAGS, str(partial), str(SOURCE), "-ldl", "-lpthread"]
            done = subprocess.run(command, capture_output=True, text=True)
            failed, message = done.returncode != 0, done.stderr
        elif (gcc := userland.program("gcc")) and isinstance(sandbox, Sandbox):
            source, out = Mount("source", SOURCE.parent), Mount("out", Path(folder), "write")
            arguments = (*_FLAGS, "/out/clockwork.so", "/source/clockwork.c", "-ldl", "-lpthread")
            finished = sandbox.run(Job(gcc, arguments, (source, out), env={"PATH": "/usr/bin"}))
            failed, message = finished.exit_code != 0, finished.text
        else:
            raise SetupError("no C compiler to build the clock library with", fix="install gcc, then run setup again")
        if failed:
            raise SetupError(f"the clock library does not compile: {message.strip()[-400:]}")
        partial.replace(target)
    return target
