"""Google's generateContent and streamGenerateContent."""

import json
import secrets
from typing import Any

from tests.agents.server.conversation import Asked, Event, Reply, Tool
from tests.agents.server.sse import plain

_ERRORS = {401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL"}
# What those who choose between models and those who ask whose turn it is want to hear.
CHOICE = {"reasoning": "it is small", "model_choice": "flash", "complexity_reasoning": "small", "complexity_score": 1,
          "next_speaker": "user"}  # fmt: skip


class Gemini:
    def asked(self, path: str, body: dict[str, Any]) -> Asked:
        functions = [one for tool in body.get("tools") or [] for one in tool.get("functionDeclarations", [])]
        settings = body.get("generationConfig") or {}
        parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
        return Asked(
            model=path.rpartition("models/")[2].partition(":")[0],
            tools=tuple(
                Tool(one["name"], one.get("parametersJsonSchema") or one.get("parameters") or {}) for one in functions
            ),
            calls_made=sum("functionCall" in part for part in parts),
            stream="streamGenerateContent" in path,
            effort=str((settings.get("thinkingConfig") or {}).get("thinkingLevel", "")),
            text=json.dumps(body.get("contents", [])),
            wants_json=settings.get("responseMimeType") == "application/json",
        )

    def whole(self, asked: Asked, reply: Reply) -> Event:
        parts: list[Event] = []
        if reply.thinks:
            parts += [{"text": reply.thinks, "thought": True}]
        if asked.wants_json:
            parts += [{"text": json.dumps(CHOICE)}]
        elif reply.says:
            parts += [{"text": reply.says}]
        if reply.call:
            parts += [{"functionCall": {"name": reply.call.tool.name, "args": reply.call.arguments}}]
        usage = reply.usage
        return {
            "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {
                "promptTokenCount": usage.prompt, "cachedContentTokenCount": usage.cached,
                "candidatesTokenCount": usage.completion - usage.reasoning, "thoughtsTokenCount": usage.reasoning,
                "totalTokenCount": usage.prompt + usage.completion,
            },
            "modelVersion": asked.model, "responseId": secrets.token_hex(8),
        }  # fmt: skip

    def stream(self, asked: Asked, reply: Reply) -> list[bytes]:
        """In two pieces where there is something to say before the call, as the real one does."""
        whole = self.whole(asked, reply)
        parts = whole["candidates"][0]["content"]["parts"]
        first = {"candidates": [{"content": {"role": "model", "parts": parts[:-1]}, "index": 0}]}
        last = {**whole, "candidates": [{**whole["candidates"][0], "content": {"role": "model", "parts": parts[-1:]}}]}
        return [plain(first), plain(last)] if len(parts) > 1 else [plain(whole)]

    def error(self, status: int, message: str) -> Event:
        return {"error": {"code": status, "message": message, "status": _ERRORS.get(status, "UNKNOWN")}}
