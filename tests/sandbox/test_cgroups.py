"""Groups of the kernel, as far as ordinary folders can stand for them: the files that are read and written."""

from pathlib import Path

import pytest

from benchmark.runtime import cgroups
from benchmark.runtime.cgroups import Group, Support, find_parent, remove_abandoned
from benchmark.runtime.processes import Bounds, Start, Supervised

BOUNDS = Bounds(wall_sec=20, processes=9, threads=40, memory_bytes=1 << 28, output_bytes=1000)


def controls(folder: Path, names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cgroup.subtree_control").write_text(names + "\n", encoding="ascii")
    return folder


def test_without_the_controllers_there_is_no_group(tmp_path: Path) -> None:
    own = controls(tmp_path / "a/b", "")
    controls(tmp_path / "a", "cpu pids")
    controls(tmp_path, "hugetlb")
    assert find_parent(tmp_path, own) == Support(None, "no group above ours limits memory and processes")


def test_a_folder_that_does_not_move_processes_is_not_believed(tmp_path: Path) -> None:
    own = controls(tmp_path / "user/session", "")
    user = controls(tmp_path / "user", "cpu memory pids")
    controls(tmp_path, "hugetlb")
    assert find_parent(tmp_path, own) == Support(None, f"{user} does not take our processes")


def test_a_group_above_the_mount_is_not_looked_at(tmp_path: Path) -> None:
    controls(tmp_path, "memory pids")
    own = controls(tmp_path / "mount", "")
    assert find_parent(own, own).parent is None


def test_a_job_is_in_its_group_before_it_does_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "support", lambda: Support(tmp_path))
    monkeypatch.setattr(cgroups, "_GONE_SEC", 0.0)
    script = f"cat {tmp_path}/*/cgroup.procs; echo; echo $$; cat {tmp_path}/*/memory.max {tmp_path}/*/pids.max"
    with Supervised(Start(("/bin/sh", "-c", script), {"PATH": "/usr/bin:/bin"}), BOUNDS) as running:
        finished = running.finish()
    admitted, own, limits = finished.text.splitlines()
    assert admitted == own
    assert limits == f"{1 << 28}40"
    assert finished.ending == "exited"


def test_an_end_for_want_of_memory_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "support", lambda: Support(tmp_path))
    monkeypatch.setattr(cgroups, "_GONE_SEC", 0.0)
    script = (
        f"for group in {tmp_path}/gamecraft-*; do printf 'oom 1\\noom_kill 3\\n' > $group/memory.events; done; exit 9"
    )
    with Supervised(Start(("/bin/sh", "-c", script)), BOUNDS) as running:
        assert running.finish().ending == "memory"


def test_groups_of_harnesses_that_were_killed_are_removed(tmp_path: Path) -> None:
    (tmp_path / "gamecraft-999999999-0").mkdir()
    mine = Group(tmp_path, 1, 1).folder
    remove_abandoned(tmp_path)
    assert list(tmp_path.iterdir()) == [mine]
