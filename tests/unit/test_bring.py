"""Bringing a public benchmark: a pinned commit becomes plain files, each checked, whatever the repository holds."""

import io
import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from benchmark.cli import main
from benchmark.errors import UsageError
from benchmark.paths import CACHE_VARIABLE
from benchmark.progress import QUIET
from benchmark.public_benchmarks.catalogue import PublicBenchmark, known_benchmarks
from benchmark.public_benchmarks.objects import SnapshotError
from benchmark.public_benchmarks.snapshot import Snapshot, bring

BENCHMARK = PublicBenchmark(
    name="sample",
    title="A sample",
    source="https://example.invalid/x",
    commit="0" * 40,
    track="edit",
    tasks=".",
    unpack=("tasks",),
)
WHO = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))


def git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(repository), *arguments],
        env={**os.environ, **WHO},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def commit(repository: Path) -> str:
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "state")
    return git(repository, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "origin"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "LICENSE").write_text("\n  Some Licence\n  Version 3\n\nwords\n", encoding="utf-8")
    (folder / "tasks").mkdir()
    (folder / "tasks/one.txt").write_text("first\n", encoding="utf-8")
    (folder / "run.sh").write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / "run.sh").chmod(0o755)
    return folder


def taken(repository: Path | str, name: str) -> Snapshot:
    return bring(BENCHMARK, str(repository), name, QUIET)


def test_the_files_of_a_commit_are_there_with_licence_and_size(repository: Path) -> None:
    first = commit(repository)
    (repository / "tasks/one.txt").write_text("later\n", encoding="utf-8")
    commit(repository)
    snapshot = taken(repository, first)
    assert (snapshot.folder / "tasks/one.txt").read_text(encoding="utf-8") == "first\n"
    assert os.access(snapshot.folder / "run.sh", os.X_OK)
    assert snapshot.licence == "Some Licence, Version 3 (LICENSE)"
    assert (snapshot.files, snapshot.missing) == (3, ())
    assert not list(snapshot.folder.glob(".git*"))


def test_it_is_brought_once_and_then_needs_no_source(repository: Path) -> None:
    name = commit(repository)
    assert taken(repository, name).is_new
    again = taken("https://example.invalid/gone", name)
    assert not again.is_new
    assert again.files == 3


def test_a_url_is_fetched_by_git(repository: Path) -> None:
    name = commit(repository)
    assert taken(repository.as_uri(), name).files == 3


def test_a_repository_without_the_commit_is_told(repository: Path) -> None:
    commit(repository)
    with pytest.raises(SnapshotError, match="is not in the repository"):
        taken(repository, "1" * 40)


def test_a_folder_that_is_no_repository_is_told(tmp_path: Path) -> None:
    with pytest.raises(SnapshotError, match="not a git repository"):
        taken(tmp_path, "1" * 40)


@pytest.mark.parametrize("source", ["ext::sh -c touch% /tmp/x", "--upload-pack=touch", "nowhere/at/all"])
def test_what_is_no_address_is_refused(source: str) -> None:
    with pytest.raises(UsageError, match="--from"):
        taken(source, "1" * 40)


@pytest.mark.parametrize("name", ["HEAD", "abc", "--help", "A" * 40])
def test_a_commit_is_named_in_full(repository: Path, name: str) -> None:
    with pytest.raises(UsageError, match="--commit"):
        taken(repository, name)


def test_links_out_of_the_repository_are_left_out_and_named(repository: Path) -> None:
    (repository / "secrets").symlink_to("/etc/passwd")
    snapshot = taken(repository, commit(repository))
    assert snapshot.missing == (("secrets", "it is a link"),)
    assert not (snapshot.folder / "secrets").is_symlink()


