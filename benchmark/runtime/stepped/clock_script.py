"""The script that runs in every document before the page's own."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).with_name("page")
# In this order, in one closure.
_PARTS = (
    "natives", "conductor", "join", "time", "timers", "pointer", "random", "messages", "animations", "media",
    "observers", "pictures", "escapes", "control",
)  # fmt: skip
EPOCH_MS = 1_767_225_600_000  # 2026-01-01 00:00 UTC: where every run begins
DOOR = "stepped clock"  # anybody may find it; only who has the key is let in
MAX_VALUE_CHARACTERS = 4 << 20
MAX_VALUE_ENTRIES = 200_000


@dataclass(frozen=True)
class ClockSettings:
    """What one document is given. The key is drawn for each page, by the harness."""

    key: str
    seed: int

    def script(self) -> str:
        values = {
            "key": self.key,
            "seed": self.seed,
            "door": DOOR,
            "epochMs": EPOCH_MS,
            "longestValue": MAX_VALUE_CHARACTERS,
            "mostEntries": MAX_VALUE_ENTRIES,
        }
        return f"(() => {{ 'use strict';\nconst settings = {json.dumps(values)};\n{_body()}\n}})();"


def call_control(key: str, call: str) -> str:
    """An expression that calls the control of the document it is evaluated in."""
    return f"window[{json.dumps(DOOR)}]({json.dumps(key)}).{call}"


@cache
def _body() -> str:
    return "\n".join((_FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in _PARTS)
