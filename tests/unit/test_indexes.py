"""Classes and resource ids are read where they are written plainly; the rest is left to the editor."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.projects.comparison import read_id_table
from benchmark.projects.editor import NotPlainError, seen_by_editor
from benchmark.projects.ids import id_number, id_text, read_ids
from benchmark.projects.indexes import CLASSES, IDS, GlobalClass, global_class, read_indexes


def write(project: Path, files: dict[str, str]) -> tuple[str, ...]:
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    return tuple(files)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("class_name A\nextends Node\n", GlobalClass("A", "Node", "res://a.gd")),
        ("extends Node2D\n\n# why\nclass_name A\nvar x\n", GlobalClass("A", "Node2D", "res://a.gd")),
        ("class_name A extends B\n", GlobalClass("A", "B", "res://a.gd")),
        ("class_name A", GlobalClass("A", "RefCounted", "res://a.gd")),
        ("\ufeffclass_name A\r\nextends B\r\n", GlobalClass("A", "B", "res://a.gd")),
        (
            "\ufeff@tool\n@abstract class_name A\n",
            GlobalClass(name="A", base="RefCounted", path="res://a.gd", icon="", is_tool=True, is_abstract=True),
        ),
        (
            '@icon("res://a b.svg")\nclass_name A\nextends B # yes\n',
            GlobalClass("A", "B", "res://a.gd", "res://a b.svg"),
        ),
        ("extends Node\nvar class_name_of = 1\n", None),
        ("", None),
    ],
)
def test_a_class_is_read_from_the_head_of_its_script(source: str, expected: GlobalClass | None) -> None:
    assert global_class(source, "res://a.gd") == expected


@pytest.mark.parametrize(
    "source",
    [
        'class_name A\nextends "res://b.gd"\n',
        "class_name A\nextends B.C\n",
        "@tool class_name A\n",
        '@icon("b.svg")\nclass_name A\n',
        "class_name A\nclass_name B\n",
        "class_name A extends B\nextends C\n",
        'var text = """\nclass_name A\n"""\n',
        'class_name A, "res://icon.png"\n',
        "class_name A; extends Node\n",
        "class_name \\\nA\n",
    ],
)
def test_whatever_is_not_plain_is_left_to_the_editor(tmp_path: Path, source: str) -> None:
    files = write(tmp_path, {"a.gd": source, "b.gd": "class_name Other\n"})
    with pytest.raises(NotPlainError, match=r"a\.gd: "):
        read_indexes(tmp_path, files)


SCENE = '[gd_scene format=3 uid="uid://b"]\n\n[node name="A" type="Node"]\n'


@pytest.mark.parametrize(
    "files",
    [
        {"a.gd": "class_name A\n", "b.gd": "class_name A\n"},
        {"a.gd": "class_name A extends B\n", "b.gd": "class_name B extends A\n"},
        {"a.gd": "class_name A extends A\n"},
        {"a.scn": "not a resource"},
        {"a.res": "RSCC" + "\0" * 60},  # compressed
        {"a.tscn": SCENE, "copy of a.tscn": SCENE},
        {"a.tscn": SCENE, "a.gd": "", "a.gd.uid": "uid://b\n"},
        {"a.tscn": "\ufeff" + SCENE},
        {"a.tscn": ""},
        {"a.tscn": '[gd_scene format=3 uid="uid://b"\n\n[node name="A" type="Node"]\n'},
        {"a.tscn": '[gd_scene format=3 uid="uid://b" uid="uid://c"]\n'},
        {"a.tscn": '[gd_scene format=99 uid="uid://b"]\n'},
        {"a.tres": '[gd_resource format=3 uid="uid://b"]\n'},  # of which type?
    ],
)
def test_so_are_projects_that_need_a_closer_look(tmp_path: Path, files: dict[str, str]) -> None:
    names = write(tmp_path, files)
    with pytest.raises(NotPlainError):
        read_indexes(tmp_path, names)


def test_names_of_files_cannot_end_the_index(tmp_path: Path) -> None:
    read_indexes(tmp_path, write(tmp_path, {'a"]; x.gd': "class_name A\n"})).write(tmp_path)
    assert '"path": "res://a\\"]; x.gd"' in (tmp_path / CLASSES).read_text(encoding="utf-8")


def ids_of(project: Path, files: dict[str, str]) -> dict[str, str]:
    """By file, after everything was written and read again."""
    read_indexes(project, seen_by_editor(write(project, files))).write(project)
    return {place.removeprefix("res://"): text for text, place in read_id_table(project / IDS).items()}


def test_ids_come_from_scenes_notes_and_imports(tmp_path: Path) -> None:
    files = {
        "main.tscn": '[gd_scene format=3 uid="uid://b"]\n[ext_resource uid="uid://c"]\n',
        "main.gd": "extends Node\n",
        "main.gd.uid": "uid://ba\n",
        "art.png": "",
        "art.png.import": '[remap]\nuid="uid://8"\n',
        "none.tres": '[gd_resource type="Resource" format=3 uid="uid://<invalid>"]\n',
        "none.tscn": "[gd_scene format=3]\n",
    }
    assert ids_of(tmp_path, files) == {"main.tscn": "uid://b", "main.gd": "uid://ba", "art.png": "uid://8"}


def test_ids_of_files_that_are_gone_belong_to_nobody(tmp_path: Path) -> None:
    """A script that was moved without its `.uid` file is found by its path; its old id must not lead elsewhere."""
    files = {
        "old/player.gd.uid": "uid://player\n",
        "old/coin.png.import": '[remap]\nuid="uid://coin"\n',
        "new/player.gd": "extends Node\n",
        "new/coin.png": "",
    }
    assert ids_of(tmp_path, files) == {}


def test_a_moved_file_keeps_the_id_that_moved_with_it(tmp_path: Path) -> None:
    files = {"old/a.gd.uid": "uid://b\n", "new/a.gd": "", "new/a.gd.uid": "uid://b\n"}
    assert ids_of(tmp_path, files) == {"new/a.gd": "uid://b"}


def test_any_kind_of_file_that_the_editor_knows_may_have_its_id_beside_it(tmp_path: Path) -> None:
    names = ("a.gd", "a.gdshader", "a.gdshaderinc", "a.json", "a.txt", "UPPER.GD", "a.tscn", "b.tscn", "a.png", "a.xyz")
    files = {f"{name}.uid": f"uid://b{letter}\n" for name, letter in zip(names, "bcdefghijk", strict=True)}
    files |= {name: "[gd_scene format=3]\n" if name.endswith("tscn") else "" for name in names}
    files["b.tscn"] = '[gd_scene format=3 uid="uid://own"]\n'
    found = ids_of(tmp_path, files)
    assert set(names) - set(found) == {"a.png", "a.xyz"}  # pictures have a note instead; the editor passes by .xyz
    assert (found["a.tscn"], found["b.tscn"]) == ("uid://bh", "uid://bi")  # not the one inside


def test_ids_are_read_as_the_engine_reads_them(tmp_path: Path) -> None:
    files = {
        "a.tscn": '\n; made by hand\n[ gd_scene\nformat = 3\nuid = "uid://b" ]\r\n',
        "b.gd": "",
        "b.gd.uid": "\ufeffuid://c\r\n",
        "c.gd": "",
        "c.gd.uid": "uid://zzz9\n",  # letters that the engine never writes
    }
    assert ids_of(tmp_path, files) == {"a.tscn": "uid://b", "b.gd": "uid://c", "c.gd": "uid://001a"}


@pytest.mark.parametrize("text", ["uid://my_scene", "uid://B", " uid://b", "\nuid://b", "uid://b ", "b", ""])
def test_ids_that_were_made_up_are_none(tmp_path: Path, text: str) -> None:
    files = {"a.gd": "", "a.gd.uid": f"{text}\n", "a.tscn": f'[gd_scene format=3 uid="{text}"]\n'}
    assert ids_of(tmp_path, files) == {}


def resource(flags: int, number: int) -> bytes:
    """The head of a binary resource."""
    return (
        b"RSRC"
        + struct.pack("<5I", 0, 0, 4, 6, 6)
        + struct.pack("<I5s", 5, b"Mesh\0")
        + struct.pack("<QIQ", 0, flags, number)
    )


@pytest.mark.parametrize(("flags", "number", "expected"), [(3, 34, {34: "a.res"}), (1, 34, {}), (2, (1 << 64) - 1, {})])
def test_binary_resources_have_theirs_inside(tmp_path: Path, flags: int, number: int, expected: dict[int, str]) -> None:
    (tmp_path / "a.res").write_bytes(resource(flags, number))
    assert read_ids(tmp_path, ("a.res",)) == expected


def test_the_editor_passes_by_what_is_hidden_ignored_or_another_project() -> None:
    seen = ("a.gd", "project.godot", "sub/a.gd", "sub/project.godot.txt")
    others = (
        ".a.gd", ".hidden/a.gd", "sub/.hidden/a.gd", "ignored/.gdignore", "ignored/a.gd", "ignored/deep/a.gd",
        "other/project.godot", "other/deep/a.gd",
    )  # fmt: skip
    assert seen_by_editor((*seen, *others)) == seen


def test_an_ignored_top_folder_is_still_the_project() -> None:
    assert seen_by_editor((".gdignore", "a.gd", "project.godot")) == ("a.gd", "project.godot")


@given(st.text())
def test_any_text_is_an_id_or_none(text: str) -> None:
    number = id_number(text)
    assert number is None or 0 <= number < 1 << 63


@given(st.integers(0, (1 << 63) - 1))
def test_a_number_is_read_back_from_its_id(number: int) -> None:
    assert id_number(id_text(number)) == number


@given(st.text(alphabet="@abstract tool icon()\"'\n\t#class_name extends A.B,;\\", max_size=80))
def test_any_source_is_read_or_left(source: str) -> None:
    try:
        found = global_class(source, "res://a.gd")
    except ValueError:
        return
    assert found is None or found.name.isidentifier()
