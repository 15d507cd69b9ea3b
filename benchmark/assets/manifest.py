"""`art.toml` of an oracle: which files of the library its project uses, and where they go.

    [copy]
    "art/tiles" = ["kenney/tiles/grass*.png", "kenney/tiles/torch1.png"]

So that a task package holds no binary art: the files are copied in when the oracle is laid out.
"""

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmark.assets.library import library_folder
from benchmark.checked import Fields
from benchmark.errors import BenchmarkError, TaskError
from benchmark.limits import MAX_ART_FILES, MAX_TOML_BYTES
from benchmark.package_paths import inside
from benchmark.untrusted import UnreadableFileError, read_toml, shown

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
    if not os.path.lexists(path):
        return ArtManifest(path, ())
    try:
        data = read_toml(path, MAX_TOML_BYTES)
        if set(data) != {"copy"}:
            raise ValueError('one table [copy] is needed, of "folder in the project" = ["pack/file.png", …]')
        table = Fields(data).whatever("copy")
        named = Fields(table, "copy.")
        copies = [(target, named.text_list(target)) for target in table]
    except (UnreadableFileError, ValueError) as error:
        raise ManifestError(f"{path}: {error}") from error
    for target, sources in copies:
        _check_names(project, target, sources, f"{path}: copy.{shown(target)}")
    return ArtManifest(path, tuple(copies))


def _check_names(project: Path, target: str, sources: Iterable[str], where: str) -> None:
    try:
        if target != ".":  # the project itself
            inside(project, target, where)
        for source in sources:
            inside(library_folder(), source, where)
            if source.count("**") > 1:
                raise TaskError(f"{where}: {shown(source)}: ** may stand in it once")
    except TaskError as error:
        raise ManifestError(error.message) from error


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
                if copied >= MAX_ART_FILES:
                    raise ManifestError(f"{manifest.path}: names more than {MAX_ART_FILES} files of the library")
                shutil.copyfile(path, destination / path.name)
                copied += 1
    return copied
