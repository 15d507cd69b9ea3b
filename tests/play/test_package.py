"""Game packages: what is read, what is refused with file and key, and what lint says."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.errors import TaskError
from benchmark.play.authoring import check_package
from benchmark.play.package import read_package
from benchmark.play.track import GENRES
from benchmark.tasks import TASKS_ROOT, find_tasks, survey_tasks
from tests.play.conftest import GAMES

OURS = sorted(path.parent for path in (TASKS_ROOT / "play").glob("*/*/game.yaml"))
Change = Callable[[str, str, str], Path]


@pytest.fixture
def changed(tmp_path: Path) -> Change:
    """`changed(file, old, new)` is a copy of the tiny game in which that was replaced."""

    def change(name: str, old: str, new: str) -> Path:
        folder = tmp_path / "arcade/tiny-steps"
        shutil.copytree(GAMES / "arcade/tiny-steps", folder)
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1))
        return folder

    return change


@pytest.mark.parametrize("folder", OURS, ids=lambda path: path.name)
def test_our_games_keep_the_rules(folder: Path) -> None:
    assert check_package(folder) == ()


def test_each_rung_is_a_task_of_its_own() -> None:
    tasks = find_tasks([GAMES])
    assert [task.id for task in tasks][:2] == ["play/arcade/tiny-steps-1-two", "play/arcade/tiny-steps-2-four"]
    assert len(tasks) == 10
    assert {task.labels["level"] for task in tasks} == {"L1", "L5"}
    assert all(task.has_oracle and not task.foreign and task.family in GENRES for task in tasks)


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("game.yaml", "level: 1", "level: 6", "level: 6 is not a whole number from 1 to 5"),
        ("game.yaml", "level: 1", "levle: 1", "levle not known; allowed are"),
        ("game.yaml", "level: 1", "level: 1\nlevel: 2", "'level' is there twice"),
        ("game.yaml", "level: 1", "level: !!python/object:os.system 1", "is not taken"),
        ("game.yaml", "level: 1", "entry: ../../etc/passwd\nlevel: 1", "must stay inside the project"),
        ("game.yaml", "level: 1", "entry: other.html\nlevel: 1", "entry: other.html is not there"),
        ("game.yaml", "wait: 10}", "wait: 10, hold: a}", "exactly one of"),
        ("game.yaml", "wait: 10}", "wait: 181}", "181 is not a whole number from 1 to 180"),
        ("game.yaml", "hold: ArrowUp", "hold: z", "the key z is not among controls.keys"),
        ("game.yaml", "hold: ArrowUp", "hold: Turbo", "'Turbo' is no key"),
        ("game.yaml", "pointer: [click]", "pointer: []", "click is not among controls.pointer"),
        ("game.yaml", "pointer: [click]", "pointer: [poke]", "'poke' is not one of"),
        ("game.yaml", "click: cell", "click: [1, .nan]", "is not a pair of numbers"),
        ("game.yaml", "click: cell", "click: [640, 360]", "parameters.cell: nothing uses it"),
        ("game.yaml", "cell: field", "cell: meadow", "is none of the grids"),
        ("game.yaml", "number: [1, 60]", "number: [1, 600]", "frames are from 1 to 180"),
        ("game.yaml", "id: lose", "id: right", "right is there twice"),
        ("tasks/1-two.yaml", "target: 2", "target: 0", "target: 0 is not above start: 0"),
        ("tasks/1-two.yaml", "target: 2", "target: .inf", "inf is not a number"),
        ("tasks/1-two.yaml", "target: 2", "target: '2'", "'2' is not a number"),
        ("tasks/1-two.yaml", "score: game_state.score", "score: __proto__()", "is no field of a state"),
        ("tasks/1-two.yaml", "actions: 14", "actions: 1000000", "is not a whole number from 1 to 2000"),
        ("tasks/1-two.yaml", "actions: 14", "url: http://elsewhere.test", "must begin with ? or #"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_file_and_key(name: str, old: str, new: str, said: str, changed: Change) -> None:
    folder = changed(name, old, new)
    with pytest.raises(TaskError, match=re.escape(said)) as raised:
        read_package(folder)
    assert name in raised.value.message
    survey = survey_tasks([folder.parents[1]])
    assert (survey.tasks, len(survey.broken)) == ((), 1)


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("game.js", "let world;", "let world = Math.random();", "uses Math.random"),
        ("game.js", "let world;", "fetch('x');", "uses fetch"),
        ("index.html", "</title>", '</title><script src="https://cdn.test/x.js"></script>', "asks for https://cdn.test"),
        ("game.yaml", "about: ArrowRight walks.", "about: ''", "agents with keyboard and mouse read it"),
        ("game.yaml", "cell_width: 320", "cell_width: 400", "is outside of the picture"),
        ("tasks/5-twenty.yaml", "target: 20", "target: 2", "asks for no more than the first"),
    ],
)  # fmt: skip
def test_lint_finds_what_reading_allows(name: str, old: str, new: str, said: str, changed: Change) -> None:
    problems = "\n".join(map(str, check_package(changed(name, old, new))))
    assert said in problems


def test_lint_wants_five_tasks_a_policy_and_no_strange_files(tmp_path: Path) -> None:
    folder = tmp_path / "arcade/tiny-steps"
    shutil.copytree(GAMES / "arcade/tiny-steps", folder)
    (folder / "tasks/3-eight.yaml").unlink()
    (folder / "policy.js").unlink()
    (folder / "tool.exe").write_bytes(b"MZ")
    problems = "\n".join(map(str, check_package(folder)))
    assert "five tasks are needed" in problems
    assert "policy.js: is missing" in problems
    assert "tool.exe: is of a kind" in problems


def test_links_and_pipes_make_a_package_unreadable(tmp_path: Path) -> None:
    folder = tmp_path / "arcade/tiny-steps"
    shutil.copytree(GAMES / "arcade/tiny-steps", folder)
    (folder / "secret.js").symlink_to("/etc/passwd")
    with pytest.raises(TaskError, match="is a symbolic link"):
        read_package(folder)
