"""The state of a game as it says it itself: JSON of a stranger, read with limits."""

import hashlib
import json
import math
from dataclasses import dataclass
from typing import Any

from benchmark.play.errors import BrokenGameError
from benchmark.untrusted import UnreadableFileError, parse_json, shown

MAX_STATE_CHARACTERS = 1 << 20
_MISSING = object()


@dataclass(frozen=True)
class GameState:
    """What `getState` answered. `digest` leaves out the wall clock and what is there for people who debug."""

    data: dict[str, Any]
    digest: str

    def field(self, path: str) -> Any:
        """The value at `game_state.score`; None where there is nothing."""
        current: Any = self.data
        for key in path.split("."):
            if isinstance(current, list) and key.isdigit() and int(key) < len(current):
                current = current[int(key)]
                continue
            current = current.get(key, _MISSING) if isinstance(current, dict) else _MISSING
            if current is _MISSING:
                return None
        return current

    def number(self, path: str) -> float | None:
        """None for what is no number, or none with an end."""
        value = self.field(path)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return None
        return float(value) if abs(value) <= 1e15 else None

    @property
    def status(self) -> str:
        value = self.data.get("status")
        return value if isinstance(value, str) else ""

    @property
    def actionable(self) -> bool:
        """Whether an agent may act: as the game says itself, else by its status."""
        said = self.data.get("is_actionable")
        return said if isinstance(said, bool) else self.status in ("ready", "playing")

    @property
    def terminal(self) -> bool:
        return self.field("terminal.isTerminal") is True

    @property
    def outcome(self) -> str:
        """success, fail, or whatever the game calls it; empty where it says nothing."""
        value = self.field("terminal.outcome")
        return value[:40] if isinstance(value, str) else ""

    @property
    def game_ms(self) -> float | None:
        return self.number("gameTimeMs")


def read_state(text: object) -> GameState:
    """Raises BrokenGameError for what is no state."""
    if not isinstance(text, str):
        raise BrokenGameError(f"gameAPI.getState() answered with {shown(text)}, which is no object")
    if len(text) > MAX_STATE_CHARACTERS:
        raise BrokenGameError(f"the state has {len(text)} characters; at most {MAX_STATE_CHARACTERS} are read")
    try:
        data = parse_json(text)
    except UnreadableFileError as error:
        raise BrokenGameError(f"the state {error}") from error
    if not isinstance(data, dict):
        raise BrokenGameError(f"gameAPI.getState() answered with {shown(data)}, which is no object")
    kept = {key: value for key, value in data.items() if key not in ("timestampMs", "debug")}
    digest = hashlib.sha256(json.dumps(kept, sort_keys=True).encode("utf-8", "replace")).hexdigest()[:16]
    return GameState(data, digest)
