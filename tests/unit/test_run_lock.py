"""Who may write a run: one command, and its own workers as long as it lives."""

import errno
import fcntl
import os
import shutil
from pathlib import Path

import pytest

from benchmark.errors import InfrastructureError, UsageError
from benchmark.results import run_lock
from benchmark.results.run_lock import LOCK_FILE, WORKERS_FILE, hold, share
from benchmark.results.store import RunStore, UnwritableRunError
from tests.unit.test_store import record


def test_a_command_waits_for_the_workers_of_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = share(tmp_path, os.getppid())
    monkeypatch.setattr(run_lock, "_PATIENCE_SEC", 0.2)
    with pytest.raises(UsageError, match="still being written by workers of a command that was ended"):
        hold(tmp_path)
    worker.release()
    hold(tmp_path).release()  # and the refusal has left no lock behind


def test_workers_share_a_run_and_nobody_joins_while_it_is_taken(tmp_path: Path) -> None:
    share(tmp_path, None)
    share(tmp_path, None).release()
    other = (tmp_path / "other").resolve()
    other.mkdir()
    with (other / WORKERS_FILE).open("w") as taken:
        fcntl.flock(taken, fcntl.LOCK_EX)
        with pytest.raises(InfrastructureError, match="has taken over run 'other'"):
            share(other, None)


@pytest.mark.attack("a worker that begins after its command was killed", "it writes nothing, and blocks nobody")
def test_a_worker_whose_command_has_ended_does_not_join(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="has ended"):
        share(tmp_path, os.getpid())  # nobody is its own parent
    hold(tmp_path).release()


@pytest.mark.attack("a run deleted and begun anew while it is written", "the old command stops, the new run is whole")
def test_a_deleted_run_is_not_written_again(tmp_path: Path) -> None:
    old, new = RunStore(tmp_path / "r"), RunStore(tmp_path / "r")
    old.writing()
    shutil.rmtree(tmp_path / "r")
    new.writing()
    with pytest.raises(UnwritableRunError, match="was deleted or replaced"):
        old.append(record())
    new.append(record("craft/puzzle/b"))
    assert [one.task for one in new.history()] == ["craft/puzzle/b"]


def test_a_file_system_without_locks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with pytest.raises(UsageError, match=r"run\.lock cannot be locked: No locks available") as told:
        RunStore(tmp_path / "r").writing()
    assert "--runs-dir" in (told.value.fix or "")


@pytest.mark.parametrize("what", ["a folder", "a link", "a file"])
def test_what_is_in_the_way_is_named(what: str, tmp_path: Path) -> None:
    path = tmp_path / "r" / LOCK_FILE
    if what == "a file":
        path = tmp_path / "r"
        path.touch()
    else:
        path.parent.mkdir()
        path.mkdir() if what == "a folder" else path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="run 'r' cannot be written") as told:
        RunStore(tmp_path / "r").writing()
    assert str(path) in told.value.message
    assert not (tmp_path / "elsewhere").exists()


def test_of_a_run_that_nothing_became_of_nothing_stays(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "r")
    store.writing()
    store.close()
    assert not (tmp_path / "r").exists()
    store.writing()
    store.append(record())
    store.close()
    assert store.history() == (record(),)
