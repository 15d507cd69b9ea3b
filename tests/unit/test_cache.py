"""What is kept between runs stays within its bound, and the least recently used goes first."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmark.cache import (
    IN_USE_SEC,
    LIMIT_VARIABLE,
    entries,
    kinds,
    limit_bytes,
    made_once,
    place,
    recalled,
    trim,
    trim_now_and_then,
)
from benchmark.cli import main
from benchmark.errors import UsageError

Keep = Callable[[str, str, int, float], Path]


@pytest.fixture
def keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Keep:
    """`keep("evidence", "a", 100_000, hours)`: an entry of that size, last used so many hours ago."""
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path))

    def made(kind: str, name: str, size: int, hours: float) -> Path:
        path = place(kind, name)
        if kind == "evidence":
            (path / "frames").mkdir(parents=True)
            (path / "frames/1.jpg").write_bytes(b"x" * size)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(b"x" * size)
        os.utime(path, (time.time() - hours * 3600,) * 2)
        return path

    return made


def test_the_least_recently_used_goes_first(keep: Keep) -> None:
    old, older, new = (keep("evidence", name, 1 << 20, hours) for name, hours in (("a", 5), ("b", 9), ("c", 2)))
    said = keep("judgements", "d.json", 1 << 20, 7)
    assert [entry.path for entry in entries()] == [older, said, old, new]
    assert [entry.path for entry in trim(3 << 20)] == [older, said]
    assert (older.exists(), said.exists(), old.exists(), new.exists()) == (False, False, True, True)


def test_what_was_asked_for_was_used(keep: Keep) -> None:
    keep("evidence", "a", 1 << 20, 5)
    keep("evidence", "b", 1 << 20, 4)
    place("evidence", "a")
    assert [entry.path.name for entry in entries()] == ["b", "a"]


def test_what_is_in_use_stays_even_if_it_is_too_much(keep: Keep) -> None:
    busy = keep("evidence", "a", 1 << 20, IN_USE_SEC / 3600 * 0.9)
    assert trim(0) == []
    assert busy.exists()


def test_locks_and_half_made_entries_are_none(keep: Keep, tmp_path: Path) -> None:
    keep("evidence", "a.partial", 1 << 20, 9)
    keep("evidence", "a.lock", 1 << 20, 9)
    assert entries() == []


def test_what_was_begun_and_never_finished_goes_after_a_day(keep: Keep) -> None:
    old, new = (keep("evidence", f"{name}.partial", 1 << 20, hours) for name, hours in (("a", 25), ("b", 1)))
    trim(1 << 30)
    assert (old.exists(), new.exists()) == (False, True)


def test_every_kind_is_named_by_who_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path))
    assert {"imports", "evidence", "verdicts"} <= kinds().keys()
    with pytest.raises(KeyError, match="a track names what it keeps"):
        place("trifles", "a")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path))
    return place("evidence", "a")


def read(folder: Path) -> int:
    return int((folder / "said").read_text(encoding="utf-8"))


def test_several_who_want_a_folder_at_once_make_it_once(folder: Path) -> None:
    made = []

    def make(target: Path) -> None:
        made.append(target)
        time.sleep(0.1)
        assert not folder.exists()  # nobody sees what is half done
        (target / "said").write_text("7", encoding="utf-8")

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: made_once(folder, make, read), range(4)))
    assert sorted(results) == [(7, False)] * 3 + [(7, True)]
    assert len(made) == 1


def test_what_could_not_be_made_is_not_there(folder: Path) -> None:
    def fails(target: Path) -> None:
        (target / "said").write_text("7", encoding="utf-8")
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        made_once(folder, fails, read)
    assert [path.name for path in folder.parent.iterdir()] == ["a.lock"]


@pytest.mark.parametrize(
    ("there", "fresh", "result"), [("7", False, (7, False)), ("7", True, (8, True)), ("x", False, (8, True))]
)
def test_what_is_damaged_or_wanted_afresh_is_made_again(
    folder: Path, there: str, fresh: bool, result: tuple[int, bool]
) -> None:
    folder.mkdir(parents=True)
    (folder / "said").write_text(there, encoding="utf-8")
    assert made_once(folder, lambda target: (target / "said").write_text("8"), read, fresh=fresh) == result


@pytest.mark.parametrize("content", ["", "{", "[" * 100_000, '{"a": "\udcff"}'])
def test_a_file_that_cannot_be_read_is_as_good_as_none(folder: Path, content: str) -> None:
    path = folder.with_suffix(".json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    assert recalled(path) is None


def test_links_are_removed_and_not_followed(keep: Keep, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.mkdir()
    (target / "mine").write_bytes(b"x" * (1 << 20))
    link = place("evidence", "link")
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(target)
    os.utime(link, (0, 0), follow_symlinks=False)
    assert [entry.path for entry in trim(0)] == [link]
    assert (target / "mine").exists()


def test_it_looks_once_a_day(keep: Keep, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, "0.001")
    keep("evidence", "a", 1 << 20, 5)
    assert [entry.path.name for entry in trim_now_and_then()] == ["a"]
    keep("evidence", "b", 1 << 20, 5)
    assert trim_now_and_then() == []


def test_a_bound_that_is_no_number_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, "many")
    with pytest.raises(UsageError, match="'many' is not a number of gigabytes"):
        limit_bytes()


def test_the_command_shows_trims_and_clears(keep: Keep, capsys: pytest.CaptureFixture[str]) -> None:
    keep("evidence", "a", 2 << 20, 5)
    keep("verdicts", "b", 1 << 20, 3)
    assert main(["cache"]) == 0
    assert "recorded demos                                1       2.1  5.0 h ago" in capsys.readouterr().out
    assert main(["cache", "--trim", "0.002"]) == 0
    assert "deleted: 1 entries, 2.1 MB" in capsys.readouterr().out
    assert main(["cache", "--clear", "verdicts"]) == 0
    assert entries() == []
