"""Reading one commit out of a git repository, object by object, each checked against its own name.

`git checkout` is not used: it follows what a stranger's repository says (links, filters, attributes) and stops at the
first object that is missing. A snapshot that was read here is exactly what its commit says, or says what it lacks.
"""

import hashlib
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from benchmark.errors import BenchmarkError

_FILE_MODES = {"100644", "100755", "100664"}
_FOLDER = "40000"
_UNSAFE_NAMES = {"", ".", "..", ".git"}


class SnapshotError(BenchmarkError):
    """The repository could not be read, or is not what its commit says."""


@dataclass(frozen=True)
class CommitFile:
    """A file of a commit. `problem` says why it is not taken, e.g. that it is a link."""

    path: str
    digest: str
    problem: str = ""
    is_executable: bool = False


def git_environment() -> dict[str, str]:
    """Nothing is asked on the terminal, nothing fetched behind our back, no transport that runs commands."""
    return {
        **os.environ,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "https:ssh:git:file",
        "LC_ALL": "C",
    }


class ObjectReader:
    """`git cat-file --batch` on a repository. Every object is hashed, so a damaged store cannot pass for the commit."""

    def __init__(self, repository: Path) -> None:
        git = ("git", "-c", "safe.directory=*", "-C", str(repository))
        if subprocess.run([*git, "rev-parse"], env=git_environment(), capture_output=True).returncode != 0:
            raise SnapshotError(f"{repository} is not a git repository", fix="give a clone, bare or not, with --from")
        command = [*git, "cat-file", "--batch"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=git_environment()
        )

    def __enter__(self) -> "ObjectReader":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def read(self, digest: str, kind: str) -> bytes | None:
        """The object of this name; None if the store lacks it. Raises SnapshotError if it is not what it says."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{digest}\n".encode())
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise SnapshotError("git cannot read the repository") from error
        head = self._process.stdout.readline().decode(errors="replace").split()
        if len(head) == 2 and head[1] == "missing":
            return None
        if len(head) != 3 or not head[2].isdigit():  # a damaged object ends git
            raise SnapshotError(f"{kind} {digest} cannot be read", fix="fetch the repository anew")
        data = self._process.stdout.read(int(head[2]) + 1)[:-1]
        named = hashlib.sha1(f"{kind} {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()
        if head[1] != kind or named != digest:
            raise SnapshotError(f"{kind} {digest} is not what its name says: it is a {head[1]} {named}")
        return data

    def files(self, commit: str) -> Iterator[CommitFile]:
        """All files below the commit, in order of their paths."""
        data = self.read(commit, "commit")
        if data is None:
            raise SnapshotError(f"commit {commit} is not in the repository", fix="name another with --commit")
        yield from self._below(data.split(b"\n", 1)[0].removeprefix(b"tree ").decode("ascii", "replace"), "")

    def _below(self, tree: str, prefix: str) -> Iterator[CommitFile]:
        data = self.read(tree, "tree")
        if data is None:
            raise SnapshotError(f"the folder {prefix or '/'} (tree {tree}) is not in the repository")
        while data:
            head, _, rest = data.partition(b"\0")
            mode, _, raw = head.decode("utf-8", "replace").partition(" ")
            digest, data = rest[:20].hex(), rest[20:]
            path = f"{prefix}{raw}"
            if raw.lower() in _UNSAFE_NAMES or "/" in raw or "\\" in raw or not raw.isprintable():
                yield CommitFile(path, digest, "its name is not one for a file")
            elif mode == _FOLDER:
                yield from self._below(digest, f"{path}/")
            elif mode in _FILE_MODES:
                yield CommitFile(path, digest, is_executable=mode == "100755")
            else:
                yield CommitFile(path, digest, "it is a link" if mode == "120000" else "it is another repository")
