"""`setup --browser`: bring a headless Chromium into the per-user cache, without root.

It comes from the release the machine itself runs, not from the suite of the engine. Then it works on the machine's
own C library and starts as an ordinary program: no namespace, which some machines forbid, and file:// pages,
temporary folders and inherited file descriptors are the caller's. A Chromium of another release would have to bring its
loader, and Chromium starts its children through /proc/self/exe, which the loader would then be.
"""

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from benchmark.errors import BenchmarkError, SetupError
from benchmark.paths import cache_root
from benchmark.progress import Progress
from benchmark.runtime import browser as browsers
from benchmark.runtime.browser import LAUNCHER, browser_root
from benchmark.runtime.locking import exclusive
from benchmark.runtime.provision.apt import open_own_release
from benchmark.runtime.provision.install import SetupResult
from benchmark.runtime.provision.layout import read_manifest, runtime_folder
from benchmark.runtime.provision.roots import finish_root, unpack_root

# The shell is what Playwright drives by default; the whole chromium with GTK would be 73 MB more to fetch.
_CHROMIUM = "chromium-headless-shell"
# Liberation has the widths of the fonts that pages name (Arial, Times New Roman, Courier New); DejaVu alone would draw
# faces in black and white. Emoji are 10 MB, but many a small web game draws with nothing else.
PACKAGES = (_CHROMIUM, "fonts-liberation", "fonts-dejavu-core", "fonts-noto-color-emoji")
# The machine's own C library serves. Mesa with LLVM, 48 MB to fetch, stays unused: Chromium has SwiftShader for WebGL.
_LEFT_OUT = ("libc6", "libgl1-mesa-dri", "mesa-libgallium")
_UNPACK_FACTOR = 2.7  # unpacked size over download size, measured on Debian 12
_START_TIMEOUT_SEC = 60
_OTHER_WAYS = f"`playwright install --with-deps chromium`, or name one with ${browsers.BROWSER_VARIABLE}"


def set_up_browser(progress: Progress) -> SetupResult:
    """Make `find_browser` succeed; a Chromium that is already on the machine is left to do the work."""
    started = time.monotonic()
    if _complete():
        return SetupResult(False, time.monotonic() - started)
    runtime_folder().mkdir(parents=True, exist_ok=True)
    waiting = lambda: progress.say("another process is fetching the browser; waiting for it …")  # noqa: E731
    with exclusive(runtime_folder() / "browser.lock", waiting):
        if _complete():
            return SetupResult(False, time.monotonic() - started)
        _fetch(progress)
    progress.done()
    return SetupResult(True, time.monotonic() - started)


def _complete() -> bool:
    if browsers.machine_browser():
        return True
    manifest = read_manifest(browser_root().name)
    if manifest is None or manifest.requested != PACKAGES:
        return False
    try:
        return browsers.fetched_browser() is not None
    except BenchmarkError:
        return False


def _fetch(progress: Progress) -> None:
    apt = open_own_release(cache_root() / "downloads/browser")
    progress.say(f"reading the package index of the {apt.suite} suite …")
    apt.update()
    if apt.candidate(_CHROMIUM) is None:
        raise SetupError(f"the {apt.suite} suite has no {_CHROMIUM}", fix=_OTHER_WAYS)
    apt.leave_out(_LEFT_OUT)
    partial, manifest = unpack_root(apt, PACKAGES, browser_root().name, _UNPACK_FACTOR, progress)
    here = Path(__file__).parent
    shutil.copyfile(here / "chromium-fonts.conf", partial / "fonts.conf")
    shutil.copyfile(here / "chromium.sh", partial / LAUNCHER)
    (partial / LAUNCHER).chmod(0o755)
    _open_a_page(partial / LAUNCHER)
    finish_root(apt, partial, manifest)


def _open_a_page(launcher: Path) -> None:
    """`--version` would not show that its child processes start too."""
    with tempfile.TemporaryDirectory() as profile:
        command = [
            str(launcher), "--headless", "--no-sandbox", "--disable-dev-shm-usage", f"--user-data-dir={profile}",
            "--dump-dom", "data:text/html,<p>page opened</p>",
        ]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_START_TIMEOUT_SEC)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SetupError(f"the fetched Chromium does not start: {error}", fix=_OTHER_WAYS) from error
    if "<p>page opened</p>" not in done.stdout:
        raise SetupError(f"the fetched Chromium does not work here: {done.stderr.strip()[-300:]}", fix=_OTHER_WAYS)