def test_names_that_lead_elsewhere_are_left_out(repository: Path) -> None:
    blob = git(repository, "hash-object", "-w", "LICENSE")
    inner = _tree(repository, f"100644 blob {blob}\tpost-checkout")
    outer = _tree(repository, f"040000 tree {inner}\t.GIT", f"040000 tree {inner}\t..", f"100644 blob {blob}\tgood")
    name = git(repository, "commit-tree", outer, "-m", "bad")
    snapshot = taken(repository, name)
    assert sorted(path.name for path in snapshot.folder.iterdir()) == ["good"]
    assert {path for path, _ in snapshot.missing} == {"..", ".GIT"}


def _tree(repository: Path, *rows: str) -> str:
    """As a hostile server would send it: git's own commands refuse such names."""
    data = b""
    for row in rows:
        head, name = row.split("\t")
        mode, _, digest = head.split()
        data += f"{mode.lstrip('0')} {name}\0".encode() + bytes.fromhex(digest)
    done = subprocess.run(
        ["git", "-C", str(repository), "hash-object", "-t", "tree", "-w", "--literally", "--stdin"],
        input=data, check=True, capture_output=True,
    )  # fmt: skip
    return done.stdout.decode().strip()


def _object(repository: Path, name: str) -> Path:
    path = repository / ".git/objects" / name[:2] / name[2:]
    path.chmod(0o644)
    return path


def test_what_a_mirror_lacks_is_named_and_tried_for_again(repository: Path) -> None:
    name = commit(repository)
    lost = _object(repository, git(repository, "rev-parse", "HEAD:tasks/one.txt"))
    data = lost.read_bytes()
    lost.unlink()
    assert taken(repository, name).missing == (("tasks/one.txt", "the source does not have it"),)
    lost.write_bytes(data)
    assert taken(repository, name).missing == ()


def test_an_object_that_is_not_what_its_name_says_stops_it(repository: Path) -> None:
    name = commit(repository)
    (repository / "other").write_text("something else", encoding="utf-8")
    other = _object(repository, git(repository, "hash-object", "-w", "other"))
    _object(repository, git(repository, "rev-parse", "HEAD:tasks/one.txt")).write_bytes(other.read_bytes())
    with pytest.raises(SnapshotError, match=r"is not what its name says|cannot be read"):
        taken(repository, name)


def test_a_pointer_to_a_file_that_is_kept_elsewhere_is_no_file(repository: Path) -> None:
    (repository / "big.zip").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", encoding="utf-8")
    assert taken(repository, commit(repository)).missing == (("big.zip", "it is kept in Git LFS"),)


def test_zips_of_projects_are_unpacked_and_nothing_leaves_their_folder(repository: Path) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("tasks/task_1/project.godot", "config_version=5")
        archive.writestr("tasks/task_1/scripts/test.gd", "extends Node")
        archive.writestr("tasks/task_1/../../../evil", "x")
    (repository / "tasks/task_1.zip").write_bytes(content.getvalue())
    (repository / "tasks/task_2.zip").write_bytes(b"not a zip")
    snapshot = taken(repository, commit(repository))
    project = snapshot.folder / "tasks/task_1"
    assert sorted(p.relative_to(project).as_posix() for p in project.rglob("*.*")) == [
        "project.godot",
        "scripts/test.gd",
    ]
    assert not (snapshot.folder / "tasks/task_1.zip").exists()
    assert [path for path, _ in snapshot.missing] == ["tasks/task_2.zip"]
    assert not list(snapshot.folder.parent.rglob("evil"))


def test_the_command_prints_what_to_type_next(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = commit(repository)
    assert main(["bring", "gamecraft-bench", "--from", str(repository), "--commit", name]) == 0
    said = capsys.readouterr().out
    assert f"commit   {name} (not the one that docs/public.md is about)" in said
    assert "licence  Some Licence, Version 3 (LICENSE)" in said
    assert "next: pytest --track craft --tasks " in said


def test_every_known_benchmark_is_pinned() -> None:
    for one in known_benchmarks().values():
        assert len(one.commit) == 40
        assert one.source.startswith("https://")
