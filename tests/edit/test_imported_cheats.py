"""Cheating where the test prints one of two words that everybody knows."""

import shutil
from pathlib import Path

import pytest

from benchmark.edit.imported import find_imported, read_imported
from benchmark.edit.verify import Mode, verify
from benchmark.runtime.machine import Machine
from tests.edit.conftest import HERE, SETTINGS
from tests.edit.corpus import PUBLIC

pytestmark = pytest.mark.engine
CHEATS = HERE / "imported_cheats"
REPLACED = "the project put a script of its own in the place of the test"
REASONS = {
    "own_test_files": "there is no Coin",
    "own_test_in_other_case": "there is no Coin",
    "read_the_source": "there is no Coin",
    "extend_the_test": REPLACED,
    "exchange_the_test_script": "a word of the test was printed, but not by the test in its place",
}


@pytest.mark.parametrize("cheat", sorted(path.name for path in CHEATS.iterdir()))
def test_a_cheat_does_not_pass(machine: Machine, tmp_path: Path, cheat: str) -> None:
    (task,) = find_imported(PUBLIC)
    package = read_imported(task)
    project = tmp_path / "game"
    package.start.lay_out(project)
    shutil.copytree(CHEATS / cheat, project, dirs_exist_ok=True)
    if (project / SETTINGS).exists():
        with (project / "project.godot").open("a", encoding="utf-8") as file:
            file.write("\n" + (project / SETTINGS).read_text(encoding="utf-8"))
    verdict = verify(project, package.test, machine, Mode(), 8)
    assert not verdict.passed, verdict.log
    assert verdict.reason == REASONS.get(cheat, verdict.reason), verdict.log
