"""What playing cost: tokens, dollars and seconds for each step, by agent."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmark.play.facts import facts_of
from benchmark.results.tables import Cell, Column, Table
from benchmark.trials import TrialRecord

_COLUMNS = (
    Column("agent", "Agent"),
    Column("interface", "Interface"),
    Column("clock", "Clock"),
    Column("memory", "Memory (rounds)"),
    Column("steps", "Steps", "count"),
    Column("input_per_step", "Input tokens per step", "number"),
    Column("output_per_step", "Output tokens per step", "number"),
    Column("seconds_per_step", "Seconds per step", "number"),
    Column("cost_usd", "Cost (USD)", "number"),
    Column("cost_per_100_steps", "Cost per 100 steps (USD)", "number"),
    Column("prices", "Prices"),
)


@dataclass(frozen=True)
class Spending:
    """Of one agent. A share is None where nobody counted."""

    agent: str
    interface: str
    clock: str
    memory: str
    steps: int
    input_per_step: float | None
    output_per_step: float | None
    seconds_per_step: float | None
    cost_usd: float
    prices: str

    @property
    def cost_per_100_steps(self) -> float | None:
        return 100 * self.cost_usd / self.steps if self.steps and self.cost_usd else None


def spendings(records: Iterable[TrialRecord]) -> tuple[Spending, ...]:
    """Of scored trials, by agent, interface and clock."""
    groups: dict[tuple[str, str, str], list[TrialRecord]] = {}
    for record in records:
        if facts := facts_of(record):
            groups.setdefault((record.agent, facts.interface, facts.mode), []).append(record)
    return tuple(_of(*key, mine) for key, mine in sorted(groups.items()))


def _of(agent: str, interface: str, clock: str, records: Sequence[TrialRecord]) -> Spending:
    steps = int(sum(one.activity.get("actions", 0) for one in records))

    def per_step(name: str) -> float | None:
        counted = [one for one in records if name in one.activity]
        of_these = sum(one.activity.get("actions", 0) for one in counted)
        return sum(one.activity[name] for one in counted) / of_these if of_these else None

    return Spending(
        agent=agent, interface=interface, clock=clock, memory=_said(records, "memory"), steps=steps,
        input_per_step=per_step("tokens_input"), output_per_step=per_step("tokens_output"),
        seconds_per_step=per_step("thinking_sec"), cost_usd=sum(one.cost_usd for one in records),
        prices=_said(records, "prices"),
    )  # fmt: skip


def _said(records: Iterable[TrialRecord], name: str) -> str:
    return ", ".join(sorted({value for one in records if (value := one.agent_identity.get(name, ""))}))


def spending_table(records: Sequence[TrialRecord]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            one.agent, one.interface, one.clock, one.memory, one.steps, one.input_per_step, one.output_per_step,
            one.seconds_per_step, one.cost_usd, one.cost_per_100_steps, one.prices,
        )
        for one in spendings(records)
    ]  # fmt: skip
    return Table("Tokens, time and cost per step", _COLUMNS, tuple(rows))
