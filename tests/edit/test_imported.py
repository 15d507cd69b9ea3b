"""The public benchmark, read as it is: folders and zips, sound tasks and others."""

import json
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.edit.imported import find_imported, opened, read_imported
from benchmark.edit.soundness import Soundness, validate
from benchmark.edit.verdict import Mode
from benchmark.runtime.machine import Machine
from benchmark.tasks import TaskError
from tests.edit.corpus import add_task, to_zip

engine = pytest.mark.engine
REPOSITORY = Path(__file__).parents[2]


def check(root: Path, machine: Machine, limit_sec: float = 20) -> Soundness:
    (task,) = find_imported(root)
    return validate(replace(read_imported(task), limit_sec=limit_sec), machine)


def test_metadata_are_read_where_they_are_known(tmp_path: Path) -> None:
    add_task(tmp_path, 7)
    (task,) = find_imported(tmp_path)
    assert (task.id, task.difficulty, task.labels) == ("edit/2d-graphics/task-0007", "easy", {"editor": "scene"})
    assert task.has_oracle


@pytest.mark.parametrize(
    ("metadata", "skill"),
    [
        ({"skill": "2D graphics & animation"}, "2d-graphics"),
        ({"skill_category": "3d-graphics"}, "3d-graphics"),
        ({"categories": ["user-interface", "data-binding"]}, "user-interface"),
        ({"categories": ["gameplay-systems", "ui"]}, "gameplay"),
        ({"categories": ["vfx", "particles", "2d"]}, "2d-graphics"),
        ({"categories": ["physics", "programming"]}, "gameplay"),
        ({"tags": ["hud", "ui"]}, "user-interface"),
        ({"categories": ["graphics", "animation", "physics"]}, "unsorted"),  # in two dimensions or three?
        ({"categories": ["build", 3, None]}, "unsorted"),
        ({"categories": {"2d": True}}, "unsorted"),
        ({}, "unsorted"),
    ],
)
def test_the_skill_is_what_the_task_says_of_itself(tmp_path: Path, metadata: dict[str, object], skill: str) -> None:
    start, _ = add_task(tmp_path, 1)
    config = {"instruction": "Do it.", "metadata": metadata}
    (start / "task_config.json").write_text(json.dumps(config))
    (task,) = find_imported(tmp_path)
    assert (task.family, task.difficulty, task.labels) == (skill, "unrated", {})


def test_variants_of_variants_are_of_the_first_task(tmp_path: Path) -> None:
    for number, before in ((1, "task_0001"), (2, "task_0001"), (3, "task_0002"), (4, "nowhere"), (5, 7)):
        start, _ = add_task(tmp_path, number)
        config = json.loads((start / "task_config.json").read_text())
        config["metadata"] = {**config.get("metadata", {}), "variant_of": before}
        (start / "task_config.json").write_text(json.dumps(config))
    first, second, third, fourth, fifth = find_imported(tmp_path)
    assert [one.variant_of for one in (first, second, third, fourth, fifth)] == ["", first.id, first.id, "", ""]


def test_an_agent_gets_the_project_without_test_and_config(tmp_path: Path) -> None:
    start, _ = add_task(tmp_path, 1)
    (start / "tests_of_the_team.txt").write_text("kept", encoding="utf-8")
    opened(start).lay_out(tmp_path / "game")
    assert {path.relative_to(tmp_path / "game").as_posix() for path in (tmp_path / "game").rglob("*.*")} == {
        "project.godot", "scenes/main.tscn", "scripts/testimony.gd", "art/coin.svg", "tests_of_the_team.txt",
    }  # fmt: skip


def test_names_in_another_case_are_hidden_too(tmp_path: Path) -> None:
    start, _ = add_task(tmp_path, 1)
    (start / "scripts").rename(start / "Scripts")
    (start / "Scripts/test.gd").rename(start / "Scripts/Test.gd")
    opened(start).lay_out(tmp_path / "game")
    assert [path.name for path in (tmp_path / "game/Scripts").iterdir()] == ["testimony.gd"]
    assert opened(start).find("scripts/test.gd") == "Scripts/Test.gd"


