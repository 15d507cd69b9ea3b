"""How long a model may take: for one request, and for all requests and pauses about one demo."""

import math
import os

from benchmark.errors import UsageError

REQUEST_VARIABLE = "GAMECRAFT_JUDGE_REQUEST_SEC"
DEMO_VARIABLE = "GAMECRAFT_JUDGE_DEMO_SEC"
REQUEST_SEC = 180.0  # connecting, sending and the whole answer
DEMO_SEC = 1800.0  # eight slow requests with pauses between them; waiting for a free slot does not count
_MOST_SEC = 86_400.0


def request_sec() -> float:
    """`$GAMECRAFT_JUDGE_REQUEST_SEC`, or 180."""
    return _seconds(REQUEST_VARIABLE, REQUEST_SEC)


def demo_sec() -> float:
    """`$GAMECRAFT_JUDGE_DEMO_SEC`, or 1800."""
    return _seconds(DEMO_VARIABLE, DEMO_SEC)


def _seconds(variable: str, default: float) -> float:
    chosen = os.environ.get(variable, "")
    if not chosen:
        return default
    try:
        seconds = float(chosen)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _MOST_SEC:
        raise UsageError(f"${variable}: {chosen[:40]!r} is not a number of seconds above 0, up to {_MOST_SEC:.0f}")
    return seconds
