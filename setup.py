"""Which folders and fixtures a wheel is made of; all else is in pyproject.toml, which cannot look what there is."""

from pathlib import Path

from setuptools import find_packages, setup

_BUNDLED = ("tasks", "reports.reference", "tests.games.bench", "tests.edit.public")
_TRACKS = (path.parent.name for path in sorted(Path("benchmark").glob("*/track.py")))
_FIXTURES = [name for name in ("suite", *_TRACKS) if Path("fixtures", f"{name}.py").is_file()]  # not our own tests'

setup(
    packages=[*find_packages(include=["benchmark*"]), *(f"benchmark._bundled.{name}" for name in _BUNDLED)],
    py_modules=[f"benchmark._bundled.fixtures.{name}" for name in _FIXTURES],
)
