"""Tools of Anthropic's Messages."""

import base64
from typing import TYPE_CHECKING, Any

import anthropic

from benchmark.play.models.prompt import Part
from benchmark.play.models.transport import BoundedTransport, client_over
from benchmark.play.models.wire import MAX_CALLS, PlayAnswer, PlayQuestion, call_of, objects, said, tokens_of

if TYPE_CHECKING:
    from benchmark.play.models.endpoints import Account

# What a cache gave and took is told apart from the rest of the input.
_TOKENS = {
    "fresh": ("input_tokens",),
    "cached": ("cache_read_input_tokens",),
    "written": ("cache_creation_input_tokens",),
    "output": ("output_tokens",),
}


class AnthropicWire:
    """`/v1/messages`."""

    def __init__(self, account: "Account") -> None:
        self.address = account.address
        self._model = account.model
        self._transport = BoundedTransport(account.address, account.address_variable)
        self._http = client_over(self._transport)
        self._client: Any = anthropic.Anthropic(
            api_key=account.key, base_url=account.address, max_retries=0, http_client=self._http
        )

    def ask(self, question: PlayQuestion, seconds: float) -> PlayAnswer:
        body: dict[str, Any] = {
            "model": self._model,
            "system": question.system,
            "messages": [{"role": "user", "content": [_part(part) for part in question.parts]}],
            "tools": [
                {"name": one.name, "description": one.does, "input_schema": one.schema} for one in question.functions
            ],
            "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
            "max_tokens": question.max_tokens,
        }
        if "temperature" not in question.dropped:
            body["extra_body"] = {"temperature": question.temperature}  # the client's function no longer knows it
        self._transport.begin(seconds)
        problem: Exception | None = None
        try:
            self._client.messages.with_raw_response.create(**body)
        except Exception as error:  # whatever the client makes of it: what came in is read here
            problem = error
        document = self._transport.outcome(problem)
        blocks = objects(document.get("content"))
        calls = [one for one in blocks if one.get("type") == "tool_use"][:MAX_CALLS]
        counts = tokens_of(document.get("usage"), _TOKENS)
        fresh = counts.pop("fresh", None)
        if fresh is not None:
            counts["input"] = fresh + counts.get("cached", 0) + counts.pop("written", 0)
        return PlayAnswer(
            calls=tuple(call_of(one.get("name"), one.get("input")) for one in calls),
            text=said(*(one.get("thinking") or one.get("text") for one in blocks)),
            tokens=counts,
            model=said(document.get("model"))[:100],
        )

    def close(self) -> None:
        self._http.close()


def _part(part: Part) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    data = base64.b64encode(part).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": data}}
