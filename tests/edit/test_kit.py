"""What hidden tests are written with, tried in a room that has a bit of everything."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.edit.hidden import KitTest, read_kit_test
from benchmark.edit.hidden_run import HiddenRun
from benchmark.edit.verdict import Mode, Verdict
from benchmark.edit.verify import verify
from benchmark.runtime.machine import Machine
from tests.edit.conftest import HERE

pytestmark = pytest.mark.engine
KIT = HERE / "kit"


def run(name: str, machine: Machine, mode: Mode = Mode()) -> tuple[KitTest, Verdict]:  # noqa: B008
    test = read_kit_test(KIT / f"tests/{name}.gd", {"wanted": 3})
    return test, verify(KIT / "project", HiddenRun(test, mode, 30), machine)


@pytest.mark.parametrize("name", ["finding", "comparing", "moving", "looking"])
def test_it_does_what_it_says_without_a_display(machine: Machine, name: str) -> None:
    test, verdict = run(name, machine)
    assert verdict.passed, verdict.reason
    assert {check.name for check in verdict.checks} == set(test.checks)


@pytest.mark.parametrize("name", ["drawing", "moving", "looking"])
def test_it_does_what_it_says_with_a_display(machine: Machine, name: str) -> None:
    _, verdict = run(name, machine, Mode(display=True))
    assert verdict.passed, verdict.reason


INPUT = read_kit_test(KIT / "tests/input.gd", {"ticks": 60, "accumulates": True})


@pytest.mark.parametrize("ticks", [60, 120, 45, 7])
def test_input_is_seen_once_in_every_way_however_frames_and_ticks_fall(machine: Machine, ticks: int) -> None:
    """A press in no tick, in one, in several of a frame: the probe counts what each way of looking at input meets."""
    test = replace(INPUT, parameters={**INPUT.parameters, "ticks": ticks})
    verdict = verify(KIT / "project", HiddenRun(test, Mode(), 30), machine)
    assert verdict.passed, verdict.reason
    assert {check.name for check in verdict.checks} == set(test.checks)


def test_input_is_seen_once_in_every_way_with_a_display(machine: Machine) -> None:
    verdict = verify(KIT / "project", HiddenRun(INPUT, Mode(display=True), 60), machine)
    assert verdict.passed, verdict.reason


def test_a_project_that_takes_events_as_they_come_sees_them_in_the_same_frame(machine: Machine) -> None:
    test = replace(INPUT, parameters={**INPUT.parameters, "accumulates": False})
    verdict = verify(KIT / "project", HiddenRun(test, Mode(), 30), machine)
    assert verdict.passed, verdict.reason


@pytest.mark.parametrize("setting", ["compatibility/legacy_just_pressed_behavior", "buffering/agile_event_flushing"])
def test_settings_of_input_change_nothing(machine: Machine, tmp_path: Path, setting: str) -> None:
    shutil.copytree(KIT / "project", tmp_path / "project")
    with (tmp_path / "project/project.godot").open("a", encoding="utf-8") as file:
        file.write(f"\n[input_devices]\n\n{setting}=true\n")
    verdict = verify(tmp_path / "project", HiddenRun(INPUT, Mode(), 30), machine)
    assert verdict.passed, verdict.reason


def test_pixels_without_a_display_are_a_failed_check_not_a_crash(machine: Machine) -> None:
    _, verdict = run("drawing", machine)
    assert verdict.how == "failed"
    assert not verdict.checks[0].ok


def test_objects_are_those_of_the_project(machine: Machine) -> None:
    _, verdict = run("proxies", machine)
    wrong = {check.name: check.message for check in verdict.checks if not check.ok}
    foreign = wrong.pop("behind what cannot be handed over")
    assert "is of the test's own process and cannot be handed to the project" in foreign
    assert wrong == {
        "behind the property": "not reached: the test broke off before it: Room (Node2D) has no property doors",
        "behind the method": "not reached: the test broke off before it: Room (Node2D) has no method open_the_door()",
        "nan": "is Vector2(nan, 1), expected Vector2(0, 1) ± 9.0",
    }


@pytest.fixture(scope="module")
def failing(machine: Machine) -> Verdict:
    return run("failing", machine)[1]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("plain", "the door is shut"),
        ("equal", "is 3, expected 4"),
        ("kind", 'is "3", expected 3'),
        ("nothing", "is nothing, expected 3"),
        ("node", "is Bell (Button), expected 3"),
        ("near", "is Vector2(1, 2), expected Vector2(1, 3) ± 0.5"),
        ("between", "is 7, expected 1.0 to 2.5"),
        ("exists", "there is no timer"),
        ("freed", "it was freed"),
        ("long", "x" * 2000),
        ("twice", "the second time"),
        ("again", "the first time"),
    ],
)
def test_failures_read_well(failing: Verdict, name: str, message: str) -> None:
    check = next(check for check in failing.checks if check.name == name)
    assert (check.ok, check.message, check.test) == (False, message, "test_messages")


def test_a_test_that_breaks_off_fails_and_names_the_error(failing: Verdict) -> None:
    checks = {check.name: check for check in failing.checks}
    assert checks["before"].ok
    assert not checks["behind"].ok
    assert checks["behind"].message.startswith("not reached: the test broke off before it:")
    assert failing.how == "failed"


def test_a_check_that_is_not_reached_counts_as_failed(failing: Verdict) -> None:
    checks = {check.name: check for check in failing.checks}
    assert checks["holds"].ok
    assert checks["left out"].message.startswith("not reached: ")


def test_checks_are_listed_in_the_order_of_the_source(failing: Verdict) -> None:
    test = read_kit_test(KIT / "tests/failing.gd", {})
    assert tuple(check.name for check in failing.checks) == test.checks


def test_a_test_that_does_not_compile_is_a_broken_test(machine: Machine) -> None:
    _, verdict = run("broken", machine)
    assert verdict.how == "broken test"
    assert "does not compile: " in verdict.reason
    assert "Expected" in verdict.reason


def test_a_project_that_is_none_fails_every_check(machine: Machine, tmp_path: Path) -> None:
    test = read_kit_test(KIT / "tests/comparing.gd", {})
    verdict = verify(tmp_path, HiddenRun(test, Mode()), machine)
    assert verdict.how == "failed"
    assert {check.message for check in verdict.checks} == {"not reached: no project.godot in the project folder"}
