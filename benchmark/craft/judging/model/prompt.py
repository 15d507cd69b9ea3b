"""What the model is asked: the rubric, then frames with their times and the inputs between them."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from benchmark.craft.judging.model.frames import FrameSize, encode_frames
from benchmark.craft.judging.protocol import DemoEvidence
from benchmark.craft.rubric import Requirement
from benchmark.jsonl import read_lines
from benchmark.replay.traces import FPS

_PROMPTS = Path(__file__).with_name("prompts")
_FORM = 1  # raise it when the way messages are put together changes


@cache
def _text(name: str) -> str:
    return (_PROMPTS / name).read_text(encoding="utf-8")


def prompt_version() -> str:
    """Changes with any word of the prompt."""
    parts = [_FORM, _text("system.md"), _text("demo.md"), _text("again.md")]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]


def messages(
    items: Sequence[Requirement], demo: DemoEvidence, size: FrameSize, problem: str = ""
) -> list[dict[str, Any]]:
    """For the chat endpoint. Every still is there, at whatever size: frames are never left out silently.

    `problem` is what was wrong with the answer before.
    """
    stills = demo.evidence.stills
    outcome = demo.evidence.outcome
    ended = "was played to its end" if outcome.complete else f"ended early at frame {outcome.frame}: {outcome.kind}"
    every = (stills[1].time_sec - stills[0].time_sec) if len(stills) > 1 else 0.0
    introduction = _text("demo.md").format(
        seconds=demo.evidence.frames.expected / FPS,
        frames=len(stills),
        every=every,
        ended=ended,
        ids=", ".join(item.id for item in items),
        items="\n\n".join(f"{item.id}: {item.description}" for item in items),
    )
    if problem:
        introduction = introduction.rstrip() + _text("again.md").rstrip().format(problem=problem)
    content: list[dict[str, Any]] = [{"type": "text", "text": introduction}]
    inputs = _inputs_between(demo, [still.frame for still in stills])
    for still, url, given in zip(stills, encode_frames(demo, size), inputs, strict=True):
        content.append({"type": "text", "text": f"t = {still.time_sec:.1f} s{given}"})
        content.append({"type": "image_url", "image_url": {"url": url, "detail": "low" if size.low_detail else "auto"}})
    return [{"role": "system", "content": _text("system.md")}, {"role": "user", "content": content}]


def answer_schema(ids: Iterable[str]) -> dict[str, Any]:
    """For endpoints that can be held to a JSON schema."""
    names = list(ids)

    def table(value: dict[str, Any]) -> dict[str, Any]:
        properties = dict.fromkeys(names, value)
        return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}

    return {
        "type": "object",
        "properties": {"scores": table({"type": "number"}), "rationales": table({"type": "string"})},
        "required": ["scores", "rationales"],
        "additionalProperties": False,
    }


def _inputs_between(demo: DemoEvidence, frames: list[int]) -> list[str]:
    """For each still, what was sent since the one before: ` · inputs since the last frame: SPACE, click 640,360`."""
    rows = _read_inputs(demo.folder / "inputs.jsonl")
    found, previous = [], -1
    for frame in frames:
        words = [word for at, word in rows if previous < at <= frame]
        shown = ", ".join(words[:12]) + (f" and {len(words) - 12} more" if len(words) > 12 else "")
        found.append(f" · inputs since the last frame: {shown}" if words else "")
        previous = frame
    return found


def _read_inputs(path: Path) -> list[tuple[int, str]]:
    rows: list[tuple[int, str]] = []
    for line in read_lines(path) if path.exists() else ():
        row = line.object() or {}
        at = row.get("delivered_frame")
        if at is None or row.get("echo"):
            continue
        if row["kind"] == "key":
            rows.append((at, f"{row['keycode']} {'down' if row['pressed'] else 'up'}"))
        elif row["kind"] == "button":
            rows.append((at, f"{row['button']} button {'down' if row['pressed'] else 'up'} at {row['x']},{row['y']}"))
    return rows
