"""What a run says to other programs: its tables by name, and the document that is a baseline later."""

from collections.abc import Sequence
from typing import Any

from benchmark.results.averages import by_track
from benchmark.results.behaviour import TRIAL_COLUMNS, behaviour_tables
from benchmark.results.identity import IDENTITY_COLUMNS
from benchmark.results.judging import judge_tables
from benchmark.results.tables import Table, trial_table
from benchmark.tracks import all_tracks
from benchmark.trials import TrialRecord


def main_tables(records: Sequence[TrialRecord]) -> dict[str, Table]:
    """What was achieved, by the name of the files. Each track has tables of its own."""
    tables: dict[str, Table] = {}
    for track, found in by_track(records) or [(next(iter(all_tracks().values())), [])]:
        tables |= track.metrics(track).tables(found)  # a run without trials has a table without rows
    return tables


def run_tables(records: Sequence[TrialRecord]) -> dict[str, Table]:
    """Those, the trials, what agents did, and what there is about the judges."""
    added = [column for track in all_tracks().values() for column in track.metrics(track).trial_columns]
    tables = main_tables(records) | {"trials": trial_table(records, [*added, *IDENTITY_COLUMNS, *TRIAL_COLUMNS])}
    return tables | tables_of_behaviour(records) | judge_tables(records)


def tables_of_behaviour(records: Sequence[TrialRecord]) -> dict[str, Table]:
    """What agents did, where anything is known of it."""
    tables = behaviour_tables(records)
    for track, found in by_track(records):
        tables |= track.metrics(track).behaviour_tables(found)
    return tables


def summary_document(run: str, records: Sequence[TrialRecord]) -> dict[str, Any]:
    """Everything that a later run is compared with; `--baseline` reads it.

    Each track has its own list, best agent first; an agent that was tried in two tracks is in both.
    """
    document: dict[str, Any] = {"run": run}
    found = {track.name: own for track, own in by_track(records)}
    for name, track in all_tracks().items():
        metrics = track.metrics(track)
        document |= metrics.legend() | {metrics.document_key: metrics.document(found.get(name, []))}
    return document
