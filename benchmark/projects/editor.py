"""What Godot's editor makes of a project's files, as far as we do it in its place.

Found by experiment with the editor of Godot 4.6, and compared with it (`python -m benchmark compare-editor`).
"""

from collections.abc import Iterable
from pathlib import PurePosixPath

from benchmark.projects.project import PROJECT_FILE

# What it turns into a form of its own.
_SINGLE_SUFFIXES = {
    ".bmp", ".exr", ".fnt", ".font", ".glsl", ".hdr", ".jpeg", ".jpg", ".mp3", ".ogg", ".otc", ".otf", ".pfb", ".pfm",
    ".png", ".svg", ".tga", ".ttc", ".ttf", ".wav", ".webp", ".woff", ".woff2",
}  # fmt: skip
# These may draw on other files of the project, or add some to it. Where a .blend lies but no program that reads it, the
# editor imports nothing at all.
COMPOSED_SUFFIXES = {".blend", ".csv", ".dae", ".escn", ".fbx", ".glb", ".gltf", ".obj"}
IMPORTED_SUFFIXES = _SINGLE_SUFFIXES | COMPOSED_SUFFIXES
IMPORT_NOTE = ".import"  # what it notes down beside a file that it imported


class NotPlainError(ValueError):
    """Something that the editor has to look at: which file, and why."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"{file}: {why}")


def seen_by_editor(files: Iterable[str]) -> tuple[str, ...]:
    """Without hidden files and folders, folders with a `.gdignore` in them, and projects inside the project."""
    files = tuple(files)
    paths = [PurePosixPath(name) for name in files]
    ignored = {path.parent for path in paths if path.name in (".gdignore", PROJECT_FILE) and len(path.parts) > 1}
    return tuple(
        name
        for name, path in zip(files, paths, strict=True)
        if not any(part.startswith(".") for part in path.parts) and ignored.isdisjoint(path.parents)
    )


def suffix_of(name: str) -> str:
    """As the editor tells kinds of files apart: whatever follows the last dot, in any case of letters."""
    return PurePosixPath(name).suffix.lower()
