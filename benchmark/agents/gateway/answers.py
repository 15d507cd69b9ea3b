"""Reading along while a model's answer passes through: whether it came to its end, which model it was, what it took.

The four ways in which endpoints speak differ in names only. What cannot be read is left out; nothing here can fail.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from benchmark.agents.adapters.protocol import Wire
from benchmark.agents.trajectory import Tokens
from benchmark.untrusted import UnreadableFileError, parse_json

_MAX_EVENT_BYTES = 8 << 20  # the last event of a long answer holds all of it again
_MAX_WHOLE_BYTES = 32 << 20  # of an answer that does not come in events
_MOST_TOKENS = 1_000_000_000
NO_TOKENS = Tokens()
# What one event says when the answer is complete.
_LAST_TYPES = {"message_stop", "response.completed", "response.incomplete"}
_FAILED_TYPES = {"error", "response.failed"}
_STATUS_OF = {
    "overloaded_error": "529", "rate_limit_error": "429", "rate_limit_exceeded": "429", "api_error": "500",
    "server_error": "500", "authentication_error": "401", "permission_error": "403", "not_found_error": "404",
    "insufficient_quota": "402", "billing_error": "402",
}  # fmt: skip


@dataclass(frozen=True)
class AnswerFacts:
    """What an answer says of itself."""

    model: str = ""
    tokens: Tokens = NO_TOKENS
    cost_usd: float | None = None


@dataclass
class AnswerReader:
    """Fed with an answer's body piece by piece. `complete` and `error` are right once all of it has passed."""

    wire: Wire
    events: bool  # whether it comes as events
    complete: bool = False
    error: str = ""  # a status, where a good beginning was followed by an error
    _model: str = ""
    _usage: dict[str, Any] = field(default_factory=dict)
    _kept: bytearray = field(default_factory=bytearray)
    _passed_over: bool = False

    def feed(self, data: bytes) -> None:
        if not self.events:
            if len(self._kept) + len(data) <= _MAX_WHOLE_BYTES:
                self._kept += data
            return
        self._kept += data
        *lines, rest = self._kept.split(b"\n")
        self._kept = bytearray(rest)
        for line in lines:
            if self._passed_over:  # the end of a line that was too long
                self._passed_over = False
            elif line.startswith(b"data:"):
                self._event(bytes(line[5:]).strip())
        if len(self._kept) > _MAX_EVENT_BYTES:
            self._kept.clear()
            self._passed_over = True

    def end(self) -> None:
        """Nothing more comes."""
        if self.events:
            if self._kept.startswith(b"data:"):
                self._event(bytes(self._kept[5:]).strip())
            return
        self._event(bytes(self._kept))

    @property
    def facts(self) -> AnswerFacts:
        return AnswerFacts(self._model, _tokens(self._usage), _dollars(self._usage.get("cost")))

    def _event(self, text: bytes) -> None:
        if text == b"[DONE]":
            self.complete = True
            return
        try:
            data = parse_json(text, encodable=False)
        except UnreadableFileError:
            return
        self.complete = self.complete or not self.events  # what does not come in events is complete if it is JSON
        for one in data if isinstance(data, list) else [data]:
            if isinstance(one, dict):
                self._told(one)

    def _told(self, data: dict[str, Any]) -> None:
        kind = data.get("type")
        # Anthropic's begins with a message, OpenAI's later protocol wraps all in a response
        inner = next((data[key] for key in ("response", "message") if isinstance(data.get(key), dict)), data)
        for holder in (inner, data):
            for key in ("usage", "usageMetadata"):
                if isinstance(found := holder.get(key), dict):
                    self._usage |= {name: value for name, value in found.items() if value is not None}
            for key in ("model", "modelVersion"):
                if isinstance(name := holder.get(key), str) and name:
                    self._model = name[:200]
        if kind in _LAST_TYPES or any(_finished(one) for key in ("choices", "candidates") for one in _list(data, key)):
            self.complete = True
        if kind in _FAILED_TYPES or (data.get("error") and kind != "message"):
            self.error = _status(data.get("error") or inner.get("error"))


def _list(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = data.get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _finished(choice: dict[str, Any]) -> bool:
    return bool(choice.get("finish_reason") or choice.get("finishReason"))


def _status(error: Any) -> str:
    """Errors within an answer that began well have names or numbers."""
    if isinstance(error, dict):
        for key in ("code", "status", "type"):
            value = error.get(key)
            if isinstance(value, int) and not isinstance(value, bool) and 400 <= value <= 599:
                return str(value)
            if isinstance(value, str) and value in _STATUS_OF:
                return _STATUS_OF[value]
    return "500"


def _tokens(usage: dict[str, Any]) -> Tokens:
    """By the names of whichever protocol it is."""

    def count(*path: str) -> int:
        value: Any = usage
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return min(value, _MOST_TOKENS) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

    if "promptTokenCount" in usage:
        thought = count("thoughtsTokenCount")
        prompt, cached = count("promptTokenCount"), count("cachedContentTokenCount")
        return Tokens(prompt, count("candidatesTokenCount") + thought, cached, thought)
    if "prompt_tokens" in usage:
        cached = count("prompt_tokens_details", "cached_tokens") or count("prompt_cache_hit_tokens")
        thought = count("completion_tokens_details", "reasoning_tokens")
        return Tokens(count("prompt_tokens"), count("completion_tokens"), cached, thought)
    if "input_tokens_details" in usage or "output_tokens_details" in usage or "total_tokens" in usage:
        cached, thought = (
            count("input_tokens_details", "cached_tokens"),
            count("output_tokens_details", "reasoning_tokens"),
        )
        return Tokens(count("input_tokens"), count("output_tokens"), cached, thought)
    cached = count("cache_read_input_tokens")
    prompt = count("input_tokens") + cached + count("cache_creation_input_tokens")
    return Tokens(prompt, count("output_tokens"), cached)


def _dollars(value: Any) -> float | None:
    """Only some endpoints say what a call cost."""
    sound = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and 0 <= value < 1e6
    return float(value) if sound else None
