"""A loopback server that speaks the four protocols of model players, and answers or fails as a test plans it."""

import contextlib
import json
import re
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Api = Literal["responses", "chat", "anthropic", "gemini"]
_PATHS: dict[str, Api] = {
    r"^/v1/messages$": "anthropic",
    r"^/v1/responses$": "responses",
    r"^/v1/chat/completions$": "chat",
    r"^/v1(?:beta)?/models/[^/]+:generateContent$": "gemini",
}
BASES: dict[Api, str] = {"responses": "/v1", "chat": "/v1", "anthropic": "", "gemini": ""}


@dataclass(frozen=True)
class Asked:
    """One request."""

    api: Api
    body: dict[str, Any]
    key: str
    headers: dict[str, str]

    @property
    def functions(self) -> dict[str, dict[str, Any]]:
        """Their schemas by name, wherever the protocol puts them."""
        found: dict[str, dict[str, Any]] = {}
        for tool in self.body["tools"]:
            if self.api == "gemini":
                found |= {
                    one["name"]: one["parameters_json_schema"] for one in tool["functionDeclarations"]
                }  # as its client says
                continue
            one = tool.get("function", tool)
            found[one["name"]] = one.get("parameters") or one["input_schema"]
        return found

    @property
    def texts(self) -> list[str]:
        """What the user said, part by part."""
        return [part["text"] for part in self.parts if isinstance(part.get("text"), str)]

    @property
    def pictures(self) -> int:
        return sum("/9j/" in json.dumps(part).replace("_", "/") for part in self.parts)  # how every JPEG begins

    @property
    def parts(self) -> list[dict[str, Any]]:
        if self.api == "gemini":
            return list(self.body["contents"][0]["parts"])
        messages = self.body["input"] if self.api == "responses" else self.body["messages"]
        return list(messages[-1]["content"])

    @property
    def system(self) -> str:
        if self.api == "gemini":
            return str(self.body["systemInstruction"]["parts"][0]["text"])
        if self.api == "chat":
            return str(self.body["messages"][0]["content"])
        return str(self.body["instructions" if self.api == "responses" else "system"])


@dataclass(frozen=True)
class Answer:
    """What to answer. `calls` are names with arguments: an object, or JSON as it stands."""

    calls: tuple[tuple[Any, Any], ...] = ()
    text: str = ""
    status: int = 200
    kind: Literal["whole", "cut", "hang", "drip", "huge", "no json"] = "whole"
    headers: dict[str, str] = field(default_factory=dict)
    error: dict[str, Any] = field(default_factory=dict)
    tokens: tuple[Any, Any] = (1200, 34)
    document: dict[str, Any] | None = None  # instead of what the protocol would say


Plan = Callable[[Asked, int], Answer]


