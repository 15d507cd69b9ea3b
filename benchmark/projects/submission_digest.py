"""By what a stored submission is known again: whatever was lost or changed since is no fault of the agent's."""

import errno
import hashlib
import os
import stat
from pathlib import Path

NOTHING = hashlib.sha256().hexdigest()  # the digest of a folder without files


def submission_digest(folder: Path) -> str:
    """Names and contents of every file below the folder. Raises OSError, also for what is no plain file."""
    total = hashlib.sha256()
    for parent, folders, names in os.walk(folder, onerror=_raise):
        folders.sort()
        for name in sorted(names):
            path = Path(parent, name)
            if not stat.S_ISREG(path.lstat().st_mode):  # nothing that we put there
                raise OSError(errno.EINVAL, "not a regular file", str(path))
            total.update(os.fsencode(path.relative_to(folder)) + b"\0")
            with path.open("rb") as handle:
                total.update(hashlib.file_digest(handle, "sha256").digest())
    return total.hexdigest()


def _raise(error: OSError) -> None:
    raise error
