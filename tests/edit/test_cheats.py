"""Submissions that do not do the task but attack its test. None passes, and none reads what is hidden."""

from pathlib import Path

import pytest

from benchmark.edit.package import EditPackage
from benchmark.edit.verify import Mode, verify
from benchmark.runtime.machine import Machine
from tests.edit.conftest import HERE, Submit

pytestmark = pytest.mark.engine
CHEATS = HERE / "cheats"
# It can only be ended by its limit: nothing more is said.
SILENCED = {
    "reload_the_harness_in_init", "reload_the_harness_in_ready", "reload_the_harness_in_the_scene",
    "remove_other_nodes",
}  # fmt: skip
REASONS = {
    "autoload_named_os": "project.godot: the autoload OS has the name of an engine class",
    "autoload_named_crypto": "project.godot: the autoload Crypto has the name of an engine class",
    "autoload_named_input": "the autoload Input has the name of an engine class",
    "find_the_kit_among_all_objects": "the project's own code spoke for the test",
    "find_the_kit_and_call_it_later": "the project's own code spoke for the test",
    "find_the_kit_and_forge_a_path": "the project's own code spoke for the test",
    "find_the_kit_with_a_script_in_memory": "the project's own code spoke for the test",
    "silence_and_freeze": "the project switched error messages off",
}


@pytest.mark.parametrize("cheat", sorted(path.name for path in CHEATS.iterdir()))
def test_a_cheat_does_not_pass(submit: Submit, cheat: str) -> None:
    verdict = submit(CHEATS / cheat, limit_sec=3 if cheat in SILENCED else 15)
    assert not verdict.passed
    assert verdict.checks
    assert not any(line.startswith("READ") and not line.endswith(" 0") for line in verdict.log.splitlines()), (
        verdict.log
    )
    assert "t.equal(" not in verdict.log
    assert verdict.reason == REASONS.get(cheat, verdict.reason)


def test_attacks_do_run(submit: Submit) -> None:
    """The others would prove nothing if their code were never reached."""
    log = submit(CHEATS / "find_the_kit_among_all_objects").log
    assert "found the kit: true" in log


def test_honest_work_passes_beside_them(tiny: EditPackage, machine: Machine, tmp_path: Path) -> None:
    assert tiny.reference is not None
    tiny.reference.lay_out(tmp_path / "game")
    verdict = verify(tmp_path / "game", tiny.test, machine, Mode(), 15)
    assert verdict.passed, verdict.reason
    assert all(check.ok for check in verdict.checks)


def test_a_test_of_its_own_changes_nothing_for_honest_work(tiny: EditPackage, machine: Machine, tmp_path: Path) -> None:
    assert tiny.reference is not None
    tiny.reference.lay_out(tmp_path / "game")
    (tmp_path / "game/tests").mkdir()
    (tmp_path / "game/tests/test.gd").write_text("extends RefCounted\n", encoding="utf-8")
    assert verify(tmp_path / "game", tiny.test, machine, Mode(), 15).passed
