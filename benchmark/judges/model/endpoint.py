"""One attempt at an OpenAI-compatible endpoint, and what its failures mean."""

import email.utils
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import openai

from benchmark.errors import BenchmarkError

FaultKind = Literal[
    "rate limit", "server", "timeout", "connection", "too large", "parameter", "refused", "cut off", "malformed",
    "request",
]  # fmt: skip
# Whether trying the same again can help. The others need a change, or none helps.
_PASSING = {"rate limit", "server", "timeout", "connection", "malformed", "cut off"}
MAX_RETRY_AFTER_SEC = 120.0


class FaultError(BenchmarkError):
    """An attempt that gave no answer."""

    def __init__(
        self, kind: FaultKind, message: str, retry_after_sec: float | None = None, parameter: str = ""
    ) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.retry_after_sec = retry_after_sec
        self.parameter = parameter

    @property
    def passing(self) -> bool:
        return self.kind in _PASSING


@dataclass(frozen=True)
class Reply:
    """The text of an answer and what it took."""

    text: str
    tokens_in: int
    tokens_out: int
    model: str
    seconds: float


class Endpoint:
    """A model behind a URL; key and URL are the client's own variables where none are given. Threads may share one."""

    def __init__(
        self,
        model: str,
        timeout_sec: float = 180.0,
        base_url: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.model = model
        try:
            # Retrying is ours: the client's own would neither be logged nor counted.
            self._client = openai.OpenAI(
                max_retries=0, timeout=timeout_sec, base_url=base_url, api_key=api_key, default_headers=headers
            )
        except openai.OpenAIError as error:
            raise BenchmarkError(f"the model judge cannot start: {error}", fix="set OPENAI_API_KEY") from error

    @property
    def address(self) -> str:
        return str(self._client.base_url)

    def ask(self, messages: list[dict[str, Any]], options: dict[str, Any]) -> Reply:
        """One request. Raises FaultError."""
        began = time.monotonic()
        try:
            completion = self._client.chat.completions.create(
                model=self.model,
                messages=messages,  # type: ignore[arg-type]
                **options,
            )
        except openai.APITimeoutError as error:
            raise FaultError("timeout", f"no answer in {time.monotonic() - began:.0f} s") from error
        except openai.APIStatusError as error:
            raise _status_fault(error) from error
        except openai.APIConnectionError as error:
            raise FaultError("connection", str(error.__cause__ or error)) from error
        except (openai.OpenAIError, ValueError) as error:
            raise FaultError("malformed", f"the endpoint's answer cannot be read: {error}") from error
        return _reply(completion, time.monotonic() - began)


def _reply(completion: Any, seconds: float) -> Reply:
    """The client does not check what it gets, so every field may be anything."""
    try:
        choice = completion.choices[0]
        message, finish = choice.message, choice.finish_reason
        text, refusal = message.content, getattr(message, "refusal", None)
    except (AttributeError, IndexError, TypeError) as error:
        raise FaultError("malformed", "the endpoint's answer has no message") from error
    if refusal or finish == "content_filter":
        raise FaultError("refused", f"the model refused: {str(refusal or finish)[:200]}")
    if finish == "length":
        raise FaultError("cut off", "the answer was cut off at the token limit")
    if not isinstance(text, str) or not text.strip():
        raise FaultError("malformed", "the answer is empty")
    usage = getattr(completion, "usage", None)
    return Reply(
        text,
        _count(getattr(usage, "prompt_tokens", 0)),
        _count(getattr(usage, "completion_tokens", 0)),
        str(getattr(completion, "model", "") or ""),
        seconds,
    )


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def _status_fault(error: openai.APIStatusError) -> FaultError:
    status, text = error.status_code, str(error.message)[:300]
    retry_after = _retry_after(error.response.headers.get("retry-after"))
    if status == 413 or "too large" in text.lower() or "context length" in text.lower():
        return FaultError("too large", f"HTTP {status}: {text}")
    if status == 429:
        if error.code == "insufficient_quota":
            return FaultError("request", f"HTTP 429: {text}")
        return FaultError("rate limit", f"HTTP 429: {text}", retry_after_sec=retry_after)
    if status >= 500 or status in (408, 409):
        return FaultError("server", f"HTTP {status}: {text}", retry_after_sec=retry_after)
    if status in (400, 422):
        for parameter in ("temperature", "response_format", "max_completion_tokens", "max_tokens", "seed"):
            if error.param == parameter or parameter in text:
                return FaultError("parameter", f"HTTP {status}: {text}", parameter=parameter)
    return FaultError("request", f"HTTP {status}: {text}")


def _retry_after(value: str | None) -> float | None:
    """Seconds, or a date; anything else is ignored."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        date = email.utils.parsedate_to_datetime(value) if "," in value else None
        seconds = date.timestamp() - time.time() if date else 0.0
    return min(max(seconds, 0.0), MAX_RETRY_AFTER_SEC) if seconds == seconds else None
