"""Which folders a wheel is made of. All else is in pyproject.toml, which cannot join what it finds to what it maps."""

from setuptools import find_packages, setup

_BUNDLED = ("tasks", "reports.reference", "tests.games.bench", "tests.edit.public")

setup(packages=[*find_packages(include=["benchmark*"]), *(f"benchmark._bundled.{name}" for name in _BUNDLED)])
