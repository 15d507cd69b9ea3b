"""One attempt at an OpenAI-compatible endpoint, and what its failures mean.

All that an endpoint says is redacted as it comes in, before anything is cut to length: half a key is a key as well.
"""

import email.utils
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from benchmark import __version__
from benchmark.checked import parse_object
from benchmark.errors import BenchmarkError
from benchmark.judges.deadlines import request_sec
from benchmark.judges.exchange import ExchangeError, HttpAnswer, NotAnAnswerError, NoTimeLeftError, post
from benchmark.redaction import keep_secret, redact
from benchmark.trials import one_line

FaultKind = Literal[
    "rate limit", "server", "timeout", "connection", "too large", "parameter", "refused", "cut off", "malformed",
    "request",
]  # fmt: skip
# Whether trying the same again can help. The others need a change, or none helps.
_PASSING = {"rate limit", "server", "timeout", "connection", "malformed", "cut off"}
_ADJUSTABLE = ("temperature", "response_format", "max_completion_tokens", "max_tokens", "seed")
MAX_RETRY_AFTER_SEC = 120.0
MAX_TOKENS = 10_000_000  # more than any model takes or gives at once: such a count is made up
KEY_VARIABLE = "OPENAI_API_KEY"
ADDRESS_VARIABLE = "OPENAI_BASE_URL"
_DEFAULT_ADDRESS = "https://api.openai.com/v1"
_OWN_HEADERS = {"OPENAI_ORG_ID": "OpenAI-Organization", "OPENAI_PROJECT_ID": "OpenAI-Project"}


@dataclass(frozen=True)
class TokenUsage:
    """Tokens as the endpoint counts them; where `problem` says why they cannot be believed, both are 0."""

    tokens_in: int = 0
    tokens_out: int = 0
    problem: str = ""


class FaultError(BenchmarkError):
    """An attempt that gave no answer. `usage` is set where it was charged all the same."""

    def __init__(
        self,
        kind: FaultKind,
        message: str,
        retry_after_sec: float | None = None,
        parameter: str = "",
        usage: TokenUsage | None = None,
        fix: str | None = None,
    ) -> None:
        super().__init__(f"{kind}: {message}", fix=fix)
        self.kind = kind
        self.retry_after_sec = retry_after_sec
        self.parameter = parameter
        self.usage = usage

    @property
    def passing(self) -> bool:
        return self.kind in _PASSING

    @property
    def about_answer(self) -> bool:
        """Whether the model could do better if it were told."""
        return self.kind in ("malformed", "cut off") and self.usage is not None


@dataclass(frozen=True)
class Reply:
    """The text of an answer and what it took."""

    text: str
    usage: TokenUsage
    model: str
    seconds: float


