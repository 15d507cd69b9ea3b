"""Submissions of the tiny edit task, tried past the cache."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.edit.hidden_run import HiddenRun
from benchmark.edit.package import EditPackage, read_package
from benchmark.edit.verdict import Mode, Verdict
from benchmark.edit.verify import verify
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


def lay_over(project: Path, cheat: Path, how: str = "") -> None:
    """The files of a cheat come into a project, and its settings into project.godot. `how` says which way it takes."""
    shutil.copytree(cheat, project, dirs_exist_ok=True)
    if (cheat / SETTINGS).exists():
        with (project / "project.godot").open("a", encoding="utf-8") as file:
            file.write("\n" + (cheat / SETTINGS).read_text(encoding="utf-8"))
            file.write(f'\n[cheat]\n\nhow="{how}"\n')
        (project / SETTINGS).unlink()


@pytest.fixture
def submit(tiny: EditPackage, machine: Machine, tmp_path: Path) -> Submit:
    """`submit(folder)`: the start of the tiny task with these files over it, and what the hidden test says of it."""

    def go(over: Path, how: str = "", *, limit_sec: float = 10.0) -> Verdict:
        project = tmp_path / "submission"
        tiny.start.lay_out(project)
        lay_over(project, over, how)
        return verify(project, HiddenRun(tiny.test, Mode(), limit_sec), machine)

    return go
