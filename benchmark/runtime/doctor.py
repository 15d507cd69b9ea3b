"""What is on this machine, whether it works, and how to mend what does not."""

import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmark.errors import BenchmarkError
from benchmark.paths import cache_root
from benchmark.runtime import machine as machines
from benchmark.runtime.browser import BROWSER_FIX, find_browser
from benchmark.runtime.display import virtual_display
from benchmark.runtime.machine import SETUP_FIX, Machine
from benchmark.runtime.provision.layout import read_manifest
from benchmark.runtime.sandbox import Job

MIN_FREE_BYTES = 2 << 30


@dataclass(frozen=True)
class MachineCheck:
    """One row of the table. What is not `vital` can be missing and games still record."""

    name: str
    works: bool
    found: str
    version: str = ""
    fix: str = ""
    vital: bool = True


def examine(godot: str | None, draw: Callable[[Machine], Path]) -> Iterator[MachineCheck]:
    """All checks, cheapest first. `draw` renders one picture and returns its path."""
    yield MachineCheck("python", True, sys.executable, platform.python_version())
    yield _disk()
    yield _browser()
    try:
        machine = machines.find_machine(godot)
    except BenchmarkError as error:
        yield from _missing(godot, error)
        return
    root = machine.userland.root
    manifest = read_manifest()
    source = (
        f"{root} ({manifest.suite} suite)" if manifest and not machine.userland.is_host else "this machine's own /usr"
    )
    yield MachineCheck("programs from", True, source, manifest.created[:10] if manifest else "")
    yield MachineCheck("godot", True, f"{machine.engine.program} ({machine.engine.source})", machine.engine.version)
    yield _tool("xvfb", machine.xvfb, machine)
    if machine.xdotool is None:
        yield MachineCheck("xdotool", False, "not found", fix=SETUP_FIX, vital=False)
    else:
        yield _tool("xdotool", machine.xdotool, machine)
    yield _ffmpeg(machine.ffmpeg)
    yield _sandbox(machine)
    yield _clock(machine)
    if machine.graphics_cache is None:
        yield MachineCheck(
            "shader cache",
            False,
            "not filled: each replay starts half a second later",
            fix=SETUP_FIX,
            vital=False,
        )
    else:
        yield MachineCheck("shader cache", True, str(machine.graphics_cache))
    yield _display(machine)
    yield _picture(machine, draw)


def _missing(godot: str | None, error: BenchmarkError) -> Iterator[MachineCheck]:
    engine_name = "godot"
    try:
        engine = machines.find_engine(godot)
    except BenchmarkError as reason:
        yield MachineCheck(engine_name, False, reason.message, fix=reason.fix or SETUP_FIX)
        return
    if engine is None:
        yield MachineCheck(engine_name, False, "not found", fix=SETUP_FIX)
    else:
        yield MachineCheck(engine_name, True, str(engine.program), engine.version)
        yield MachineCheck("display", False, error.message, fix=error.fix or SETUP_FIX)


def _disk() -> MachineCheck:
    folder = cache_root()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    fix = "free some space, or set GAMECRAFT_CACHE to a larger disk"
    return MachineCheck(
        name="cache", works=free > MIN_FREE_BYTES, found=str(folder), version=f"{free >> 30} GiB free", fix=fix
    )


def _browser() -> MachineCheck:
    try:
        browser = find_browser()
    except BenchmarkError as error:
        found = f"{error.message}; only the report tests and the web and play tracks need one"
        return MachineCheck("browser", False, found, fix=error.fix or BROWSER_FIX, vital=False)
    return MachineCheck("browser", True, f"{browser.program} ({browser.source})", browser.version)


def _tool(name: str, program: Path, machine: Machine) -> MachineCheck:
    """That it loads with its libraries; both print a usage text when asked for nothing sensible."""
    finished = machine.sandbox.run(Job(program, ("-help",) if name == "xvfb" else ("version",)))
    loads = finished.exit_code in (0, 1) and "error while loading" not in finished.text
    manifest = read_manifest()
    version = manifest.versions.get(name, "") if manifest and not machine.userland.is_host else ""
    return MachineCheck(name=name, works=loads, found=str(program), version=version, fix=SETUP_FIX)


def _ffmpeg(program: Path) -> MachineCheck:
    try:
        done = subprocess.run([str(program), "-hide_banner", "-encoders"], capture_output=True, text=True)
        banner = subprocess.run([str(program), "-version"], capture_output=True, text=True).stdout
    except OSError as error:
        return MachineCheck("ffmpeg", False, f"{program}: {error.strerror}", fix="pip install imageio-ffmpeg")
    version = re.search(r"version (\S+)", banner)
    fix = "unset FFMPEG to use the one from PyPI"
    return MachineCheck(
        name="ffmpeg (h264)",
        works="libx264" in done.stdout,
        found=str(program),
        version=version.group(1) if version else "",
        fix=fix,
    )


def _sandbox(machine: Machine) -> MachineCheck:
    if machine.sandbox.confined:
        who = " as a user of its own" if getattr(machine.sandbox, "as_nobody", False) else ""
        found = f"bubblewrap{who}: no network, no host files, nothing to write but a small tmpfs"
        return MachineCheck("sandbox", True, found)
    return MachineCheck(
        "sandbox", False, "NONE: games run with your own rights, limited only in time and memory",
        fix="allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or on Ubuntu "
        "kernel.apparmor_restrict_unprivileged_userns=0)",
        vital=False,
    )  # fmt: skip


def _clock(machine: Machine) -> MachineCheck:
    if machine.clock_library is not None:
        return MachineCheck("virtual clock", True, str(machine.clock_library))
    unpinned = "not built: clocks, own random generators, threads and audio differ from run to run"
    return MachineCheck("virtual clock", False, unpinned, fix=f"install gcc, then {SETUP_FIX}", vital=False)


def _display(machine: Machine) -> MachineCheck:
    try:
        with virtual_display(machine) as display:
            return MachineCheck("display starts", True, f"Xvfb on :{display.number}")
    except BenchmarkError as error:
        return MachineCheck("display starts", False, error.message, fix=SETUP_FIX)


def _picture(machine: Machine, draw: Callable[[Machine], Path]) -> MachineCheck:
    try:
        return MachineCheck("a frame is drawn", True, str(draw(machine)))
    except BenchmarkError as error:
        return MachineCheck("a frame is drawn", False, error.message, fix=error.fix or SETUP_FIX)
