"""Verifying one trial: whatever its track looks at again, compared with what the run says of it."""

from collections.abc import Iterator

from benchmark import __version__
from benchmark.errors import BenchmarkError
from benchmark.results.store import RunStore
from benchmark.runtime.machine import Machine
from benchmark.tracks import all_tracks
from benchmark.trials import TrialRecord, one_line
from benchmark.verify_run.findings import Finding, VerifyTools
from benchmark.verify_run.stored import UnreadableError, trial_folder


def verify_trial(store: RunStore, record: TrialRecord, bench: VerifyTools) -> tuple[Finding, ...]:
    """All findings of a trial. Whatever is wrong with it becomes one of them: the others go on."""
    if not record.scored:
        return (Finding("trial", "not replayed", one_line(f"void: {record.reason}", 200)),)
    track = all_tracks().get(record.track)
    if track is None or track.trials.verify is None:
        said = one_line(f"trials of track {record.track!r} cannot be looked at again here", 200)
        return (Finding("trial", "not replayed", said),)
    try:
        folder = trial_folder(store, record, track.trials.verify_reads)
        return tuple(track.trials.verify(folder, record, bench.tasks.get(record.task), bench))
    except UnreadableError as error:
        return (Finding("trial", "unreadable", str(error)),)
    except OSError as error:  # a file where a folder should be, say
        return (Finding("trial", "unreadable", one_line(f"cannot be read: {error}", 200)),)
    except BenchmarkError as error:  # here, not there: but nothing was confirmed
        return (Finding("trial", "unreadable", one_line(f"could not be verified here: {error.message}")),)


def other_harness(record: TrialRecord, machine: Machine | None) -> Iterator[str]:
    """Where what made a record is not what is here."""
    for key, here in (("harness", __version__), ("engine", machine.engine.version if machine else "")):
        there = record.versions.get(key, "")
        if there and here and there != here:
            yield one_line(f"{key} was {there}, is {here} here", 200)
