"""The run store: one folder per run, one line per finished trial, append-only. Everything else is a view of it."""

import contextlib
import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmark.checked import parse_object
from benchmark.errors import InfrastructureError, UsageError
from benchmark.files import write_json
from benchmark.jsonl import open_plain
from benchmark.results.journal import append, mend, read
from benchmark.results.run_lock import LOCK_FILE, Lock, hold
from benchmark.tracks import counted_options
from benchmark.trials import TrialId, TrialRecord
from benchmark.versions import differing

RUNS_ROOT = Path("reports")
TRIALS_FILE = "trials.jsonl"
_MAX_SETTINGS_BYTES = 1 << 24
RUN_FILE = "run.json"


def now() -> str:
    """The time as records have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class UnwritableRunError(InfrastructureError):
    """A record could not be kept. Those before it are safe."""


class RunStore:
    """A run on disk. Reading needs no lock; `writing()` makes this process its only writer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock: Lock | None = None
        self._is_new = False

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def _records(self) -> Path:
        return self.folder / TRIALS_FILE

    def trial_folder(self, trial: TrialId) -> Path:
        return self.folder / "trials" / trial.folder

    def writing(self) -> list[str]:
        """Create the run if it is new, become its writer, mend a torn last line. Returns what had to be said."""
        if self._lock is not None:
            return []
        with self.writable():
            self._is_new = not self.folder.exists()
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = hold(self.folder)
            if not os.access(self.folder, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return mend(self._records)

    @contextmanager
    def writable(self) -> Iterator[None]:
        """What the file system refuses in this block is one line for whoever typed the command."""
        try:
            yield
        except OSError as error:
            raise UsageError(
                f"run {self.name!r} cannot be written: {error.filename or self.folder}: {error.strerror}",
                fix="mend that, or name another folder with --runs-dir; `report` reads a run without writing to it",
            ) from error

    def close(self) -> None:
        """Let others write. Of a run that nothing became of, nothing stays."""
        if self._lock is None:
            return
        if self._is_new and {path.name for path in self.folder.iterdir()} <= {LOCK_FILE}:
            with contextlib.suppress(OSError):
                self._lock.path.unlink()
                self.folder.rmdir()
        self._lock.release()
        self._lock = None

    def append(self, record: TrialRecord) -> None:
        """Add one line; it is on the disk when this returns. Raises UnwritableRunError: then nothing of it is."""
        if self._lock is not None and not self._lock.is_real:
            raise UnwritableRunError(f"{self.folder} was deleted or replaced while it was written")
        try:
            append(self._records, record)
        except OSError as error:
            raise UnwritableRunError(
                f"{self._records} takes no more: {error.strerror}; {record.id.label} is not kept",
                fix=f"mend that, then the same command with --run {self.name} goes on: what was told before is safe",
            ) from error

    def history(self) -> tuple[TrialRecord, ...]:
        """Every record, oldest first. What is none is an error with its line; what a crash tore is left out."""
        return read(self._records).records

    def latest(self) -> dict[TrialId, TrialRecord]:
        """The record that counts for each trial."""
        return those_that_count(self.history())

    def describe(self, settings: dict[str, Any]) -> None:
        """Write `run.json`; a resumed run keeps when it began."""
        begun = self.settings().get("begun", now())
        write_json(self.folder / RUN_FILE, {"run": self.name, "begun": begun, **settings})

    def settings(self) -> dict[str, Any]:
        """What the last command said of itself; nothing where that cannot be read."""
        try:
            with open_plain(self.folder / RUN_FILE) as handle:
                return parse_object(handle.read(_MAX_SETTINGS_BYTES).decode("utf-8"))
        except (OSError, ValueError):
            return {}


def those_that_count(history: Iterable[TrialRecord]) -> dict[TrialId, TrialRecord]:
    """Of each trial the newest record, but a later void does not undo a score.

    Unless it is of another judge, or of an agent or task that has changed since: then the score answers a question
    that is no longer asked.
    """
    found: dict[TrialId, TrialRecord] = {}
    for record in history:
        earlier = found.get(record.id)
        if earlier is None or record.scored or not earlier.scored or _asks_anew(record, earlier):
            found[record.id] = record
    return found


def _asks_anew(record: TrialRecord, earlier: TrialRecord) -> bool:
    options = counted_options(record.track)
    return record.judge != earlier.judge or bool(differing(earlier.versions, record.versions, record.agent, options))


def open_run(name: str, root: Path = RUNS_ROOT) -> RunStore:
    """An existing run, by name or by its folder."""
    for folder in (Path(name), root / name):
        if (folder / TRIALS_FILE).is_file():
            return RunStore(folder)
    known = sorted(path.parent.name for path in root.glob(f"*/{TRIALS_FILE}"))
    raise UsageError(
        f"there is no run {name!r} in {root}", fix=f"one of: {', '.join(known)}" if known else "run pytest first"
    )


def valid_run_name(name: str) -> str:
    """A run's name is a folder's name."""
    if not name or name in (".", "..") or not all(c.isalnum() or c in "._-" for c in name) or name.startswith("-"):
        raise UsageError(f"--run: {name!r} must be made of letters, digits, dots, hyphens and underscores")
    return name


def typical_seconds(root: Path, trials: Iterable[TrialId]) -> dict[TrialId, float]:
    """The longest each trial took in the latest runs, by task and agent: a run from the cache says nothing."""
    wanted: dict[tuple[str, str], list[TrialId]] = {}
    for trial in trials:
        wanted.setdefault((trial.task, trial.agent), []).append(trial)
    files = sorted(root.glob(f"*/{TRIALS_FILE}"), key=lambda path: path.stat().st_mtime)[-10:]
    known: dict[TrialId, float] = {}
    for path in files:
        with contextlib.suppress(UsageError):
            for record in RunStore(path.parent).history():
                for trial in wanted.get((record.task, record.agent), ()) if record.scored else ():
                    known[trial] = max(known.get(trial, 0.0), record.total_sec)
    return known
