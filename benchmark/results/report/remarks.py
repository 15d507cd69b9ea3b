"""What a reader must know before comparing the numbers of a run."""

from collections.abc import Sequence

from benchmark.results.averages import counted
from benchmark.tasks import EXAMPLE_FAMILY
from benchmark.trials import TrialRecord


def remarks(records: Sequence[TrialRecord]) -> list[str]:
    """What a reader must know before comparing numbers."""
    remarks = []
    example = [record for record in records if record.family == EXAMPLE_FAMILY]
    counts = {record.id for record in counted(records)}
    if any(record.id in counts for record in example):
        others = len(example) < len(records)
        remarks.append(
            f"{'Of the games that get a score, only' if others else 'Only'} the example task was run. "
            "It is for trying things out and counts in no benchmark result."
        )
    elif example:
        remarks.append("The example task is listed but not part of the averages.")
    judges = {(record.track, record.judge, record.proxy) for record in records if record.scored}
    if len(judges) > len({track for track, _, _ in judges}):
        remarks.append("Trials of this run were scored by different judges; compare only scores of the same judge.")
    for name, what in (("engine", "engines"), ("harness", "versions of the harness"), ("judge", "versions of a judge")):
        by_judge: dict[str, set[str]] = {}
        for record in records:
            if record.versions.get(name):
                by_judge.setdefault(record.judge if name == "judge" else "", set()).add(record.versions[name])
        found = [version for versions in by_judge.values() if len(versions) > 1 for version in sorted(versions)]
        if found:
            remarks.append(f"Trials of this run were made with different {what}: {', '.join(found)}.")
    return remarks
