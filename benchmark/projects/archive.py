"""A Godot project of a stranger, in a folder or in a zip.

A zip is looked at before Python's reader lists it: that takes memory for whatever the index promises.
"""

import hashlib
import json
import lzma
import os
import struct
import zipfile
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from benchmark.errors import TaskError
from benchmark.limits import MAX_ARCHIVE_INDEX_BYTES, MAX_BYTES, MAX_FILES, MAX_PACKAGE_FILE_BYTES
from benchmark.package_paths import check_tree
from benchmark.projects.project import PROJECT_FILE
from benchmark.untrusted import UnreadableFileError, name_problem, open_regular, read_bytes, shown
from benchmark.versions import text_digest

_END, _END_BYTES, _LONGEST_COMMENT = b"PK\x05\x06", 22, 1 << 16
_LARGE_END, _LARGE_END_BYTES = b"PK\x06\x07", 20
# What reading a zip raises: RuntimeError where it wants a password, the others where it is damaged.
_BAD_ZIP = (
    OSError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, RuntimeError, ValueError,
)  # fmt: skip


@dataclass(frozen=True)
class Archive:
    """A project in a folder or in a zip. Names that lead out of it, and links, are not in it."""

    path: Path
    hidden: frozenset[str] = frozenset()  # names in lower case of files that are read, but not laid out

    @cached_property
    def _names(self) -> dict[str, str]:
        """Path in the project → name in the archive. A zip may hold the project in a folder of its own."""
        if self.path.is_dir():
            check_tree(self.path)
            found = sorted(p for p in self.path.rglob("*") if p.is_file())
            return {p.relative_to(self.path).as_posix(): str(p) for p in found}
        _check(self.path)
        try:
            with zipfile.ZipFile(self.path) as archive:
                entries = [e for e in archive.infolist() if not e.is_dir() and _is_plain(e)]
        except _BAD_ZIP as error:
            raise TaskError(f"{self.path}: {error}") from error
        if len(entries) > MAX_FILES or sum(entry.file_size for entry in entries) > MAX_BYTES:
            raise TaskError(f"{self.path}: larger than a project may be")
        tops = [
            e.filename.removesuffix(PROJECT_FILE) for e in entries if PurePosixPath(e.filename).name == PROJECT_FILE
        ]
        top = min(tops, key=len, default="")
        names = {e.filename.removeprefix(top): e.filename for e in entries if e.filename.startswith(top)}
        for name in names:
            if stands_on := next((str(p) for p in PurePosixPath(name).parents if str(p) in names), None):
                raise TaskError(f"{self.path}: {shown(stands_on)} is a file and a folder in it")
        return names

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(name for name in self._names if PurePosixPath(name).parts[0] not in (".godot", "__MACOSX"))

    def read(self, name: str) -> bytes:
        try:
            if self.path.is_dir():
                return read_bytes(self._names[name], MAX_PACKAGE_FILE_BYTES)
            with zipfile.ZipFile(self.path) as archive:
                return archive.read(self._names[name])
        except KeyError as error:
            raise TaskError(f"{self.path}: there is no {name} in it") from error
        except _BAD_ZIP as error:
            raise TaskError(f"{self.path}: {name}: {error}") from error

    def find(self, name: str) -> str | None:
        """The name as it is spelled here; projects from other systems differ in case."""
        if name in self._names:
            return name
        return next((found for found in self._names if found.lower() == name.lower()), None)

    def lay_out(self, target: Path) -> None:
        """Everything but hidden files, into a folder that does not exist yet."""
        target.mkdir(parents=True)
        wanted = self._visible
        if self.path.is_dir():
            for name in wanted:
                _write(target / name, self.read(name))
            return
        try:
            with zipfile.ZipFile(self.path) as archive:  # opened once for all of them
                for name in wanted:
                    _write(target / name, archive.read(self._names[name]))
        except _BAD_ZIP as error:
            raise TaskError(f"{self.path}: {error}") from error

    @property
    def _visible(self) -> list[str]:
        return [name for name in self.files if name.lower() not in self.hidden]

    def digest(self) -> str:
        """Of the same files. A zip has their checksums in its index: nothing is unpacked."""
        if self.path.is_dir():
            sums = {name: hashlib.sha256(self.read(name)).hexdigest() for name in self._visible}
        else:
            try:
                with zipfile.ZipFile(self.path) as archive:
                    entries = {name: archive.getinfo(self._names[name]) for name in self._visible}
            except _BAD_ZIP as error:
                raise TaskError(f"{self.path}: {error}") from error
            sums = {name: f"{entry.CRC:08x} {entry.file_size}" for name, entry in entries.items()}
        return text_digest(json.dumps(sums, sort_keys=True))


def _is_plain(entry: zipfile.ZipInfo) -> bool:
    is_link = (entry.external_attr >> 16) & 0o170000 == 0o120000
    return not name_problem(entry.filename) and not is_link


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _check(path: Path) -> None:
    """Raises TaskError for what is no zip, or for one with an index larger than any project's."""
    try:
        with open_regular(path) as handle:
            size = os.fstat(handle.fileno()).st_size
            handle.seek(max(0, size - _END_BYTES - _LONGEST_COMMENT - _LARGE_END_BYTES))
            tail = handle.read()
    except UnreadableFileError as error:
        raise TaskError(f"{path}: {error}") from error
    end = tail.rfind(_END)
    if end < 0 or len(tail) < end + _END_BYTES:
        raise TaskError(f"{path}: is not a zip")
    index = int.from_bytes(tail[end + 12 : end + 16], "little")
    if size > MAX_BYTES or index > MAX_ARCHIVE_INDEX_BYTES or _LARGE_END in tail[:end]:
        raise TaskError(f"{path}: larger than a project may be")
