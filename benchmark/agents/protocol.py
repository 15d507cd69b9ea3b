"""What an agent is to the harness. Everything that makes one agent differ from another lives behind this."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchmark.agents.endings import Ending
from benchmark.runtime.machine import Machine
from benchmark.tasks import Task


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


FEEDBACKS = (
    "none",
    "screenshot",
    "video",
    "both",
)  # besides what an agent looks up itself


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
