"""May this agent be released? A condition over its numbers, and a comparison with an earlier run."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.craft.rubric import CATEGORIES
from benchmark.errors import UsageError
from benchmark.expressions import Expression, ExpressionError
from benchmark.results.statistics import Interval, difference_interval, mean_interval
from benchmark.results.store import TRIALS_FILE, RunStore
from benchmark.results.summary import AgentSummary, counted
from benchmark.tasks import FAMILIES
from benchmark.trials import TrialRecord

LONG_NAMES = {"M": "mechanics", "D": "depth", "V": "visuals", "A": "art"}
NAMES = ("overall", "build", *CATEGORIES, *LONG_NAMES.values(), "coverage", "trials", "tasks", "cost")


@dataclass(frozen=True)
class Verdict:
    """One agent at the gate. `lines` say why in words."""

    agent: str
    passed: bool
    lines: tuple[str, ...]


def check_names(condition: Expression) -> None:
    """Before a long run, not after it."""
    families = {family.replace("-", "_") for family in FAMILIES}
    if unknown := sorted(condition.names - {*NAMES, *families}):
        raise UsageError(
            f"--gate: {', '.join(unknown)}: not known",
            fix=f"one of {', '.join(NAMES)}, or a family such as card_game",
        )


def gate_values(summary: AgentSummary) -> dict[str, float]:
    """The numbers that a condition may use; what has no number is not among them."""
    averages = summary.averages
    values: dict[str, float] = {
        "coverage": summary.coverage, "trials": summary.trials, "tasks": averages.tasks, "cost": summary.cost_usd,
    }  # fmt: skip
    if averages.overall is not None and averages.build is not None:
        values |= {"overall": averages.overall, "build": averages.build, **averages.categories}
        values |= {LONG_NAMES[letter]: value for letter, value in averages.categories.items()}
    for family, found in summary.families.items():
        if found.overall is not None:
            values[family.replace("-", "_")] = found.overall
    return values


def at_gate(summary: AgentSummary, condition: Expression) -> Verdict:
    """Does the condition hold? A number that is not there fails the gate, with that reason."""
    values = gate_values(summary)
    used = ", ".join(f"{name} {values[name]:.3f}" for name in sorted(condition.names & values.keys()))
    try:
        passed = condition.holds(values)
    except ExpressionError as error:
        return Verdict(summary.agent, False, (f"gate not passed: {error.message}",))
    return Verdict(summary.agent, passed, (f"gate {'passed' if passed else 'NOT passed'}: {condition.text}  ({used})",))


@dataclass(frozen=True)
class Baseline:
    """An earlier result: scores per task and repeat, or, of a published table, only the mean."""

    name: str
    tasks: dict[str, tuple[float, ...]]
    overall: float | None
    judge: str


def read_baseline(path: Path) -> Baseline:
    """A run's folder, its trials.jsonl, or a summary.json of `report`; the best agent's where there are several."""
    folder = path.parent if path.name == TRIALS_FILE else path
    if (folder / TRIALS_FILE).is_file():
        records = [record for record in RunStore(folder).latest().values() if record.scored]
        agents = {record.agent for record in records}
        if len(agents) > 1:
            raise UsageError(f"--baseline: {path} holds {len(agents)} agents", fix="use a summary.json of one agent")
        return Baseline(str(path), scores_by_task(records), None, records[0].judge if records else "")
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        agents_data = data["agents"]
        first = agents_data[0]
        tasks = {str(task): tuple(float(v) for v in values) for task, values in first.get("tasks", {}).items()}
        return Baseline(str(path), tasks, float(first["overall"]), str(first.get("judge", "")))
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise UsageError(
            f"--baseline: {path} is no baseline: {error}", fix="give a run's folder, or the summary.json of its report"
        ) from error


def scores_by_task(records: Sequence[TrialRecord]) -> dict[str, tuple[float, ...]]:
    """The scores of each task: of every attempt, as often as it was judged."""
    found: dict[str, list[float]] = {}
    for record in counted(records):
        if record.scored:
            found.setdefault(record.task, []).extend(record.repeats)
    return {task: tuple(scores) for task, scores in found.items()}


def against_baseline(agent: str, records: Sequence[TrialRecord], baseline: Baseline) -> Verdict:
    """Fails only on a drop beyond the noise: the whole interval of the difference lies below zero."""
    mine = scores_by_task([record for record in records if record.agent == agent])
    shared = mine.keys() & baseline.tasks.keys()
    if shared:
        interval, basis = difference_interval(mine, baseline.tasks), f"{len(shared)} shared tasks"
    elif mine and baseline.overall is not None and not baseline.tasks:
        interval, basis = _shifted(mean_interval(mine), baseline.overall), f"{len(mine)} tasks against its mean"
    else:
        return Verdict(agent, False, (f"baseline {baseline.name}: no task in common",))
    dropped = interval.high < 0
    lines = [f"against {baseline.name}: {interval} ({basis}, 95 %): {'a DROP beyond noise' if dropped else 'no drop'}"]
    judges = {record.judge for record in records if record.agent == agent and record.scored}
    if baseline.judge and judges != {baseline.judge}:
        lines.append(f"note: judged by {', '.join(sorted(judges))}, the baseline by {baseline.judge}")
    return Verdict(agent, not dropped, tuple(lines))


def _shifted(interval: Interval, by: float) -> Interval:
    return Interval(interval.mean - by, interval.low - by, interval.high - by)
