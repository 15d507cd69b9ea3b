"""The server itself: which protocol a request is in, which turn is due, and which fault it meets."""

import contextlib
import gzip
import json
import re
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from benchmark.agents.adapters.protocol import Wire as WireName
from tests.agents.server.anthropic import Anthropic
from tests.agents.server.chat import Chat
from tests.agents.server.conversation import Asked, Reply, Wire, reply_to
from tests.agents.server.gemini import Gemini
from tests.agents.server.responses import Responses
from tests.agents.server.script import ASIDE, Script, Usage, game_session, usage_of

_WIRES: dict[str, tuple[WireName, Wire]] = {
    r"/messages$": ("anthropic", Anthropic()),
    r"/responses$": ("responses", Responses()),
    r"/chat/completions$": ("chat", Chat()),
    r":(stream)?[gG]enerateContent$": ("gemini", Gemini()),
}
# What a program is told of the address, by protocol: the rest it adds itself.
_BASES: dict[WireName, str] = {"anthropic": "", "responses": "/v1", "chat": "/v1", "gemini": ""}


@dataclass(frozen=True)
class Fault:
    """What goes wrong with the answers from the turn `at` on: a status, `cut` in the middle, or never an answer."""

    kind: Literal["status", "cut", "hang"]
    status: int = 500
    at: int = 0
    times: int | None = None  # so often; None: whenever it is asked

    def meets(self, turn: int, so_far: int) -> bool:
        return turn >= self.at and (self.times is None or so_far < self.times)


@dataclass(frozen=True)
class Exchange:
    """One request, and what came of it."""

    wire: WireName
    asked: Asked
    key: str
    usage: Usage  # of an answer that was given whole
    aside: bool = False  # a title or the like, not a turn
    fault: str = ""


class ModelServer:
    """Plays one script to whoever asks; the turn is told by the conversation, so that a retry gets the same again."""

    def __init__(
        self, script: Script | None = None, fault: Fault | None = None, *, key: str = "", seconds_per_answer: float = 0
    ) -> None:
        self.script = script or game_session()
        self.fault = fault
        self.key = key  # if there is one, another is answered 401
        self.seconds_per_answer = seconds_per_answer
        self.exchanges: list[Exchange] = []
        self.others: list[str] = []  # requests that were for no model
        self.lock = threading.Lock()
        self.over = threading.Event()
        server = self

        class Handler(_Handler):
            model = server

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, args=[0.02], daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    def url(self, wire: WireName) -> str:
        """What a program that speaks it must be told."""
        return f"http://127.0.0.1:{self.port}{_BASES[wire]}"

    @property
    def turns(self) -> list[Exchange]:
        """Those that were answered as turns of the session."""
        return [one for one in self.exchanges if not one.aside and not one.fault]

    @property
    def spent(self) -> Usage:
        """Tokens of all turns that were answered whole."""
        return sum((one.usage for one in self.turns), Usage())

    @property
    def faults_met(self) -> int:
        return sum(bool(one.fault) for one in self.exchanges)

    def __enter__(self) -> "ModelServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._http.shutdown()
        self._http.server_close()

    def answer(self, name: WireName, asked: Asked, key: str) -> tuple[Reply, str]:
        """The reply that is due, and the fault that it meets instead: a status, `cut`, `hang`, or none."""
        aside = not asked.tools
        with self.lock:
            fault = ""
            if self.key and key != self.key:
                fault = "401"
            elif self.fault and self.fault.meets(asked.calls_made, self.faults_met):
                fault = str(self.fault.status) if self.fault.kind == "status" else self.fault.kind
            if aside:
                reply = Reply(says="A small game", usage=ASIDE)
            else:
                reply = reply_to(asked, self.script.turn(asked.calls_made), usage_of(asked.calls_made))
            self.exchanges.append(
                Exchange(wire=name, asked=asked, key=key, usage=reply.usage, aside=aside, fault=fault)
            )
        return reply, fault


@contextmanager
def closed_port() -> Iterator[int]:
    """A port of this machine that refuses connections, and that nobody else can take meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: ModelServer

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._send(200, b"")

    def do_GET(self) -> None:
        self.model.others.append(f"GET {self.path}")
        if self.headers.get("upgrade"):
            self._json(426, {"error": {"message": "there are no web sockets here"}})
        elif self.path.partition("?")[0].endswith("/models"):
            self._json(200, {"object": "list", "data": [], "models": [], "has_more": False})
        else:
            self._json(404, {"error": {"type": "not_found_error", "message": "not found"}})

    def do_POST(self) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._post(self._body())

    def _post(self, body: dict[str, Any]) -> None:
        path = self.path.partition("?")[0]
        found = next((one for pattern, one in _WIRES.items() if re.search(pattern, path)), None)
        if found is None:
            self.model.others.append(f"POST {path}")
            counted = "count_tokens" in path or "countTokens" in path
            self._json(200 if counted else 404, {"input_tokens": 100, "totalTokens": 100} if counted else {})
            return
        name, wire = found
        asked = wire.asked(path, body)
        reply, fault = self.model.answer(name, asked, self._key())
        if fault == "hang":
            self.model.over.wait()
            self.close_connection = True
        elif fault.isdigit():
            self._json(int(fault), wire.error(int(fault), f"scripted {fault}"))
        elif asked.stream:
            self._stream(wire.stream(asked, reply), cut=fault == "cut")
        else:
            self._json(200, wire.whole(asked, reply), cut=fault == "cut")

    def _key(self) -> str:
        headers = self.headers
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        return headers.get("x-api-key") or headers.get("x-goog-api-key") or bearer

    def _body(self) -> dict[str, Any]:
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            raw = b"".join(iter(self._chunk, b""))
        else:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        body = json.loads(raw or b"{}")
        return body if isinstance(body, dict) else {}

    def _chunk(self) -> bytes:
        data = self.rfile.read(int(self.rfile.readline().split(b";")[0], 16))
        self.rfile.readline()
        return data

    def _json(self, status: int, value: dict[str, Any], *, cut: bool = False) -> None:
        time.sleep(self.model.seconds_per_answer)
        data = json.dumps(value).encode()
        self._send(status, data, shown=len(data) // 2 if cut else None)

    def _send(self, status: int, data: bytes, shown: int | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:shown])
        if shown is not None:
            self._reset()

    def _stream(self, pieces: list[bytes], *, cut: bool) -> None:
        time.sleep(self.model.seconds_per_answer)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        whole = b"".join(pieces)
        for piece in [whole[: len(whole) // 2]] if cut else pieces:
            self.wfile.write(piece)
            self.wfile.flush()
        if cut:
            self._reset()

    def _reset(self) -> None:
        time.sleep(0.2)  # what was written arrives first
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True
