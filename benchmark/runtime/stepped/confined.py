"""The browser in a sandbox of its own: no network, none of the host's files but the browser's, a limit on memory."""

import base64
import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmark.runtime.browser import Browser, browser_root
from benchmark.runtime.machine import find_bwrap
from benchmark.runtime.provision.layout import installed_root
from benchmark.runtime.sandbox import Job, Limits, Mount, Sandbox, choose_sandbox, limited
from benchmark.runtime.seccomp import system_call_filter
from benchmark.runtime.userland import HOST, Userland
from benchmark.runtime.workdir import NOBODY, work_folder

_SCRIPT = Path(__file__).with_name("confine.py")
# No limit on address space: the browser's engine reserves terabytes that it never touches.
_LIMITS = Limits(address_space_bytes=0, cpu_sec=0, threads=4000, file_bytes=1 << 30, disk_bytes=1 << 30)


@dataclass(frozen=True)
class BrowserProgram:
    """What Playwright is to start, and where the process says its number. No such file: it is not confined."""

    program: Path
    process_file: Path | None = None

    @property
    def confined(self) -> bool:
        return self.process_file is not None


@contextmanager
def confined_program(browser: Browser) -> Iterator[BrowserProgram]:
    """The browser in bubblewrap where that works; as it is elsewhere."""
    root = installed_root()
    sandbox = choose_sandbox(HOST, find_bwrap(Userland(root) if root else HOST), browser.program)
    if not isinstance(sandbox, Sandbox):
        yield BrowserProgram(browser.program)
        return
    with work_folder("stepped-browser") as folder:
        yield _write(browser, sandbox, folder)


def _write(browser: Browser, sandbox: Sandbox, folder: Path) -> BrowserProgram:
    home = _home(browser.program)
    job = Job(
        program=Path("/bin/sh"),  # stands in both worlds; the browser's own path is its first argument
        args=("-c", 'exec "$0" "$@"', str(browser.program)),
        mounts=(Mount(str(home).removeprefix("/"), home),) if not home.is_relative_to("/usr") else (),
        env={"PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": "/home/.config", "XDG_CACHE_HOME": "/home/.cache"},
        limits=_LIMITS,
    )
    options, command = sandbox.words(job)
    calls = system_call_filter("agent")
    plan = {
        "before": [*limited(_LIMITS), *sandbox.bwrap],
        "options": options,
        "command": command,
        "calls": base64.b64encode(calls).decode() if calls else "",
        "user": NOBODY if sandbox.as_nobody else 0,
        "process_file": str(folder / "process"),
    }
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    program = folder / "browser"
    words = (sys.executable, "-I", str(_SCRIPT), str(folder / "plan.json"))
    program.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return BrowserProgram(program, folder / "process")


def _home(program: Path) -> Path:
    """The folder with everything that the browser is made of."""
    if program.is_relative_to(browser_root()):
        return browser_root()
    return program.resolve().parent
