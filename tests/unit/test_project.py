"""The submitted project: what is taken along, what is left out, and its identity."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.projects import settings as project_settings
from benchmark.projects import walk
from benchmark.projects.project import PINNED, copy_project, override_file, scan_project

PROJECT = """config_version=5

[application]

config/name="A [tricky] = name"
run/main_scene="res://main.tscn"
config/features=PackedStringArray("4.6",
"GL Compatibility")
config/project_settings_override.linux="res://evil.cfg"
run/max_fps.debug=3

[autoload_prepend]

Evil="*res://evil.gd"

[display]

window/size/viewport_width=640
window/size/mode=3
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "project.godot").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "main.gd").write_text("extends Node\n", encoding="utf-8")
    return tmp_path


def test_settings_with_values_over_several_lines_are_read() -> None:
    found = project_settings.entries(PROJECT)
    assert project_settings.value_of(found, "config_version") == "5"
    assert project_settings.value_of(found, "application/config/name") == "A [tricky] = name"
    assert project_settings.value_of(found, "display/window/size/viewport_width") == "640"
    assert "GL Compatibility" in (project_settings.value_of(found, "application/config/features") or "")


def test_the_copy_has_no_settings_that_decide_recording(folder: Path, tmp_path: Path) -> None:
    copy_project(scan_project(folder), tmp_path / "copy")
    text = (tmp_path / "copy/project.godot").read_text(encoding="utf-8")
    assert "evil" not in text
    assert "max_fps" not in text
    assert "size/mode" not in text
    assert 'config/name="A [tricky] = name"' in text
    assert "viewport_width=640" in text


def test_our_override_pins_every_setting_and_loads_first() -> None:
    found = project_settings.entries(override_file("/harness/x.gd"))
    assert project_settings.value_of(found, "autoload_prepend/GameCraftHarness") == "*/harness/x.gd"
    assert {entry.path for entry in found} >= set(PINNED)


def test_caches_links_native_code_and_traces_stay_behind(folder: Path, tmp_path: Path) -> None:
    for name in (
        ".godot/extension_list.cfg",
        "demo_outputs/01.json",
        ".git/config",
        "lib/evil.so",
        "evil.gdextension",
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x", encoding="utf-8")
    (folder / "override.cfg").write_text("[application]", encoding="utf-8")
    (folder / "project.binary").write_bytes(b"x")
    (folder / "passwd").symlink_to("/etc/passwd")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe")
    scanned = scan_project(folder)
    assert scanned.files == ("main.gd", "project.godot")
    assert {item.split(":")[0] for item in scanned.left_out} == {
        "lib/evil.so", "evil.gdextension", "override.cfg", "project.binary", "passwd", "loop", "pipe",
    }  # fmt: skip


def test_names_with_spaces_quotes_and_unicode_are_fine_but_not_every_name(folder: Path, tmp_path: Path) -> None:
    (folder / "it's a “test” ✓.gd").write_text("extends Node\n", encoding="utf-8")
    (folder / "two\nlines.gd").write_text("", encoding="utf-8")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.gd")).write_text("", encoding="utf-8")
    scanned = scan_project(folder)
    assert "it's a “test” ✓.gd" in scanned.files
    assert len(scanned.left_out) == 2
    copy_project(scanned, tmp_path / "copy")
    assert (tmp_path / "copy/it's a “test” ✓.gd").exists()


def test_identity_is_about_content(folder: Path) -> None:
    before = scan_project(folder).digest
    (folder / "demo_outputs").mkdir()
    (folder / "demo_outputs/01.json").write_text("{}", encoding="utf-8")
    assert scan_project(folder).digest == before
    (folder / "main.gd").write_text("extends Node2D\n", encoding="utf-8")
    assert scan_project(folder).digest != before


def test_a_project_that_is_too_large_is_refused_before_it_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walk, "MAX_FILES", 1)
    assert scan_project(folder).problem == "more than 1 files"


def test_deep_nesting_ends(folder: Path) -> None:
    (folder / "/".join(["deep"] * 60)).mkdir(parents=True)
    assert any("nested deeper" in item for item in scan_project(folder).left_out)


@settings(max_examples=400, deadline=None)
@given(st.text(alphabet=st.sampled_from('[]="\\\n(){},a/.é '), max_size=80) | st.text(max_size=80))
def test_fuzzed_project_files_are_read_without_an_exception(text: str) -> None:
    found = project_settings.entries(text)
    assert all(text[e.start : e.end].rstrip().endswith(e.value) for e in found)
    assert project_settings.entries(project_settings.without(text, lambda _: True)) is not None
