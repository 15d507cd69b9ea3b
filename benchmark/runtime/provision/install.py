"""`setup`: bring engine, display, sandbox and encoder into the per-user cache, without root."""

import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path

from benchmark.errors import BenchmarkError, SetupError
from benchmark.paths import cache_root
from benchmark.progress import Progress
from benchmark.runtime import engine as engines
from benchmark.runtime import machine as machines
from benchmark.runtime import native
from benchmark.runtime.locking import exclusive
from benchmark.runtime.provision import release
from benchmark.runtime.provision.apt import PrivateApt, open_suites
from benchmark.runtime.provision.layout import installed_root, read_manifest, runtime_folder
from benchmark.runtime.provision.roots import finish_root, unpack_root
from benchmark.runtime.sandbox import choose_sandbox
from benchmark.runtime.userland import HOST, Userland

# Vulkan is not needed: games are drawn by Mesa's software OpenGL. Xvfb starts xkbcomp through a shell.
DISPLAY_PACKAGES = (
    "xvfb", "xdotool", "bubblewrap", "dash", "fonts-dejavu-core",
    "libgl1-mesa-dri", "libgl1", "libglx-mesa0", "libegl1", "libgles2",
)  # fmt: skip
# What the official build of the engine opens at run time and the packaged one is linked against.
RELEASE_PACKAGES = (
    "libxcursor1", "libxinerama1", "libxrandr2", "libxi6", "libxkbcommon0", "libfontconfig1", "libasound2",
    "libasound2t64",
)  # fmt: skip
COMPILER_PACKAGES = ("gcc", "libc6-dev")
_UNPACK_FACTOR = 3.4  # unpacked size over download size, measured on the Godot closure


@dataclass(frozen=True)
class SetupResult:
    """What `setup` found or did."""

    changed: bool
    seconds: float


def set_up(godot: str | None, progress: Progress) -> SetupResult:
    """Make `find_machine` succeed. Ten at once: one works, nine wait, and all find it done."""
    started = time.monotonic()
    chosen = engines.chosen_engine(godot) or engines.engine_on_path()
    if _complete(chosen):
        return SetupResult(False, time.monotonic() - started)
    runtime_folder().mkdir(parents=True, exist_ok=True)
    waiting = lambda: progress.say("another process is setting up; waiting for it …")  # noqa: E731
    with exclusive(runtime_folder() / "setup.lock", waiting):
        if _complete(chosen):
            return SetupResult(False, time.monotonic() - started)
        progress.say(f"setting up in {cache_root()}")
        _install_root(chosen, progress)
        engine = chosen or machines.find_engine()
        userland = machines.userland_of(engine)
        shell = userland.program("sh") or Path("/bin/sh")
        sandbox = choose_sandbox(userland, machines.find_bwrap(userland), shell)
        try:
            native.build(userland, sandbox)
        except SetupError as error:  # games still record, with less pinned; doctor says what
            progress.say(f"warning: {error}")
    progress.done()
    return SetupResult(True, time.monotonic() - started)


def _complete(chosen: engines.Engine | None) -> bool:
    try:
        machine = machines.find_machine(str(chosen.program) if chosen else None)
    except BenchmarkError:
        return False
    nothing_better = machine.sandbox.confined or installed_root() is not None
    return native.all_built() and machine.xdotool is not None and nothing_better


def _install_root(chosen: engines.Engine | None, progress: Progress) -> None:
    wanted: tuple[str, ...] = DISPLAY_PACKAGES
    if native.host_compiler() is None and not native.all_built():
        wanted += COMPILER_PACKAGES
    have = read_manifest()
    if have and set(wanted) <= set(have.requested) and (chosen or machines.find_engine()):
        return
    problems: list[str] = []
    without_engine: list[PrivateApt] = []
    try:
        for apt in open_suites(cache_root() / "downloads"):
            progress.say(f"reading the package index of the {apt.suite} suite …")
            apt.update()
            version = apt.candidate("godot") or "none"
            if chosen is None and version.startswith("4."):
                _lay_out(apt, (*wanted, "godot"), progress)
                return
            without_engine.append(apt)
            problems.append(f"the {apt.suite} suite has Godot {version}")
            if chosen is not None:
                break
        if without_engine:
            apt = without_engine[0]
            _lay_out(apt, (*wanted, *filter(apt.candidate, RELEASE_PACKAGES)), progress)
    except SetupError as error:
        problems.append(error.message)
    if chosen is None:
        _install_release(progress, problems)


def _lay_out(apt: PrivateApt, packages: tuple[str, ...], progress: Progress) -> None:
    partial, manifest = unpack_root(apt, packages, "root", _UNPACK_FACTOR, progress)
    if "godot" in packages:
        version = engines.read_version(partial / "usr/bin/godot", Userland(partial))
        manifest = replace(manifest, engine_version=version)
    finish_root(apt, partial, manifest)


def _install_release(progress: Progress, problems: list[str]) -> None:
    progress.say("the package archive did not do: trying the official release …")
    folder = runtime_folder() / "release"
    partial = runtime_folder() / "release.partial"
    shutil.rmtree(partial, ignore_errors=True)
    try:
        program = release.fetch_release(partial, progress.update)
        version = engines.read_version(program, HOST)
    except BenchmarkError as error:
        problems.append(error.message)
        raise SetupError(
            "no Godot engine could be had: " + "; ".join(problems),
            fix="install Godot 4.4 or newer and name it with --godot PATH, then run setup again",
        ) from error
    (partial / "version").write_text(version, encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)
