"""The numbers of the track for gates, terminal, tables and baselines."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from benchmark.craft.record import facts_of
from benchmark.craft.results.correlations import correlation_tables
from benchmark.craft.results.summary import LETTERS, AgentSummary, Averages, summarize
from benchmark.craft.results.tables import families_in_order, family_table, leaderboard
from benchmark.craft.rubric import CATEGORIES
from benchmark.results.behaviour import gate_values_of
from benchmark.results.metrics import COMMON_NAMES, Metrics, as_name, ends, interval_of, tasks_document
from benchmark.results.tables import Column, Table, TrialColumn
from benchmark.text import duration
from benchmark.trials import TrialRecord

LONG_NAMES = {"M": "mechanics", "D": "depth", "V": "visuals", "A": "art"}


def _category(letter: str, record: TrialRecord) -> float | None:
    return record.categories.get(letter)


class CraftMetrics(Metrics):
    """Scores by category, and whether what was handed in could be built and shown."""

    document_key = "agents"
    trial_columns = (
        TrialColumn("score", Column("build", "Build", "count"), lambda one: facts_of(one).build),
        TrialColumn("score", Column("launches", "Launches"), lambda one: facts_of(one).launches),
        TrialColumn("score", Column("has_trace", "Has a trace"), lambda one: facts_of(one).has_trace),
        *(TrialColumn("score", Column(letter, letter, "percent"), partial(_category, letter)) for letter in LETTERS),
        TrialColumn("items", Column("demos", "Demos", "count"), lambda one: len(facts_of(one).demos)),
        TrialColumn(
            "items",
            Column("demo_seconds", "Demo seconds", "number"),
            lambda one: sum(d.seconds for d in facts_of(one).demos),
        ),
        TrialColumn("items", Column("bad_traces", "Bad traces", "count"), lambda one: facts_of(one).bad_traces),
    )

    def gate_names(self) -> tuple[str, ...]:
        own = ("build", "launches", "valid_traces", *LETTERS, *LONG_NAMES.values())
        return (*COMMON_NAMES, *own, *map(as_name, self.track.families))

    def gate_values(self, records: Sequence[TrialRecord]) -> dict[str, float]:
        (summary,) = summarize(records)
        averages = summary.averages
        values: dict[str, float] = {
            "coverage": summary.coverage, "trials": summary.trials, "tasks": averages.tasks, "cost": summary.cost_usd,
        }  # fmt: skip
        if averages.overall is not None and averages.build is not None:
            values |= {"overall": averages.overall, "build": averages.build, **averages.categories}
            values |= {LONG_NAMES[letter]: value for letter, value in averages.categories.items()}
        values |= gate_values_of(records)
        values |= {"launches": summary.launch_rate} if summary.launch_rate is not None else {}
        values |= {"valid_traces": summary.valid_trace_rate} if summary.valid_trace_rate is not None else {}
        for family, found in summary.families.items():
            if found.overall is not None:
                values[as_name(family)] = found.overall
        return values

    def lines(self, records: Sequence[TrialRecord]) -> list[str]:
        summaries = summarize(records)
        width = max([len(one.agent) for one in summaries] + [5])
        lines = [f"{'agent':{width}}  overall  build      M      D      V      A  trials  void   time    cost"]
        for one in summaries:
            averages = one.averages
            numbers = [averages.overall, averages.build, *(averages.categories.get(letter) for letter in LETTERS)]
            cells = [f"{number:.3f}" if number is not None else "    –" for number in numbers]
            lines.append(
                f"{one.agent:{width}}    {cells[0]}  {cells[1]}  {'  '.join(cells[2:])}  {one.trials:6}  {one.void:4}  "
                f"{duration(one.seconds):>5}  ${one.cost_usd:.2f}"
            )
        return lines

    def progress(self, record: TrialRecord) -> str:
        return super().progress(record) if facts_of(record).build else ""

    def seen_in(self, record: TrialRecord) -> str:
        demos = facts_of(record).demos
        return f"in {len(demos)} demo(s)" if demos else ""

    def tables(self, records: Sequence[TrialRecord]) -> dict[str, Table]:
        return {"leaderboard": leaderboard(records), "families": family_table(records)}

    def behaviour_tables(self, records: Sequence[TrialRecord]) -> dict[str, Table]:
        return correlation_tables(records)

    def legend(self) -> dict[str, Any]:
        return {"categories": {letter: name for letter, (name, _) in CATEGORIES.items()}}

    def document(self, records: Sequence[TrialRecord]) -> list[dict[str, Any]]:
        return [_agent_document(one, records) for one in summarize(records)]


def _agent_document(one: AgentSummary, records: Sequence[TrialRecord]) -> dict[str, Any]:
    interval = interval_of(records, one.agent)
    return {
        "agent": one.agent, "judge": one.judge, "proxy": one.proxy, **_averages_document(one.averages),
        "interval": list(ends(interval)) if interval else None, "trials": one.trials, "void": one.void,
        "coverage": one.coverage, "launch_rate": one.launch_rate, "valid_trace_rate": one.valid_trace_rate,
        "demos_per_trial": one.demos_per_trial, "demo_seconds": one.demo_seconds,
        "cost_usd": one.cost_usd, "seconds": one.seconds,
        "families": {family: _averages_document(found) for family, found in families_in_order(one)},
        "tasks": tasks_document(record for record in records if record.agent == one.agent),
    }  # fmt: skip


def _averages_document(averages: Averages) -> dict[str, Any]:
    return {
        "overall": averages.overall, "build": averages.build,
        **{letter: averages.categories.get(letter) for letter in LETTERS}, "task_count": averages.tasks,
    }  # fmt: skip
