"""A comparison with an earlier run: does an agent do worse than it did, beyond noise?"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmark.checked import Fields, parse_object
from benchmark.errors import UsageError
from benchmark.jsonl import open_plain
from benchmark.results.averages import scores_by_task
from benchmark.results.release_gate import Decision
from benchmark.results.statistics import Interval, difference_interval, mean_interval
from benchmark.results.store import TRIALS_FILE, RunStore
from benchmark.tracks import all_tracks
from benchmark.trials import TrialRecord

MAX_SUMMARY_BYTES = 64 << 20


@dataclass(frozen=True)
class Standing:
    """What one agent had reached: scores per task and repeat, or, in a published table, only means. By track."""

    tasks: dict[str, tuple[float, ...]] = field(default_factory=dict)
    means: dict[str, float] = field(default_factory=dict)
    judges: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Baseline:
    """An earlier result, by agent."""

    name: str
    agents: dict[str, Standing]

    def opponent(self, agent: str) -> str:
        """Whom an agent is compared with: itself, else the only one there is. Raises UsageError: nobody guesses."""
        if agent in self.agents:
            return agent
        if len(self.agents) > 1:
            raise UsageError(
                f"--baseline: {self.name} holds {len(self.agents)} agents and none is called {agent}",
                fix=f"call the agent like the one it is compared with ({', '.join(sorted(self.agents))}), or give a "
                "baseline of one agent",
            )
        return next(iter(self.agents))


def read_baseline(path: Path) -> Baseline:
    """A run's folder, its trials.jsonl, or a summary.json of `report`."""
    folder = path.parent if path.name == TRIALS_FILE else path
    try:
        agents = _read_run(folder) if (folder / TRIALS_FILE).is_file() else _read_summary(path)
        if not agents:
            raise ValueError("it has nobody with a number")
    except (OSError, ValueError) as error:
        raise UsageError(
            f"--baseline: {path} is no baseline: {error}", fix="give a run's folder, or the summary.json of its report"
        ) from error
    return Baseline(str(path), agents)


def _read_run(folder: Path) -> dict[str, Standing]:
    by_agent: dict[str, list[TrialRecord]] = {}
    for record in RunStore(folder).latest().values():
        if record.scored:
            by_agent.setdefault(record.agent, []).append(record)
    return {
        agent: Standing(scores_by_task(records), {}, {record.track: record.judge for record in reversed(records)})
        for agent, records in by_agent.items()
    }


def _read_summary(path: Path) -> dict[str, Standing]:
    with open_plain(path) as handle:
        data = Fields(parse_object(handle.read(MAX_SUMMARY_BYTES).decode("utf-8")))
    agents: dict[str, Standing] = {}
    for track, one in all_tracks().items():
        metrics = one.metrics(one)
        for row in data.objects(metrics.document_key):
            if not row.has(metrics.mean_name):  # all of its trials are void
                continue
            standing = agents.setdefault(row.text("agent", "?"), Standing())
            if track in standing.means:  # an agent may be there once for each kind of feedback: the best counts
                continue
            standing.tasks.update(row.share_lists("tasks"))
            standing.means[track] = row.share(metrics.mean_name)
            standing.judges[track] = row.text("judge", "")
    return agents


def against_baseline(agent: str, records: Sequence[TrialRecord], baseline: Baseline) -> Decision:
    """Fails only on a drop beyond the noise: the whole interval of the difference lies below zero. Each track alone."""
    opponent = baseline.opponent(agent)
    before, whose = baseline.agents[opponent], f"{opponent} of {baseline.name}"
    by_track: dict[str, list[TrialRecord]] = {}
    for record in records:
        if record.agent == agent:
            by_track.setdefault(record.track, []).append(record)
    lines: list[str] = []
    verdicts = []
    for track, own in by_track.items():
        if track in before.means or any(task.startswith(f"{track}/") for task in before.tasks):
            passed, said = _against(track, own, before, whose)
            verdicts.append(passed)
            lines += said
        else:
            lines.append(f"{track}: not compared, {whose} has no {track} result")
    if not verdicts:
        lines.append(f"baseline not passed: nothing in common with {whose}")
    return Decision(agent, bool(verdicts) and all(verdicts), tuple(lines))


def _against(track: str, records: Sequence[TrialRecord], before: Standing, whose: str) -> tuple[bool, list[str]]:
    """One track, of which the baseline knows something."""
    mine = scores_by_task(records)
    origins = {record.task: record.origin for record in records}
    if shared := mine.keys() & before.tasks.keys():
        interval, basis = difference_interval(mine, before.tasks, origins), f"{len(shared)} shared tasks"
    elif mine and not any(task.startswith(f"{track}/") for task in before.tasks):
        interval = _shifted(mean_interval(mine, origins), before.means[track])
        basis = f"{len(mine)} tasks against its mean"
    else:
        return False, [f"{track} against {whose}: no {track} task in common"]
    dropped = interval.high < 0
    lines = [f"{track} against {whose}: {interval} ({basis}, 95 %): {'a DROP beyond noise' if dropped else 'no drop'}"]
    judges = {record.judge for record in records if record.scored}
    earlier = before.judges.get(track)
    if earlier and judges != {earlier}:
        lines.append(f"note: {track} judged by {', '.join(sorted(judges))}, the baseline by {earlier}")
    return not dropped, lines


def _shifted(interval: Interval, by: float) -> Interval:
    return Interval(interval.mean - by, interval.low - by, interval.high - by)
