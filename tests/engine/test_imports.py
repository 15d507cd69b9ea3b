"""What is imported without the editor is what the editor makes; whatever is not plain is left to it."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmark.assets.library import library_folder
from benchmark.projects import imports
from benchmark.projects.comparison import unequal_resources
from benchmark.projects.editor import NotPlainError
from benchmark.projects.ids import IMPORT_ID
from benchmark.projects.imports import PlainImport, import_plainly, importers
from benchmark.projects.prepare import import_in_place, prepare
from benchmark.projects.project import scan_project
from benchmark.runtime.engine import Engine
from benchmark.runtime.machine import Machine
from benchmark.runtime.sandbox import Job, Mount
from benchmark.runtime.workdir import hand_over, work_folder

pytestmark = pytest.mark.engine

REPOSITORY = Path(__file__).parents[2]
FONTS = Path(__file__).with_name("fonts")  # drawn for this: no edge of Blocks is slanted, one of Slope is
PROJECT = "config_version=5\n\n[rendering]\n\ntextures/canvas_textures/default_texture_filter=0\n"
SOUNDS = {
    "tone.wav": (), "eight.wav": ("-c:a", "pcm_u8", "-ar", "22050"), "wide.wav": ("-ac", "2", "-ar", "48000"),
    "float.wav": ("-c:a", "pcm_f32le"), "tone.ogg": (), "wide.ogg": ("-ac", "2", "-ar", "48000"), "tone.mp3": (),
}  # fmt: skip


@pytest.fixture
def work() -> Iterator[Path]:
    with work_folder("imports") as folder:
        yield folder


def write_pictures(folder: Path, machine: Machine) -> None:
    """Of every depth, with and without transparency, from one pixel to many."""
    folder.mkdir()
    noise = np.random.default_rng(1).integers(0, 255, (33, 47, 4), np.uint8)
    framed = np.zeros((40, 40, 4), np.uint8)
    framed[10:30, 10:30] = (10, 200, 30, 255)
    pictures = {
        **{f"rgb.{ending}": noise[:, :, :3] for ending in ("png", "jpg", "jpeg", "webp", "bmp")},
        "grey.png": noise[:, :, 0], "grey.jpg": noise[:, :, 0], "rgba.png": noise, "rgba.webp": noise,
        "sixteen.png": noise[:, :, :3].astype(np.uint16) * 257, "one.png": noise[:1, :1], "Framed.PNG": framed,
        "tall.png": np.zeros((5000, 3, 3), np.uint8),
    }  # fmt: skip
    for name, picture in pictures.items():
        assert cv2.imwrite(str(folder / name), picture), name
    for name, options in {"rgba.tga": (), "few colours “ä”.png": ("-pix_fmt", "pal8")}.items():  # not in OpenCV
        command = [str(machine.ffmpeg), "-loglevel", "error", "-i", str(folder / "rgba.png"), *options]
        subprocess.run([*command, str(folder / name)], check=True)


def write_sounds(folder: Path, machine: Machine) -> None:
    folder.mkdir()
    for name, options in SOUNDS.items():
        tone = ["-f", "lavfi", "-i", "sine=frequency=440:duration=0.4"]
        command = [str(machine.ffmpeg), "-loglevel", "error", *tone, *options, str(folder / name)]
        subprocess.run(command, check=True)


def files_of(project: Path) -> tuple[str, ...]:
    found = (path.relative_to(project).as_posix() for path in sorted(project.rglob("*")) if path.is_file())
    return tuple(name for name in found if name != "project.godot" and not name.startswith(".godot"))


def test_everything_plain_is_made_as_the_editor_makes_it(machine: Machine, work: Path) -> None:
    ours, theirs = work / "ours", work / "theirs"
    shutil.copytree(library_folder(), ours / "library", ignore=shutil.ignore_patterns("*.json", "*.txt"))
    drawings = {path.read_bytes(): path.name for path in (REPOSITORY / "tests/games").rglob("*.svg")}
    (ours / "drawings").mkdir()
    for number, (data, drawing) in enumerate(drawings.items()):
        (ours / f"drawings/{number}-{drawing}").write_bytes(data)
    shutil.copytree(FONTS, ours / "fonts")
    write_pictures(ours / "pictures", machine)
    write_sounds(ours / "sounds", machine)
    (ours / "project.godot").write_text(PROJECT)
    shutil.copytree(ours, theirs)
    files = files_of(ours)
    assert {Path(name).suffix.lower() for name in files} == set(importers())  # nothing is made that was not compared

    made = import_plainly(ours, files, work, machine)
    assert import_in_place(theirs, work, machine)[0] is None

    notes = {one.note_name: one.note() for one in made}
    by_value: list[str] = []
    for note in sorted(theirs.rglob("*.import")):
        name = note.relative_to(theirs).as_posix()
        assert IMPORT_ID.sub("", notes[name]) == IMPORT_ID.sub("", note.read_text())
        target = re.search(r'^path="res://(.+)"$', notes[name], re.MULTILINE)
        assert target is not None
        if target[1].endswith(".ctex"):
            assert (ours / target[1]).read_bytes() == (theirs / target[1]).read_bytes(), name
        else:
            by_value.append(target[1])
    assert len(notes) == len(list(theirs.rglob("*.import"))) == len(files) > 450
    imported = [path.name for path in (theirs / ".godot/imported").iterdir() if path.suffix != ".md5"]
    assert sorted(path.name for path in (ours / ".godot/imported").iterdir()) == sorted(imported)
    assert list(unequal_resources(ours, theirs, by_value, work, machine)) == []
    assert len(by_value) > len(SOUNDS)


def test_a_project_without_pictures(machine: Machine, work: Path) -> None:
    (work / "project").mkdir()
    (work / "project/project.godot").write_text(PROJECT)
    shutil.copyfile(FONTS / "blocks.ttf", work / "project/blocks.ttf")
    assert import_plainly(work / "project", ("blocks.ttf",), work, machine)


PICTURE = "art/coin.png"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="red"/></svg>'


@pytest.fixture
def project(work: Path) -> Path:
    folder = work / "project"
    (folder / "art").mkdir(parents=True)
    cv2.imwrite(str(folder / PICTURE), np.full((8, 8, 3), 90, np.uint8))
    with (folder / PICTURE).open("ab") as handle:
        handle.write(os.urandom(8))  # content that nobody has imported; what follows the picture is not read
    (folder / "project.godot").write_text(PROJECT)
    return folder


def test_a_note_of_the_project_keeps_its_id(machine: Machine, work: Path, project: Path) -> None:
    assert import_in_place(project, work, machine)[0] is None
    note = project / f"{PICTURE}.import"
    known = re.sub(IMPORT_ID, 'uid="uid://b4k2known"', note.read_text())
    note.write_text(known)
    shutil.rmtree(project / ".godot")
    made = import_plainly(project, files_of(project), work, machine)
    assert [one.note() for one in made] == [known]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("project.godot", PROJECT + "textures/lossless_compression/force_png=true\n"),
        ("project.godot", PROJECT + '[importer_defaults]\ntexture={"process/size_limit": 4}\n'),
        (f"{PICTURE}.import", '[remap]\n\nimporter="image"\n\n[params]\n\n'),
        (f"{PICTURE}.import", '[remap]\n\nimporter="texture"\n\n[params]\n\ncompress/mode=1\n'),
        (f"{PICTURE}.import", "\x00"),
        (f"{PICTURE}.import", '[remap]\n\nimporter="texture"\nvalid=false\n\n[params]\n\n'),
        (f"{PICTURE}.import", '[remap]\n\nimporter="texture"\ngroup_file="res://x"\n\n[params]\n\n'),
        ('art/a "quoted" name.svg', SVG),
        ("words.csv", "keys,en\nHELLO,Hello\n"),
        ("art/broken.png", "not a picture"),
        ("art/broken.svg", "<svg"),
        ("art/broken.ttf", "not a font"),
        ("art/broken.wav", "RIFF"),
        ("art/broken.ogg", "OggS"),
        ("art/broken.mp3", ""),
    ],
)
def test_whatever_is_not_plain_is_left_to_the_editor(
    machine: Machine, work: Path, project: Path, name: str, text: str
) -> None:
    (project / name).parent.mkdir(exist_ok=True)
    (project / name).write_text(text)
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    with pytest.raises(NotPlainError):
        import_plainly(project, files_of(project), work, machine)
    assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == before


def test_a_drawing_is_plain(machine: Machine, work: Path, project: Path) -> None:
    (project / "art/coin.svg").write_text(SVG)
    assert len(import_plainly(project, files_of(project), work, machine)) == 2


def test_notes_about_files_that_are_gone_say_nothing(machine: Machine, work: Path, project: Path) -> None:
    (project / "art/gone.png.import").write_text('[remap]\n\nimporter="keep"\n')
    assert [one.source for one in import_plainly(project, files_of(project), work, machine)] == [PICTURE]


def test_a_note_of_an_older_engine_is_brought_up_to_date(machine: Machine, work: Path, project: Path) -> None:
    old = '[remap]\n\nimporter="texture"\nuid="uid://old"\n\n[deps]\n\n[params]\n\ncompress/mode=0\nlong/gone=true\n'
    (project / f"{PICTURE}.import").write_text(old)
    (one,) = import_plainly(project, files_of(project), work, machine)
    assert one.uid == "uid://old"
    assert "detect_3d/compress_to=1" in one.note()
    assert "long/gone" not in one.note()


def test_another_engine_has_its_editor_asked(machine: Machine, work: Path, project: Path) -> None:
    newer = replace(machine, engine=Engine(machine.engine.program, "4.7.stable", "test"))
    with pytest.raises(NotPlainError, match=r"Godot 4\.7"):
        import_plainly(project, files_of(project), work, newer)


def test_a_project_with_a_broken_picture_still_has_its_others(machine: Machine, work: Path, project: Path) -> None:
    (project / "art/broken.png").write_text("not a picture")
    prepared = prepare(scan_project(project), machine)
    assert prepared.problem is None
    assert any("broken.png" in message.text for message in prepared.messages)
    assert list((prepared.folder / ".godot/imported").glob("coin.png-*.ctex"))


def test_links_that_an_engine_leaves_lead_nowhere(
    machine: Machine, work: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture that takes the engine over could have it put links where our files are to go."""
    outside = work / "outside"
    outside.mkdir()
    (outside / "coin.png").write_text("precious")

    def taken_over(plan: tuple[PlainImport, ...], alone: Path, *_: object) -> bool:
        shutil.rmtree(alone / "art")
        (alone / "art").symlink_to(outside)
        (alone / ".godot/imported").mkdir(parents=True)
        (alone / plan[0].target).symlink_to("/etc/passwd")
        return True

    monkeypatch.setattr(imports, "_made", taken_over)
    prepared = prepare(scan_project(project), machine)
    assert [path.name for path in outside.iterdir()] == ["coin.png"]
    assert (outside / "coin.png").read_text() == "precious"
    assert (prepared.folder / f"{PICTURE}.import").is_file()
    assert not [path for path in prepared.folder.rglob("*") if path.is_symlink()]
    shutil.rmtree(prepared.folder.parent)  # nobody else is to get this


