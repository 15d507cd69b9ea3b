"""What stands in a program's stream, taken for what it should be: whatever is something else counts as nothing.

A stream holds what a model, a program and the agent's own commands wrote. A field of the wrong kind must neither stop
the reading nor reach a trajectory.
"""

import json
from datetime import UTC, datetime
from typing import Any

from benchmark.agents.trajectory import Tokens

MOST = 1_000_000_000
_MAX_TIME = 40


def text(value: object) -> str:
    return value if isinstance(value, str) else ""


def count(value: object) -> int:
    """Of tokens or calls."""
    return min(max(value, 0), MOST) if isinstance(value, int) and not isinstance(value, bool) else 0


def money(value: object) -> float | None:
    return (
        float(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST else None
    )


def table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def tables(value: object) -> list[dict[str, Any]]:
    """Those of a list that are objects."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def arguments(value: object) -> dict[str, Any]:
    """Of a call; some programs hand on the model's own text, which need not be JSON."""
    if isinstance(value, str):
        try:
            found = json.loads(value)
        except (ValueError, RecursionError):
            return {"text": value} if value else {}
        return found if isinstance(found, dict) else {"text": value}
    return table(value)


def moment(value: object) -> str:
    """A time as ISO 8601 has it, or nothing."""
    if not isinstance(value, str) or len(value) > _MAX_TIME:
        return ""
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return ""
    return value


def since_1970(value: object) -> str:
    """A time that is told in seconds or milliseconds since 1970, as ISO 8601 has it, or nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e14:
        return ""
    return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC).isoformat()


def chat_tokens(usage: dict[str, Any]) -> Tokens:
    """Of one answer, as OpenAI's chat completions tell it."""
    return Tokens(
        count(usage.get("prompt_tokens")),
        count(usage.get("completion_tokens")),
        count(table(usage.get("prompt_tokens_details")).get("cached_tokens")),
        count(table(usage.get("completion_tokens_details")).get("reasoning_tokens")),
    )
