"""The numbers of the track for gates, terminal, tables and baselines: pass rates instead of scores."""

from collections.abc import Sequence
from typing import Any

from benchmark.edit.results.passrates import PassRates, PassStanding, pass_rates, pass_standings, summarize_passes
from benchmark.edit.results.tables import pass_groups, pass_table
from benchmark.results.behaviour import gate_values_of
from benchmark.results.metrics import COMMON_NAMES, Metrics, as_name, ends, tasks_document
from benchmark.results.tables import Cell, Column, Table, TrialColumn
from benchmark.text import duration
from benchmark.trials import TrialRecord


class EditMetrics(Metrics):
    """A trial passes or fails."""

    mean_name = "pass_1"
    document_key = "passes"
    trial_columns = (TrialColumn("difficulty", Column("editor", "Editor"), lambda one: one.labels.get("editor")),)

    def gate_names(self) -> tuple[str, ...]:
        return (*COMMON_NAMES, "build", "pass_1", "pass_k", "pass_all_k", *map(as_name, self.track.families))

    def gate_values(self, records: Sequence[TrialRecord]) -> dict[str, float]:
        rates = pass_rates(records)
        scored = [record for record in records if record.scored]
        values: dict[str, float] = {
            "coverage": len(scored) / len(records), "trials": len(records), "tasks": rates.tasks,
            "cost": sum(record.cost_usd for record in records),
        }  # fmt: skip
        if rates.pass_1 is not None and rates.pass_k is not None and rates.pass_all_k is not None:
            values |= {"overall": rates.pass_1, "pass_1": rates.pass_1, "pass_k": rates.pass_k}
            values |= {
                "pass_all_k": rates.pass_all_k,
                "build": sum(bool(one.facts.get("build")) for one in scored) / len(scored),
            }
        values |= gate_values_of(records)
        for skill in self.track.families:
            of_skill = pass_rates(record for record in records if record.family == skill)
            if of_skill.pass_1 is not None:
                values[as_name(skill)] = of_skill.pass_1
        return values

    def lines(self, records: Sequence[TrialRecord]) -> list[str]:
        summaries = summarize_passes(records)
        width = max([len(one.agent) for one in summaries] + [5])
        k = max((one.rates.k for one in summaries), default=0)
        more = f"  pass@{k}  pass^{k}" if k > 1 else ""
        lines = [f"{'agent':{width}}  pass@1  95 %{'':11}{more}  tasks  trials  void   time    cost"]
        for one in summaries:
            rates, interval = one.rates, one.rates.interval_1
            first = f"{rates.pass_1:.3f}" if rates.pass_1 is not None else "    –"
            around = f"{interval.low:.3f} to {interval.high:.3f}" if interval else "–"
            cells = f"   {rates.pass_k or 0.0:.3f}   {rates.pass_all_k or 0.0:.3f}" if k > 1 else ""
            lines.append(
                f"{one.agent:{width}}   {first}  {around:15}{cells}  {rates.tasks:5}  {one.trials:6}  {one.void:4}  "
                f"{duration(one.seconds):>5}  ${one.cost_usd:.2f}"
            )
        return lines

    def tables(self, records: Sequence[TrialRecord]) -> dict[str, Table]:
        standings = pass_standings(records)
        return {"pass-rates": pass_table(standings), "pass-groups": pass_groups(standings)}

    def document(self, records: Sequence[TrialRecord]) -> list[dict[str, Any]]:
        return [_standing_document(standing, records) for standing in pass_standings(records)]


def _standing_document(standing: PassStanding, records: Sequence[TrialRecord]) -> dict[str, Any]:
    one = standing.summary
    mine = [record for record in records if (record.agent, record.feedback) == (one.agent, one.feedback)]
    groups: dict[str, dict[str, Any]] = {}
    for group in standing.groups:
        groups.setdefault(group.kind, {})[group.value] = _rates_document(group.rates)
    judges = sorted({record.judge for record in mine if record.judge})
    return {
        "agent": one.agent, "feedback": one.feedback, "judge": " + ".join(judges), **_rates_document(one.rates),
        "trials": one.trials, "void": one.void, "coverage": one.coverage, "cost_usd": one.cost_usd,
        "cost_per_trial": one.cost_per_trial, "seconds": one.seconds, "groups": groups, "tasks": tasks_document(mine),
    }  # fmt: skip


def _rates_document(rates: PassRates) -> dict[str, Any]:
    def interval(of: Any) -> list[Cell] | None:
        return list(ends(of)) if of else None

    return {
        "pass_1": rates.pass_1, "pass_1_interval": interval(rates.interval_1), "k": rates.k,
        "pass_k": rates.pass_k, "pass_k_interval": interval(rates.interval_k),
        "pass_all_k": rates.pass_all_k, "pass_all_k_interval": interval(rates.interval_all_k),
        "task_count": rates.tasks,
    }  # fmt: skip
