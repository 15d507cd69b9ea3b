"""The browser of this process: started when the first game is opened, used by all games after it."""

import atexit
import contextlib
import threading

from benchmark.runtime.stepped.browser import SteppedBrowser

_running: dict[int, SteppedBrowser] = {}  # by thread: pages of one browser share its speed
_lock = threading.Lock()


def shared_browser() -> SteppedBrowser:
    """Raises InfrastructureError, or MissingRuntimeError where there is none."""
    name = threading.get_ident()
    with _lock:
        if not _running:
            atexit.register(close_all)
        if name not in _running:
            browser = SteppedBrowser()
            browser.__enter__()
            _running[name] = browser
        return _running[name]


def forget_browser() -> None:
    """After a failure of the browser itself: the next game gets a new one."""
    with _lock:
        browser = _running.pop(threading.get_ident(), None)
    if browser:
        _close(browser)


def close_all() -> None:
    with _lock:
        browsers = list(_running.values())
        _running.clear()
    for browser in browsers:
        _close(browser)


def _close(browser: SteppedBrowser) -> None:
    with contextlib.suppress(Exception):  # it may be gone already, which is what is wanted
        browser.__exit__(None, None, None)
