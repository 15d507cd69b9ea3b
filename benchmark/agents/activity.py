"""What an agent did, in numbers that can be compared across programs: read off its trajectory, kept in its record."""

from collections import Counter

from benchmark.agents.calls import ALL_KINDS, draws_game, kind_of, opens_picture
from benchmark.agents.trajectory import Trajectory

MOST = 1_000_000_000  # what a record accepts of an amount; beyond it a number is nonsense


def inspections_of(trajectory: Trajectory) -> int:
    """How often it looked at its game. A picture that is opened after it was drawn is one look, not two."""
    count, drawn = 0, False
    for call in trajectory.calls:
        if draws_game(call):
            count, drawn = count + 1, True
        elif opens_picture(call):
            count, drawn = count + (not drawn), False
    return count


def activity_of(trajectory: Trajectory) -> dict[str, float]:
    """`turns`, `tool_calls`, `calls_<kind>`, `failed_calls`, `inspections`, `pictures`, and tokens."""
    calls = trajectory.calls
    results = [result for step in trajectory.steps for result in step.results]
    kinds = Counter(map(kind_of, calls))
    tokens = trajectory.tokens
    found = {
        "turns": trajectory.turns or sum(step.source == "agent" for step in trajectory.steps),
        "tool_calls": len(calls),
        "failed_calls": sum(bool(result.failed) for result in results),
        "inspections": inspections_of(trajectory),
        "pictures": sum(len(result.pictures) for result in results),
        **{f"calls_{kind}": kinds[kind] for kind in ALL_KINDS if kinds[kind]},
        "prompt_tokens": tokens.prompt,
        "cached_tokens": tokens.cached,
        "completion_tokens": tokens.completion,
        "reasoning_tokens": tokens.reasoning,
    }
    return {name: _amount(value) for name, value in found.items()}


def _amount(value: float) -> float:
    """What a program says of itself may be any number, and none."""
    return 0 if value != value else min(max(value, 0), MOST)
