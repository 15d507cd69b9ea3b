"""The oracle: a task's own solution, laid out as a submission. Its art comes from the library."""

import shutil
from pathlib import Path

from benchmark.assets.manifest import MANIFEST, copy_art, read_manifest

COVERAGE = "coverage.toml"
_FOR_AUTHORS = (MANIFEST, COVERAGE, ".godot", "*.import", "*.uid")


def lay_out_oracle(solution: Path, target: Path) -> None:
    """Copy the project to `target`, which must not exist, and the art it names into it."""
    manifest = read_manifest(solution)
    shutil.copytree(solution, target, ignore=shutil.ignore_patterns(*_FOR_AUTHORS))
    copy_art(manifest, target)
