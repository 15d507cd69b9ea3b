"""The files that a page may see: folders of the host, and nothing else of it."""

import mimetypes
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from benchmark.errors import UsageError
from benchmark.limits import MAX_PACKAGE_FILE_BYTES
from benchmark.untrusted import UnreadableFileError, name_problem, open_regular

ORIGIN = "https://site.test"  # a name that no resolver knows; https, because browsers give other pages less
_INDEX = "index.html"
# Of the machine's own table nothing is taken: it differs from one to the next.
_TYPES = mimetypes.MimeTypes(filenames=())
_MORE_TYPES = {
    ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json", ".wasm": "application/wasm",
    ".webp": "image/webp", ".avif": "image/avif", ".svg": "image/svg+xml", ".ico": "image/x-icon",
    ".woff": "font/woff", ".woff2": "font/woff2", ".ttf": "font/ttf", ".otf": "font/otf", ".ogg": "audio/ogg",
    ".oga": "audio/ogg", ".opus": "audio/ogg", ".m4a": "audio/mp4", ".flac": "audio/flac", ".mp3": "audio/mpeg",
    ".wav": "audio/wav", ".webm": "video/webm", ".mp4": "video/mp4", ".ogv": "video/ogg", ".glb": "model/gltf-binary",
    ".gltf": "model/gltf+json", ".webmanifest": "application/manifest+json", ".map": "application/json",
    ".md": "text/plain", ".yaml": "text/plain", ".toml": "text/plain",
}  # fmt: skip
_TEXT = re.compile(r"text/|application/(?:json|manifest\+json)|image/svg")
_RANGE = re.compile(r"bytes=(\d+)-(\d*)")


@dataclass(frozen=True)
class Site:
    """Folders under path prefixes, and the address that a page begins with: `/index.html?level=2`."""

    mounts: Mapping[str, Path]
    entry: str = "/index.html"

    def __post_init__(self) -> None:
        if not self.mounts or not all(prefix.startswith("/") and prefix.endswith("/") for prefix in self.mounts):
            raise UsageError(f"a site's mounts are {sorted(self.mounts)}; each begins and ends with a slash")
        if not self.entry.startswith("/") or self.entry.startswith("//"):
            raise UsageError(f"a site's entry is {self.entry!r}; it is a path that begins with one slash")

    @property
    def address(self) -> str:
        return ORIGIN + self.entry


@dataclass(frozen=True)
class FileAnswer:
    """What the page gets for a request."""

    status: int
    headers: dict[str, str]
    body: bytes = b""


def is_own(url: str) -> bool:
    """Whether an address is one of the site's."""
    return url == ORIGIN or url.startswith(ORIGIN + "/")


def answer(site: Site, url: str, byte_range: str | None = None) -> FileAnswer:
    """The file behind an address of the site, or why there is none."""
    path = unquote(urlsplit(url).path)
    for prefix in sorted(site.mounts, key=len, reverse=True):
        if path.startswith(prefix):
            return _from_folder(site.mounts[prefix], path.removeprefix(prefix), byte_range)
    return _missing(f"{path} lies in none of the site's folders")


def _from_folder(folder: Path, name: str, byte_range: str | None) -> FileAnswer:
    name = name + _INDEX if not name or name.endswith("/") else name
    if problem := name_problem(name):
        return _missing(f"the path {problem}")
    try:
        body = _read_inside(folder, name)
    except UnreadableFileError as error:
        return _missing(f"{name} {error}")
    headers = {
        "content-type": content_type(name),
        "cache-control": "no-store",
        "accept-ranges": "bytes",
        "x-content-type-options": "nosniff",
    }
    if byte_range and (found := _RANGE.fullmatch(byte_range)):
        first = int(found[1])
        last = min(int(found[2] or len(body)), len(body) - 1)
        if first <= last:
            headers["content-range"] = f"bytes {first}-{last}/{len(body)}"
            return FileAnswer(206, headers, body[first : last + 1])
    return FileAnswer(200, headers, body)


def _read_inside(folder: Path, name: str) -> bytes:
    """A regular file below the folder, reached without following any link."""
    *parents, last = name.split("/")
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for parent in parents:
            try:
                below = os.open(parent, flags, dir_fd=descriptor)
            except OSError as error:
                raise UnreadableFileError("is not in a folder of the site") from error
            os.close(descriptor)
            descriptor = below
        with open_regular(last, descriptor) as handle:
            if os.fstat(handle.fileno()).st_size > MAX_PACKAGE_FILE_BYTES:
                raise UnreadableFileError(f"is larger than {MAX_PACKAGE_FILE_BYTES >> 20} MiB")
            return handle.read(MAX_PACKAGE_FILE_BYTES)
    finally:
        os.close(descriptor)


def content_type(name: str) -> str:
    """By the ending of the name; what nobody knows is bytes."""
    ending = Path(name).suffix.lower()
    kind = _MORE_TYPES.get(ending) or _TYPES.guess_type(f"x{ending}", strict=True)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if _TEXT.match(kind) else kind


def _missing(why: str) -> FileAnswer:
    return FileAnswer(404, {"content-type": "text/plain; charset=utf-8", "cache-control": "no-store"}, why.encode())
