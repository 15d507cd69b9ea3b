"""Endpoints that misbehave below what a model server can: each connection is handed to a function of bytes."""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmark.agents.adapters.protocol import Wire
from benchmark.agents.gateway.endpoint import ModelEndpoint
from benchmark.agents.gateway.ledger import CallLedger
from benchmark.agents.gateway.server import SOCKET, Gate, gateway

KEY, STAND_IN = "sk-the-real-key-0123456789", "sk-stand-in-0123456789"
PORT = 47100
CALL = {"model": "m", "messages": [], "stream": True}
Speak = Callable[[socket.socket, bytes], None]


@contextmanager
def endpoint(speak: Speak) -> Iterator[tuple[str, list[bytes]]]:
    """Its address, and the requests that it got. `speak` answers each, and its connection is closed then."""
    got: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        over = threading.Event()

        def serve() -> None:
            listener.settimeout(0.1)
            while not over.is_set():
                with contextlib.suppress(OSError):
                    connection, _ = listener.accept()
                    threading.Thread(target=converse, args=(connection,), daemon=True).start()

        def converse(connection: socket.socket) -> None:
            with connection, contextlib.suppress(OSError):
                connection.settimeout(60)
                request = _request(connection)
                got.append(request)
                speak(connection, request)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1", got
        finally:
            over.set()
            thread.join()


def _request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def head(*lines: str, status: str = "200 OK", kind: str = "text/event-stream") -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", f"Content-Type: {kind}", *lines, "", ""]).encode()


def event(data: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"


WORD = event({"model": "m-2025", "choices": [{"delta": {"content": "word"}}]})
LAST = event({"choices": [{"finish_reason": "stop", "delta": {}}]})
USAGE = event(
    {
        "choices": [],
        "usage": {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 60}},
    }
)
DONE = b"data: [DONE]\n\n"


class _Unix(http.client.HTTPConnection):
    def __init__(self, place: Path) -> None:
        super().__init__("127.0.0.1", timeout=60)
        self._place = place

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(60)
        self.sock.connect(str(self._place))


class Caller:
    """A program behind a gateway."""

    def __init__(self, place: Path, ledger: CallLedger) -> None:
        self.place, self.ledger = place, ledger

    def connection(self) -> http.client.HTTPConnection:
        return _Unix(self.place)

    def ask(
        self, path: str = "/v1/chat/completions", body: Any = CALL, *, method: str = "POST", key: str = STAND_IN,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, bytes]:  # fmt: skip
        """Status and body; a body that is cut off raises."""
        with contextlib.closing(self.connection()) as connection:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, path, data, {"Authorization": f"Bearer {key}", **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()

    def raw(self, request: bytes) -> bytes:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(60)
            connection.connect(str(self.place))
            connection.sendall(request)
            data = b""
            with contextlib.suppress(ConnectionError):
                while piece := connection.recv(65536):
                    data += piece
        return data

    def settled(self, calls: int = 1) -> CallLedger:
        """Once so many calls have ended one way or the other: the last bytes arrive before they are counted."""
        deadline = time.monotonic() + 60
        while self.ledger.ended < calls:
            assert time.monotonic() < deadline, "the call never ended"
            time.sleep(0.01)
        return self.ledger


@contextmanager
def behind_gateway(url: str, *, wire: Wire = "chat", folder: Path | None = None, **patience: float) -> Iterator[Caller]:
    ledger = CallLedger(model="m", folder=folder)
    gate = Gate(endpoint=ModelEndpoint(url, KEY, **patience), wire=wire, ledger=ledger, stand_in=STAND_IN, port=PORT)
    with gateway(gate) as place:
        yield Caller(place / SOCKET, ledger)
