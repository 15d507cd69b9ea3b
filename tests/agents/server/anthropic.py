"""Anthropic's Messages."""

import json
import secrets
from typing import Any

from tests.agents.server.conversation import Asked, Event, Reply, Tool
from tests.agents.server.sse import named

_ERRORS = {401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error"}


class Anthropic:
    def asked(self, path: str, body: dict[str, Any]) -> Asked:
        blocks = [
            block
            for message in body.get("messages", [])
            if message["role"] == "assistant" and isinstance(message["content"], list)
            for block in message["content"]
        ]
        tools = [Tool(tool["name"], tool.get("input_schema", {})) for tool in body.get("tools", []) if "name" in tool]
        return Asked(
            model=body.get("model", ""),
            tools=tuple(tools),
            calls_made=sum(block.get("type") == "tool_use" for block in blocks),
            stream=bool(body.get("stream")),
            effort=str((body.get("output_config") or {}).get("effort", "")),
            text=json.dumps(body.get("system", "")) + json.dumps(body.get("messages", [])),
        )

    def whole(self, asked: Asked, reply: Reply) -> Event:
        return {
            "id": f"msg_{secrets.token_hex(10)}", "type": "message", "role": "assistant", "model": asked.model,
            "content": _blocks(reply), "stop_reason": "tool_use" if reply.call else "end_turn", "stop_sequence": None,
            "usage": _usage(reply),
        }  # fmt: skip

    def stream(self, asked: Asked, reply: Reply) -> list[bytes]:
        message = self.whole(asked, reply)
        usage = message["usage"]
        begun = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
        events: list[Event] = [{"type": "message_start", "message": begun}]
        for index, block in enumerate(message["content"]):
            empty, *deltas = _pieces(block)
            events += [{"type": "content_block_start", "index": index, "content_block": empty}]
            events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
            events += [{"type": "content_block_stop", "index": index}]
        end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        events += [{"type": "message_delta", "delta": end, "usage": usage}, {"type": "message_stop"}]
        return [named(event) for event in events]

    def error(self, status: int, message: str) -> Event:
        return {"type": "error", "error": {"type": _ERRORS.get(status, "api_error"), "message": message}}


def _blocks(reply: Reply) -> list[Event]:
    blocks: list[Event] = []
    if reply.thinks:
        blocks += [{"type": "thinking", "thinking": reply.thinks, "signature": "c2lnbmVk"}]
    if reply.says:
        blocks += [{"type": "text", "text": reply.says}]
    if reply.call:
        call = reply.call
        blocks += [{"type": "tool_use", "id": f"toolu_{call.id}", "name": call.tool.name, "input": call.arguments}]
    return blocks


def _pieces(block: Event) -> list[Event]:
    """The empty block, and what fills it."""
    if block["type"] == "thinking":
        return [
            {**block, "thinking": "", "signature": ""},
            {"type": "thinking_delta", "thinking": block["thinking"]},
            {"type": "signature_delta", "signature": block["signature"]},
        ]
    if block["type"] == "text":
        return [{**block, "text": ""}, {"type": "text_delta", "text": block["text"]}]
    return [{**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}]


def _usage(reply: Reply) -> Event:
    usage = reply.usage
    return {
        "input_tokens": usage.prompt - usage.cached - usage.written, "cache_creation_input_tokens": usage.written,
        "cache_read_input_tokens": usage.cached, "output_tokens": usage.completion,
    }  # fmt: skip
