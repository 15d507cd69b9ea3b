"""Submissions that do not do the task but attack its test. None passes, and none reads what is hidden."""

from pathlib import Path

import pytest

from benchmark.assets.library import bring
from benchmark.edit.hidden_run import HiddenRun
from benchmark.edit.package import EditPackage, read_package
from benchmark.edit.verdict import Mode
from benchmark.edit.verify import verify
from benchmark.runtime.machine import Machine
from benchmark.tasks import TASKS_ROOT, package_folders, read_variants
from fixtures.attacks import Saw
from tests.edit.conftest import HERE, Submit, lay_over

pytestmark = pytest.mark.engine
CHEATS, ANSWERS = HERE / "cheats", HERE / "answers"
# It answers no question any more: only its limit ends it.
FROZEN = {
    "a_key_twice_then_freeze", "emit_tree_signals", "freeze_before_the_driver", "remove_other_nodes",
    "wake_the_test_early",
}  # fmt: skip
REASONS = {
    "autoload_named_os": "project.godot: the autoload OS has the name of an engine class",
    "autoload_named_input": "project.godot: the autoload Input has the name of an engine class",
}
QUIT = "the project quit before the test was over"
# How the stream is misused, and why that is no verdict. The others are plain lies: checks do not hold.
FORGED = {
    "ahead": "the project answered before it was asked",
    "garbage": "the project answered with something that is no answer",
    "not a list": "the project answered with something that is no answer",
    "huge": "the project answered with more than a test can use",
    "endless": "the project answered with something that is no answer",
    "nothing more": QUIT,
    "twice": "the project answered before it was asked",
    "another number": "the project answered with something that is no answer",
    "replayed": "the project answered with something that is no answer",
    "picture": "the project answered with a picture that is none",
    "signals of nobody": "the project told of a signal in a way that is none",
    "clock of words": "the project answered with something that is no answer",
    "freeze": "the project did not get through the test in 2 s",
}
LIES = (
    "true", "zero", "null", "nan", "empty", "words", "control characters", "lines in keys", "argument",
    "last argument", "an object", "many objects", "deep", "wide", "code", "likely", "all signals", "no ticks",
)  # fmt: skip
# These know no task, so that they might pass any.
GENERIC = (
    "find_the_kit_by_its_signal", "overwrite_the_parameters", "a_key_twice_then_freeze", "exchange_the_driver",
    "emit_everything",
)  # fmt: skip
TASKS = sorted(package_folders(TASKS_ROOT / "edit"))


def read_something(log: str) -> bool:
    """Whether a cheat says that it found what it looked for."""
    return any(line.startswith("READ") and not line.endswith(" 0") for line in log.splitlines())


@pytest.mark.attack("edit: {cheat}", "failed, with every check reported")
@pytest.mark.parametrize("cheat", sorted(path.name for path in CHEATS.iterdir()))
def test_a_cheat_does_not_pass(submit: Submit, saw: Saw, cheat: str) -> None:
    verdict = submit(CHEATS / cheat, limit_sec=3 if cheat in FROZEN else 15)
    saw(f"{verdict.how}: {verdict.reason}")
    assert verdict.how == "failed"
    assert verdict.checks
    assert not read_something(verdict.log), verdict.log
    assert "t.equal(" not in verdict.log
    assert verdict.reason.endswith(REASONS.get(cheat, verdict.reason))


@pytest.mark.attack("edit: the stream to the test is taken: {how}", "failed, and said so")
@pytest.mark.parametrize("how", FORGED)
def test_a_stream_that_is_misused_ends_the_test(submit: Submit, saw: Saw, how: str) -> None:
    verdict = submit(ANSWERS, how, limit_sec=2 if how == "freeze" else 15)
    saw(f"{verdict.how}: {verdict.reason}")
    assert verdict.how == "failed"
    # what was to come before its question may arrive behind it: then it is a lie, or no answer, like any other
    assert FORGED[how] in verdict.reason or how in ("ahead", "twice")
    assert not any(check.ok for check in verdict.checks)


@pytest.mark.attack("edit: all questions are answered with: {how}", "failed")
@pytest.mark.parametrize("how", LIES)
def test_answers_that_know_no_task_do_not_pass(submit: Submit, saw: Saw, how: str) -> None:
    verdict = submit(ANSWERS, how, limit_sec=15)
    saw(f"{verdict.how}: {verdict.reason}")
    assert verdict.how == "failed"
    assert "has the stream true" in verdict.log
    assert "READ" not in verdict.log


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.attack("edit: all generic cheats on {folder.name}", "none passes")
@pytest.mark.parametrize("folder", TASKS, ids=lambda folder: folder.name)
def test_what_knows_no_task_passes_none(machine: Machine, tmp_path: Path, saw: Saw, folder: Path) -> None:
    bring()
    package = read_package(read_variants(folder)[0])
    ways = [(CHEATS / name, "") for name in GENERIC] + [(ANSWERS, how) for how in LIES]
    passed = []
    for number, (cheat, how) in enumerate(ways):
        project = tmp_path / str(number)
        package.start.lay_out(project)
        lay_over(project, cheat, how)
        limit = 3 if cheat.name in FROZEN else 8
        if verify(project, HiddenRun(package.test, Mode(), limit), machine).passed:
            passed.append(how or cheat.name)
    saw(f"{len(passed)} of {len(ways)} pass")
    assert passed == []


def test_attacks_do_run(submit: Submit) -> None:
    """The others would prove nothing if their code were never reached."""
    assert "exchanged true 0" in submit(CHEATS / "exchange_the_driver").log


def test_the_test_is_not_in_the_memory_of_the_project(submit: Submit) -> None:
    log = submit(CHEATS / "read_its_own_memory", limit_sec=30).log
    assert "looked at its memory: true" in log
    assert "READ the test 0" in log


def test_honest_work_passes_beside_them(tiny: EditPackage, machine: Machine, tmp_path: Path) -> None:
    assert tiny.reference is not None
    tiny.reference.lay_out(tmp_path / "game")
    verdict = verify(tmp_path / "game", HiddenRun(tiny.test, Mode(), 15), machine)
    assert verdict.passed, verdict.reason
    assert all(check.ok for check in verdict.checks)


def test_a_test_of_its_own_changes_nothing_for_honest_work(tiny: EditPackage, machine: Machine, tmp_path: Path) -> None:
    assert tiny.reference is not None
    tiny.reference.lay_out(tmp_path / "game")
    (tmp_path / "game/tests").mkdir()
    (tmp_path / "game/tests/test.gd").write_text("extends RefCounted\n", encoding="utf-8")
    assert verify(tmp_path / "game", HiddenRun(tiny.test, Mode(), 15), machine).passed
