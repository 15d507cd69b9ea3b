"""Submissions of the tiny edit task, tried past the cache."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.edit.hidden import HiddenTest
from benchmark.edit.package import EditPackage, read_package
from benchmark.edit.verify import Mode, Verdict, verify
from benchmark.runtime.machine import Machine
from benchmark.tasks import read_variants

HERE = Path(__file__).parent
TASKS = HERE / "tasks"
TINY = TASKS / "edit/gameplay/tiny-lamp"
SETTINGS = "settings.cfg"  # of a cheat: what it adds to project.godot
Submit = Callable[..., Verdict]


@pytest.fixture(scope="session")
def tiny() -> EditPackage:
    """A complete package of our format, as small as it gets."""
    return read_package(read_variants(TINY)[0])


@pytest.fixture
def submit(tiny: EditPackage, machine: Machine, tmp_path: Path) -> Submit:
    """`submit(folder)`: the start of the tiny task with these files over it, and what the hidden test says of it."""

    def go(over: Path | None = None, *, test: HiddenTest | None = None, limit_sec: float = 10.0) -> Verdict:
        project = tmp_path / "submission"
        tiny.start.lay_out(project)
        if over is not None:
            shutil.copytree(over, project, dirs_exist_ok=True)
            if (over / SETTINGS).exists():
                with (project / "project.godot").open("a", encoding="utf-8") as file:
                    file.write("\n" + (over / SETTINGS).read_text(encoding="utf-8"))
                (project / SETTINGS).unlink()
        return verify(project, test or tiny.test, machine, Mode(), limit_sec)

    return go
