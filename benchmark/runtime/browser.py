"""A headless Chromium for what has to look at a page: where it is, and which version."""

import importlib.util
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmark.errors import MissingRuntimeError, UsageError
from benchmark.runtime.provision.layout import read_manifest, runtime_folder

BROWSER_VARIABLE = "GAMECRAFT_BROWSER"
BROWSER_FIX = "python -m benchmark setup --browser"
LAUNCHER = "chromium"  # in the private root: the script that starts its Chromium
_NAMES_ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chromium-headless-shell")
_START_TIMEOUT_SEC = 30


@dataclass(frozen=True)
class Browser:
    """A Chromium that has told its version. `program` takes Chromium's own options."""

    program: Path
    source: str
    version: str


def find_browser() -> Browser:
    """In order: `$GAMECRAFT_BROWSER`, Playwright's own Chromium, PATH, what `setup --browser` fetched."""
    if browser := machine_browser():
        return browser
    browser = fetched_browser()
    if browser is None:
        raise MissingRuntimeError("no Chromium found", fix=BROWSER_FIX)
    return browser


def machine_browser() -> Browser | None:
    """A Chromium this machine has without our doing; one that does not start is passed over."""
    if chosen := os.environ.get(BROWSER_VARIABLE):
        return _chosen_browser(chosen)
    candidates = [(program, "Playwright's own") for program in _playwright_programs()]
    candidates += [(Path(found), "PATH") for name in _NAMES_ON_PATH if (found := shutil.which(name))]
    for program, source in candidates:
        try:
            return Browser(program, source, read_version(program))
        except MissingRuntimeError:  # Playwright's without its libraries, Ubuntu's stub that asks for a snap
            continue
    return None


def fetched_browser() -> Browser | None:
    """The Chromium in the private root, if `setup --browser` completed it."""
    manifest = read_manifest(browser_root().name)
    if manifest is None:
        return None
    program = browser_root() / LAUNCHER
    try:
        return Browser(program, f"archive ({manifest.suite})", read_version(program))
    except MissingRuntimeError as error:
        raise MissingRuntimeError(error.message, fix=BROWSER_FIX) from error


def browser_root() -> Path:
    """Named after the machine's release, because the Chromium inside runs on the machine's C library."""
    try:
        release = platform.freedesktop_os_release().get("VERSION_CODENAME", "unnamed")
    except OSError:
        release = "unnamed"
    return runtime_folder() / f"browser-{release}"


def read_version(program: Path) -> str:
    """`chromium --version`, or MissingRuntimeError with the reason."""
    try:
        done = subprocess.run(
            [str(program), "--version"],
            capture_output=True, text=True, errors="replace", timeout=_START_TIMEOUT_SEC, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingRuntimeError(f"{program} does not start: {error}") from error
    found = re.search(r"\d+(\.\d+){3}", done.stdout)
    if done.returncode != 0 or not found:
        said = (done.stdout + done.stderr).strip()[:300]
        raise MissingRuntimeError(f"{program} is not a Chromium that works here: --version says {said!r}")
    return found.group()


def _chosen_browser(value: str) -> Browser:
    program = Path(value).absolute()
    if not (program.is_file() and os.access(program, os.X_OK)):
        raise UsageError(
            f"${BROWSER_VARIABLE}: {value} is not an executable file",
            fix=f"name a Chromium or Chrome program, or unset {BROWSER_VARIABLE} to have one looked for",
        )
    return Browser(program, f"${BROWSER_VARIABLE}", read_version(program))


def _playwright_programs() -> Iterator[Path]:
    """Playwright's downloads, newest first. Asking Playwright itself would start its driver process."""
    package = importlib.util.find_spec("playwright")
    if package is None or package.origin is None:
        return
    place = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if place == "0":  # Playwright's word for: inside the package
        folder = Path(package.origin).parent / "driver/package/.local-browsers"
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = Path(place) if place else cache / "ms-playwright"
    revisions = {path: re.fullmatch(r"chromium(?:_headless_shell)?-(\d+)", path.name) for path in _children(folder)}
    complete = [
        (int(match.group(1)), path)
        for path, match in revisions.items()
        if match and (path / "INSTALLATION_COMPLETE").exists()
    ]
    # of one revision the headless shell comes first: it is what Playwright starts by default
    for _, path in sorted(complete, reverse=True):
        for name in ("chrome-headless-shell", "headless_shell", "chrome"):
            yield from path.glob(f"chrome-*linux*/{name}")


def _children(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []
