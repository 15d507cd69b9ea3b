"""Files that are either whole or not there, whoever is killed or writes at the same time, however full the disk is."""

import contextlib
import json
import os
import secrets
import shutil
import subprocess
from pathlib import Path
from typing import Any

from benchmark.redaction import redact, redact_data


def write_whole(path: Path, text: str) -> None:
    """Write beside, then move into place: the old content stays until the new one is on the disk. Without secrets."""
    _write(path, redact(text))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        with partial.open("wb") as handle:
            handle.write(text.encode("utf-8", "replace"))  # half of a surrogate pair is legal in JSON and in no file
            handle.flush()
            os.fsync(handle.fileno())  # else a crash of the machine may keep the name and lose the content
        partial.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise


def write_json(path: Path, data: Any) -> None:
    """Readable JSON, whole or not at all, without secrets.

    NaN is refused: a number that is none has no place in a record.
    """
    _write(path, json.dumps(redact_data(data), indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def remove_tree(folder: Path) -> None:
    """Remove a folder whatever is in it, as far as its permissions allow; one that is not there is fine."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:  # nested deeper than Python can go
        subprocess.run(["rm", "-rf", "--", str(folder)], check=False, stderr=subprocess.DEVNULL)
