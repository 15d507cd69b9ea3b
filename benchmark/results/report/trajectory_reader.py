"""A trajectory read back for people. The file may come from anywhere: every field is of its kind, or left out."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from benchmark.agents.trajectory import Picture, Source, Step, Tokens, ToolCall, ToolResult, Trajectory
from benchmark.results.report.damaged import as_dict, as_list, as_number, as_text, as_whole, picture_ending
from benchmark.untrusted import UnreadableFileError, name_problem, read_json

TRAJECTORY = "trajectory.json"  # in the trial's folder; pictures lie beside it
MAX_STEPS = 5_000
_MAX_BYTES = 128 << 20  # texts of half of that are kept; quotes and line ends take two bytes each
_MAX_CALLS = 100  # of one step
_MAX_PICTURES = 1_000
_MAX_TEXT = 200_000  # characters
_MAX_NAME = 200
_MAX_TOKENS = 1_000_000_000_000
IMAGE_KINDS = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp", ".gif": "image/gif"}


@dataclass(frozen=True)
class RecordedSession:
    """What is in the file. Only pictures that are there stay in the trajectory."""

    trajectory: Trajectory
    agent: str
    left_out: int  # steps past MAX_STEPS
    lost_pictures: int


def read_trajectory(folder: Path) -> RecordedSession | None:
    """From a trial's folder; None where there is none. One that is damaged has no steps, and says so in its notes."""
    if not (folder / TRAJECTORY).exists():
        return None
    try:
        data = read_json(folder / TRAJECTORY, _MAX_BYTES, encodable=False)
    except (UnreadableFileError, OSError) as error:
        return _nothing(f"{TRAJECTORY} {error}" if isinstance(error, UnreadableFileError) else f"{TRAJECTORY}: {error}")
    if not isinstance(data, dict):
        return _nothing(f"{TRAJECTORY} is not an object")
    reader = _Reader(folder)
    found = [step for step in as_list(data.get("steps")) if isinstance(step, dict)]
    agent, final = as_dict(data.get("agent")), as_dict(data.get("final_metrics"))
    trajectory = Trajectory(
        steps=tuple(reader.step(step) for step in found[:MAX_STEPS]),
        session=as_text(data.get("session_id"))[:_MAX_NAME],
        program_version=as_text(agent.get("version"))[:_MAX_NAME],
        model=as_text(agent.get("model_name"))[:_MAX_NAME],
        total=_tokens(final, "total_"),
        cost_usd=as_number(final.get("total_cost_usd")),
        notes=tuple(as_text(data.get("notes"))[:_MAX_TEXT].splitlines()[:100]),
    )
    return RecordedSession(
        trajectory, as_text(agent.get("name"))[:_MAX_NAME], len(found) - len(trajectory.steps), reader.lost
    )


def _nothing(why: str) -> RecordedSession:
    return RecordedSession(Trajectory(notes=(why,)), "", 0, 0)


class _Reader:
    """Of one file: how many pictures it may still show, and how many it named that are not there."""

    def __init__(self, folder: Path) -> None:
        self._real = folder.resolve()
        self._left = _MAX_PICTURES
        self.lost = 0

    def step(self, data: dict[str, Any]) -> Step:
        source = data.get("source")
        metrics = as_dict(data.get("metrics"))
        calls = [one for one in as_list(data.get("tool_calls")) if isinstance(one, dict)]
        results = [one for one in as_list(as_dict(data.get("observation")).get("results")) if isinstance(one, dict)]
        return Step(
            source=next((one for one in get_args(Source) if one == source), "system"),
            message=self._content(data.get("message"))[0],
            time=as_text(data.get("timestamp"))[:_MAX_NAME],
            model=as_text(data.get("model_name"))[:_MAX_NAME],
            reasoning=as_text(data.get("reasoning_content"))[:_MAX_TEXT],
            calls=tuple(map(_call, calls[:_MAX_CALLS])),
            results=tuple(map(self._result, results[:_MAX_CALLS])),
            tokens=_tokens(metrics),
            cost_usd=as_number(metrics.get("cost_usd")),
        )

    def _result(self, data: dict[str, Any]) -> ToolResult:
        text, pictures = self._content(data.get("content"))
        extra = as_dict(data.get("extra"))
        return ToolResult(
            call=as_text(data.get("source_call_id"))[:_MAX_NAME],
            text=text,
            pictures=pictures,
            failed=extra.get("failed") is True,
            time=as_text(extra.get("time"))[:_MAX_NAME],
        )

    def _content(self, content: Any) -> tuple[str, tuple[Picture, ...]]:
        """A text, or parts of which some are texts and some are pictures."""
        if isinstance(content, str):
            return content[:_MAX_TEXT], ()
        texts, pictures = [], []
        for part in (one for one in as_list(content)[: 10 * _MAX_CALLS] if isinstance(one, dict)):
            source = as_dict(part.get("source"))
            if part.get("type") == "image" and (picture := self._picture(as_text(source.get("path")))) is not None:
                pictures.append(picture)
            elif text := as_text(part.get("text")):
                texts.append(text)
        return "\n".join(texts)[:_MAX_TEXT], tuple(pictures)

    def _picture(self, path: str) -> Picture | None:
        """Only a picture below the trial's folder, without a link on the way to it."""
        if not path or name_problem(path) or not self._left:
            self.lost += 1
            return None
        straight = os.path.realpath(self._real / path) == str(self._real / path)
        kind = IMAGE_KINDS.get(picture_ending(self._real / path) if straight else "")
        if kind is None:
            self.lost += 1
            return None
        self._left -= 1
        return Picture(path, kind)


def _call(data: dict[str, Any]) -> ToolCall:
    arguments = data.get("arguments")
    if isinstance(arguments, str):  # not what the format says, and what some programs write
        arguments = {"arguments": arguments}
    return ToolCall(
        as_text(data.get("tool_call_id"))[:_MAX_NAME],
        as_text(data.get("function_name"))[:_MAX_NAME],
        {key[:_MAX_NAME]: _short(value) for key, value in list(as_dict(arguments).items())[:_MAX_CALLS]},
    )


def _short(value: Any) -> Any:
    """A long text is cut; anything else that is long becomes a text."""
    if isinstance(value, str):
        return value[:_MAX_TEXT]
    text = json.dumps(value, ensure_ascii=False)
    return value if len(text) <= _MAX_TEXT else text[:_MAX_TEXT]


def _tokens(data: dict[str, Any], prefix: str = "") -> Tokens | None:
    def count(value: Any) -> int:
        return as_whole(value, 0, 0, _MAX_TOKENS)

    found = Tokens(
        count(data.get(f"{prefix}prompt_tokens")),
        count(data.get(f"{prefix}completion_tokens")),
        count(data.get(f"{prefix}cached_tokens")),
        count(as_dict(data.get("extra")).get("reasoning_tokens")),
    )
    return found if found != Tokens() else None
