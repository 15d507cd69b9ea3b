"""The gateway: an HTTP server on a Unix socket that stands in for the model's endpoint, and a proxy that refuses.

Whoever speaks here is untrusted: the program and the agent alike. A request that passes the policy goes out with the
real key in place of the stand-in; everything else is refused and told in the trial's folder.
"""

import contextlib
import hmac
import json
import socket
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

from benchmark.agents.adapters.protocol import Wire
from benchmark.agents.gateway.answers import AnswerReader
from benchmark.agents.gateway.endpoint import Asked, EndpointError, ModelEndpoint
from benchmark.agents.gateway.key_guard import KeyGuard
from benchmark.agents.gateway.ledger import CallLedger, ModelCall
from benchmark.agents.gateway.line import ProgramLine, watched_line
from benchmark.agents.gateway.policy import examine
from benchmark.agents.gateway.requests import BadRequestError, read_body
from benchmark.runtime.workdir import hand_over, work_folder

SOCKET = "gateway"
MOST_CONNECTIONS = 96
MOST_CALLS = 32  # under way at once
_IDLE_SEC = 600.0  # of a connection between two requests, and of one that sends no more of its request
_SILENT_SEC = 20.0  # a program that hangs up after so long without a byte has given the endpoint up
_CLOSE_SEC = 10.0
_LOCAL = ("127.0.0.1", "localhost", "[::1]", "::1")
_KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key", "api-key")
_NOT_PASSED = frozenset(
    {
        "host", "connection", "keep-alive", "proxy-connection", "proxy-authorization", "te", "trailer",
        "transfer-encoding", "upgrade", "content-length", "accept-encoding", "cookie", "expect", "forwarded", "via",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Gate:
    """What one session's gateway knows."""

    endpoint: ModelEndpoint
    wire: Wire
    ledger: CallLedger
    stand_in: str  # the key that the program is given
    port: int  # where the program finds the gateway, in its sandbox
    closing: threading.Event = field(default_factory=threading.Event)
    calls: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(MOST_CALLS))


@contextmanager
def gateway(gate: Gate) -> Iterator[Path]:
    """Serve while a program works. Gives the folder that its sandbox must see; the socket is in it."""
    with work_folder("gate") as folder:
        server = _Server(str(folder / SOCKET), gate)
        (folder / SOCKET).chmod(0o666)
        hand_over(folder)
        thread = threading.Thread(target=server.serve_forever, args=[0.1], daemon=True)
        thread.start()
        try:
            yield folder
        finally:
            gate.closing.set()
            server.shutdown()
            server.server_close()
            server.hang_up()
            thread.join(_CLOSE_SEC)
            gate.ledger.write()


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, place: str, gate: Gate) -> None:
        self.gate = gate
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(place, _Handler)

    def verify_request(self, request: object, client_address: object) -> bool:
        with self._lock:
            return len(self._open) < MOST_CONNECTIONS

    def process_request(self, request: object, client_address: object) -> None:
        assert isinstance(request, socket.socket)
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: object) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)  # type: ignore[arg-type]

    def handle_error(self, request: object, client_address: object) -> None:
        """A connection that breaks is nothing to tell anybody; the ledger has what matters."""

    def hang_up(self) -> None:
        with self._lock:
            for one in self._open:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SEC
    server: _Server

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_HEAD = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_GET  # noqa: N815

    def do_CONNECT(self) -> None:
        """A tunnel leads to us or nowhere."""
        host, _, port = self.path.rpartition(":")
        if host in _LOCAL and port == str(self.server.gate.port):
            self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            return
        self._refuse(self.path, "not the model's endpoint")

    def log_message(self, *_: object) -> None:
        pass

    def log_request(self, *_: object) -> None:
        pass

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What is no HTTP, or too large: told without repeating any of it."""
        self._answer(int(code), "the request cannot be read", str(message or "")[:80])

    def _serve(self) -> None:
        gate = self.server.gate
        try:
            target = self._target()
            if not self._has_key(target):
                raise BadRequestError(401, "not the key of this session")
            body = read_body(self.rfile, self.headers)
        except BadRequestError as error:
            gate.ledger.refuse(f"{self.command} {self._shown()}", error.why)
            self._answer(error.status, "refused", error.why)
            return
        path = urlsplit(target).path
        base = gate.endpoint.base_path
        if not path.startswith(f"{base}/"):
            self._refuse(f"{self.command} {path}", "not below the endpoint's address")
            return
        verdict = examine(gate.wire, self.command, path.removeprefix(base), body)
        if verdict.why:
            self._refuse(f"{self.command} {path}", verdict.why)
            return
        if verdict.is_call and (limit := gate.ledger.keeps_back()):
            self._answer(403, "this session is over", limit)
            return
        call = gate.ledger.begin(verdict.model) if verdict.is_call else None
        with gate.calls:
            self._pass_on(target, body, call)

    def _target(self) -> str:
        """Path and query. A proxy is asked for whole addresses: of them only our own counts."""
        if self.path.startswith("/"):
            return self.path
        address = urlsplit(self.path)
        if address.hostname in _LOCAL and address.port == self.server.gate.port:
            return address._replace(scheme="", netloc="").geturl() or "/"
        raise BadRequestError(403, "not the model's endpoint")

    def _shown(self) -> str:
        address = urlsplit(self.path)
        return f"{address.hostname or ''}{f':{address.port}' if address.port else ''}{address.path}"

    def _has_key(self, target: str) -> bool:
        stand_in = self.server.gate.stand_in
        said = [self.headers.get(name, "").removeprefix("Bearer ").strip() for name in _KEY_HEADERS]
        said += [value for name, value in parse_qsl(urlsplit(target).query) if name == "key"]
        return any(hmac.compare_digest(one.encode("utf-8", "replace"), stand_in.encode()) for one in said)

    def _pass_on(self, target: str, body: bytes, call: ModelCall | None) -> None:
        gate = self.server.gate
        begun = False
        with watched_line(self.connection) as line:
            try:
                with gate.endpoint.ask(
                    self.command, self._with_key(target), self._headers_out(), body, line.lead_to
                ) as asked:
                    if 300 <= asked.status < 400:
                        where = urlsplit(asked.location).netloc or asked.location
                        gate.ledger.refuse(where, "the endpoint redirects there; redirects are not followed")
                        raise EndpointError("unreachable", "it redirects")
                    begun = True
                    self._stream(asked, call, line)
            except EndpointError as error:
                if line.is_gone and time.monotonic() - line.heard < _SILENT_SEC:
                    self._gave_up(call)
                elif call is not None and not gate.closing.is_set():
                    trouble = "stalled" if line.is_gone else error.trouble
                    gate.ledger.bad(call, trouble, 0, error.detail)
                self.close_connection = True
                if not begun and not line.is_gone:
                    status = 504 if error.trouble == "stalled" else 502
                    self._answer(status, "the model's endpoint does not answer", error.trouble)

    def _stream(self, asked: Asked, call: ModelCall | None, line: ProgramLine) -> None:
        gate = self.server.gate
        reader = AnswerReader(gate.wire, asked.streams)
        guard = KeyGuard(gate.endpoint.key.encode(), gate.stand_in.encode())
        chunked = self.request_version != "HTTP/1.0"
        try:
            self.send_response_only(asked.status)
            for name, value in asked.headers().items():
                self.send_header(name, guard.feed(value.encode("latin-1", "replace")).decode("latin-1") + _left(guard))
            self.send_header("Transfer-Encoding", "chunked") if chunked else self.send_header("Connection", "close")
            self.end_headers()
            for piece in asked.pieces():
                line.heard = time.monotonic()
                reader.feed(piece)
                self._write(guard.feed(piece), chunked)
            self._write(guard.rest(), chunked)
            reader.end()
            if line.is_gone and not reader.complete:
                raise EndpointError("cut", "the program hung up")
            self._settle(asked, reader, call)
            if chunked:
                self.wfile.write(b"0\r\n\r\n")
            else:
                self.close_connection = True
        except OSError:  # the program's side: it is gone, or does not read
            self.close_connection = True
            if reader.complete and asked.status < 300:  # it left after the last event: it has what it wanted
                self._settle(asked, reader, call)
            else:
                self._gave_up(call)

    def _settle(self, asked: Asked, reader: AnswerReader, call: ModelCall | None) -> None:
        ledger = self.server.gate.ledger
        if call is None:
            return
        if asked.status >= 300:
            ledger.bad(call, str(asked.status), asked.status)
        elif reader.error:
            ledger.bad(call, reader.error, asked.status, "within an answer")
        elif not reader.complete:
            ledger.bad(call, "cut", asked.status, "the answer has no end")
        else:
            ledger.good(call, asked.status, reader.facts)

    def _gave_up(self, call: ModelCall | None) -> None:
        if call is not None:
            self.server.gate.ledger.gave_up(call)

    def _write(self, data: bytes, chunked: bool) -> None:
        if data:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data) if chunked else data)
            self.wfile.flush()

    def _with_key(self, target: str) -> str:
        address = urlsplit(target)
        if "key=" not in address.query:
            return target
        gate = self.server.gate
        pairs = [(name, gate.endpoint.key if name == "key" else value) for name, value in parse_qsl(address.query)]
        return address._replace(query=urlencode(pairs)).geturl()

    def _headers_out(self) -> dict[str, str]:
        gate = self.server.gate
        found = {}
        for name, value in self.headers.items():
            lower = name.lower()
            if lower in _KEY_HEADERS:
                if gate.endpoint.key and gate.stand_in in value:
                    found[name] = value.replace(gate.stand_in, gate.endpoint.key)
            elif lower not in _NOT_PASSED and not lower.startswith("x-forwarded") and "\n" not in value:
                found[name] = value
        return found

    def _refuse(self, what: str, why: str) -> None:
        self.server.gate.ledger.refuse(what, why)
        self._answer(403, "this sandbox has no network but its model", why)

    def _answer(self, status: int, what: str, why: str) -> None:
        """In a form that every protocol's client reads; the body of the request may be unread, so nothing follows."""
        self.close_connection = True
        text = f"{what}: {why}"
        body = json.dumps({"type": "error", "error": {"type": "gateway", "code": status, "message": text}}).encode()
        with contextlib.suppress(OSError):
            self.send_response_only(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)


def _left(guard: KeyGuard) -> str:
    return guard.rest().decode("latin-1")
