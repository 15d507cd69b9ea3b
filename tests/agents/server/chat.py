"""OpenAI's chat completions, as everybody's servers speak them."""

import json
import secrets
import time
from typing import Any

from tests.agents.server.conversation import Asked, Event, Reply, Tool
from tests.agents.server.sse import DONE, plain


class Chat:
    def asked(self, path: str, body: dict[str, Any]) -> Asked:
        messages = body.get("messages", [])
        functions = [tool["function"] for tool in body.get("tools") or [] if "function" in tool]
        ways = (body.get("reasoning") or {}, body.get("thinking") or {})
        effort = body.get("reasoning_effort") or next((way["effort"] for way in ways if "effort" in way), "")
        return Asked(
            model=body.get("model", ""),
            tools=tuple(Tool(one["name"], one.get("parameters") or {}) for one in functions),
            calls_made=sum(len(message.get("tool_calls") or []) for message in messages),
            stream=bool(body.get("stream")),
            effort=str(effort),
            text=json.dumps(messages),
        )

    def whole(self, asked: Asked, reply: Reply) -> Event:
        choice = {"index": 0, "message": _message(reply), "finish_reason": _reason(reply)}
        return {**_head(asked, "chat.completion"), "choices": [choice], "usage": _usage(reply)}

    def stream(self, asked: Asked, reply: Reply) -> list[bytes]:
        head = _head(asked, "chat.completion.chunk")
        message = _message(reply)
        if reply.call:
            message["tool_calls"] = [{"index": 0, **message["tool_calls"][0]}]
        chunks = [
            {**head, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": _reason(reply)}]},
            {**head, "choices": [], "usage": _usage(reply)},
        ]
        return [*map(plain, chunks), DONE]

    def error(self, status: int, message: str) -> Event:
        return {"error": {"message": message, "type": "server_error", "code": str(status), "param": None}}


def _head(asked: Asked, kind: str) -> Event:
    name = f"chatcmpl-{secrets.token_hex(8)}"
    return {"id": name, "object": kind, "created": int(time.time()), "model": asked.model}


def _message(reply: Reply) -> Event:
    message: Event = {"role": "assistant", "content": reply.says or None}
    if reply.thinks:
        message["reasoning_content"] = reply.thinks
    if reply.call:
        function = {"name": reply.call.tool.name, "arguments": json.dumps(reply.call.arguments)}
        message["tool_calls"] = [{"id": reply.call.id, "type": "function", "function": function}]
    return message


def _reason(reply: Reply) -> str:
    return "tool_calls" if reply.call else "stop"


def _usage(reply: Reply) -> Event:
    usage = reply.usage
    return {
        "prompt_tokens": usage.prompt, "prompt_tokens_details": {"cached_tokens": usage.cached},
        "completion_tokens": usage.completion, "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.prompt + usage.completion,
    }  # fmt: skip
