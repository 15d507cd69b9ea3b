"""A loopback server that speaks the OpenAI chat protocol, checks what it gets, and fails on demand."""

import base64
import contextlib
import json
import re
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np


@dataclass
class Seen:
    """One request, as the server understood it."""

    model: str
    ids: list[str]
    frames: int
    widths: set[int]
    times: list[str]
    text: str
    options: dict[str, Any]
    size_bytes: int


@dataclass(frozen=True)
class Act:
    """What to do with a request. `kind` names a fault, or `answer`."""

    kind: str = "answer"
    seconds: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 500
    code: str | None = None
    param: str | None = None
    text: str | None = None
    message: dict[str, Any] = field(default_factory=dict)  # put over the message of a proper answer
    completion: dict[str, Any] = field(default_factory=dict)  # put over the whole of it


def true_score(name: str) -> float:
    """What the server says of an item when it answers properly; a wrong number anywhere would show."""
    return round((sum(map(ord, name)) % 11) / 10, 1)


class JudgeServer:
    """`plan(seen, number)` decides what happens to each request. Use as a context manager."""

    def __init__(self, plan: Callable[[Seen, int], Act] = lambda seen, number: Act()) -> None:
        self.plan = plan
        self.requests: list[Seen] = []
        self.under_way = self.most_under_way = 0
        self.lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                server.handle(self)

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.request_queue_size = 256
        threading.Thread(target=self._http.serve_forever, args=[0.02], daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> "JudgeServer":
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    def handle(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["content-length"]))
        assert request.headers["authorization"].startswith("Bearer ")
        assert request.path == "/v1/chat/completions"
        seen = understand(json.loads(body), len(body))
        with self.lock:
            number = len(self.requests)
            self.requests.append(seen)
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            self._act(request, seen, self.plan(seen, number))
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            with self.lock:
                self.under_way -= 1

    def _act(self, request: BaseHTTPRequestHandler, seen: Seen, act: Act) -> None:
        time.sleep(act.seconds)
        if act.kind == "reset":
            request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            request.connection.close()
            return
        if act.kind == "status":
            error = {"error": {"message": act.text or "no", "code": act.code, "param": act.param, "type": "error"}}
            _send(request, act.status, json.dumps(error), act.headers)
            return
        if act.kind == "garbage":
            _send(request, 200, act.text or "<html>proxy error</html>", act.headers)
            return
        finish = {"cut off": "length", "filtered": "content_filter"}.get(act.kind, "stop")
        content = act.text if act.text is not None else proper_answer(seen.ids)
        message = {"role": "assistant", "content": content, "refusal": "I will not." if act.kind == "refusal" else None}
        message |= act.message
        completion = {
            "id": "x", "object": "chat.completion", "created": 0, "model": seen.model,
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
            **act.completion,
        }  # fmt: skip
        _send(request, 200, json.dumps(completion), act.headers)


def _send(request: BaseHTTPRequestHandler, status: int, text: str, headers: dict[str, str]) -> None:
    data = text.encode()
    request.send_response(status)
    for name, value in {"content-type": "application/json", "content-length": str(len(data)), **headers}.items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(data)


class WireServer:
    """Takes a request and then does with the connection what it wants; `requests` keeps what came in, as it came."""

    def __init__(self, act: Callable[[socket.socket], None] | bytes, context: ssl.SSLContext | None = None) -> None:
        self.act = act
        self.requests: list[bytes] = []
        self._context = context
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    @property
    def url(self) -> str:
        return f"{'https' if self._context else 'http'}://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> "WireServer":
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._handle, args=[connection], daemon=True).start()

    def _handle(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            if self._context:
                connection = self._context.wrap_socket(connection, server_side=True)
            with connection:
                self.requests.append(_whole_request(connection))
                if isinstance(self.act, bytes):
                    connection.sendall(self.act)
                else:
                    self.act(connection)


def _whole_request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data and (piece := connection.recv(1 << 16)):
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.I)
    while length and len(body) < int(length[1]) and (piece := connection.recv(1 << 16)):
        body += piece
    return head + b"\r\n\r\n" + body


def response(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """What goes over the wire."""
    lines = [f"HTTP/1.1 {status}", "content-type: application/json", f"content-length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def proper_answer(ids: list[str]) -> str:
    return json.dumps({"scores": {name: true_score(name) for name in ids}, "rationales": dict.fromkeys(ids, "seen")})


def understand(data: dict[str, Any], size: int) -> Seen:
    """Take a request apart and insist on its form."""
    system, user = data["messages"]
    assert system["role"] == "system"
    assert user["role"] == "user"
    introduction, *rest = user["content"]
    texts, widths = [], set()
    for label, picture in zip(rest[::2], rest[1::2], strict=True):
        texts.append(label["text"])
        kind, _, encoded = picture["image_url"]["url"].partition(";base64,")
        assert kind == "data:image/jpeg"
        decoded = cv2.imdecode(np.frombuffer(base64.b64decode(encoded), np.uint8), cv2.IMREAD_COLOR)
        assert decoded is not None
        widths.add(decoded.shape[1])
    listed = re.search(r"^Items to score: (.+)$", introduction["text"], re.M)
    assert listed is not None
    everything = "\n".join([system["content"], introduction["text"], *texts])
    options = {key: value for key, value in data.items() if key not in ("messages", "model")}
    return Seen(
        model=data["model"],
        ids=listed[1].split(", "),
        frames=len(texts),
        widths=widths,
        times=texts,
        text=everything,
        options=options,
        size_bytes=size,
    )
