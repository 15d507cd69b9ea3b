"""OpenAI's Responses."""

import json
import secrets
import time
from collections.abc import Iterator
from typing import Any

from tests.agents.server.conversation import Asked, Event, Reply, Tool
from tests.agents.server.sse import named


class Responses:
    def asked(self, path: str, body: dict[str, Any]) -> Asked:
        items = body.get("input") if isinstance(body.get("input"), list) else []
        return Asked(
            model=body.get("model", ""),
            tools=tuple(_tools(body.get("tools") or [])),
            calls_made=sum(item.get("type") in ("function_call", "custom_tool_call") for item in items or []),
            stream=bool(body.get("stream")),
            effort=str((body.get("reasoning") or {}).get("effort", "")),
            text=json.dumps(items),
        )

    def whole(self, asked: Asked, reply: Reply) -> Event:
        usage = reply.usage
        return {
            "id": f"resp_{secrets.token_hex(10)}", "object": "response", "created_at": int(time.time()),
            "status": "completed", "model": asked.model, "output": _items(reply), "parallel_tool_calls": True,
            "tool_choice": "auto", "tools": [], "error": None, "incomplete_details": None, "instructions": None,
            "metadata": {},
            "usage": {
                "input_tokens": usage.prompt, "input_tokens_details": {"cached_tokens": usage.cached},
                "output_tokens": usage.completion, "output_tokens_details": {"reasoning_tokens": usage.reasoning},
                "total_tokens": usage.prompt + usage.completion,
            },
        }  # fmt: skip

    def stream(self, asked: Asked, reply: Reply) -> list[bytes]:
        response = self.whole(asked, reply)
        begun = {**response, "status": "in_progress", "output": [], "usage": None}
        events: list[Event] = [{"type": "response.created", "response": begun}]
        for index, item in enumerate(response["output"]):
            events += _item_events(item, index)
        events += [{"type": "response.completed", "response": response}]
        return [named({**event, "sequence_number": number}) for number, event in enumerate(events)]

    def error(self, status: int, message: str) -> Event:
        return {"error": {"message": message, "type": "server_error", "code": str(status), "param": None}}


def _tools(offered: list[dict[str, Any]]) -> Iterator[Tool]:
    for tool in offered:
        if tool.get("type") == "namespace":
            for inner in tool.get("tools", []):
                yield Tool(inner["name"], inner.get("parameters") or {}, tool["name"])
        else:
            yield Tool(tool.get("name") or tool["type"], tool.get("parameters") or {})


def _items(reply: Reply) -> list[Event]:
    items: list[Event] = []
    if reply.thinks:
        items += [_item("reasoning", "rs", summary=[{"type": "summary_text", "text": reply.thinks}], content=None)]
    if reply.says:
        text = {"type": "output_text", "text": reply.says, "annotations": []}
        items += [_item("message", "msg", role="assistant", content=[text])]
    if reply.call:
        call = reply.call
        space = {"namespace": call.tool.space} if call.tool.space else {}
        arguments = json.dumps(call.arguments)
        items += [_item("function_call", "fc", call_id=call.id, name=call.tool.name, arguments=arguments, **space)]
    return items


def _item(kind: str, prefix: str, **fields: Any) -> Event:
    return {"type": kind, "id": f"{prefix}_{secrets.token_hex(8)}", "status": "completed", **fields}


def _item_events(item: Event, index: int) -> Iterator[Event]:
    empty: Event = (
        {"content": []} if item["type"] == "message" else {"summary": []} if item["type"] == "reasoning" else {}
    )
    place = {"output_index": index, "item_id": item["id"]}
    begun = {**item, "status": "in_progress", **empty}
    yield {"type": "response.output_item.added", "output_index": index, "item": begun}
    if item["type"] == "message":
        part = item["content"][0]
        place["content_index"] = 0
        yield {"type": "response.content_part.added", **place, "part": {**part, "text": ""}}
        yield {"type": "response.output_text.delta", **place, "delta": part["text"]}
        yield {"type": "response.output_text.done", **place, "text": part["text"]}
        yield {"type": "response.content_part.done", **place, "part": part}
    yield {"type": "response.output_item.done", "output_index": index, "item": item}