def test_a_zip_beside_its_folder_is_one_task(tmp_path: Path) -> None:
    start, _ = add_task(tmp_path, 1)
    shutil.copytree(start, tmp_path / "copy")
    to_zip(tmp_path / "copy").rename(start.with_suffix(".zip"))
    assert len(list(find_imported(tmp_path))) == 1


def test_results_of_the_public_runner_are_no_task(tmp_path: Path) -> None:
    start, _ = add_task(tmp_path, 1)
    shutil.copytree(start, tmp_path / "tasks/test_result/task_0001_agent_1")
    assert [task.slug for task in find_imported(tmp_path)] == ["task-0001"]


def test_a_hostile_zip_leaves_nothing_outside(tmp_path: Path) -> None:
    start, _ = add_task(tmp_path, 1)
    made = to_zip(start)
    with zipfile.ZipFile(made, "a") as archive:
        for name in ("../evil.txt", "scripts/../../evil.txt", "/evil.txt", "..\\evil.txt"):
            archive.writestr(name, "out")
        link = zipfile.ZipInfo("scripts/link.gd")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    opened(made).lay_out(tmp_path / "deep/game")
    assert not list(tmp_path.rglob("evil.txt"))
    assert not (tmp_path / "deep/game/scripts/link.gd").exists()
    assert (tmp_path / "deep/game/project.godot").is_file()


def test_a_zip_that_grows_beyond_measure_is_refused(tmp_path: Path) -> None:
    start, _ = add_task(tmp_path, 1)
    made = to_zip(start)
    with zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("big.bin", "w") as entry:
        for _ in range(1100):
            entry.write(bytes(1 << 20))
    assert made.stat().st_size < 4 << 20
    with pytest.raises(TaskError, match="larger than a project may be"):
        opened(made).lay_out(tmp_path / "game")


@pytest.mark.parametrize("settings", ["", "[tool.other]\n", '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'])
def test_a_project_file_beside_the_tasks_does_not_lead_pytest_astray(tmp_path: Path, settings: str) -> None:
    add_task(tmp_path, 1)
    if settings:
        (tmp_path / "pyproject.toml").write_text(settings)
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--track", "edit", "--tasks", str(tmp_path)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout
    assert "test_trial[edit/2d-graphics/task-0001[oracle]]" in done.stdout
    assert "1 test collected" in done.stdout


