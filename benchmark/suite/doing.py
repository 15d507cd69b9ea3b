"""What each trial that runs is doing, as words that fit into a line."""

import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmark.agents.streams import LIVE_FILE
from benchmark.results.behaviour import WORK_STAGE
from benchmark.suite.live import STAGE_FILE
from benchmark.text import clock, duration, fit, one_line
from benchmark.untrusted import UnreadableFileError, read_json

_MAX_BYTES = 1 << 16
_MAX_AMOUNT = 1e15
_TURN_SEC = 3  # how long each is shown where there is room for one only


@dataclass(frozen=True)
class Doing:
    """Of an agent at work. What is not known is empty or None."""

    did: str = ""
    turns: int = 0
    tokens: int = 0
    cost_usd: float | None = None
    seconds: float | None = None
    limit_sec: float | None = None
    trouble: str = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Time left first: what a narrow terminal cuts off is worth less."""
        said = []
        if self.limit_sec is not None and self.seconds is not None:
            said.append(f"{duration(max(self.limit_sec - self.seconds, 0.0))} left")
        said += [f"turn {self.turns}"] if self.turns else []
        said += [f"${self.cost_usd:.2f}"] if self.cost_usd else []
        said += [f"{_short(self.tokens)} tokens"] if self.tokens else []
        return tuple(said)


@dataclass(frozen=True)
class Running:
    """A trial in flight."""

    label: str
    stage: str
    seconds: float
    doing: Doing | None = None

    @property
    def words(self) -> str:
        """`lantern-keeper[codex] 12:40, 47 min left, turn 34, $0.84, 1.2 M tokens: Bash: godot --headless`."""
        stage = f"{self.stage}, " if self.stage and not (self.doing and self.stage == WORK_STAGE) else ""
        said = f"{self.label.rpartition('/')[2]} {stage}{_elapsed(self)}"
        if self.doing is not None:
            said = ", ".join([said, *self.doing.numbers])
            did = f"model: {self.doing.trouble}" if self.doing.trouble else self.doing.did
            said += f": {did}" if did else ""
        return said


def _elapsed(one: "Running") -> str:
    return clock(one.seconds) if one.doing is not None else f"{one.seconds:.0f} s"


def running(started: Mapping[str, tuple[float, Path]]) -> tuple[Running, ...]:
    """The longest first; `started` says since when, and where."""
    found = []
    for label, (since, folder) in sorted(started.items(), key=lambda entry: entry[1][0]):
        stage = ""
        with contextlib.suppress(OSError, UnicodeDecodeError):
            stage = one_line((folder / STAGE_FILE).read_text(encoding="utf-8"), 40)
        doing = read_doing(folder) if stage == WORK_STAGE else None
        found.append(Running(label, stage, time.monotonic() - since, doing))
    return tuple(found)


def read_doing(folder: Path) -> Doing | None:
    """What an agent does; None where nobody says it. Its words come from a model: they are one line, and plain."""
    try:
        said = read_json(folder / LIVE_FILE, _MAX_BYTES, encodable=False)
    except (UnreadableFileError, OSError):
        return None
    if not isinstance(said, dict):
        return None
    tokens = sum(_amount(said.get(name)) or 0.0 for name in ("tokens", "prompt_tokens", "completion_tokens"))
    return Doing(
        did=_words(said.get("did")),
        turns=int(_amount(said.get("turns")) or 0),
        tokens=int(tokens),
        cost_usd=_amount(said.get("cost_usd")),
        seconds=_since(said.get("since")),
        limit_sec=_amount(said.get("limit_sec")),
        trouble=_words(said.get("trouble")),
    )


def _words(value: Any) -> str:
    return " ".join(one_line(value, 200).split()) if isinstance(value, str) else ""


def _amount(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MAX_AMOUNT:
        return None
    return float(value)


def _since(value: Any) -> float | None:
    try:
        began = datetime.fromisoformat(value)
        return max((datetime.now(UTC) - began).total_seconds(), 0.0)
    except (TypeError, ValueError, OverflowError):
        return None


def _short(count: int) -> str:
    """`940`, `12 k`, `1.2 M`."""
    if count < 1000:
        return str(count)
    return f"{count / 1000:.0f} k" if count < 999_500 else f"{count / 1e6:.1f} M"


def running_line(trials: Sequence[Running], tail: str, columns: int) -> str:
    """All of them where there is room, else how many there are, and each of them in its turn."""
    if not trials:
        return ""
    count = f"{len(trials)} running"
    every = f"{count}: {' · '.join(one.words for one in trials)}{tail}"
    if fit(every, columns) == every:
        return every
    one = trials[int(time.monotonic() / _TURN_SEC) % len(trials)]
    head = f"{one.words}" if len(trials) == 1 else f"{count}{tail}: {one.words}"
    return fit(head, columns)


@dataclass(frozen=True)
class RunProgress:
    """How far a run is. `scores` is in words; trials that still run are not among the numbers."""

    elapsed_sec: float
    done: int
    total: int
    scores: str = ""
    spent_usd: float = 0.0
    left_sec: float = 0.0


def heartbeat_line(trials: Sequence[Running], run: RunProgress) -> str:
    """How far a run is, for a log."""
    spent = run.spent_usd + sum(one.doing.cost_usd or 0.0 for one in trials if one.doing)
    said = [f"{len(trials)} running", f"{run.done} of {run.total} done{f' ({run.scores})' if run.scores else ''}"]
    said += [f"${spent:.2f}"] if spent else []
    said += [f"about {duration(run.left_sec)} left"] if run.left_sec else []
    line = f"[{clock(run.elapsed_sec)}] {', '.join(said)}"
    return f"{line} · {trials[0].words}" if trials else line
