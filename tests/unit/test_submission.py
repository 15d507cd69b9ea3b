"""Taking over what an agent left: looked through before it is copied, never more than the limits, and no exception."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.edit.changes import changes
from benchmark.projects import submission, walk
from benchmark.projects.project import NOTE, PROJECT_FILE, put_in_place, scan_project
from benchmark.projects.submission import take_submission
from fixtures.attacks import Saw


def disk_bytes(folder: Path) -> int:
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*"))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / PROJECT_FILE).write_text("config_version=5\n")
    return folder


def sparse(game: Path, size: int = 4 << 30) -> None:
    with (game / "huge.bin").open("wb") as handle:
        handle.truncate(size)


def hard_links(game: Path) -> None:
    sparse(game, 300 << 20)
    for number in range(3):
        os.link(game / "huge.bin", game / f"again{number}.bin")


def many_files(game: Path) -> None:
    (game / "many").mkdir()
    for number in range(40):
        (game / "many" / str(number)).touch()


def many_pipes(game: Path) -> None:
    (game / "many").mkdir()
    for number in range(40):
        os.mkfifo(game / "many" / str(number))


def many_folders(game: Path) -> None:
    for number in range(40):
        (game / "many" / str(number)).mkdir(parents=True)


REFUSED: dict[str, tuple[Callable[[Path], None], str]] = {
    "a sparse file of 4 GiB": (sparse, "more than 1024 MiB"),
    "hard links that add up": (hard_links, "more than 1024 MiB"),
    "too many files": (many_files, "more than 30 files"),
    "too many pipes": (many_pipes, "more than 30 files"),
    "too many folders": (many_folders, "more than 20 folders"),
}


@pytest.mark.attack("a submission of {what}", "refused with the reason, nothing is copied")
@pytest.mark.parametrize("what", REFUSED)
def test_too_much_is_refused_before_a_byte_is_copied(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, saw: Saw
) -> None:
    monkeypatch.setattr(walk, "MAX_FILES", 30)
    monkeypatch.setattr(walk, "MAX_FOLDERS", 20)
    make, reason = REFUSED[what]
    make(game)
    target = tmp_path / "submission"
    began = time.process_time()
    copied = take_submission(game, target)
    assert time.process_time() - began < 5
    assert (copied.files, copied.refused) == (0, reason)
    assert [path.name for path in target.iterdir()] == [NOTE]
    project = scan_project(target)
    saw(f"the project has {project.problem}")
    assert project.problem == reason
    assert project.digest != scan_project(game / "nothing").digest
    assert changes(target, game) is not None


@pytest.mark.attack("a file grows while it is copied", "refused, no more than the limit was copied")
def test_what_grows_while_it_is_copied_is_refused(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saw: Saw
) -> None:
    monkeypatch.setattr(submission, "MAX_BYTES", 1 << 20)  # as if it had been smaller when it was looked through
    (game / "growing.bin").write_bytes(os.urandom(3 << 20))
    copied = take_submission(game, tmp_path / "submission")
    saw(copied.refused)
    assert copied.refused == "more than 1 MiB"
    assert disk_bytes(tmp_path / "submission") < 1 << 20


def test_holes_stay_holes(game: Path, tmp_path: Path) -> None:
    with (game / "holes.bin").open("wb") as handle:
        handle.seek(200 << 20)
        handle.write(b"end")
    take_submission(game, tmp_path / "submission")
    assert (tmp_path / "submission/holes.bin").stat().st_size == (200 << 20) + 3
    assert disk_bytes(tmp_path / "submission") < 1 << 20
    assert scan_project(tmp_path / "submission").digest == scan_project(game).digest


def odd_names(game: Path) -> None:
    for name in (b"\xff.gd", b"two\nlines.gd", b"\x1b[31mred.gd", b"back\\slash.gd", b"x" * 255, b"y" * 201 + b".png"):
        Path(os.fsdecode(os.fsencode(game) + b"/" + name)).write_text("x")


def deep(game: Path) -> None:
    """Deeper than a path can be long."""
    here = os.open(game, os.O_RDONLY)
    for _ in range(60):
        os.mkdir("d" * 100, dir_fd=here)
        inner = os.open("d" * 100, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("bottom.gd", os.O_WRONLY | os.O_CREAT, dir_fd=here))
    os.close(here)


def closed(game: Path) -> None:
    (game / "closed").mkdir()
    (game / "closed").chmod(0o000)
    (game / "closed.gd").touch(mode=0o000)


def forged_note(game: Path) -> None:
    (game / NOTE).write_text('{"refused": "", "left_out": ["nothing at all"]}')


def engine_folders(game: Path) -> None:
    (game / ".godot").write_text("a file where the engine keeps a folder")
    (game / ".import").touch()
    (game / "override.cfg").mkdir()
    (game / "override.cfg/x.gd").touch()


LEFT: dict[str, tuple[Callable[[Path], None], int]] = {
    "odd names": (odd_names, 6), "a path longer than the system takes": (deep, 1),
    "a forged note of ours": (forged_note, 0), "files in the place of engine folders": (engine_folders, 1),
}  # fmt: skip


@pytest.mark.attack("a submission with {what}", "taken without them, and told so")
@pytest.mark.parametrize("what", LEFT)
def test_oddities_are_left_out_and_told(game: Path, tmp_path: Path, what: str, saw: Saw) -> None:
    make, count = LEFT[what]
    make(game)
    copied = take_submission(game, tmp_path / "submission")
    assert not copied.refused
    project = scan_project(tmp_path / "submission")
    saw("; ".join(project.left_out)[:120] or "nothing left out")
    assert project.files == (PROJECT_FILE,)
    assert len(project.left_out) == count
    assert all(note.isprintable() for note in project.left_out)
    changes(game, tmp_path / "submission").encode()


def test_what_its_owner_closed_is_no_error(game: Path, tmp_path: Path) -> None:
    """Root reads it all the same; anyone else does without."""
    closed(game)
    copied = take_submission(game, tmp_path / "submission")
    assert not copied.refused
    assert copied.files + len(copied.left_out) >= 2
    (game / "closed").chmod(0o755)


@pytest.mark.attack("files to compare that take a diff program hours", "named without their lines, in seconds")
def test_a_hostile_diff_ends(tmp_path: Path) -> None:
    for side, step in (("start", 7), ("submission", 11)):
        (tmp_path / side).mkdir()
        for number in range(8):
            lines = "\n".join(str((line * step) % 500) for line in range(4000))
            (tmp_path / side / f"{number}.gd").write_text(lines)
    began = time.process_time()
    assert "# 0.gd: changed" in changes(tmp_path / "start", tmp_path / "submission")
    assert time.process_time() - began < 20


@pytest.mark.attack("a file where the folder of the hidden test goes, a folder in its place", "the test stands there")
def test_our_files_take_their_place(game: Path) -> None:
    (game / "scripts").touch()
    (game / "scenes/test.tscn").mkdir(parents=True)
    put_in_place(game, "scripts/test.gd", b"ours")
    put_in_place(game, "scenes/test.tscn", b"ours")
    assert (game / "scripts/test.gd").read_bytes() == (game / "scenes/test.tscn").read_bytes() == b"ours"
