"""Where pages go: a folder that holds something else is never replaced."""

import contextlib
import json
from pathlib import Path

from benchmark.errors import UsageError


def check_place(out: Path, summary: str, kind: str, complaint: str) -> None:
    """Only a folder that is empty, not there, or whose summary says that it is of that kind. Raises UsageError."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if json.loads((out / summary).read_text(encoding="utf-8")).get("kind") == kind:
            return
    raise UsageError(complaint, fix="name a folder that does not exist yet")
