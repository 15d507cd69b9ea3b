"""What comes of looking again at a run from elsewhere, and what it is looked at with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchmark.errors import InfrastructureError
from benchmark.runtime.machine import Machine
from benchmark.tasks import Task

Status = Literal["identical", "same to the eye", "different", "unreadable", "not replayed"]
BAD: tuple[Status, ...] = ("different", "unreadable")


@dataclass(frozen=True)
class Finding:
    """What came of one thing that was looked at again: a demo, the gate, the score, a verdict."""

    what: str
    status: Status
    detail: str = ""
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class VerifyTools:
    """What runs are verified with. `pictures` is where differences are drawn."""

    engine: Machine | None  # none where no trial needs one
    tasks: Mapping[str, Task]
    pictures: Path
    jobs: int | None = None
    on_done: Callable[[str], None] = lambda _: None  # told of every demo

    @property
    def machine(self) -> Machine:
        """The engine, for tracks that say that they need one."""
        if self.engine is None:
            raise InfrastructureError("there is no engine", fix="the track must name `engine` among its needs")
        return self.engine