def test_the_engine_runs_with_what_was_imported(machine: Machine, work: Path, project: Path) -> None:
    for one in import_plainly(project, files_of(project), work, machine):
        (project / one.note_name).write_text(one.note())
    (project / "main.gd").write_text(
        f'extends Node\n\nfunc _ready() -> void:\n\tvar coin: Texture2D = load("res://{PICTURE}")\n'
        '\tprint("SIZE ", coin.get_size(), " ", coin.get_image().get_pixel(3, 3).to_html())\n\tget_tree().quit()\n'
    )
    (project / "main.tscn").write_text(
        '[gd_scene load_steps=2 format=3]\n\n[ext_resource type="Script" path="res://main.gd" id="1"]\n\n'
        '[node name="Main" type="Node"]\nscript = ExtResource("1")\n'
    )
    hand_over(project)
    mount = Mount("project", project, "write")
    arguments = ("--headless", "--path", machine.sandbox.place(mount), "res://main.tscn")
    said = machine.sandbox.run(Job(machine.engine.program, arguments, (mount,), home=work)).text
    assert "SIZE (8.0, 8.0) 5a5a5aff" in said, said


def test_every_kind_of_file_has_one_importer() -> None:
    assert {one.kind for one in importers().values()} == {"texture", "font", "wav", "ogg", "mp3"}
