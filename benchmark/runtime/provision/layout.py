"""What `setup` leaves in the cache. A folder carries its final name only when it is complete."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmark.paths import cache_root
from benchmark.runtime.engine import Engine


@dataclass(frozen=True)
class Manifest:
    """The record inside a private root: asked for, got, from where."""

    requested: tuple[str, ...]
    suite: str
    versions: dict[str, str]
    engine_version: str | None = None
    fetched_bytes: int = 0
    created: str = ""
    layout: int = field(default=1)


def runtime_folder() -> Path:
    return cache_root() / "runtime"


def read_manifest(name: str = "root") -> Manifest | None:
    """The manifest of a complete installation of this layout, else None."""
    try:
        data = json.loads((runtime_folder() / name / "manifest.json").read_text(encoding="utf-8"))
        manifest = Manifest(**{**data, "requested": tuple(data["requested"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return manifest if manifest.layout == Manifest.layout else None


def write_manifest(root: Path, manifest: Manifest) -> None:
    """Into a root that does not have its final name yet."""
    (root / "manifest.json").write_text(json.dumps(asdict(manifest), indent=1), encoding="utf-8")


def installed_root() -> Path | None:
    """The private root, if complete."""
    return runtime_folder() / "root" if read_manifest() else None


def installed_engine() -> Engine | None:
    """The engine inside the private root, or the official release beside it."""
    manifest = read_manifest()
    if manifest and manifest.engine_version:
        return Engine(runtime_folder() / "root/usr/bin/godot", manifest.engine_version, f"archive ({manifest.suite})")
    release = runtime_folder() / "release"
    version = release / "version"
    if version.exists():
        return Engine(release / "godot", version.read_text(encoding="utf-8").strip(), "official release")
    return None
