"""The run store: one folder per run, one line per finished trial, append-only. Everything else is a view of it."""

import contextlib
import fcntl
import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from benchmark.errors import UsageError
from benchmark.files import write_json
from benchmark.trials import TrialId, TrialRecord
from benchmark.versions import differing

RUNS_ROOT = Path("reports")
TRIALS_FILE = "trials.jsonl"
RUN_FILE = "run.json"
TORN_FILE = "torn.txt"


def now() -> str:
    """The time as records have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class RunStore:
    """A run on disk. Reading needs no lock; `writing()` makes this process its only writer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock: IO[str] | None = None

    @property
    def name(self) -> str:
        return self.folder.name

    def trial_folder(self, trial: TrialId) -> Path:
        return self.folder / "trials" / trial.folder

    def writing(self) -> list[str]:
        """Create the run if it is new, become its writer, mend a torn last line. Returns what had to be said."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = (self.folder / "run.lock").open("a")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.close()
            raise UsageError(
                f"run {self.name!r} is being written by another process",
                fix="wait for it, or choose another --run name",
            ) from error
        self._lock = lock
        return self._mend()

    def close(self) -> None:
        """Let others write."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _mend(self) -> list[str]:
        """A process that was killed may have left half a line: keep it aside, cut it off."""
        path = self.folder / TRIALS_FILE
        if not path.exists():
            return []
        data = path.read_bytes()
        whole = data.rfind(b"\n") + 1
        torn = data[whole:]
        if not torn:
            return []
        with contextlib.suppress(ValueError):
            TrialRecord.from_line(torn.decode("utf-8"))
            with path.open("ab") as handle:  # only its line end is missing
                handle.write(b"\n")
            return []
        with (self.folder / TORN_FILE).open("ab") as handle:
            handle.write(torn + b"\n")
        with path.open("r+b") as handle:
            handle.truncate(whole)
            os.fsync(handle.fileno())
        return [
            f"{path}: the last line was torn ({len(torn)} bytes); it was moved to {TORN_FILE}, its trial will run again"
        ]

    def append(self, record: TrialRecord) -> None:
        """Add one line; it is on the disk when this returns."""
        line = (record.to_line() + "\n").encode()
        descriptor = os.open(self.folder / TRIALS_FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(descriptor, line)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def history(self) -> tuple[TrialRecord, ...]:
        """Every line, oldest first. A line that is not a record is an error with its number."""
        path = self.folder / TRIALS_FILE
        if not path.exists():
            return ()
        records = []
        lines = path.read_bytes().split(b"\n")
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                records.append(TrialRecord.from_line(line.decode("utf-8")))
            except ValueError as error:
                if number == len(lines):  # torn; the next writer mends it
                    break
                raise UsageError(
                    f"{path}:{number}: {error}", fix="take the line out; its trial will run again"
                ) from error
        return tuple(records)

    def latest(self) -> dict[TrialId, TrialRecord]:
        """The record that counts for each trial."""
        return those_that_count(self.history())

    def describe(self, settings: dict[str, Any]) -> None:
        """Write `run.json`; a resumed run keeps when it began."""
        path = self.folder / RUN_FILE
        begun = now()
        with contextlib.suppress(OSError, ValueError):
            begun = json.loads(path.read_text(encoding="utf-8"))["begun"]
        write_json(path, {"run": self.name, "begun": begun, **settings})

    def settings(self) -> dict[str, Any]:
        try:
            return dict(json.loads((self.folder / RUN_FILE).read_text(encoding="utf-8")))
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
    return record.judge != earlier.judge or bool(differing(earlier.versions, record.versions, record.agent))


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
