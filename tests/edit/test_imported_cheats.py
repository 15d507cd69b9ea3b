"""Cheating where the test prints one of two words that everybody knows."""

import hashlib
import hmac
import shutil
from pathlib import Path

import pytest

from benchmark.edit.hidden_run import HiddenRun
from benchmark.edit.imported import find_imported, read_imported
from benchmark.edit.inside import OutputReader
from benchmark.edit.verdict import Mode
from benchmark.edit.verify import verify
from benchmark.runtime.machine import Machine
from fixtures.attacks import Saw
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


@pytest.mark.attack("edit, imported: {cheat}", "no pass")
@pytest.mark.parametrize("cheat", sorted(path.name for path in CHEATS.iterdir()))
def test_a_cheat_does_not_pass(machine: Machine, tmp_path: Path, saw: Saw, cheat: str) -> None:
    (task,) = find_imported(PUBLIC)
    package = read_imported(task)
    project = tmp_path / "game"
    package.start.lay_out(project)
    shutil.copytree(CHEATS / cheat, project, dirs_exist_ok=True)
    if (project / SETTINGS).exists():
        with (project / "project.godot").open("a", encoding="utf-8") as file:
            file.write("\n" + (project / SETTINGS).read_text(encoding="utf-8"))
    verdict = verify(project, HiddenRun(package.test, Mode(), 8), machine)
    saw(f"{verdict.how}: {verdict.reason}")
    assert not verdict.passed, verdict.log
    assert verdict.reason == REASONS.get(cheat, verdict.reason), verdict.log


@pytest.mark.attack("edit, imported: a signed line names a key twice", "it says nothing")
def test_a_line_that_can_be_read_in_two_ways_says_nothing() -> None:
    listener = OutputReader()
    for text in (b'{"n":0,"kind":"check","kind":"end","what":""}', b'{"n":0,"kind":"begin","what":""}'):
        signed = hmac.new(listener.key, text, hashlib.sha256).hexdigest()
        assert listener(b"@" + signed.encode() + b" " + text + b"\n")
    assert [line["kind"] for line in listener.lines] == ["begin"]
    assert not listener.ended.is_set()
