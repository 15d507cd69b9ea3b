"""What a run says to other programs: its tables by name, and the document that is a baseline later."""

from collections.abc import Sequence
from typing import Any

from benchmark.craft.rubric import CATEGORIES
from benchmark.results.gates import scores_by_task
from benchmark.results.judging import judge_tables
from benchmark.results.passing import pass_groups, pass_table
from benchmark.results.passrates import PassRates, PassStanding, feedback_of, passing
from benchmark.results.statistics import Interval
from benchmark.results.summary import LETTERS, Averages, summarize
from benchmark.results.tables import Table, families_in_order, family_table, leaderboard, overall_interval, trial_table
from benchmark.trials import TrialRecord


def main_tables(records: Sequence[TrialRecord], standings: Sequence[PassStanding]) -> dict[str, Table]:
    """What was achieved, by the name of the files. Scores and passes are never in one table."""
    tables: dict[str, Table] = {}
    if not standings or len(passing(records)) < len(records):  # a run without trials has a table without rows
        tables |= {"leaderboard": leaderboard(records), "families": family_table(records)}
    if standings:
        tables |= {"pass-rates": pass_table(standings), "pass-groups": pass_groups(standings)}
    return tables


def run_tables(records: Sequence[TrialRecord], standings: Sequence[PassStanding]) -> dict[str, Table]:
    """Those, the trials, and what there is about the judges."""
    return main_tables(records, standings) | {"trials": trial_table(records)} | judge_tables(records)


def summary_document(run: str, records: Sequence[TrialRecord], standings: Sequence[PassStanding]) -> dict[str, Any]:
    """Everything that a later run is compared with; `--baseline` reads it. Best agent first.

    `agents` have scores, `passes` have pass rates; an agent that was tried in both tracks is in both.
    """
    agents = []
    for one in summarize(records):
        interval = overall_interval(records, one.agent)
        mine = [record for record in records if record.agent == one.agent and not record.passes_or_fails]
        agents.append(
            {
                "agent": one.agent, "judge": one.judge, "proxy": one.proxy, **_averages_document(one.averages),
                "interval": _ends(interval), "trials": one.trials, "void": one.void, "coverage": one.coverage,
                "launch_rate": one.launch_rate, "valid_trace_rate": one.valid_trace_rate,
                "demos_per_trial": one.demos_per_trial, "demo_seconds": one.demo_seconds,
                "cost_usd": one.cost_usd, "seconds": one.seconds,
                "families": {family: _averages_document(found) for family, found in families_in_order(one)},
                "tasks": _tasks_document(mine),
            }
        )  # fmt: skip
    names = {letter: name for letter, (name, _) in CATEGORIES.items()}
    passes = [_passes_document(standing, passing(records)) for standing in standings]
    return {"run": run, "categories": names, "agents": agents, "passes": passes}


def _passes_document(standing: PassStanding, records: Sequence[TrialRecord]) -> dict[str, Any]:
    one = standing.summary
    mine = [record for record in records if (record.agent, feedback_of(record)) == (one.agent, one.feedback)]
    groups: dict[str, dict[str, Any]] = {}
    for group in standing.groups:
        groups.setdefault(group.kind, {})[group.value] = _rates_document(group.rates)
    judges = sorted({record.judge for record in mine if record.judge})
    return {
        "agent": one.agent, "feedback": one.feedback, "judge": " + ".join(judges), **_rates_document(one.rates),
        "trials": one.trials, "void": one.void, "coverage": one.coverage, "cost_usd": one.cost_usd,
        "cost_per_trial": one.cost_per_trial, "seconds": one.seconds, "groups": groups, "tasks": _tasks_document(mine),
    }  # fmt: skip


def _rates_document(rates: PassRates) -> dict[str, Any]:
    return {
        "pass_1": rates.pass_1, "pass_1_interval": _ends(rates.interval_1), "k": rates.k,
        "pass_k": rates.pass_k, "pass_k_interval": _ends(rates.interval_k),
        "pass_all_k": rates.pass_all_k, "pass_all_k_interval": _ends(rates.interval_all_k), "task_count": rates.tasks,
    }  # fmt: skip


def _averages_document(averages: Averages) -> dict[str, Any]:
    return {
        "overall": averages.overall, "build": averages.build,
        **{letter: averages.categories.get(letter) for letter in LETTERS}, "task_count": averages.tasks,
    }  # fmt: skip


def _tasks_document(records: Sequence[TrialRecord]) -> dict[str, list[float]]:
    return {task: list(scores) for task, scores in sorted(scores_by_task(records).items())}


def _ends(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None
