"""Reading a run that came from elsewhere. Nothing in it is believed, and nothing in it leads out of its folder."""

from pathlib import Path

from benchmark.results.journal import lines
from benchmark.results.report.damaged import first_strange, inside
from benchmark.results.store import TRIALS_FILE, RunStore
from benchmark.trials import TrialRecord, one_line


class UnreadableError(Exception):
    """One line about what is missing, damaged or not allowed."""


def read_records(store: RunStore) -> tuple[list[TrialRecord], list[str]]:
    """The records of a run, oldest first, and a line about everything that is none."""
    records: list[TrialRecord] = []
    problems: list[str] = []
    try:
        for line in lines(store.folder / TRIALS_FILE):
            if line.record is not None:
                records.append(line.record)
            else:
                problems.append(one_line(f"{TRIALS_FILE}:{line.number}: not a trial record: {line.problem}", 300))
    except (OSError, ValueError) as error:
        problems.append(one_line(f"{TRIALS_FILE}: {getattr(error, 'strerror', None) or error}", 200))
    return records, problems


def trial_folder(store: RunStore, record: TrialRecord, reads: tuple[str, ...]) -> Path:
    """The folder of a trial, if neither its name nor any of the parts that we read leads elsewhere."""
    folder = store.trial_folder(record.id)
    try:
        if folder.is_symlink() or not inside(folder, store.folder / "trials"):
            raise UnreadableError("its folder leads out of the run")
        if not folder.is_dir():
            raise UnreadableError("its folder is missing")
        if strange := first_strange(folder, reads):
            raise UnreadableError(one_line(f"{strange.relative_to(folder)} is a link or a special file", 200))
        if not (folder / reads[0]).exists():
            raise UnreadableError(f"there is no {reads[0]}")
    except (OSError, ValueError) as error:  # a name too long or with a zero byte in it
        raise UnreadableError(one_line(f"its folder cannot be read: {error}", 200)) from error
    return folder