class PlayModelServer:
    """`plan(asked, number)` decides about each request. Use as a context manager."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.asked: list[Asked] = []
        self.strays: list[str] = []
        self.over = threading.Event()
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                with contextlib.suppress(OSError):
                    server.handle(self)

            def do_GET(self) -> None:
                server.strays.append(self.path)
                self.send_error(404)

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, args=[0.02], daemon=True).start()

    def url(self, api: Api) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}{BASES[api]}"

    def __enter__(self) -> "PlayModelServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._http.shutdown()
        self._http.server_close()

    def handle(self, request: BaseHTTPRequestHandler) -> None:
        body = json.loads(request.rfile.read(int(request.headers["content-length"])))
        path = request.path.partition("?")[0]
        api = next((api for pattern, api in _PATHS.items() if re.search(pattern, path)), None)
        if api is None:
            self.strays.append(path)
            request.send_error(404)
            return
        headers = {name.lower(): value for name, value in request.headers.items()}
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        asked = Asked(api, body, headers.get("x-api-key") or headers.get("x-goog-api-key") or bearer, headers)
        with self._lock:
            self.asked.append(asked)
            number = len(self.asked) - 1
        self._send(request, asked, self.plan(asked, number))

    def _send(self, request: BaseHTTPRequestHandler, asked: Asked, answer: Answer) -> None:
        if answer.kind == "hang":
            self.over.wait(60)
            return
        if answer.status == 200:
            document = answer.document or _DOCUMENTS[asked.api](asked, answer)
        else:
            document = {"error": {"message": f"scripted {answer.status}", **answer.error}}
        data = b"<html>it works</html>" if answer.kind == "no json" else json.dumps(document).encode()
        if answer.kind == "huge":
            data = b'{"x": "' + b"a" * (3 << 20) + b'"}'
        request.send_response(answer.status)
        for name, value in {"content-type": "application/json", **answer.headers}.items():
            request.send_header(name, value)
        request.send_header("content-length", str(len(data)))
        request.end_headers()
        if answer.kind == "drip":
            for place in range(len(data)):
                if self.over.wait(0.2):
                    return
                request.wfile.write(data[place : place + 1])
                request.wfile.flush()
        elif answer.kind == "cut":
            request.wfile.write(data[: len(data) // 2])
            request.wfile.flush()
            time.sleep(0.1)
            request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            request.connection.close()
        else:
            request.wfile.write(data)


def _as_text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _responses(asked: Asked, answer: Answer) -> dict[str, Any]:
    text = {"type": "output_text", "text": answer.text, "annotations": []}
    output: list[dict[str, Any]] = [{"type": "message", "id": "m", "role": "assistant", "content": [text]}]
    output += [
        {"type": "function_call", "id": f"f{n}", "call_id": f"c{n}", "name": name, "arguments": _as_text(given)}
        for n, (name, given) in enumerate(answer.calls)
    ]
    usage = {
        "input_tokens": answer.tokens[0], "output_tokens": answer.tokens[1],
        "input_tokens_details": {"cached_tokens": 100}, "output_tokens_details": {"reasoning_tokens": 7},
    }  # fmt: skip
    return {"id": "r", "object": "response", "model": f"{asked.body['model']}-dated", "output": output, "usage": usage}


def _chat(asked: Asked, answer: Answer) -> dict[str, Any]:
    calls = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": _as_text(given)}}
        for n, (name, given) in enumerate(answer.calls)
    ]
    message = {"role": "assistant", "content": answer.text or None, "tool_calls": calls}
    usage = {
        "prompt_tokens": answer.tokens[0], "completion_tokens": answer.tokens[1],
        "prompt_tokens_details": {"cached_tokens": 100}, "completion_tokens_details": {"reasoning_tokens": 7},
    }  # fmt: skip
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    return {"id": "r", "object": "chat.completion", "model": f"{asked.body['model']}-dated", "choices": [choice],
            "usage": usage}  # fmt: skip


def _anthropic(asked: Asked, answer: Answer) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": answer.text}] if answer.text else []
    content += [
        {"type": "tool_use", "id": f"c{n}", "name": name, "input": given}
        for n, (name, given) in enumerate(answer.calls)
    ]
    first, last = answer.tokens
    fresh = first - 100 if isinstance(first, int) else first
    usage = {"input_tokens": fresh, "cache_read_input_tokens": 100, "output_tokens": last}
    return {"id": "m", "type": "message", "role": "assistant", "model": f"{asked.body['model']}-dated",
            "content": content, "stop_reason": "tool_use", "stop_sequence": None, "usage": usage}  # fmt: skip


def _gemini(asked: Asked, answer: Answer) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": answer.text}] if answer.text else []
    parts += [{"functionCall": {"name": name, "args": given}} for name, given in answer.calls]
    first, last = answer.tokens
    usage = {"promptTokenCount": first, "candidatesTokenCount": last - 7 if isinstance(last, int) else last,
             "thoughtsTokenCount": 7, "cachedContentTokenCount": 100}  # fmt: skip
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-dated"}


_DOCUMENTS: dict[Api, Callable[[Asked, Answer], dict[str, Any]]] = {
    "responses": _responses, "chat": _chat, "anthropic": _anthropic, "gemini": _gemini,
}  # fmt: skip
