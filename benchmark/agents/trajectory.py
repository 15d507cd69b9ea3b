"""What an agent did, step by step: ATIF 1.8, the format in which trajectories are exchanged.

Adapters build these values from the streams and session files of their programs. Keys stand where the format has them;
what is None or empty is left out.
"""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchmark.files import write_json

SCHEMA = "ATIF-v1.8"
Source = Literal["system", "user", "agent"]
IMAGE_TYPES = ("image/png", "image/jpeg", "image/webp", "image/gif")


@dataclass(frozen=True)
class Picture:
    """A picture that was looked at; `path` is relative to the trajectory's folder."""

    path: str
    media_type: str = "image/png"


@dataclass(frozen=True)
class ToolCall:
    """One call, by the name that the program gives its tool."""

    id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class ToolResult:
    """What a call of the same step came back with."""

    call: str
    text: str
    pictures: tuple[Picture, ...] = ()
    failed: bool = False
    time: str = ""  # when it came back, ISO 8601: without it nobody knows how long the tool took


@dataclass(frozen=True)
class Tokens:
    """Of one step, or of all. `prompt` includes what was cached, `completion` what was thought."""

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    reasoning: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(
            self.prompt + other.prompt, self.completion + other.completion, self.cached + other.cached,
            self.reasoning + other.reasoning,
        )  # fmt: skip


@dataclass(frozen=True)
class Step:
    """A message of the system, the user or the agent. Only the agent's have reasoning, calls, results and tokens."""

    source: Source
    message: str = ""
    time: str = ""  # ISO 8601
    model: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()
    tokens: Tokens | None = None
    cost_usd: float | None = None


@dataclass(frozen=True)
class Trajectory:
    """All of one attempt, also over several sessions. `total` is what the program itself says, if it does."""

    steps: tuple[Step, ...] = ()
    session: str = ""  # by which the program can be asked to go on
    program_version: str = ""  # as it says itself
    model: str = ""  # as it was answered
    total: Tokens | None = None
    cost_usd: float | None = None
    turns: int = 0  # calls of the model, where the program counts them
    notes: tuple[str, ...] = ()  # what of the streams could not be read

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(call for step in self.steps for call in step.calls)

    @property
    def tokens(self) -> Tokens:
        """What the program says of the whole, or else the sum of its steps."""
        return self.total or sum((step.tokens for step in self.steps if step.tokens), Tokens())

    @property
    def cost(self) -> float | None:
        """None where nobody says it."""
        if self.cost_usd is not None:
            return self.cost_usd
        known = [step.cost_usd for step in self.steps if step.cost_usd is not None]
        return sum(known) if known else None


@dataclass(frozen=True)
class Who:
    """Whose trajectory it is."""

    name: str
    version: str
    model: str
    effort: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


def as_atif(trajectory: Trajectory, who: Who) -> dict[str, Any]:
    """As the format has it. A trajectory without a step is none, so there is always one."""
    steps = trajectory.steps or (Step("system", "nothing of this session could be read"),)
    total = trajectory.tokens
    return _filled(
        {
            "schema_version": SCHEMA,
            "session_id": trajectory.session,
            "agent": _filled(
                {"name": who.name, "version": who.version or "unknown", "model_name": who.model, "extra": who.extra}
            ),
            "steps": [_step(number, step, who) for number, step in enumerate(steps, 1)],
            "notes": "\n".join(trajectory.notes),
            "final_metrics": {**_metrics(total, trajectory.cost, "total_"), "total_steps": len(steps)},
        }
    )


def write_trajectory(path: Path, trajectory: Trajectory, who: Who) -> None:
    """Whole or not at all, without secrets. Programs write NaN, which JSON lacks: it is kept as a text."""
    write_json(path, _without_nan(as_atif(trajectory, who)))


def _step(number: int, step: Step, who: Who) -> dict[str, Any]:
    data = {"step_id": number, "timestamp": step.time, "source": step.source}
    if step.source == "agent":
        data |= {"model_name": step.model or who.model, "reasoning_effort": who.effort}
        data |= {"reasoning_content": step.reasoning, "tool_calls": [_call(call) for call in step.calls]}
        if step.tokens or step.cost_usd is not None:
            data["metrics"] = _metrics(step.tokens or Tokens(), step.cost_usd)
    if step.results:
        data["observation"] = {"results": [_result(one) for one in step.results]}
    return {**_filled(data), "message": step.message}


def _call(call: ToolCall) -> dict[str, Any]:
    return {"tool_call_id": call.id, "function_name": call.name, "arguments": call.arguments}


def _result(result: ToolResult) -> dict[str, Any]:
    content: Any = result.text
    if result.pictures:
        content = [{"type": "text", "text": result.text}] if result.text else []
        content += [
            {"type": "image", "source": {"media_type": one.media_type, "path": one.path}} for one in result.pictures
        ]
    extra = _filled({"failed": result.failed or None, "time": result.time})
    return {"source_call_id": result.call, "content": content, **({"extra": extra} if extra else {})}


def _metrics(tokens: Tokens, cost: float | None, prefix: str = "") -> dict[str, Any]:
    extra = {"reasoning_tokens": tokens.reasoning} if tokens.reasoning else {}
    return _filled(
        {
            f"{prefix}prompt_tokens": tokens.prompt, f"{prefix}completion_tokens": tokens.completion,
            f"{prefix}cached_tokens": tokens.cached, f"{prefix}cost_usd": cost, "extra": extra,
        }
    )  # fmt: skip


def _without_nan(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _without_nan(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_without_nan(value) for value in data]
    return str(data) if isinstance(data, float) and not math.isfinite(data) else data


def _filled(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value not in (None, "", [], {})}
