"""What a trial's number depends on, by name and hash, and which differences make it the answer to another question."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path

# What is asked of whom, and who judges. A new harness or engine is meant to give the same numbers: that is only noted.
COUNTED = {
    "agent": "agent",
    "instruction": "instruction",
    "rubric": "rubric or hidden test",
    "start": "start project",
    "solution": "solution",
    "judge": "judge",
}
NOTED = ("harness", "engine")
PRODUCED_WITH = ("agent", "instruction", "start", "solution")  # of the agent's work: judging again does not change it
BUILT_IN = ("oracle", "nop")  # their version is the harness's
OF_A_CONFTEST = " (conftest)"  # after what an option of a track came to where a conftest.py overrides its fixture
_NOT_CONTENT = (".godot", "*.import", "*.uid", "coverage.toml")  # what never reaches a workspace


def differing(
    old: Mapping[str, str], new: Mapping[str, str], agent: str, options: Iterable[str] = ()
) -> tuple[str, ...]:
    """The kinds that differ, those of a track's options among them. What one of the two does not know is unknown, not
    different."""
    return tuple(
        kind
        for kind in (*COUNTED, *options)
        if old.get(kind) and new.get(kind) and old[kind] != new[kind] and not (kind == "agent" and agent in BUILT_IN)
    )


def text_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def tree_digest(*folders: Path) -> str:
    """Names and contents below the folders, in this order; one that is not there counts as empty."""
    total = hashlib.sha256()
    for folder in folders:
        for path in _files(folder):
            with path.open("rb") as handle:
                content = hashlib.file_digest(handle, "sha256").digest()
            total.update(path.relative_to(folder).as_posix().encode(errors="surrogateescape") + b"\0" + content)
        total.update(b"\n")
    return total.hexdigest()[:16]


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if any(fnmatch(path.name, pattern) for pattern in _NOT_CONTENT) or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.is_file():
            yield path
