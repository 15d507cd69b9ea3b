"""Records sorted by what they are averaged over. Those of different tracks never meet in a number."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from benchmark.tasks import EXAMPLE_FAMILY
from benchmark.tracks import Track, all_tracks, stand_in
from benchmark.trials import TrialRecord

if TYPE_CHECKING:
    from benchmark.results.metrics import Metrics


def counted(records: Sequence[TrialRecord]) -> list[TrialRecord]:
    """The records that averages are made of: the example task only where its track has nothing else."""
    real = {record.track for record in records if record.family != EXAMPLE_FAMILY}
    return [record for record in records if record.family != EXAMPLE_FAMILY or record.track not in real]


def scores_by_task(records: Sequence[TrialRecord]) -> dict[str, tuple[float, ...]]:
    """The scores of each task: of every attempt, as often as it was judged."""
    found: dict[str, list[float]] = {}
    for record in counted(records):
        if record.scored:
            found.setdefault(record.task, []).extend(record.repeats)
    return {task: tuple(scores) for task, scores in found.items()}


def by_agent(records: Iterable[TrialRecord]) -> dict[str, list[TrialRecord]]:
    """In the order in which they first come."""
    found: dict[str, list[TrialRecord]] = {}
    for record in records:
        found.setdefault(record.agent, []).append(record)
    return found


def by_track(records: Iterable[TrialRecord]) -> list[tuple[Track, list[TrialRecord]]]:
    """In the order of the registry. Records of a track that is not installed here are told apart, not dropped."""
    found: dict[str, list[TrialRecord]] = {}
    for record in records:
        found.setdefault(record.track, []).append(record)
    known = [(track, found.pop(name)) for name, track in all_tracks().items() if name in found]
    return known + [(stand_in(name), left) for name, left in found.items()]


def metrics_of(record: TrialRecord) -> "Metrics":
    """Of the record's track."""
    ((track, _),) = by_track([record])
    return track.metrics(track)
