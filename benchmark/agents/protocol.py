"""What an agent is to the harness. Everything that makes one agent differ from another lives behind this."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar

from benchmark.agents.endings import Ending
from benchmark.runtime.machine import Machine
from benchmark.tasks import Task
from benchmark.trials import one_line

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Assignment:
    """One piece of work. `workspace` is laid out already; `game` inside it is where the project goes."""

    task: Task
    workspace: Path
    instruction: str
    timeout_sec: float
    log: Path
    reference: Callable[[Path], None]  # lays out the task's own solution; for the oracle alone
    machine: Machine | None = None  # what the trial is run with; none: whatever is found

    @property
    def game(self) -> Path:
        return self.workspace / "game"


@dataclass(frozen=True)
class AgentReport:
    """How the agent ended. However it ended, what it left is scored."""

    ended: Ending
    detail: str = ""
    cost_usd: float = 0.0
    identity: dict[str, str] = field(default_factory=dict)  # which program, adapter, model and prompt it was, exactly
    activity: dict[str, float] = field(default_factory=dict)  # what it did, in numbers: see activity.py


_MOST = 1e9  # of tokens, calls, dollars
_MAX_TEXT = 500
_MAX_ENTRIES = 100


def sane(report: AgentReport) -> AgentReport:
    """Without numbers that are none and texts without end: what an agent says of itself must fit into its record."""
    return replace(
        report,
        detail=one_line(report.detail),
        cost_usd=report.cost_usd if is_amount(report.cost_usd) else 0.0,
        identity={one_line(key, _MAX_TEXT): one_line(value, _MAX_TEXT) for key, value in _first(report.identity)},
        activity={one_line(key, _MAX_TEXT): value for key, value in _first(report.activity) if is_amount(value)},
    )


def is_amount(value: object) -> bool:
    """Whether it is a number that a record can hold: not NaN, not below zero, not beyond all bounds."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MOST


def _first(entries: Mapping[str, Entry]) -> Iterator[tuple[str, Entry]]:
    return islice(entries.items(), _MAX_ENTRIES)


FEEDBACKS = ("none", "screenshot", "video", "both")  # what an agent is shown of its work besides what it looks up itself


class Agent(Protocol):
    """Works in a workspace and leaves a submission. Raises InfrastructureError only if it could not be started."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str:
        """Changes whenever the agent would behave differently; part of every record."""
        ...

    @property
    def feedback(self) -> str:
        """One of FEEDBACKS; kept with every result, so that settings can be compared."""
        ...

    def work(self, assignment: Assignment) -> AgentReport: ...
