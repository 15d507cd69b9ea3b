"""What is prepared without the editor is what it makes of it, also of projects that agents leave in disorder."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmark.projects import prepare
from benchmark.projects.comparison import compare_with_editor, read_id_table
from benchmark.projects.ids import _ID_BESIDE
from benchmark.projects.indexes import IDS, GlobalClass, Indexes
from benchmark.projects.prepare import import_in_place
from benchmark.runtime.machine import Machine
from benchmark.runtime.workdir import work_folder

pytestmark = pytest.mark.engine

PROJECT = 'config_version=5\n\n[application]\n\nconfig/name="Disorder"\n'
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="red"/></svg>'
NOTE = '[remap]\n\nimporter="texture"\ntype="CompressedTexture2D"\nuid="uid://{}"\npath="res://gone.ctex"\n\n[deps]\n\n'


def scene(uid: str, rest: str = "") -> str:
    return f'[gd_scene format=3 uid="uid://{uid}"]\n\n{rest}[node name="A" type="Node"]\n'


def note(uid: str, params: str = "compress/mode=0\n") -> str:
    return f"{NOTE.format(uid)}[params]\n\n{params}"


# Each with ids and classes that a reader who does not look twice would give to the wrong file, or to none.
DISORDER = {
    "project.godot": PROJECT,
    ".gdignore": "",  # at the top it means nothing
    # a script and a picture that were moved without what lies beside them
    "old/moved.gd.uid": "uid://moved\n",
    "old/moved.svg.import": note("movedpicture"),
    "new/moved.gd": "class_name Moved\nextends Node\n",
    "new/moved.svg": SVG,
    "main.tscn": '[gd_scene format=3 uid="uid://main"]\n\n'
    '[ext_resource type="Script" uid="uid://moved" path="res://new/moved.gd" id="1"]\n\n'
    '[node name="A" type="Node"]\nscript = ExtResource("1")\n',
    # and one that was moved with it, and left a copy of its id
    "old/kept.gd.uid": "uid://kept\n",
    "new/kept.gd": "extends Node\n",
    "new/kept.gd.uid": "uid://kept\n",
    # a picture whose note is about another place, and older than the engine
    "new/copied.svg": SVG,
    "new/copied.svg.import": note("copied", "compress/mode=0\nlong/gone=1\n"),
    # what the editor does not look at
    "ignored/.gdignore": "",
    "ignored/a.gd": "class_name Ignored\nextends Node\n",
    "ignored/a.gd.uid": "uid://ignored\n",
    "ignored/deep/a.svg": SVG,
    ".hidden/a.gd": "class_name Hidden\nextends Node\n",
    ".hidden/a.gd.uid": "uid://hidden\n",
    ".hidden.tscn": scene("hiddenscene"),
    "inner/project.godot": PROJECT,
    "inner/a.gd": "class_name Moved\nextends Node\n",
    "inner/a.gd.uid": "uid://kept\n",
    # unusual spellings
    "Case.gd": "extends Node\n",
    "Case.gd.uid": "uid://upper\n",
    "case.gd": "extends Node\n",
    "case.gd.uid": "uid://lower\n",
    "LOUD.GD": "class_name Loud\nextends Node\n",
    "LOUD.GD.uid": "uid://loud\n",
    "LOUD.TSCN": scene("loudscene"),
    "windows.gd": "\ufeffclass_name Windows\r\nextends Node\r\n",
    "windows.gd.uid": "\ufeffuid://windows\r\n",
    "windows.tscn": scene("windowsscene").replace("\n", "\r\n"),
    "spread.tscn": '\n; by hand\n[ gd_scene\nformat = 3\nuid = "uid://spread" ]\n\n[node name="A" type="Node"]\n',
    "odd.gd": "extends Node\n",
    "odd.gd.uid": "uid://zzz9\n",
    # without an id, or with one beside it where others have it inside
    "none.tscn": '[gd_scene format=3]\n\n[node name="A" type="Node"]\n',
    "invalid.tscn": scene("<invalid>"),
    "beside.tscn": '[gd_scene format=3]\n\n[node name="A" type="Node"]\n',
    "beside.tscn.uid": "uid://beside\n",
    "both.tscn": scene("inside"),
    "both.tscn.uid": "uid://outside\n",
    "beside.svg": SVG,
    "beside.svg.uid": "uid://nopicture\n",
    "unknown.xyz": "",
    "unknown.xyz.uid": "uid://unknown\n",
    "words.txt.import": '[remap]\n\nimporter="keep"\nuid="uid://words"\n',
    # ids that are made up
    "dreamt.tscn": scene("my_scene"),
    "dreamt.gd": "extends Node\n",
    "dreamt.gd.uid": "uid://PLAYER\n",
    "blank.gd": "extends Node\n",
    "blank.gd.uid": "",
    "shifted.gd": "extends Node\n",
    "shifted.gd.uid": " uid://shifted\n",
    "shifted.tscn": scene("shiftedscene"),
    "shifted.tscn.uid": "\nuid://shiftedoutside\n",
    "long.tscn": scene("longerthanthereisroomforinanumber0123456789"),
    "bare.tscn": '[gd_scene format=3 uid="uid://"]\n\n[node name="A" type="Node"]\n',
    "dreamt.svg": SVG,
    "dreamt.svg.import": note("my_picture"),
    # scripts that do not compile, and of an add-on
    "broken.gd": "class_name Broken\nextends Node\nfunc (:\n",
    "broken.gd.uid": "uid://broken\n",
    "addons/x/a.gd": "@tool\nextends EditorPlugin\n",
    "addons/x/b.gd": "class_name Addon\nextends Node\n",
    "addons/x/plugin.cfg": '[plugin]\n\nname="x"\nscript="a.gd"\n',
    **{f"beside/file{suffix}": "" for suffix in _ID_BESIDE},
}
LETTERS = "bcdefghijklmnopqrstuvwxy"
DISORDER |= {
    f"beside/file{suffix}.uid": f"uid://beside{LETTERS[number // 20]}{LETTERS[number % 20]}\n"
    for number, suffix in enumerate(sorted(_ID_BESIDE))
}


def lay_out(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


def test_disorder_is_read_as_the_editor_reads_it(machine: Machine, tmp_path: Path) -> None:
    found = compare_with_editor(lay_out(tmp_path, DISORDER), machine)
    assert found.differences == ()
    assert (found.left, found.why) == ("nothing", "")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"a.tscn": scene("b"), "sub/a.tscn": scene("b")}, "it has the id of"),
        ({"a.gd": "class_name A\n", "b.gd": "class_name A\n"}, "two classes A"),
        ({"a.gd": "class_name A\nextends B\n", "b.gd": "class_name B\nextends A\n"}, "it extends itself"),
        ({"a.svg": SVG, "a.svg.import": NOTE.format("b") + "valid=false\n\n[params]\n"}, "failed before"),
        ({"a.obj": ""}, "draw on other files"),
        ({"words.csv": "keys,en,de\nHELLO,Hello,Hallo\n"}, "or add some"),
        ({"a.svg": SVG, "a.svg.import": note("b", 'roughness/src_normal="res://b.svg"\n')}, "draws on other files"),
    ],
)
def test_what_is_not_plain_is_left_to_the_editor_as_a_whole(
    machine: Machine, tmp_path: Path, files: dict[str, str], why: str
) -> None:
    found = compare_with_editor(lay_out(tmp_path, {"project.godot": PROJECT, **files}), machine)
    assert found.left == "all"
    assert why in found.why


def test_art_that_is_not_plain_is_left_to_it_alone(machine: Machine, tmp_path: Path) -> None:
    files = {"a.svg": SVG, "b.svg": SVG, "b.svg.import": note("c", "compress/mode=1\n"), "a.tscn": scene("b")}
    found = compare_with_editor(lay_out(tmp_path, {"project.godot": PROJECT, **files}), machine)
    assert (found.left, found.differences) == ("art", ())


def test_of_copied_scenes_the_editor_takes_the_last(machine: Machine) -> None:
    """Why duplicates are left to it: which one is the last depends on its order of names."""
    names = ("sub/a.tscn", "a2.tscn", "a10.tscn", "B.tscn", "_c.tscn")
    with work_folder("editor") as work:
        project = lay_out(work / "project", {"project.godot": PROJECT, **{name: scene("b") for name in names}})
        assert import_in_place(project, work, machine)[0] is None
        assert list(read_id_table(project / IDS).values()) == ["res://B.tscn"]


def test_differences_are_found(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were our indexes wrong, it would say so."""
    wrong = Indexes((GlobalClass("A", "Node2D", "res://a.gd"),), {1: "a.tscn", 33: "b.tscn"})
    monkeypatch.setattr(prepare, "read_indexes", lambda *_: wrong)
    files = {"a.gd": "class_name A extends Node\n", "a.tscn": scene("c"), "b.tscn": scene("8")}
    found = compare_with_editor(lay_out(tmp_path, {"project.godot": PROJECT, **files}), machine)
    assert found.differences == (
        "id uid://c: only the editor has it (res://a.tscn)",
        "res://a.tscn: only ours has a new id for it",
        """class A: '"base": &"Node2D",', the editor's is '"base": &"Node",'""",
    )


def test_the_command_lists_projects_and_counts(tmp_path: Path) -> None:
    lay_out(tmp_path / "plain", {"project.godot": PROJECT, "a.tscn": scene("b")})
    lay_out(tmp_path / "deep/copied", {"project.godot": PROJECT, "a.tscn": scene("b"), "b.tscn": scene("b")})
    command = [sys.executable, "-m", "benchmark", "compare-editor", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "same        plain" in lines
    assert "left        deep/copied" in lines
    assert "2 projects: 1 same, 0 art left, 1 left, 0 different, 0 unreadable" in lines[-1]


@pytest.mark.parametrize(("arguments", "said"), [(["/nowhere"], "is not a folder"), (["-j", "0", "."], "--jobs: 0")])
def test_mistakes_in_its_use_are_one_line(arguments: list[str], said: str) -> None:
    command = [sys.executable, "-m", "benchmark", "compare-editor", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert said in done.stderr
