"""The build gate on real projects, broken in one way each."""

import os
import shutil
from pathlib import Path

import pytest

from benchmark.craft.gate import check_build
from benchmark.craft.prepare import imported_files, needs_scan
from benchmark.craft.project import scan_project
from benchmark.runtime.machine import Machine

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
    ("no_traces", "no-trace", "no valid trace in demo_outputs/"),
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


@pytest.mark.parametrize("name", ["warning_only", "runtime_error_in_ready", "bad_traces", "not_a_tree_main_loop"])
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
    shutil.rmtree(first.prepared.folder.parent)


def test_only_projects_with_assets_or_classes_need_an_import(games: Path, tmp_path: Path) -> None:
    plain, tiles = scan_project(games / "broken/warning_only"), scan_project(games / "bench/moss_run")
    assert not imported_files(plain)
    assert not needs_scan(plain)
    assert imported_files(tiles)
    (tmp_path / "thing.gd").write_text("@tool\nclass_name Thing\nextends Node\n", encoding="utf-8")
    assert needs_scan(scan_project(tmp_path))
