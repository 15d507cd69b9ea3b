"""`setup`: bring engine, display, sandbox and encoder into the per-user cache, without root."""

import os
import shutil
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmark.errors import BenchmarkError, SetupError
from benchmark.paths import cache_root
from benchmark.progress import Progress
from benchmark.runtime import engine as engines
from benchmark.runtime import machine as machines
from benchmark.runtime import native
from benchmark.runtime.locking import exclusive
from benchmark.runtime.provision import release
from benchmark.runtime.provision.apt import Archive, PrivateApt, open_suites
from benchmark.runtime.provision.layout import Manifest, installed_root, read_manifest, runtime_folder, write_manifest
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
class Outcome:
    """What `setup` found or did."""

    changed: bool
    seconds: float


def set_up(godot: str | None, progress: Progress) -> Outcome:
    """Make `find_machine` succeed. Ten at once: one works, nine wait, and all find it done."""
    started = time.monotonic()
    chosen = engines.chosen_engine(godot) or engines.engine_on_path()
    if _complete(chosen):
        return Outcome(False, time.monotonic() - started)
    runtime_folder().mkdir(parents=True, exist_ok=True)
    waiting = lambda: progress.say("another process is setting up; waiting for it …")  # noqa: E731
    with exclusive(runtime_folder() / "setup.lock", waiting):
        if _complete(chosen):
            return Outcome(False, time.monotonic() - started)
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
    return Outcome(True, time.monotonic() - started)


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
    archives = apt.plan(packages)
    _announce(archives, apt.suite, progress)
    apt.download(packages, progress.update)
    final = runtime_folder() / "root"
    partial = runtime_folder() / "root.partial"
    shutil.rmtree(partial, ignore_errors=True)
    apt.unpack(archives, partial, progress.update)
    for name in ("bin", "lib", "lib64"):  # the layout every Debian program expects
        if not (partial / name).exists():
            (partial / name).symlink_to(f"usr/{name}")
    with_engine = "godot" in packages
    engine_version = engines.read_version(partial / "usr/bin/godot", Userland(partial)) if with_engine else None
    manifest = Manifest(
        requested=packages,
        suite=apt.suite,
        versions={archive.package: archive.version for archive in archives},
        engine_version=engine_version,
        fetched_bytes=sum(archive.size_bytes for archive in archives),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    write_manifest(partial, manifest)
    os.sync()  # a power cut must not leave a complete-looking manifest over empty files
    if final.exists():
        shutil.rmtree(final)
    partial.rename(final)
    shutil.rmtree(apt.home, ignore_errors=True)


def _announce(archives: list[Archive], suite: str, progress: Progress) -> None:
    size = sum(archive.size_bytes for archive in archives)
    need = round(size * (1 + _UNPACK_FACTOR))
    free = shutil.disk_usage(cache_root()).free
    progress.say(
        f"fetching {len(archives)} packages, {size / 1e6:.0f} MB, from the {suite} suite; "
        f"unpacked about {size * _UNPACK_FACTOR / 1e6:.0f} MB in {runtime_folder() / 'root'}"
    )
    if free < need:
        raise SetupError(
            f"{need / 1e6:.0f} MB are needed below {cache_root()}, {free / 1e6:.0f} MB are free",
            fix="free some space, or set GAMECRAFT_CACHE to a folder on a larger disk",
        )


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
