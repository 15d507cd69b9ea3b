"""The build gate on real projects, broken in one way each."""

import json
import os
import shutil
from pathlib import Path

import pytest

from benchmark.paths import cache_root
from benchmark.projects.comparison import read_id_table
from benchmark.projects.indexes import CLASSES, IDS, read_indexes
from benchmark.projects.prepare import folder_for_imports, import_in_place, imported_files
from benchmark.projects.project import copy_project, scan_project
from benchmark.replay.build_gate import check_build
from benchmark.runtime.machine import Machine
from benchmark.runtime.workdir import work_folder

pytestmark = pytest.mark.engine

BROKEN = [
    ("no_project_file", "no-project", "no project.godot"),
    ("no_main_scene", "no-main-scene", "no main scene is set"),
    ("missing_main_scene", "main-scene-missing", "res://not_there.tscn does not exist"),
    ("parse_error_main", "script-error", "res://main.gd:5: Parse Error"),
    ("parse_error_autoload", "script-error", "res://bad.gd:5: Parse Error"),
    ("parse_error_child", "script-error", "res://child.gd:5: Parse Error"),
    ("parse_error_unused", "script-error", "res://unused.gd:5: Parse Error"),
    ("missing_texture", "resource-missing", "res://main.tscn:10: res://not_there.png cannot be loaded"),
    ("missing_preload", "script-error", 'res://main.gd:4: Parse Error: Preload file "res://missing.tscn"'),
    ("corrupted_scene", "scene-broken", "res://main.tscn:3"),
    ("corrupted_png", "resource-missing", "res://art.png cannot be loaded"),
    ("crash_in_ready", "crash", "killed by SIG"),
    ("needs_newer_engine", "newer-engine", "config_version=6"),
    ("csharp_project", "resource-missing", "res://main.cs cannot be loaded"),
    ("no_traces", "no-trace", "no usable trace in demo_outputs/"),
]


@pytest.mark.parametrize(("name", "reason", "words"), BROKEN)
def test_a_broken_project_is_not_built_and_says_why(
    machine: Machine, games: Path, name: str, reason: str, words: str
) -> None:
    report = check_build(games / "broken" / name, machine)
    assert report.build == 0
    blockers = [finding for finding in report.findings if finding.blocks]
    assert any(finding.reason == reason and words in str(finding) for finding in blockers), list(map(str, blockers))


@pytest.mark.slow
def test_a_hang_on_launch_is_not_built(machine: Machine, games: Path) -> None:
    report = check_build(games / "broken/hang_in_ready", machine)
    assert [f.reason for f in report.findings if f.blocks] == ["hang"]


@pytest.mark.parametrize(
    "name", ["warning_only", "runtime_error_in_ready", "bad_traces", "not_a_tree_main_loop", "hang_on_quit"]
)
def test_a_blemish_does_not_fail_the_build(machine: Machine, games: Path, name: str) -> None:
    report = check_build(games / "broken" / name, machine)
    assert report.build == 1, [str(f) for f in report.findings if f.blocks]


def test_import_runs_once_per_content(machine: Machine, games: Path, tmp_path: Path) -> None:
    project = tmp_path / "a 'quoted' “gäme” ✓"
    shutil.copytree(games / "bench/tinker_market", project)
    (project / "marker.txt").write_text(os.urandom(8).hex(), encoding="utf-8")  # content nobody has imported
    first = check_build(project, machine)
    assert first.build == 1
    assert first.prepared is not None
    stamp = (first.prepared.folder.parent / "import.json").stat().st_mtime_ns
    second = check_build(project, machine)
    assert second.prepared == first.prepared
    assert (first.prepared.folder.parent / "import.json").stat().st_mtime_ns == stamp
    with folder_for_imports(fresh=True) as anew:
        third = check_build(project, machine, anew=anew)
        assert third.build == 1
        assert third.prepared is not None
        assert anew is not None
        assert third.prepared.folder.is_relative_to(anew)
    assert (first.prepared.folder.parent / "import.json").stat().st_mtime_ns == stamp
    shutil.rmtree(first.prepared.folder.parent)


def test_a_fresh_check_launches_again(machine: Machine, games: Path, tmp_path: Path) -> None:
    kept = cache_root() / "gates"
    before = set(kept.glob("*.json"))
    project = tmp_path / "game"
    shutil.copytree(games / "bench/moss_run", project)
    (project / "unknown.txt").write_text(os.urandom(8).hex(), encoding="utf-8")
    first = check_build(project, machine)
    for path in set(kept.glob("*.json")) - before:  # another worker's may be among them
        remembered = json.loads(path.read_text(encoding="utf-8"))
        if remembered["log"] == first.log:
            path.write_text(json.dumps({**remembered, "log": "remembered"}), encoding="utf-8")
    assert check_build(project, machine).log == "remembered"
    with folder_for_imports(fresh=True) as anew:
        assert check_build(project, machine, anew=anew).log == first.log


def test_only_projects_with_assets_need_an_import(games: Path) -> None:
    assert not imported_files(scan_project(games / "broken/warning_only"))
    assert imported_files(scan_project(games / "bench/moss_run"))


def test_the_indexes_are_those_that_the_editor_writes(machine: Machine, games: Path, tmp_path: Path) -> None:
    for number, source in enumerate(
        (
            '## A thing.\n@tool\n@icon("res://art/coin.svg")\nextends Node\nclass_name Thing\n',
            "class_name Other extends Thing # for a reason\n",
            "@abstract\nclass_name Bare\n",
        )
    ):
        (tmp_path / f"thing_{number}.gd").write_text(source, encoding="utf-8")
    shutil.copytree(games / "bench/moss_run", tmp_path, dirs_exist_ok=True)
    project = scan_project(tmp_path)
    with work_folder("editor") as work:
        ours, theirs = work / "ours", work / "theirs"
        for copy in (ours, theirs):
            copy_project(project, copy)
        problem, _ = import_in_place(theirs, work, machine)
        assert problem is None
        for note in theirs.rglob("*"):  # what it made up: ids of pictures and scripts
            if note.suffix in {".import", ".uid"}:
                shutil.copyfile(note, ours / note.relative_to(theirs))
        files = [path.relative_to(ours).as_posix() for path in ours.rglob("*") if path.is_file()]
        read_indexes(ours, files).write(ours)
        assert (ours / CLASSES).read_text() == (theirs / CLASSES).read_text()
        assert read_id_table(ours / IDS) == read_id_table(theirs / IDS) != {}
