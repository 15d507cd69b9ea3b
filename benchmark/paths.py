"""Where the harness keeps things that outlive one call."""

import os
from pathlib import Path

from benchmark.errors import UsageError

CACHE_VARIABLE = "GAMECRAFT_CACHE"


def cache_root() -> Path:
    """The per-user cache: engine, imported projects, evidence. `$GAMECRAFT_CACHE` moves it."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        path = Path(chosen)
        if not path.is_absolute():
            raise UsageError(f"{CACHE_VARIABLE}: {chosen!r} is not an absolute path")
        return path
    if os.geteuid() == 0:
        # Games run as nobody even if we are root, and nobody cannot look into /root.
        return Path("/var/cache/gamecraft-bench")
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(base) if base.startswith("/") else Path.home() / ".cache"
    return home / "gamecraft-bench"


def beside(folder: Path, ending: str) -> Path:
    """A sibling such as `name.lock` or `name.partial`. Versions have dots, so `with_suffix` would cut them."""
    return folder.with_name(folder.name + ending)
