"""`art.toml` of an oracle: which files of the library its project uses, and where they go.

    [copy]
    "art/tiles" = ["kenney/tiles/grass*.png", "kenney/tiles/torch1.png"]

So that a task package holds no binary art: the files are copied in when the oracle is laid out.
"""

import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from benchmark.assets.library import library_folder
from benchmark.errors import BenchmarkError

MANIFEST = "art.toml"


class ManifestError(BenchmarkError):
    """An `art.toml` that cannot be read or names what is not there."""


@dataclass(frozen=True)
class ArtManifest:
    """Destination folder in the project → patterns of files in the library."""

    path: Path
    copies: tuple[tuple[str, tuple[str, ...]], ...]


def read_manifest(project: Path) -> ArtManifest:
    """The manifest of a project; an absent one names nothing."""
    path = project / MANIFEST
    if not path.exists():
        return ArtManifest(path, ())
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ManifestError(f"{path}: {error}") from error
    table = data.get("copy")
    if set(data) != {"copy"} or not isinstance(table, dict):
        raise ManifestError(f'{path}: one table [copy] is needed, of "folder in the project" = ["pack/file.png", …]')
    copies = []
    for target, sources in table.items():
        where = f"{path}: copy.{target!r}"
        if not isinstance(sources, list) or not all(isinstance(source, str) for source in sources):
            raise ManifestError(f"{where}: a list of library files is needed")
        for name in (target, *sources):
            parts = PurePosixPath(name).parts
            if not parts or name.startswith("/") or ".." in parts:
                raise ManifestError(f"{where}: {name!r} must stay inside the project or the library")
        copies.append((target, tuple(sources)))
    return ArtManifest(path, tuple(copies))


def copy_art(manifest: ArtManifest, project: Path) -> int:
    """Copy the named files into the project; each pattern must match something."""
    library = library_folder()
    copied = 0
    for target, sources in manifest.copies:
        destination = project / target
        destination.mkdir(parents=True, exist_ok=True)
        for source in sources:
            matches = sorted(path for path in library.glob(source) if path.is_file())
            if not matches:
                raise ManifestError(
                    f"{manifest.path}: copy.{target!r}: no file of the art library matches {source!r}",
                    fix="run `python -m benchmark assets`; `assets --list` shows what there is",
                )
            for path in matches:
                shutil.copyfile(path, destination / path.name)
                copied += 1
    return copied
