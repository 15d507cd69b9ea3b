"""What tokens cost, and a budget that several processes share."""

import fcntl
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmark.errors import InfrastructureError, UsageError
from benchmark.tasks import TaskError, read_toml

SPEND_FILE = "spend.json"  # in the run's folder
PRICES_VARIABLE = "GAMECRAFT_PRICES"
_PRICES = Path(__file__).with_name("prices.toml")
_ANSWER_TOKENS_PER_ITEM = 45
_PROMPT_TOKENS = 900
_FRAME_TOKENS = 450  # of a frame at 854×480, in the middle of what endpoints count


@dataclass(frozen=True)
class Price:
    """Dollars per million tokens."""

    tokens_in: float
    tokens_out: float

    def of(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1e6


def price_of(model: str) -> Price | None:
    """From our table or the user's, by the longest name that the model's begins with. None: not known."""
    table: dict[str, object] = dict(read_toml(_PRICES))
    if chosen := os.environ.get(PRICES_VARIABLE):
        try:
            table |= read_toml(Path(chosen))
        except TaskError as error:
            raise UsageError(f"${PRICES_VARIABLE}: {error.message}") from error
    names = sorted((name for name in table if model.startswith(name)), key=len)
    if not names:
        return None
    entry = table[names[-1]]
    if not (isinstance(entry, list) and len(entry) == 2 and all(type(v) in (int, float) and v >= 0 for v in entry)):
        raise UsageError(f"${PRICES_VARIABLE}: {names[-1]}: {entry!r} is not [dollars in, dollars out] per million")
    return Price(float(entry[0]), float(entry[1]))


def estimated_tokens(frames: int, items: int, words: int) -> tuple[int, int]:
    """Before asking: roughly what a request will take."""
    return _PROMPT_TOKENS + frames * _FRAME_TOKENS + round(words * 1.4), items * _ANSWER_TOKENS_PER_ITEM + 200


# Five demos of 16 s under a rubric of 16 items: tokens in and out.
TYPICAL_TRIAL = tuple(5 * tokens for tokens in estimated_tokens(33, 16, 1500))


class BudgetSpentError(InfrastructureError):
    """The next request could exceed `--max-cost`."""


class Budget:
    """Spent and promised dollars in one file, shared by all workers of a run. Without a limit it only counts."""

    def __init__(self, path: Path, limit_usd: float | None = None) -> None:
        self._path = path
        self._limit = limit_usd
        self._lock = threading.Lock()

    @contextmanager
    def _state(self) -> Iterator[dict[str, float]]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock, self._path.open("a+", encoding="utf-8") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            handle.seek(0)
            try:
                found = json.loads(handle.read() or "{}")
            except (ValueError, RecursionError):
                found = {}
            state = {name: _dollars(found, name) for name in ("spent", "promised")}
            yield state
            handle.seek(0)
            handle.truncate()
            handle.write(json.dumps(state))

    def forget_promises(self) -> None:
        """When a run is opened: whoever had promised something is gone."""
        if self._path.exists():
            with self._state() as state:
                state["promised"] = 0.0

    def spent(self) -> float:
        with self._state() as state:
            return state["spent"]

    def promise(self, usd: float) -> None:
        """Before a request. Raises BudgetSpentError if what is spent and promised could exceed the limit."""
        with self._state() as state:
            total = state["spent"] + state["promised"] + usd
            if self._limit is not None and total > self._limit:
                raise BudgetSpentError(
                    f"--max-cost {self._limit:g}: ${state['spent']:.2f} spent, the next request takes about ${usd:.3f}",
                    fix="resume the run with a larger --max-cost",
                )
            state["promised"] += usd

    def settle(self, promised: float, actual: float) -> None:
        """After it, however it ended."""
        with self._state() as state:
            state["promised"] = max(0.0, state["promised"] - promised)
            state["spent"] += actual


def _dollars(found: object, name: str) -> float:
    """From a file that a crash may have damaged; an amount that is none counts as nothing."""
    value = found.get(name) if isinstance(found, dict) else None
    sound = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9
    return float(value or 0.0) if sound else 0.0
