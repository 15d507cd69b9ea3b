"""What a task asks for: how far a number in the state of the game has to come."""

from dataclasses import dataclass
from typing import Any

DEFAULT_ACTIONS = 100
DEFAULT_SECONDS = 300.0
MAX_SECONDS = 3600.0


@dataclass(frozen=True)
class Goal:
    """One rung of a game's ladder."""

    number: int
    slug: str
    instruction: str
    fields: tuple[str, ...]  # the score is their sum
    target: float
    start: float = 0.0
    level: int | None = None
    seed: int | None = None  # where the task wants one and the same in all runs
    suffix: str = ""  # of the page's address
    end_field: str = ""  # the task ends when this field …
    end_value: Any = True  # … has this value
    on_fail: str = "reset"  # or "stop"
    watch: tuple[str, ...] = ()  # fields kept with every step
    actions: int = DEFAULT_ACTIONS
    seconds: float = DEFAULT_SECONDS  # of play
    real_time: bool = False  # whether the game goes on while a player thinks, whatever the run says
    public_status: str = ""  # what the public evaluator says of an end without an outcome
