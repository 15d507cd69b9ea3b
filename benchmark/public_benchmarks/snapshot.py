"""A pinned commit of a repository as plain files in the cache."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmark.errors import UsageError
from benchmark.files import write_json
from benchmark.paths import beside, cache_root
from benchmark.progress import Progress
from benchmark.projects.archive import Archive
from benchmark.public_benchmarks.catalogue import PublicBenchmark
from benchmark.public_benchmarks.objects import ObjectReader, SnapshotError, git_environment
from benchmark.runtime.locking import exclusive
from benchmark.runtime.workdir import work_folder
from benchmark.tasks import TaskError

NOTE = "snapshot.json"  # beside the files: where they came from, what is missing
_COMMIT = re.compile(r"[0-9a-f]{40}")
_FETCH_SEC = 1800
_LFS = b"version https://git-lfs.github.com/"
MAX_UNPACKED_BYTES = 4 << 30


@dataclass(frozen=True)
class Snapshot:
    """The files of one commit. `missing` are those that the source did not have, with the reason."""

    folder: Path
    source: str
    commit: str
    files: int
    size_bytes: int
    missing: tuple[tuple[str, str], ...]
    is_new: bool

    @property
    def licence(self) -> str:
        """What its licence file calls itself."""
        for path in sorted(self.folder.iterdir()):
            if path.is_file() and re.fullmatch(r"(licen[cs]e|copying)(\..*)?", path.name, re.IGNORECASE):
                lines = [line.strip() for line in path.read_text("utf-8", "replace").splitlines() if line.strip()]
                return f"{', '.join(lines[:2])[:100]} ({path.name})"
        return "no licence file: all rights are its authors'; run it, do not pass it on"


def bring(benchmark: PublicBenchmark, source: str, commit: str, progress: Progress) -> Snapshot:
    """Have the commit in the cache, from a URL or a local repository."""
    if not _COMMIT.fullmatch(commit):
        raise UsageError(f"--commit: {commit!r} is not a commit", fix="give all 40 digits of its name, in lower case")
    folder = cache_root() / "public" / benchmark.name / commit
    with exclusive(beside(folder, ".lock"), lambda: progress.say("waiting for another process that brings it")):
        if (known := _known(folder)) is not None:
            return known
        shutil.rmtree(folder, ignore_errors=True)
        partial = beside(folder, ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        with _repository(source, commit, progress) as repository:
            missing = _write_files(repository, commit, partial, progress)
        missing += _unpack(partial, benchmark.unpack, progress)
        files = [path for path in partial.rglob("*") if path.is_file()]
        snapshot = Snapshot(
            folder=folder,
            source=source,
            commit=commit,
            files=len(files),
            size_bytes=sum(path.stat().st_size for path in files),
            missing=tuple(missing),
            is_new=True,
        )
        note = {"source": source, "commit": commit, "files": snapshot.files, "size_bytes": snapshot.size_bytes}
        write_json(beside(folder, f".{NOTE}"), {**note, "missing": missing})
        partial.rename(folder)
    return snapshot


def _known(folder: Path) -> Snapshot | None:
    try:
        note = json.loads(beside(folder, f".{NOTE}").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not folder.is_dir() or note["missing"]:  # what was missing may be there by now
        return None
    return Snapshot(
        folder=folder,
        source=note["source"],
        commit=note["commit"],
        files=note["files"],
        size_bytes=note["size_bytes"],
        missing=(),
        is_new=False,
    )


@contextmanager
def _repository(source: str, commit: str, progress: Progress) -> Iterator[Path]:
    """Where the commit can be read: the local repository itself, or a fetch of this one commit."""
    if shutil.which("git") is None:
        raise SnapshotError("git is not installed", fix="install it, or give a copy of the repository with --from")
    local = Path(source)
    if local.exists():
        yield local.resolve()
        return
    if not re.match(r"(https|ssh|git|file)://|[\w.-]+@[\w.-]+:", source):
        raise UsageError(
            f"--from: {source!r} is neither a folder nor an address that git can fetch from",
            fix="give https://…, ssh://…, or the path of a local copy",
        )
    with work_folder("git", on_disk=True) as work:
        repository = work / "repository"
        progress.say(f"fetching {commit[:12]} from {source} …")
        _git("init", "--quiet", "--bare", str(repository))
        _git("-C", str(repository), "fetch", "--quiet", "--depth", "1", "--no-tags", "--", source, commit)
        yield repository


def _git(*arguments: str) -> None:
    try:
        done = subprocess.run(
            ["git", *arguments], env=git_environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", timeout=_FETCH_SEC,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise SnapshotError(f"git did not finish in {_FETCH_SEC // 60} minutes") from error
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise SnapshotError(
            f"git could not fetch it: {said[-1][:300] if said else f'exit code {done.returncode}'}",
            fix="check the address and the network, or give a local copy with --from DIR",
        )


def _write_files(repository: Path, commit: str, target: Path, progress: Progress) -> list[tuple[str, str]]:
    """Write every file that can be had; those that cannot, with the reason."""
    target.mkdir(parents=True)
    missing: list[tuple[str, str]] = []
    with ObjectReader(repository) as reader:
        entries = list(reader.files(commit))
        for number, entry in enumerate(entries, 1):
            progress.update(f"{number} of {len(entries)} files", number / len(entries))
            data = None if entry.problem else reader.read(entry.digest, "blob")
            if data is None or data.startswith(_LFS):
                reason = "it is kept in Git LFS" if data else "the source does not have it"
                missing.append((entry.path, entry.problem or reason))
                continue
            path = target / entry.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(0o755 if entry.is_executable else 0o644)
    progress.done()
    return missing


def _unpack(folder: Path, below: tuple[str, ...], progress: Progress) -> list[tuple[str, str]]:
    """Put each zip's files where the zip lay, and remove it. One that is damaged stays, and is named."""
    bad: list[tuple[str, str]] = []
    archives = [path for name in below for path in sorted((folder / name).glob("*.zip"))]
    left = MAX_UNPACKED_BYTES
    for number, path in enumerate(archives, 1):
        progress.update(f"unpacking {number} of {len(archives)}", number / len(archives))
        try:
            left -= _unpack_one(path, path.with_suffix(""), left)
        except (OSError, TaskError) as error:
            shutil.rmtree(path.with_suffix(""), ignore_errors=True)
            bad.append((path.relative_to(folder).as_posix(), f"it cannot be unpacked: {error}"))
        else:
            path.unlink()
    progress.done()
    return bad


def _unpack_one(path: Path, target: Path, most_bytes: int) -> int:
    """The project in a zip, without the folders that lead to it. Returns its size."""
    archive = Archive(path)
    size = 0
    for name in archive.files:
        data = archive.read(name)
        size += len(data)
        if size > most_bytes:
            raise TaskError(f"all of it together is larger than {MAX_UNPACKED_BYTES >> 30} GiB")
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(data)
    return size
