"""Function calling of OpenAI: Responses, and the chat completions that most other servers speak too."""

import base64
from typing import TYPE_CHECKING, Any

import openai

from benchmark.play.models.prompt import Part
from benchmark.play.models.transport import BoundedTransport, client_over
from benchmark.play.models.wire import MAX_CALLS, PlayAnswer, PlayQuestion, call_of, objects, said, tokens_of

if TYPE_CHECKING:
    from benchmark.play.models.endpoints import Account

_CHAT_TOKENS = {
    "input": ("prompt_tokens",),
    "output": ("completion_tokens",),
    "cached": ("prompt_tokens_details", "cached_tokens"),
    "reasoning": ("completion_tokens_details", "reasoning_tokens"),
}
_RESPONSE_TOKENS = {
    "input": ("input_tokens",),
    "output": ("output_tokens",),
    "cached": ("input_tokens_details", "cached_tokens"),
    "reasoning": ("output_tokens_details", "reasoning_tokens"),
}


class _OpenAI:
    def __init__(self, account: "Account") -> None:
        self.address = account.address
        self._model = account.model
        self._transport = BoundedTransport(account.address, account.address_variable)
        self._http = client_over(self._transport)
        self._client: Any = openai.OpenAI(
            api_key=account.key, base_url=account.address, max_retries=0, http_client=self._http
        )

    def _sent(self, create: Any, body: dict[str, Any], seconds: float) -> dict[str, Any]:
        self._transport.begin(seconds)
        problem: Exception | None = None
        try:
            create(**body)
        except Exception as error:  # whatever the client makes of it: what came in is read here
            problem = error
        return self._transport.outcome(problem)

    def close(self) -> None:
        self._http.close()


class ChatWire(_OpenAI):
    """`/chat/completions`."""

    def ask(self, question: PlayQuestion, seconds: float) -> PlayAnswer:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": question.system},
                {"role": "user", "content": [_chat_part(part) for part in question.parts]},
            ],
            "tools": [
                {
                    "type": "function",
                    "function": {"name": one.name, "description": one.does, "parameters": one.schema},
                }
                for one in question.functions
            ],
            "parallel_tool_calls": False,
        }
        if "max_completion_tokens" in question.dropped:
            body["max_tokens"] = question.max_tokens
        else:
            body["max_completion_tokens"] = question.max_tokens
        body |= {} if "temperature" in question.dropped else {"temperature": question.temperature}
        document = self._sent(self._client.chat.completions.with_raw_response.create, body, seconds)
        message = next(iter(objects(document.get("choices"))), {}).get("message")
        message = message if isinstance(message, dict) else {}
        functions = [one.get("function") for one in objects(message.get("tool_calls"))[:MAX_CALLS]]
        return PlayAnswer(
            calls=tuple(call_of(one.get("name"), one.get("arguments")) for one in objects(functions)),
            text=said(message.get("reasoning_content"), message.get("content"), message.get("refusal")),
            tokens=tokens_of(document.get("usage"), _CHAT_TOKENS),
            model=said(document.get("model"))[:100],
        )


class ResponsesWire(_OpenAI):
    """`/responses`. Nothing is kept at the provider: what the model remembers is in each question."""

    def ask(self, question: PlayQuestion, seconds: float) -> PlayAnswer:
        body: dict[str, Any] = {
            "model": self._model,
            "instructions": question.system,
            "input": [{"role": "user", "content": [_response_part(part) for part in question.parts]}],
            "tools": [
                {
                    "type": "function", "name": one.name, "description": one.does, "parameters": one.schema,
                    "strict": False,
                }
                for one in question.functions
            ],
            "parallel_tool_calls": False,
            "max_output_tokens": question.max_tokens,
            "store": False,
        }  # fmt: skip
        body |= {} if "temperature" in question.dropped else {"temperature": question.temperature}
        document = self._sent(self._client.responses.with_raw_response.create, body, seconds)
        items = objects(document.get("output"))
        functions = [one for one in items if one.get("type") == "function_call"][:MAX_CALLS]
        texts = [part.get("text") for one in items for key in ("summary", "content") for part in objects(one.get(key))]
        return PlayAnswer(
            calls=tuple(call_of(one.get("name"), one.get("arguments")) for one in functions),
            text=said(*texts),
            tokens=tokens_of(document.get("usage"), _RESPONSE_TOKENS),
            model=said(document.get("model"))[:100],
        )


def data_url(picture: bytes) -> str:
    return f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}"


def _chat_part(part: Part) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image_url", "image_url": {"url": data_url(part)}}


def _response_part(part: Part) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "input_text", "text": part}
    return {"type": "input_image", "image_url": data_url(part), "detail": "auto"}
