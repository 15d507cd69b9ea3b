"""The edit tasks that come with the benchmark."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.assets.library import bring
from benchmark.edit.authoring import MIN_RIGHT, MIN_WRONG, check_package
from benchmark.edit.package import read_package
from benchmark.edit.soundness import validate
from benchmark.edit.track import EDITORS
from benchmark.runtime.machine import Machine
from benchmark.tasks import DIFFICULTIES, TASKS_ROOT, Task, package_folders, read_variants

FOLDERS = sorted(package_folders(TASKS_ROOT / "edit"))
TASKS = [read_variants(folder) for folder in FOLDERS]
WANTED = {"2d-graphics": 9, "gameplay": 7, "3d-graphics": 4, "user-interface": 4}
QUICK = ("laser-layers", "gem-pickup")  # a few of them, in every run


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_package_keeps_the_rules(folder: Path) -> None:
    assert [str(problem) for problem in check_package(folder)] == []


def test_skills_come_in_the_proportions_of_the_field() -> None:
    assert Counter(task.family for task, *_ in TASKS) == WANTED


def test_every_editor_and_every_difficulty_is_there() -> None:
    assert {task.labels["editor"] for task, *_ in TASKS} == set(EDITORS)
    assert {task.difficulty for task, *_ in TASKS} == set(DIFFICULTIES)


def test_each_has_a_variant_wrong_attempts_and_another_right_solution() -> None:
    assert [task.id for task, *variants in TASKS if not variants] == []
    assert all(variant.variant_of == task.id for task, *variants in TASKS for variant in variants)
    assert [task.id for task, *_ in TASKS if len(read_package(task).wrong) < MIN_WRONG] == []
    assert [task.id for task, *_ in TASKS if len(read_package(task).right) < MIN_RIGHT] == []


@pytest.mark.engine
@pytest.mark.parametrize("name", QUICK)
def test_start_fails_right_solutions_pass_and_one_wrong_attempt_fails(machine: Machine, name: str) -> None:
    bring()
    task = next(task for task, *_ in TASKS if task.slug == name)
    package = read_package(task)
    found = validate(replace(package, wrong=package.wrong[:1]), machine)
    assert found.problems == ()


@pytest.mark.engine
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("tasks", TASKS, ids=lambda tasks: tasks[0].slug)
def test_every_task_is_sound(machine: Machine, tasks: tuple[Task, ...]) -> None:
    bring()
    packages = [(task.slug, read_package(task)) for task in tasks]
    for slug, package in packages:
        assert validate(package, machine, [other for other in packages if other[0] != slug]).problems == ()
