"""Resource ids: `uid://…`, by which scenes name scripts and pictures even where those were moved.

A scene or resource has its id in its first tag, a file that was imported in the note about it, any other file in a
`.uid` file beside it, which wins where a scene has both. The editor takes only ids of files that are there. Of two
files with one id, the last it comes across has it: we leave that to it.
"""

import re
import struct
from collections.abc import Iterable
from pathlib import Path

from benchmark.limits import MAX_READ_ALONE_BYTES
from benchmark.projects.editor import IMPORT_NOTE, IMPORTED_SUFFIXES, NotPlainError, suffix_of
from benchmark.untrusted import UnreadableFileError, read_head, read_text

IMPORT_ID = re.compile(r'^uid="(uid://[^"]*)"', re.MULTILINE)
_ID = re.compile(r"uid://[a-z0-9]*")
_ID_BITS = 0x7FFF_FFFF_FFFF_FFFF
_LETTERS = "abcdefghijklmnopqrstuvwxy012345678"  # as the engine counts
_MORE_LETTERS = {"z": 25, "9": 34}  # it writes neither, but reads both

_TEXT_SUFFIXES = {".tscn", ".tres"}
_HEAD_BYTES = 1 << 16
_HEAD = re.compile(
    r"""
    (?: \s | ;[^\n]*\n )*
    \[ \s* (?P<kind>gd_scene|gd_resource) (?P<fields> (?: \s+ \w+ \s* = \s* (?: "[^"\\]*" | \d+ ) )* ) \s* \]
    """,
    re.VERBOSE,
)
_FIELD = re.compile(r'(\w+)\s*=\s*(?:"([^"]*)"|(\d+))')
_TEXT_FORMATS = {"2", "3", "4"}

_BINARY_SUFFIXES = {
    ".anim", ".atlastex", ".curvetex", ".dpitex", ".fontdata", ".image", ".lmbake", ".material", ".mesh", ".meshlib",
    ".meshtex", ".mp3str", ".multimesh", ".occ", ".oggvorbisstr", ".phymat", ".repl", ".res", ".sample", ".scn",
    ".shape", ".stylebox", ".tex", ".theme", ".translation",
}  # fmt: skip
_BINARY_FORMAT = 6  # the newest that was looked at
_BINARY_HAS_ID = 2

# All other kinds of files that the editor knows: those have their id beside them. It passes by the `.uid` files of
# unknown kinds.
_ID_BESIDE = {
    ".gd", ".gdc", ".gdshader", ".gdshaderinc", ".cfg", ".crt", ".icns", ".ico", ".ini", ".json", ".key", ".log", ".md",
    ".mo", ".ogv", ".po", ".pub", ".toml", ".txt", ".xml", ".yaml", ".yml", ".dds", ".ktx", ".ktx2", ".ctex",
    ".ctexarray", ".ctex3d", ".ccube", ".ccubearray",
}  # fmt: skip


def read_ids(project: Path, files: Iterable[str]) -> dict[int, str]:
    """Which file has which id, of files that the editor sees. Raises NotPlainError if only the editor can tell."""
    found: dict[int, str] = {}
    names = frozenset(files)
    for name in sorted(names):
        number = _id_of(project, name, names)
        if number is None:
            continue
        if number in found:
            raise NotPlainError(name, f"it has the id of {found[number]}")
        found[number] = name
    return found


def _id_of(project: Path, name: str, names: frozenset[str]) -> int | None:
    suffix = suffix_of(name)
    if suffix in IMPORTED_SUFFIXES:
        note = project / f"{name}{IMPORT_NOTE}"
        match = IMPORT_ID.search(read_alone(note, f"{name}{IMPORT_NOTE}")) if note.is_file() else None
        return id_number(match[1]) if match else None
    beside = None
    if f"{name}.uid" in names and suffix in _ID_BESIDE | _TEXT_SUFFIXES | _BINARY_SUFFIXES:
        first_line = read_alone(project / f"{name}.uid", f"{name}.uid").partition("\n")[0]
        beside = id_number(first_line.removeprefix("\ufeff").rstrip("\r"))
    if suffix in _TEXT_SUFFIXES:
        inside = _id_in_text(project / name, name)
    elif suffix in _BINARY_SUFFIXES:
        inside = _id_in_binary(project / name, name)
    else:
        inside = None
    return inside if beside is None else beside


def _id_in_text(path: Path, name: str) -> int | None:
    """From the first tag. Files that cannot be read have none; whether they can, the editor knows."""
    match = _HEAD.match(_first_bytes(path, name).decode("utf-8", "replace"))
    if match is None:
        raise NotPlainError(name, "it does not begin like a scene or a resource")
    pairs = [(key, text or number) for key, text, number in _FIELD.findall(match["fields"])]
    fields = dict(pairs)
    if len(fields) < len(pairs) or fields.get("format", "") not in _TEXT_FORMATS:
        raise NotPlainError(name, "its first tag is unusual")
    if match["kind"] == "gd_resource" and "type" not in fields:
        raise NotPlainError(name, "its first tag names no type")
    return id_number(fields.get("uid", ""))


def _id_in_binary(path: Path, name: str) -> int | None:
    """Behind a head of five numbers, the name of the type, and where metadata begin."""
    head = _first_bytes(path, name)
    try:
        big_endian, _, _, _, version, length = struct.unpack_from("<6I", head, 4)
        flags, number = struct.unpack_from("<IQ", head, 28 + length + 8)
    except struct.error as error:
        raise NotPlainError(name, "it is shorter than a resource") from error
    if not head.startswith(b"RSRC") or big_endian or version > _BINARY_FORMAT:
        raise NotPlainError(name, "a resource in a form that we do not read")
    return int(number) if flags & _BINARY_HAS_ID and not number >> 63 else None


def read_alone(path: Path, name: str) -> str:
    """A text file of the project that we read in the editor's place, as long as it is not a strange one."""
    try:
        return read_text(path, MAX_READ_ALONE_BYTES)
    except UnreadableFileError as error:
        raise NotPlainError(name, str(error)) from error


def _first_bytes(path: Path, name: str) -> bytes:
    try:
        return read_head(path, _HEAD_BYTES)
    except UnreadableFileError as error:
        raise NotPlainError(name, str(error)) from error


def id_number(text: str) -> int | None:
    """The number behind `uid://…`. None if it is none: people and agents also make up ids like `uid://my_scene`."""
    if not _ID.fullmatch(text):
        return None
    number = 0
    for letter in text.removeprefix("uid://"):
        digit = _MORE_LETTERS.get(letter, _LETTERS.find(letter))
        number = (number * len(_LETTERS) + digit) & _ID_BITS
    return number


def id_text(number: int) -> str:
    """`uid://…` of a number, as the engine writes it."""
    number &= _ID_BITS
    letters = ""
    while number or not letters:
        number, digit = divmod(number, len(_LETTERS))
        letters = _LETTERS[digit] + letters
    return f"uid://{letters}"
