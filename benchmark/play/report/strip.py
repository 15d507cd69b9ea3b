"""The steps of a trial for its page: read without trust, one after the other, as far as they can be."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.errors import InfrastructureError
from benchmark.play.actions import Action
from benchmark.play.step_log import PICTURES, Move, PlayStep, read_steps
from benchmark.results.report.damaged import is_whole_jpeg

MOST_STEPS = 500  # that a page shows
_MAX_ARGUMENTS = 300


@dataclass(frozen=True)
class MoveShown:
    """What one role did in a step."""

    role: str
    called: str
    did: str
    fault: str
    reason: str
    thought: str
    said: str
    seconds: float
    tokens: tuple[tuple[str, float], ...]
    cost_usd: float


@dataclass(frozen=True)
class StepShown:
    """One step. `picture` is what was seen after it."""

    number: int
    episode: int
    moves: tuple[MoveShown, ...]
    frames: int
    score: float | None
    best: float | None
    progress: float
    signal: str
    picture: Path | None


def read_strip(folder: Path, problems: list[str]) -> tuple[StepShown, ...]:
    """What is wrong with the log goes into `problems`."""
    try:
        steps = read_steps(folder)
    except InfrastructureError:
        problems.append("The log of its steps is missing or damaged.")
        return ()
    if len(steps) > MOST_STEPS:
        problems.append(f"It has {len(steps)} steps; the first {MOST_STEPS} are shown.")
    views = tuple(_step(folder, step) for step in steps[:MOST_STEPS])
    damaged = sum(bool(step.picture) and not view.picture for step, view in zip(steps, views, strict=False))
    if damaged:
        problems.append(f"{damaged} of its pictures cannot be shown.")
    return views


def _step(folder: Path, step: PlayStep) -> StepShown:
    return StepShown(
        number=step.number, episode=step.episode, moves=tuple(map(_move, step.moves)),
        frames=step.think_frames + step.act_frames, score=step.score, best=step.best, progress=step.progress,
        signal=step.signal, picture=_picture(folder, step),
    )  # fmt: skip


def _picture(folder: Path, step: PlayStep) -> Path | None:
    """By its number, whatever name the log gives it: a log may come from anybody."""
    path = folder / PICTURES / f"{step.number:04}.jpg"
    return path if step.picture and is_whole_jpeg(path) else None


def _move(move: Move) -> MoveShown:
    return MoveShown(
        role=move.role, called="; ".join(map(_called, move.calls)), did=_did(move.action) if move.action else "",
        fault=move.fault or "", reason=move.reason, thought=move.thought, said=move.said, seconds=move.latency_sec,
        tokens=tuple(sorted(move.tokens.items())), cost_usd=move.cost_usd,
    )  # fmt: skip


def _called(call: dict[str, Any]) -> str:
    given = call.get("arguments")
    arguments = ", ".join(f"{key}={value!r}" for key, value in given.items()) if isinstance(given, dict) else ""
    return f"{call.get('name')}({arguments[:_MAX_ARGUMENTS]})"


def _did(action: Action) -> str:
    """In words, as short as they get."""
    words = [action.kind.replace("_", " "), "+".join(action.keys)]
    words += [f"at {action.at[0]:g}, {action.at[1]:g}"] if action.at else []
    words += [f"to {action.to[0]:g}, {action.to[1]:g}"] if action.to else []
    words += [repr(action.text)] if action.text else []
    words += [f"by {action.delta[0]:g}, {action.delta[1]:g}"] if action.kind == "scroll" else []
    return " ".join([*filter(None, words), f"for {action.frames} frames"])
