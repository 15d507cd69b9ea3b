"""The Godot program: where it comes from, what version it is."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchmark.errors import MissingRuntimeError
from benchmark.runtime.userland import HOST, Userland

ENGINE_VARIABLE = "GODOT"
OLDEST_ACCEPTED = (4, 4)
# StreamPeerUDS, by which both recorders speak to the host, came with 4.6.
OLDEST_FOR_RECORDING = (4, 6)


@dataclass(frozen=True)
class Engine:
    """A Godot editor build that has told its version."""

    program: Path
    version: str
    source: str

    @property
    def number(self) -> tuple[int, int]:
        major, minor = re.findall(r"\d+", self.version)[:2]
        return int(major), int(minor)


def read_version(program: Path, userland: Userland) -> str:
    """`godot --version`, or MissingRuntimeError with the reason."""
    private = program.is_relative_to(userland.root) and not userland.is_host
    command = userland.command(program) if private else (str(program),)
    try:
        done = subprocess.run(
            [*command, "--version", "--headless"],
            capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingRuntimeError(f"{program} does not start: {error}") from error
    found = re.search(r"^(\d+\.\d+\S*)", done.stdout, re.MULTILINE)
    if not found:
        raise MissingRuntimeError(
            f"{program} is not Godot 4: --version says {(done.stdout + done.stderr).strip()[:200]!r}"
        )
    version = found.group(1)
    engine = Engine(program, version, "")
    if engine.number < OLDEST_ACCEPTED:
        raise MissingRuntimeError(
            f"{program} is Godot {version}; at least {'.'.join(map(str, OLDEST_ACCEPTED))} is needed"
        )
    return version


def chosen_engine(option: str | None) -> Engine | None:
    """An engine the user named, by `--godot` or `$GODOT`; one that does not work is an error."""
    for source, value in (("--godot", option), (f"${ENGINE_VARIABLE}", os.environ.get(ENGINE_VARIABLE))):
        if value:
            path = Path(value).absolute()
            if not (path.is_file() and os.access(path, os.X_OK)):
                raise MissingRuntimeError(f"{source}: {value} is not an executable file")
            return Engine(path, read_version(path, HOST), source)
    return None


def engine_on_path() -> Engine | None:
    """`godot` on PATH if it is a usable version 4; another version is passed over."""
    if found := shutil.which("godot"):
        try:
            return Engine(Path(found), read_version(Path(found), HOST), "PATH")
        except MissingRuntimeError:
            return None
    return None