class Endpoint:
    """A model behind a URL; key and URL are OpenAI's variables where none are given. Threads may share one."""

    def __init__(
        self,
        model: str,
        timeout_sec: float | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.model = model
        self._timeout_sec = request_sec() if timeout_sec is None else timeout_sec
        self._base = checked_address(base_url or os.environ.get(ADDRESS_VARIABLE) or _DEFAULT_ADDRESS)
        key = api_key or os.environ.get(KEY_VARIABLE)
        if not key:
            raise BenchmarkError(f"the model judge cannot start: ${KEY_VARIABLE} is not set", fix=f"set {KEY_VARIABLE}")
        keep_secret(KEY_VARIABLE, key)
        own = {name: os.environ[variable] for variable, name in _OWN_HEADERS.items() if os.environ.get(variable)}
        self._headers = {
            "Content-Type": "application/json", "Accept": "application/json",
            "User-Agent": f"gamecraft-bench/{__version__}", "Authorization": f"Bearer {key}", **own, **(headers or {}),
        }  # fmt: skip
        for name, value in self._headers.items():
            check_header(name, value)
        for name, value in (headers or {}).items():
            keep_secret(f"header {name}", value)

    @property
    def address(self) -> str:
        return self._base

    def ask(self, messages: list[dict[str, Any]], options: dict[str, Any], seconds: float | None = None) -> Reply:
        """One request, within `seconds` if that is less than its own limit. Raises FaultError."""
        began = time.monotonic()
        allowed = self._timeout_sec if seconds is None else min(self._timeout_sec, seconds)
        body = json.dumps({"model": self.model, "messages": messages, **options}).encode()
        base, _, query = self._base.partition("?")
        url = f"{base.rstrip('/')}/chat/completions{'?' if query else ''}{query}"
        try:
            answer = post(url, self._headers, body, allowed)
        except NoTimeLeftError as error:
            raise FaultError("timeout", str(error)) from error
        except NotAnAnswerError as error:
            raise FaultError("malformed", str(error)) from error
        except ExchangeError as error:
            raise FaultError("connection", _said(str(error))) from error
        if not 200 <= answer.status < 300:
            raise status_fault(answer, self._base)
        return _reply(answer, time.monotonic() - began)


def checked_address(
    text: str, who: str = "the model judge", variable: str = ADDRESS_VARIABLE, key: str = KEY_VARIABLE
) -> str:
    """With one slash at its end, as it is hashed into the judge's version."""
    try:
        parts = urlsplit(text)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or not text.isascii() or not text.isprintable() or " " in text or "#" in text:
        raise BenchmarkError(
            f"{who} cannot start: {one_line(text, 100)!r} is no address of an endpoint",
            fix=f"set {variable} to http://HOST/PATH or https://HOST/PATH",
        )
    if "@" in parts.netloc:
        raise BenchmarkError(
            f"{who} cannot start: its address holds a user name or a password",
            fix=f"put the key into {key}",
        )
    base, question, query = text.partition("?")
    return f"{base.rstrip('/')}/{question}{query}"


def check_header(name: str, value: str, who: str = "the model judge", key: str = KEY_VARIABLE) -> None:
    """A line end in a value would begin another header. What it holds is not shown: it may be the key."""
    token = name.replace("-", "").replace("_", "")
    if not (token.isascii() and token.isalnum() and value.isascii() and value.isprintable()):
        what = key if name == "Authorization" else f"the header {one_line(name, 40)!r}"
        raise BenchmarkError(
            f"{who} cannot start: {what} holds a character that no header can have",
            fix="look for line ends and typographic characters in it",
        )


def _said(text: str, limit: int = 300) -> str:
    """What the endpoint said, for one line of ours."""
    return one_line(redact(text), limit)


def document_of(body: bytes) -> dict[str, Any] | None:
    """The body as a JSON object, if it is one and only one."""
    try:
        return parse_object(body.decode("utf-8-sig"), nan=True)  # its counts are checked one by one
    except ValueError:
        return None


def _reply(answer: HttpAnswer, seconds: float) -> Reply:
    """Every field may be anything."""
    document = document_of(answer.body)
    if document is None:
        kind = _said(answer.headers.get("content-type", "no type"), 60)
        raise FaultError("malformed", f"the endpoint's answer ({kind}) is not one JSON object with each key once")
    usage = _usage(document.get("usage"))

    def fault(kind: FaultKind, message: str) -> FaultError:
        return FaultError(kind, message, usage=usage)

    choices = document.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise fault("malformed", f"the endpoint's answer has no message{_error_in(document)[0]}")
    if len(choices) > 1:
        raise fault("malformed", f"the endpoint gave {len(choices)} answers where one was asked for")
    message, finish = choices[0].get("message"), choices[0].get("finish_reason")
    if not isinstance(message, dict):
        raise fault("malformed", "the endpoint's answer has no message")
    refusal, text = message.get("refusal"), message.get("content")
    if refusal or finish == "content_filter":
        raise fault("refused", f"the model refused: {_said(refusal if isinstance(refusal, str) else str(finish), 200)}")
    if finish == "length":
        raise fault("cut off", "the answer was cut off at the token limit")
    if message.get("tool_calls") or message.get("function_call"):
        raise fault("malformed", "the answer calls a tool; there is none")
    if not isinstance(text, str) or not text.strip():
        raise fault("malformed", "the answer is empty")
    model = document.get("model")
    return Reply(redact(text), usage, _said(model, 100) if isinstance(model, str) else "", seconds)


def _usage(given: Any) -> TokenUsage:
    """Whole numbers that a model could take and give; anything else is passed over, with a note."""
    counts = (given.get("prompt_tokens"), given.get("completion_tokens")) if isinstance(given, dict) else (None, None)
    tokens_in, tokens_out = counts
    if tokens_in is None or tokens_out is None:
        return TokenUsage(problem="the endpoint did not say how many tokens it took")
    if not all(type(count) is int and 0 <= count <= MAX_TOKENS for count in counts):
        return TokenUsage(problem="the endpoint's count of tokens is no count")
    return TokenUsage(tokens_in, tokens_out)


def _error_in(document: dict[str, Any] | None) -> tuple[str, str, str]:
    """Message, code and parameter, as far as they are texts."""
    error = (document or {}).get("error")
    if isinstance(error, str):
        return f": {_said(error)}", "", ""
    fields = [error.get(name) if isinstance(error, dict) else None for name in ("message", "code", "param")]
    message, code, parameter = (field if isinstance(field, str) else "" for field in fields)
    return f": {_said(message)}" if message else "", code, parameter


def status_fault(answer: HttpAnswer, base: str, variable: str = ADDRESS_VARIABLE) -> FaultError:
    """What a status that is no success means."""
    status = answer.status
    if 300 <= status < 400:
        target = _said(answer.headers.get("location", "nowhere"), 200)
        return FaultError(
            "request", f"HTTP {status}: the endpoint {base} points to {target}, which is not followed",
            fix=f"set {variable} to the address that answers itself, if you trust it",
        )  # fmt: skip
    said, code, param = _error_in(document_of(answer.body))
    text = said or f": {_said(answer.body[:4096].decode('utf-8', 'replace'))}"
    retry_after = _retry_after(answer.headers.get("retry-after"))
    if status == 413 or "too large" in text.lower() or "context length" in text.lower():
        return FaultError("too large", f"HTTP {status}{text}")
    if status == 429:
        if code == "insufficient_quota":
            return FaultError("request", f"HTTP 429{text}")
        return FaultError("rate limit", f"HTTP 429{text}", retry_after_sec=retry_after)
    if status >= 500 or status in (408, 409):
        return FaultError("server", f"HTTP {status}{text}", retry_after_sec=retry_after)
    if status in (400, 422):
        for parameter in _ADJUSTABLE:
            if param == parameter or parameter in text:
                return FaultError("parameter", f"HTTP {status}{text}", parameter=parameter)
    return FaultError("request", f"HTTP {status}{text}")


def _retry_after(value: str | None) -> float | None:
    """Seconds, or a date, within limits; anything else is ignored."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError, IndexError):
            return None
    return min(max(seconds, 0.0), MAX_RETRY_AFTER_SEC) if seconds == seconds else None
