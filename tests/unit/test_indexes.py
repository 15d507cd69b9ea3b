"""Classes and resource ids are read where they are written plainly; the rest is left to the editor."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.projects.indexes import CLASSES, IDS, GlobalClass, global_class, id_number, write_indexes


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
        ("\ufeff@tool\n@abstract class_name A\n", GlobalClass("A", "RefCounted", "res://a.gd", "", True, True)),
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
    assert not write_indexes(tmp_path, write(tmp_path, {"a.gd": source, "b.gd": "class_name Other\n"}))
    assert not (tmp_path / ".godot").exists()


@pytest.mark.parametrize(
    "files",
    [
        {"a.gd": "class_name A\n", "b.gd": "class_name A\n"},
        {"old/.gdignore": "", "old/a.gd": "class_name A\n"},
        {"scene.scn": "binary"},
    ],
)
def test_so_are_projects_that_need_a_closer_look(tmp_path: Path, files: dict[str, str]) -> None:
    assert not write_indexes(tmp_path, write(tmp_path, files))


def test_names_of_files_cannot_end_the_index(tmp_path: Path) -> None:
    assert write_indexes(tmp_path, write(tmp_path, {'a"]; x.gd': "class_name A\n"}))
    assert '"path": "res://a\\"]; x.gd"' in (tmp_path / CLASSES).read_text(encoding="utf-8")


def test_ids_come_from_scenes_notes_and_imports(tmp_path: Path) -> None:
    files = write(
        tmp_path,
        {
            "main.tscn": '[gd_scene format=3 uid="uid://b"]\n[ext_resource uid="uid://c"]\n',
            "main.gd": "extends Node\n",
            "main.gd.uid": "uid://ba\n",
            "art.png": "",
            "art.png.import": '[remap]\nuid="uid://8"\n',
            "bad.tres": '[gd_resource uid="uid://zzz"]\n',
        },
    )
    assert write_indexes(tmp_path, files)
    data = (tmp_path / IDS).read_bytes()
    assert data[:4] == (3).to_bytes(4, "little")
    for number, path in ((1, b"res://main.tscn"), (34, b"res://main.gd"), (33, b"res://art.png")):
        assert number.to_bytes(8, "little") + len(path).to_bytes(4, "little") + path in data


@given(st.text())
def test_any_text_is_an_id_or_none(text: str) -> None:
    number = id_number(text)
    assert number is None or 0 <= number < 1 << 63


@given(st.text(alphabet="@abstract tool icon()\"'\n\t#class_name extends A.B,;\\", max_size=80))
def test_any_source_is_read_or_left(source: str) -> None:
    try:
        found = global_class(source, "res://a.gd")
    except ValueError:
        return
    assert found is None or found.name.isidentifier()
