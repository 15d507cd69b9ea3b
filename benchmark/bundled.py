"""What comes with the benchmark besides its code: tasks, fixtures, published numbers, games to measure with.

In the repository these lie at the top. A wheel has no top: there they lie below `_bundled` in this package, in the same
places (see package-dir in pyproject.toml).
"""

from pathlib import Path

_PACKAGE = Path(__file__).parent
_INSTALLED = _PACKAGE / "_bundled"


def bundled(place: str) -> Path:
    """A file or folder by its place in the repository."""
    return (_INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent) / place


def repository() -> Path | None:
    """The checkout that this code runs from, if it is one."""
    top = _PACKAGE.parent
    return top if (top / "pyproject.toml").is_file() and (top / "conftest.py").is_file() else None
