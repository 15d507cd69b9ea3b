"""What an agent did, in numbers that can be compared across programs: read off its trajectory, kept in its record."""

import re
from collections import Counter

from benchmark.agents.trajectory import ToolCall, Trajectory

# kind of tool call → what the programs call such tools. The first kind that fits counts.
KINDS: dict[str, re.Pattern[str]] = {
    "look": re.compile(r"screenshot|view_?image|read_?media|look|contact_sheet", re.I),
    "shell": re.compile(r"bash|shell|exec_?command|terminal|local_shell|run_(shell_)?command|execute", re.I),
    "edit": re.compile(r"edit|write|patch|replace|create|str_replace|save", re.I),
    "search": re.compile(r"grep|glob|search|find|list|^ls$", re.I),
    "read": re.compile(r"read|view|cat|open", re.I),
    "plan": re.compile(r"todo|plan|think|task|agent", re.I),
}
OTHER = "other"
# A command that draws the game, or a picture that is read: the agent looked at its work.
_LOOKS = re.compile(r"screenshot\.sh|tools/replay|--write-movie")
_PICTURE = re.compile(r"\.(png|jpe?g|webp)\b", re.I)


def kind_of(call: ToolCall) -> str:
    """Which kind of tool was called."""
    return next((kind for kind, pattern in KINDS.items() if pattern.search(call.name)), OTHER)


def is_inspection(call: ToolCall) -> bool:
    """Whether the call draws the game or opens a picture."""
    kind, words = kind_of(call), " ".join(str(value) for value in call.arguments.values())
    return (
        kind == "look"
        or (kind == "shell" and bool(_LOOKS.search(words)))
        or (kind == "read" and bool(_PICTURE.search(words)))
    )


def activity_of(trajectory: Trajectory) -> dict[str, float]:
    """`turns`, `tool_calls`, `calls_<kind>`, `failed_calls`, `inspections`, and tokens."""
    calls = trajectory.calls
    kinds = Counter(map(kind_of, calls))
    tokens = trajectory.tokens
    return {
        "turns": trajectory.turns or sum(step.source == "agent" for step in trajectory.steps),
        "tool_calls": len(calls),
        "failed_calls": sum(result.failed for step in trajectory.steps for result in step.results),
        "inspections": sum(map(is_inspection, calls)),
        **{f"calls_{kind}": kinds[kind] for kind in (*KINDS, OTHER) if kinds[kind]},
        "prompt_tokens": tokens.prompt,
        "cached_tokens": tokens.cached,
        "completion_tokens": tokens.completion,
        "reasoning_tokens": tokens.reasoning,
    }
