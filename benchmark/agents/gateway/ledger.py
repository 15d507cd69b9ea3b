"""What the gateway saw of a model's endpoint: good answers, the last trouble, tokens, money, and what was refused."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from benchmark.agents.gateway.answers import NO_TOKENS, AnswerFacts
from benchmark.agents.trajectory import Tokens
from benchmark.errors import UsageError
from benchmark.files import write_whole
from benchmark.jsonl import append, as_line
from benchmark.trials import one_line

MOST_REFUSALS = 500  # different ones that are told
_MOST_LOG_BYTES = 32 << 20
_WRITE_EVERY_SEC = 1.0
_MAX_TEXT = 300
NETWORK_FILE = "network.jsonl"  # what was refused
CALLS_FILE = "model_calls.jsonl"


Limit = Literal["turn limit", "budget"]


@dataclass(frozen=True)
class Prices:
    """Dollars per million tokens; cached tokens are part of those that go in."""

    tokens_in: float
    tokens_out: float
    cached: float

    def of(self, tokens: Tokens) -> float:
        fresh = max(tokens.prompt - tokens.cached, 0)
        return (fresh * self.tokens_in + tokens.cached * self.cached + tokens.completion * self.tokens_out) / 1e6


@dataclass(frozen=True)
class ModelCall:
    """One request for an answer of a model. `counts`: whether its failure says something of the endpoint."""

    number: int
    model: str
    began: float
    counts: bool


@dataclass
class _Refused:
    why: str
    count: int
    first: str
    last: str


@dataclass
class CallLedger:
    """Of one session of one agent; calls come from several threads."""

    model: str  # as asked
    folder: Path | None = None  # where it is written down
    prices: Prices | None = None
    max_turns: int | None = None  # answers, beyond which no call goes out
    max_cost_usd: float | None = None
    over: Limit | None = None  # the limit that kept a call back
    clock: Callable[[], float] = time.monotonic
    answered: int = 0
    calls: int = 0  # that went out
    ended: int = 0  # of those
    trouble: str = ""  # of the last call that ended, if it failed
    trouble_since: float | None = None  # since when no call came to a good end
    tokens: Tokens = NO_TOKENS
    cost_usd: float | None = None
    answered_models: Counter[str] = field(default_factory=Counter)
    last_heard: float = 0.0
    _own_models: set[str] = field(default_factory=set)
    _refused: dict[str, _Refused] = field(default_factory=dict)
    _written: float = 0.0
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self._own_models.add(self.model)

    def begin(self, model: str) -> ModelCall:
        """A call goes out. Until the first good answer all of them are the program's own, as no agent is at work yet.

        Afterwards a call for a model that the program never asked for may be the agent's: that one may fail as it
        likes, or an agent could make an outage of its bad trials.
        """
        with self._lock:
            self.calls += 1
            if not self.answered:
                self._own_models.add(model)
            return ModelCall(self.calls, model, self.clock(), model in self._own_models)

    def keeps_back(self) -> Limit | None:
        """The limit that the next call would be over."""
        with self._lock:
            if self.max_turns and self.answered + self.calls - self.ended >= self.max_turns:
                self.over = "turn limit"
            elif self.max_cost_usd and (self.cost_usd or 0.0) >= self.max_cost_usd:
                self.over = "budget"
            return self.over

    def good(self, call: ModelCall, status: int, facts: AnswerFacts) -> None:
        with self._lock:
            now = self.clock()
            self.answered += 1
            self.trouble, self.trouble_since = "", None
            self.tokens += facts.tokens
            self.answered_models[facts.model or call.model] += 1
            cost = facts.cost_usd
            if cost is None and self.prices is not None:
                cost = self.prices.of(facts.tokens)
            if cost is not None:
                self.cost_usd = (self.cost_usd or 0.0) + cost
            self.last_heard = now
            self._note(call, status, "", facts)

    def bad(self, call: ModelCall, trouble: str, status: int = 0, detail: str = "") -> None:
        """The endpoint failed: `trouble` is a status, or `unreachable`, `cut`, `stalled`."""
        with self._lock:
            if call.counts:
                self.trouble = trouble
                if self.trouble_since is None:
                    self.trouble_since = self.clock()
            self._note(call, status, f"{trouble} {detail}".strip(), AnswerFacts())

    def gave_up(self, call: ModelCall) -> None:
        """Whoever asked hung up: that says nothing of the endpoint."""
        with self._lock:
            self._note(call, 0, "the program hung up", AnswerFacts())

    def refuse(self, what: str, why: str) -> None:
        """Something that the policy does not let through."""
        what, why = one_line(what, _MAX_TEXT), one_line(why, _MAX_TEXT)
        with self._lock:
            now = _now()
            key = f"{what} {why}"
            found = self._refused.get(key)
            if found is not None:
                found.count, found.last = found.count + 1, now
            elif len(self._refused) < MOST_REFUSALS:
                self._refused[key] = _Refused(why, 1, now, now)
            if self.clock() - self._written >= _WRITE_EVERY_SEC:
                self.write()

    @property
    def refusals(self) -> dict[str, int]:
        """What was refused, and how often."""
        with self._lock:
            return {key.removesuffix(f" {one.why}"): one.count for key, one in self._refused.items()}

    def trouble_sec(self) -> float:
        """For how long no call has come to a good end, since the first that failed."""
        with self._lock:
            return 0.0 if self.trouble_since is None else self.clock() - self.trouble_since

    def write(self) -> None:
        """Put down what was refused so far."""
        with self._lock:
            if self.folder is None or not self._refused:
                return
            rows = [
                {"refused": key.removesuffix(f" {one.why}"), "why": one.why, "count": one.count, "time": one.first,
                 "last": one.last}
                for key, one in self._refused.items()
            ]  # fmt: skip
            write_whole(self.folder / NETWORK_FILE, "".join(f"{as_line(row)}\n" for row in rows))
            self._written = self.clock()

    def _note(self, call: ModelCall, status: int, trouble: str, facts: AnswerFacts) -> None:
        self.ended += 1
        if self.folder is None:
            return
        row = {
            "time": _now(), "seconds": round(self.clock() - call.began, 3), "model": one_line(call.model, 100),
            "answered": one_line(facts.model, 100), "status": status, "trouble": one_line(trouble, _MAX_TEXT),
            "prompt_tokens": facts.tokens.prompt, "cached_tokens": facts.tokens.cached,
            "completion_tokens": facts.tokens.completion,
        }  # fmt: skip
        try:
            append(self.folder / CALLS_FILE, f"{as_line(row)}\n".encode(), max_bytes=_MOST_LOG_BYTES)
        except OSError:  # it is for people; the disk's own failure shows where it counts
            self.folder = self.folder if self.folder.is_dir() else None


def read_prices(value: object, where: str) -> Prices | None:
    """`[in, out]` or `[in, out, cached]`. Raises UsageError."""
    if value is None:
        return None
    numbers = value if isinstance(value, list) else []
    if len(numbers) not in (2, 3) or not all(type(one) in (int, float) and 0 <= one < 1e6 for one in numbers):
        raise UsageError(
            f"{where}: {json.dumps(value, default=str)} is not [dollars in, out, cached] per million tokens"
        )
    return Prices(float(numbers[0]), float(numbers[1]), float(numbers[2] if len(numbers) > 2 else numbers[0]))


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
