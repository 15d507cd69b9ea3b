"""The wheel, built from a copy of the repository and installed into an environment of its own, outside of it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.paths import cache_root

REPOSITORY = Path(__file__).parents[2]
CACHE = cache_root()
# What a wheel is built from. Copied, because setuptools leaves files beside what it builds.
SOURCES = (
    "benchmark", "fixtures", "tasks", "reports/reference", "tests/games/bench", "tests/edit/public", "pyproject.toml",
    "setup.py", "README.md", "LICENSE",
)  # fmt: skip
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's file."""
    copy, out = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        source = REPOSITORY / name
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, copy / name)
    pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(out), str(copy))
    (made,) = out.glob("*.whl")
    return made


@pytest.fixture(scope="session")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel. It sees the packages that run this test, after its own."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    pip("--python", str(folder / "bin/python"), "install", "--no-deps", "--no-index", str(wheel))
    # Only now: pip would find ourselves among the others, and leave the wheel out.
    (packages / "others.pth").write_text(f"{Path(pytest.__file__).resolve().parents[1]}\n")
    return folder


@pytest.fixture
def installed(environment: Path, tmp_path: Path) -> Run:
    """`installed("pytest", "-q")` runs a program of that environment in an empty folder."""

    def go(program: str, *words: str) -> "subprocess.CompletedProcess[str]":
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
        command = [str(environment / "bin/python"), "-m", program, *words]
        return subprocess.run(
            command, cwd=tmp_path, env={**kept, "GAMECRAFT_CACHE": str(CACHE)}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip

    return go


def pip(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", "pip", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
