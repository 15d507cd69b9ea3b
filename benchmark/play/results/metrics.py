"""The numbers of the track for gates, terminal, tables and baselines."""

from collections.abc import Sequence
from typing import Any

from benchmark.play.facts import facts_of
from benchmark.play.results.spending import spending_table
from benchmark.play.results.success import PlayStanding, Rates, rates_of, standings
from benchmark.play.results.tables import groups_table, invalid_table, standings_table
from benchmark.play.track import LEVELS
from benchmark.results.behaviour import gate_values_of
from benchmark.results.metrics import COMMON_NAMES, Metrics, as_name, ends, tasks_document
from benchmark.results.tables import Column, Table, TrialColumn
from benchmark.text import duration
from benchmark.trials import TrialRecord

_NAMES = ("success", "progress", "first_try", "efficiency", "invalid")


class PlayMetrics(Metrics):
    """The score of a trial is its progress; whether it was solved stands beside it."""

    mean_name = "progress"
    trial_columns = (TrialColumn("difficulty", Column("level", "Level"), lambda one: one.labels.get("level")),)

    def gate_names(self) -> tuple[str, ...]:
        return (*COMMON_NAMES, *_NAMES, *map(as_name, self.track.families), *(level.lower() for level in LEVELS))

    def gate_values(self, records: Sequence[TrialRecord]) -> dict[str, float]:
        rates = rates_of(records)
        scored = [record for record in records if record.scored]
        values: dict[str, float | None] = {
            "coverage": len(scored) / len(records), "trials": len(records), "tasks": rates.tasks,
            "cost": sum(record.cost_usd for record in records), "overall": rates.progress, "success": rates.success,
            "progress": rates.progress, "first_try": rates.first_try, "efficiency": rates.efficiency,
            "invalid": rates.invalid,
        }  # fmt: skip
        for genre in self.track.families:
            values[as_name(genre)] = rates_of(record for record in records if record.family == genre).progress
        for level in LEVELS:
            values[level.lower()] = rates_of(r for r in records if r.labels.get("level") == level).progress
        return {**gate_values_of(records), **{name: value for name, value in values.items() if value is not None}}

    def lines(self, records: Sequence[TrialRecord]) -> list[str]:
        found = standings(records)
        width = max([len(one.agent) for one in found] + [5])
        lines = [f"{'agent':{width}}  interface  SR     PG     first try  invalid  tasks  trials  void   time    cost"]
        for one in found:
            rates = one.rates
            clock = "" if one.clock in ("", "paused") else f"  {one.clock}"
            lines.append(
                f"{one.agent:{width}}  {one.interface:9}  {_share(rates.success)}  {_share(rates.progress)}  "
                f"{_share(rates.first_try):9}  {_share(rates.invalid):7}  {rates.tasks:5}  {one.trials:6}  "
                f"{one.void:4}  {duration(one.seconds):>5}  ${one.cost_usd:.2f}{clock}"
            )
        return lines

    def progress(self, record: TrialRecord) -> str:
        facts = facts_of(record)
        return f"{'solved' if facts.solved else facts.ended} after {facts.actions} actions" if facts else ""

    def tables(self, records: Sequence[TrialRecord]) -> dict[str, Table]:
        found = standings(records)
        return {
            "play": standings_table(found),
            "play-groups": groups_table(found),
            "play-invalid": invalid_table(found),
            "play-spending": spending_table(records),
        }

    def document(self, records: Sequence[TrialRecord]) -> list[dict[str, Any]]:
        return [_document(one, records) for one in sorted(standings(records), key=_farthest)]


def _farthest(one: PlayStanding) -> tuple[float, str]:
    return -(one.rates.progress or 0.0), one.agent


def _share(value: float | None) -> str:
    return f"{value:.3f}" if value is not None else "    –"


def _document(one: PlayStanding, records: Sequence[TrialRecord]) -> dict[str, Any]:
    mine = [record for record in records if record.agent == one.agent]
    groups: dict[str, dict[str, Any]] = {}
    for kind, value, rates in one.groups:
        groups.setdefault(kind, {})[value] = _rates_document(rates)
    return {
        "agent": one.agent, "interface": one.interface, "clock": one.clock, **_rates_document(one.rates),
        "trials": one.trials, "void": one.void, "coverage": one.coverage, "cost_usd": one.cost_usd,
        "seconds": one.seconds, "groups": groups, "tasks": tasks_document(mine),
    }  # fmt: skip


def _rates_document(rates: Rates) -> dict[str, Any]:
    return {
        "success": rates.success,
        "success_interval": list(ends(rates.success_interval)) if rates.success_interval else None,
        "progress": rates.progress,
        "progress_interval": list(ends(rates.progress_interval)) if rates.progress_interval else None,
        "first_try": rates.first_try, "efficiency": rates.efficiency, "invalid": rates.invalid,
        "no_call": rates.no_call, "out_of_space": rates.out_of_space, "proposals": rates.proposals,
        "task_count": rates.tasks,
    }  # fmt: skip