@pytest.mark.parametrize("damage", ["cut", "scrambled", "no zip"])
def test_a_damaged_zip_is_named_and_holds_up_nothing(tmp_path: Path, damage: str) -> None:
    add_task(tmp_path, 1)
    made = to_zip(add_task(tmp_path, 2)[0])
    data = made.read_bytes()
    made.write_bytes(
        {"cut": data[: len(data) // 2], "scrambled": data[:60] + bytes(400) + data[460:], "no zip": b"hello"}[damage]
    )
    _, damaged = find_imported(tmp_path)
    with pytest.raises(TaskError, match=made.name):
        read_imported(damaged).start.lay_out(tmp_path / "game")


@engine
@pytest.mark.parametrize("form", ["folders", "zips", "zips with a folder inside", "other case"])
def test_a_sound_task_is_sound_in_every_form(machine: Machine, tmp_path: Path, form: str) -> None:
    for folder in add_task(tmp_path, 1):
        if form.startswith("zips"):
            to_zip(folder, "task_0001/" if form.endswith("inside") else "")
        if form == "other case":
            (folder / "scripts/test.gd").rename(folder / "scripts/Test.gd")
            scene = folder / "scenes/test.tscn"
            scene.write_text(scene.read_text(encoding="utf-8").replace("test.gd", "Test.gd"), encoding="utf-8")
    found = check(tmp_path, machine)
    assert found.sound, found.problems
    assert found.mode == Mode()
    start = next(one for one in found.tryings if one.what == "start")
    assert start.verdict.reason == "there is no Coin"


@engine
def test_a_test_may_use_everything_that_the_project_has(machine: Machine, tmp_path: Path) -> None:
    """Its autoloads by their names, its classes, its scripts as constants, a scene that stands in the test's own."""
    for folder in add_task(tmp_path, 1, "knows_the_project"):
        with (folder / "project.godot").open("a", encoding="utf-8") as settings:
            settings.write('\n[autoload]\n\nLedger="*res://scripts/ledger.gd"\n')
        (folder / "scripts/ledger.gd").write_text(
            "extends Node\n\nvar noted: Array[int] = []\n\n\nfunc note(count: int) -> void:\n\tnoted.append(count)\n"
        )
        (folder / "scripts/purse.gd").write_text(
            "class_name Coins\nextends RefCounted\n\nvar count := 0\n\nfunc add(more: int) -> void:\n\tcount += more\n"
        )
        (folder / "scenes/test.tscn").write_text(
            "[gd_scene load_steps=3 format=3]\n\n"
            '[ext_resource type="Script" path="res://scripts/test.gd" id="1"]\n'
            '[ext_resource type="PackedScene" path="res://scenes/main.tscn" id="2"]\n\n'
            '[node name="Test" type="Node"]\nscript = ExtResource("1")\n\n'
            '[node name="Main" parent="." instance=ExtResource("2")]\n'
        )
    found = check(tmp_path, machine)
    assert found.sound, found.problems
    start = next(one for one in found.tryings if one.what == "start")
    assert start.verdict.reason == "there is no Coin"


@engine
@pytest.mark.parametrize(
    ("test", "problems"),
    [
        ("passes_always", ["start: passes although nothing was done"]),
        ("never_passes", ["reference: failed: it asks for too much"]),
        ("prints_both", ["reference: no verdict: the test printed both words, the good one first"]),
        ("does_not_parse", ["reference: broken test: the test does not compile: *", "start: broken test: *"]),
        ("never_ends", ["reference: no verdict: it printed no verdict in 2 s", "start: no verdict: *"]),
    ],
)
def test_an_unsound_task_is_found_out(machine: Machine, tmp_path: Path, test: str, problems: list[str]) -> None:
    add_task(tmp_path, 1, test)
    found = check(tmp_path, machine, limit_sec=2 if test == "never_ends" else 20)
    assert len(found.problems) == len(problems)
    for problem, wanted in zip(found.problems, problems, strict=True):
        assert Path(problem.replace("/", "|")).match(wanted.replace("/", "|")), problem


@engine
@pytest.mark.parametrize(
    ("test", "mode"),
    [("needs_display", Mode(display=True)), ("needs_real_time", Mode(display=True, real_time=True))],
)
def test_the_mode_that_a_test_needs_is_found(machine: Machine, tmp_path: Path, test: str, mode: Mode) -> None:
    add_task(tmp_path, 1, test)
    found = check(tmp_path, machine)
    assert found.sound, found.problems
    assert found.mode == mode


@engine
def test_the_command_lists_all_and_fails_if_one_is_unsound(tmp_path: Path) -> None:
    add_task(tmp_path, 1)
    add_task(tmp_path, 2, "passes_always")
    to_zip(add_task(tmp_path, 3)[0]).write_bytes(b"hello")
    out = tmp_path / "found.json"
    command = [
        sys.executable,
        "-m",
        "benchmark",
        "validate",
        "--track",
        "edit",
        str(tmp_path),
        "--json",
        str(out),
        "-v",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 1
    assert "1 of 3 sound" in done.stdout
    lines = {line.split()[0].rpartition("/")[2]: line for line in done.stdout.splitlines() if line.startswith("edit/")}
    assert lines["task-0001"].split()[1:3] == ["fails", "passes"]
    assert lines["task-0001"].endswith("yes")
    assert lines["task-0002"].split()[1] == "PASSES"
    assert "is not a zip" in lines["task-0003"]
    assert "start: failed: validation: there is no Coin" in done.stdout
    found = {name.rpartition("/")[2]: one for name, one in json.loads(out.read_text(encoding="utf-8")).items()}
    assert found["task-0001"]["sound"] is True
    assert found["task-0002"]["problems"] == ["start: passes although nothing was done"]
    assert [one["what"] for one in found["task-0001"]["tried"]] == ["reference", "start"]


@engine
def test_a_folder_without_tasks_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "tasks_gt").mkdir()
    command = [sys.executable, "-m", "benchmark", "validate", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "no tasks/ beside it" in done.stderr
