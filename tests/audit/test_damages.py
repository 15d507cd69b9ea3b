"""What each damage does to the files of a project, and to the game that runs from them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from benchmark.craft.audit.cuts import AUDIT_FILE, NoCutError, check_cut, read_cut
from benchmark.craft.audit.damages import BY_NAME, DAMAGES, add_autoload
from benchmark.craft.authoring import check_package
from benchmark.projects import settings
from benchmark.projects.project import PROJECT_FILE, scan_project
from benchmark.projects.solutions import lay_out_oracle
from benchmark.replay.build_gate import check_build
from benchmark.replay.evidence import Evidence, RecorderSettings
from benchmark.replay.recordings import record_fresh
from benchmark.replay.take_order import TakeOrder
from benchmark.replay.traces import Event, make_trace
from benchmark.runtime.machine import Machine
from benchmark.tasks import TASKS_ROOT, Task, TaskError, find_tasks, read_task

TINY = Path(__file__).parents[1] / "tasks/craft/puzzle/tiny-switch"
CUT = """
[cut]
description = "no thanks"
[[cut.edit]]
file = "main.gd"
find = "KEY_R: _presses = 0"
replace = "KEY_R: pass"
"""


@pytest.fixture
def task(tmp_path: Path) -> Task:
    """The tiny package, with a cut of its own."""
    folder = tmp_path / "puzzle/tiny-switch"
    for name in ("task.toml", "tests/rubric.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((TINY / name).read_bytes())
    lay_out_oracle(TINY / "solution", folder / "solution")
    (folder / AUDIT_FILE).write_text(CUT)
    return read_task(folder)


@pytest.fixture
def project(task: Task, tmp_path: Path) -> Path:
    lay_out_oracle(task.folder / "solution", tmp_path / "game")
    return tmp_path / "game"


def damage(name: str, task: Task, project: Path) -> None:
    apply = BY_NAME[name].apply
    assert apply is not None
    apply(task, project)


def test_every_damage_says_for_each_category_whether_it_must_may_or_must_not_fall() -> None:
    for one in DAMAGES:
        assert sorted(one.must + one.may + one.must_not) == sorted("MDVA"), one.name
        assert one.sham == (not one.must)


@pytest.mark.parametrize("name", [one.name for one in DAMAGES if one.apply])
def test_all_but_the_untouched_are_other_projects(name: str, task: Task, project: Path) -> None:
    (project / "dot.png").write_bytes(cv2.imencode(".png", np.eye(9, dtype=np.uint8) * 255)[1].tobytes())
    before = scan_project(project)
    damage(name, task, project)
    after = scan_project(project)
    assert (after.digest == before.digest) == (name == "untouched")
    assert set(before.files) <= set(after.files)


def test_an_autoload_joins_those_that_are_there(project: Path) -> None:
    path = project / PROJECT_FILE
    path.write_text(
        path.read_text() + '\n[autoload]\nMusic="*res://main.gd"\n\n[display]\nwindow/stretch/mode="canvas_items"\n'
    )
    before = settings.entries(path.read_text())
    add_autoload(project, "blank.gd")
    found = settings.entries(path.read_text())
    assert {entry.path: entry.value for entry in before}.items() <= {entry.path: entry.value for entry in found}.items()
    assert settings.value_of(found, "autoload/AuditDamage") == "*res://audit_damage.gd"


def test_deaf_cuts_polling_out_of_scripts(task: Task, project: Path) -> None:
    script = project / "poll.gd"
    script.write_text(
        "extends Node\nfunc _process(_delta):\n\tif Input.is_key_pressed(KEY_A) or Input.is_mouse_button_pressed(1):\n"
        "\t\tprint(get_viewport().get_mouse_position(), self.name)\n\tvar at := $A.get_global_mouse_position()\n"
    )
    damage("deaf", task, project)
    text = script.read_text()
    assert "if false or false:" in text
    assert "print(Vector2.ZERO, self.name)" in text
    assert "mouse_position" not in text


def test_plain_keeps_size_and_mean_colour_and_nothing_else(task: Task, project: Path) -> None:
    picture = np.zeros((20, 30, 4), np.uint8)
    picture[5:15, 5:25] = (200, 100, 50, 255)
    picture[8, 8] = (0, 0, 0, 255)
    cv2.imwrite(str(project / "thing.png"), picture)
    (project / "thing.png").chmod(0o444)
    (project / "shape.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20">'
        '<path d="M0 0" fill="#ff0000"/></svg>'
    )
    (project / "broken.png").write_bytes(b"no picture")
    damage("plain", task, project)
    flat = cv2.imread(str(project / "thing.png"), cv2.IMREAD_UNCHANGED)
    assert flat is not None
    assert flat.shape == (20, 30, 3)
    assert len(np.unique(flat.reshape(-1, 3), axis=0)) == 1
    assert np.allclose(flat[0, 0], (199, 99.5, 50), atol=1.5)
    svg = (project / "shape.svg").read_text()
    assert 'width="40"' in svg
    assert 'fill="rgb(255,0,0)"' in svg
    assert "path" not in svg
    assert (project / "broken.png").read_bytes() == b"no picture"


def test_bare_theme_takes_the_projects_own_theme_away(task: Task, project: Path) -> None:
    path = project / PROJECT_FILE
    path.write_text(path.read_text() + '\n[gui]\ntheme/custom="res://t.tres"\ntheme/custom_font="res://f.ttf"\n')
    damage("bare-theme", task, project)
    assert "theme/custom" not in path.read_text()


def test_a_cut_edits_and_keeps_the_named_demos(task: Task, project: Path) -> None:
    (task.folder / AUDIT_FILE).write_text(CUT.replace("[[cut.edit]]", 'demos = ["02_evening"]\n[[cut.edit]]'))
    damage("cut", task, project)
    assert "KEY_R: pass" in (project / "main.gd").read_text()
    assert [path.stem for path in (project / "demo_outputs").iterdir()] == ["02_evening"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[cut", "audit.toml: .*table declaration"),
        ("cut = 3", "cut: 3 is not an object"),
        ('[cut]\ndescription = "x"', "neither edits nor demos"),
        ("[cut]\ndemos = ['01_presses']", r"cut.description is missing"),
        (CUT.replace("main.gd", "../main.gd"), r"cut.edit\[0\].file: '../main.gd' must stay inside"),
        (CUT.replace("main.gd", "/etc/passwd"), r"cut.edit\[0\].file: '/etc/passwd' must stay inside"),
        (CUT.replace("main.gd", "nowhere.gd"), r"cut.edit\[0\].file: the oracle has no nowhere.gd"),
        (CUT.replace("KEY_R: _presses = 0", "KEY_Q"), r"cut.edit\[0\].find: 'KEY_Q' is not in main.gd"),
        (CUT.replace('replace = "KEY_R: pass"', "replace = 1"), r"cut.edit\[0\].replace: 1 is not a text"),
        (CUT.replace("[[cut.edit]]", 'demos = ["09"]\n[[cut.edit]]'), "cut.demos: '09' is no demo of the oracle"),
    ],
)
def test_a_cut_that_does_not_fit_names_its_place(task: Task, text: str, message: str) -> None:
    (task.folder / AUDIT_FILE).write_text(text)
    with pytest.raises(TaskError, match=message):
        check_cut(task.folder)
    assert any("cut" in str(problem) or "audit.toml" in str(problem) for problem in check_package(task.folder))


def test_a_package_need_not_say_how_to_cut_it(task: Task) -> None:
    (task.folder / AUDIT_FILE).unlink()
    with pytest.raises(NoCutError):
        read_cut(task.folder)
    assert not any("audit.toml" in str(problem) for problem in check_package(task.folder))


def test_all_our_packages_say_how_to_cut_them() -> None:
    ours = [task for task in find_tasks([TASKS_ROOT / "craft"]) if task.has_oracle]
    assert len(ours) >= 4
    for task in ours:
        check_cut(task.folder)


Record = Callable[[str], tuple[Evidence, list[dict[str, Any]], Path]]


@pytest.fixture
def record(machine: Machine, task: Task, project: Path, tmp_path: Path) -> Record:
    """Damage the tiny game and play it for five seconds: SPACE at the beginning and after the second second."""

    def go(name: str) -> tuple[Evidence, list[dict[str, Any]], Path]:
        damage(name, task, project)
        gate = check_build(project, machine)
        assert gate.build == 1, [str(finding) for finding in gate.findings if finding.blocks]
        assert gate.prepared is not None
        out = tmp_path / "evidence"
        out.mkdir()
        presses = tuple(Event("key_press", frame, keycode="SPACE") for frame in (10, 25, 100, 115))
        trace = make_trace("t.json", None, 150, presses)
        evidence = record_fresh(gate.prepared, TakeOrder(trace, RecorderSettings(video_fps=0)), machine, out, 2)
        assert evidence.outcome.complete, evidence.outcome
        looks = [json.loads(line) for line in (out / "state.jsonl").read_text().splitlines()]
        return evidence, looks, out

    return go


def counts(looks: list[dict[str, Any]]) -> list[str]:
    return [next(text for text in look["texts"] if text.isdigit()) for look in looks]


@pytest.mark.engine
def test_repacked_plays_as_before(record: Record) -> None:
    _, looks, _ = record("repacked")
    assert (counts(looks)[0], counts(looks)[4], counts(looks)[-1]) == ("0", "2", "4")


@pytest.mark.engine
def test_deaf_hears_nothing(record: Record) -> None:
    evidence, looks, _ = record("deaf")
    assert set(counts(looks)) == {"0"}
    assert len({still.pixels for still in evidence.stills}) == 1


@pytest.mark.engine
def test_frozen_stops_after_two_seconds(record: Record) -> None:
    evidence, looks, _ = record("frozen")
    assert counts(looks)[3] == "2"
    assert counts(looks)[-1] == "2"
    assert len({still.pixels for still in evidence.stills if still.frame >= 60}) == 1


@pytest.mark.engine
def test_no_hud_draws_no_text_and_goes_on(record: Record) -> None:
    evidence, looks, _ = record("no-hud")
    assert not looks[-1]["texts"]
    assert len({still.pixels for still in evidence.stills}) == 2  # the room is dark, lit, dark again


@pytest.mark.engine
def test_blank_shows_nothing(record: Record) -> None:
    evidence, looks, out = record("blank")
    for still in evidence.stills:
        picture = cv2.imread(str(out / still.file))
        assert picture is not None
        assert picture.max() == 0
    assert counts(looks)[-1] == "4"
    assert not any(looks[-1]["boxes"])


@pytest.mark.engine
def test_bare_theme_takes_sizes_away(record: Record) -> None:
    _, looks, _ = record("bare-theme")
    assert {box[4] for box in looks[-1]["boxes"] if box} == {16}
    assert looks[-1]["default_font_texts"] == len(looks[-1]["texts"])
    assert counts(looks)[-1] == "4"
