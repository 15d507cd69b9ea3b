"""May this agent be released? A condition over its numbers, and a comparison with an earlier run."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark.craft.rubric import CATEGORIES
from benchmark.errors import UsageError
from benchmark.expressions import Expression, ExpressionError
from benchmark.results.passrates import pass_rates, passing
from benchmark.results.statistics import Interval, difference_interval, mean_interval
from benchmark.results.store import TRIALS_FILE, RunStore
from benchmark.results.summary import AgentSummary, counted, summarize
from benchmark.tasks import FAMILIES, SKILLS, TRACKS
from benchmark.trials import TrialRecord

LONG_NAMES = {"M": "mechanics", "D": "depth", "V": "visuals", "A": "art"}
_COMMON = ("overall", "build", "coverage", "trials", "tasks", "cost")
_CRAFT = (*_COMMON, "launches", "valid_traces", *CATEGORIES, *LONG_NAMES.values())
_EDIT = (*_COMMON, "pass_1", "pass_k", "pass_all_k")
NAMES = tuple(dict.fromkeys([*_CRAFT, *_EDIT]))
_FAMILIES = {family: family.replace("-", "_") for family in FAMILIES}
_SKILLS = {"2d-graphics": "graphics_2d", "3d-graphics": "graphics_3d"} | {
    skill: skill.replace("-", "_") for skill in SKILLS if not skill[0].isdigit()
}


@dataclass(frozen=True)
class Verdict:
    """One agent at the gate. `lines` say why in words."""

    agent: str
    passed: bool
    lines: tuple[str, ...]


def check_names(condition: Expression) -> None:
    """Before a long run, not after it."""
    plain = {*NAMES, *_FAMILIES.values(), *_SKILLS.values()}
    known = plain | {f"{track}_{name}" for track in TRACKS for name in plain}
    if unknown := sorted(condition.names - known):
        raise UsageError(
            f"--gate: {', '.join(unknown)}: not known",
            fix=f"one of {', '.join(NAMES)}, or a family such as card_game; craft_ or edit_ may stand before it",
        )


def check_tracks(condition: Expression, tracks: Iterable[str]) -> None:
    """In a run of several tracks a number has to say of which it is."""
    found = sorted(set(tracks))
    plain = sorted(name for name in condition.names if not name.startswith(tuple(f"{track}_" for track in TRACKS)))
    if len(found) > 1 and plain:
        raise UsageError(
            f"--gate: {', '.join(plain)}: of {' or of '.join(found)}? This run has both",
            fix=f"say {' or '.join(f'{track}_{plain[0]}' for track in found)}, or choose one with --track",
        )


def gate_values(records: Sequence[TrialRecord]) -> dict[str, float]:
    """The numbers of an agent that a condition may use; what has no number is not among them.

    Each has the name of its track before it, and where a run has one track only, also its plain name.
    """
    by_track: dict[str, dict[str, float]] = {}
    for summary in summarize(records):
        by_track["craft"] = _craft_values(summary)
    found = passing(records)
    if found:
        by_track["edit"] = _edit_values(found)
    values = {f"{track}_{name}": value for track, own in by_track.items() for name, value in own.items()}
    if len(by_track) == 1:
        values |= next(iter(by_track.values()))
    return values


def _craft_values(summary: AgentSummary) -> dict[str, float]:
    averages = summary.averages
    values: dict[str, float] = {
        "coverage": summary.coverage, "trials": summary.trials, "tasks": averages.tasks, "cost": summary.cost_usd,
    }  # fmt: skip
    if averages.overall is not None and averages.build is not None:
        values |= {"overall": averages.overall, "build": averages.build, **averages.categories}
        values |= {LONG_NAMES[letter]: value for letter, value in averages.categories.items()}
    values |= {"launches": summary.launch_rate} if summary.launch_rate is not None else {}
    values |= {"valid_traces": summary.valid_trace_rate} if summary.valid_trace_rate is not None else {}
    for family, found in summary.families.items():
        if found.overall is not None:
            values[family.replace("-", "_")] = found.overall
    return values


def _edit_values(records: Sequence[TrialRecord]) -> dict[str, float]:
    rates = pass_rates(records)
    scored = [record for record in records if record.scored]
    values: dict[str, float] = {
        "coverage": len(scored) / len(records), "trials": len(records), "tasks": rates.tasks,
        "cost": sum(record.cost_usd for record in records),
    }  # fmt: skip
    if rates.pass_1 is not None and rates.pass_k is not None and rates.pass_all_k is not None:
        values |= {"overall": rates.pass_1, "pass_1": rates.pass_1, "pass_k": rates.pass_k}
        values |= {"pass_all_k": rates.pass_all_k, "build": sum(bool(one.build) for one in scored) / len(scored)}
    for skill, name in _SKILLS.items():
        of_skill = pass_rates(record for record in records if record.family == skill)
        if of_skill.pass_1 is not None:
            values[name] = of_skill.pass_1
    return values


def at_gate(agent: str, records: Sequence[TrialRecord], condition: Expression) -> Verdict:
    """Does the condition hold? A number that is not there fails the gate, with that reason."""
    values = gate_values([record for record in records if record.agent == agent])
    used = ", ".join(f"{name} {values[name]:.3f}" for name in sorted(condition.names & values.keys()))
    try:
        passed = condition.holds(values)
    except ExpressionError as error:
        two = {"craft_trials", "edit_trials"} <= values.keys()
        hint = "; this run has two tracks: say craft_… or edit_…" if two else ""
        return Verdict(agent, False, (f"gate not passed: {error.message}{hint}",))
    return Verdict(agent, passed, (f"gate {'passed' if passed else 'NOT passed'}: {condition.text}  ({used})",))


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


# list of a summary.json → its track, and what the mean is called there
_LISTS = {"agents": ("craft", "overall"), "passes": ("edit", "pass_1")}


def read_baseline(path: Path) -> Baseline:
    """A run's folder, its trials.jsonl, or a summary.json of `report`."""
    folder = path.parent if path.name == TRIALS_FILE else path
    try:
        agents = (
            _read_run(folder)
            if (folder / TRIALS_FILE).is_file()
            else _read_summary(json.loads(path.read_text(encoding="utf-8")))
        )
        if not agents:
            raise ValueError("it has nobody with a number")
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
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


def _read_summary(data: Any) -> dict[str, Standing]:
    agents: dict[str, Standing] = {}
    for key, (track, mean) in _LISTS.items():
        for row in data.get(key, []):
            if row[mean] is None:  # all of its trials are void
                continue
            standing = agents.setdefault(str(row.get("agent", "?")), Standing())
            if track in standing.means:  # an agent may be there once for each kind of feedback: the best counts
                continue
            tasks = row.get("tasks", {})
            standing.tasks.update({str(task): tuple(float(v) for v in values) for task, values in tasks.items()})
            standing.means[track] = float(row[mean])
            standing.judges[track] = str(row.get("judge", ""))
    return agents


def scores_by_task(records: Sequence[TrialRecord]) -> dict[str, tuple[float, ...]]:
    """The scores of each task: of every attempt, as often as it was judged."""
    found: dict[str, list[float]] = {}
    for record in counted(records):
        if record.scored:
            found.setdefault(record.task, []).extend(record.repeats)
    return {task: tuple(scores) for task, scores in found.items()}


def against_baseline(agent: str, records: Sequence[TrialRecord], baseline: Baseline) -> Verdict:
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
    return Verdict(agent, bool(verdicts) and all(verdicts), tuple(lines))


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
