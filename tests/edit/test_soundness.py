"""Whether a task is sound: other right solutions must pass, or its test asks for the ways of its reference."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.edit.authoring import check_package
from benchmark.edit.package import EditPackage, read_package
from benchmark.edit.soundness import validate
from benchmark.runtime.machine import Machine
from benchmark.tasks import TaskError, read_variants
from tests.edit.conftest import TINY

RIGHT = ("polled-in-process", "polled-in-physics", "in-input", "by-what-is-held")


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A copy of the tiny task to break."""
    folder = tmp_path / "edit/gameplay/tiny-lamp"
    shutil.copytree(TINY, folder)
    return folder


def packages(folder: Path) -> list[EditPackage]:
    return [read_package(task) for task in read_variants(folder)]


@pytest.mark.engine
def test_every_way_to_listen_to_a_press_is_right(tiny: EditPackage, machine: Machine) -> None:
    found = validate(replace(tiny, wrong=()), machine)
    assert found.problems == ()
    assert {one.what for one in found.tryings if one.verdict.passed} == {"reference", *(f"right {n}" for n in RIGHT)}


@pytest.mark.engine
def test_without_a_reference_nothing_shows_that_a_task_can_be_done(tiny: EditPackage, machine: Machine) -> None:
    found = validate(replace(tiny, reference=None, right=(), wrong=()), machine)
    assert found.problems == ("reference: there is none, so nothing shows that the task can be done",)


@pytest.mark.engine
def test_a_test_that_fails_a_right_solution_is_unsound(task: Path, machine: Machine) -> None:
    """Here it asks how the lamp listens, not what it does."""
    test = task / "tests/test.gd"
    source = test.read_text(encoding="utf-8")
    test.write_text(source.replace("is_on, true)", "has_method(&'_input'), true)"), encoding="utf-8")
    (task / "solution/scripts/lamp.gd").write_bytes((task / "tests/right/in-input/scripts/lamp.gd").read_bytes())
    found = validate(replace(packages(task)[0], wrong=()), machine)
    assert not found.sound
    assert [problem.partition(": ")[0] for problem in found.problems] == [
        f"right {name}" for name in RIGHT if name != "in-input"
    ]
    assert "is right, but failed: a press lights it: is false, expected true" in found.problems[0]


def test_a_solution_without_parameters_is_tried_in_variants_too(task: Path) -> None:
    toml = task / "tests/right.toml"
    toml.write_text('[in-input]\nabout = "x"\nvariants = true\n\n[polled-in-process]\nabout = "y"\n', encoding="utf-8")
    base, variant = packages(task)
    assert [one.name for one in base.right] == ["in-input", "polled-in-process"]
    assert [one.name for one in variant.right] == ["in-input"]


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("in-input = 1\n", "in-input: 1 is not an object"),
        ('[in-input]\nabout = "x"\nvariants = "bright"\n', "in-input.variants: 'bright' is not true or false"),
        ('[elsewhere]\nabout = "x"\n', "is not there, so it changes nothing"),
        ('[in-input]\nabout = "x"\nremoves = "a"\n', "in-input.removes: 'a' is not a list of texts"),
        ('[in-input]\nabout = "x"\nremoves = ["../a"]\n', "in-input.removes: '../a' must stay inside the project"),
    ],
)
def test_a_wrong_entry_is_named(task: Path, toml: str, message: str) -> None:
    (task / "tests/right.toml").write_text(toml, encoding="utf-8")
    with pytest.raises(TaskError, match=r"right\.toml") as caught:
        packages(task)
    assert message in str(caught.value)


def broken(task: Path) -> list[str]:
    return [str(problem) for problem in check_package(task) if "right" in str(problem)]


def test_lint_wants_another_right_solution(task: Path) -> None:
    assert broken(task) == []
    (task / "tests/right.toml").unlink()
    shutil.rmtree(task / "tests/right")
    assert broken(task) == ["tests/right.toml: 0 other right solutions; at least 1 is wanted"]


def test_lint_finds_a_solution_that_is_the_reference_and_one_that_nothing_tries(task: Path) -> None:
    (task / "tests/right/in-input/scripts/lamp.gd").write_bytes((task / "solution/scripts/lamp.gd").read_bytes())
    (task / "tests/right/forgotten").mkdir()
    assert broken(task) == [
        "tests/right/in-input/scripts/lamp.gd: is the same as in the reference; leave it out",
        "tests/right/forgotten: is not in tests/right.toml, so nothing tries it",
    ]
