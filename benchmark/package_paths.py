"""Paths in a package, which a stranger may have written: every name that it gives, and every file that it has.

A package is copied, read, laid over other folders and taken away from them. So no name in it may lead out of the folder
that it is meant for, and nothing in it may be anything but a folder or a regular file: a link would carry a file of the
machine to an agent, into a run, or to its deletion.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from benchmark.errors import TaskError
from benchmark.limits import MAX_BYTES, MAX_DEPTH, MAX_FILES, MAX_FOLDERS, MAX_PACKAGE_FILE_BYTES
from benchmark.untrusted import name_problem, of_the_file, shown


def inside(folder: Path, name: object, where: str) -> Path:
    """The place below `folder` that a package names. Raises TaskError, with `where` the name stands, for any other."""
    problem = name_problem(name) if isinstance(name, str) else "is not a text"
    if problem:
        raise TaskError(f"{where}: {shown(name)} must stay inside the project, but it {problem}")
    path = folder
    for part in str(name).split("/"):
        path /= part
        if path.is_symlink():
            raise TaskError(f"{where}: {shown(name)}: {shown(path.name)} is a symbolic link")
    return path


def check_tree(folder: Path) -> None:
    """Raises TaskError for the first thing in a package that must not be there."""
    for problem in tree_problems(folder):
        raise TaskError(problem, fix="put a regular file in its place, or take it out of the package")


def report(error: TaskError, broken: list[TaskError] | None) -> None:
    """One package that cannot be used holds up no other, where the caller keeps a list of them."""
    if broken is None:
        raise error
    broken.append(error)


def tree_problems(folder: Path) -> Iterator[str]:
    """Everything in a package that must not be there, with its place. Nothing is opened."""
    if folder.is_symlink():
        yield f"{folder}: is a symbolic link; a package is a folder"
        return
    count = size = 0
    waiting = [(folder, 0)]
    while waiting:
        place, depth = waiting.pop()
        try:
            with os.scandir(place) as entries:
                children = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if not of_the_file(error):
                raise
            yield f"{shown_path(place)}: cannot be read: {error.strerror}"
            continue
        count += len(children)
        if count > MAX_FILES + MAX_FOLDERS:
            yield f"{folder}: holds more than {MAX_FILES + MAX_FOLDERS} files and folders"
            return
        yield from _alike(place, children)
        for child in children:
            path = place / child.name
            found = child.stat(follow_symlinks=False)
            size += max(found.st_size, found.st_blocks * 512)
            if problem := name_problem(child.name):
                yield f"{shown_path(path)}: its name {problem}"
            elif problem := _problem(path, found, depth):
                yield f"{shown_path(path)}: {problem}"
            elif stat.S_ISDIR(found.st_mode):
                waiting.append((path, depth + 1))
        if size > MAX_BYTES:
            yield f"{folder}: holds more than {MAX_BYTES >> 20} MiB"
            return


def _alike(place: Path, children: list["os.DirEntry[str]"]) -> Iterator[str]:
    """On some systems two such names are one file."""
    seen: dict[str, str] = {}
    for child in children:
        other = seen.setdefault(child.name.casefold(), child.name)
        if other != child.name:
            yield f"{shown_path(place / child.name)}: differs from {shown(other)} only in upper and lower case"


def _problem(path: Path, found: os.stat_result, depth: int) -> str:
    if stat.S_ISLNK(found.st_mode):
        return "is a symbolic link"
    if stat.S_ISDIR(found.st_mode):
        return f"is nested deeper than {MAX_DEPTH} folders" if depth >= MAX_DEPTH else ""
    if not stat.S_ISREG(found.st_mode):
        return "is not a regular file"
    if found.st_size > MAX_PACKAGE_FILE_BYTES:
        return f"is larger than {MAX_PACKAGE_FILE_BYTES >> 20} MiB"
    return "" if os.access(path, os.R_OK) else "cannot be read: Permission denied"


def shown_path(path: Path) -> str:
    """A path in a message: a name in it may hold anything."""
    text = str(path)
    return text if text.isprintable() else shown(text, 200)
