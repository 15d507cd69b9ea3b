"""The HTTP side: who may ask at all, how answers are sent. What is answered is the business of `routes`.

The server listens on the loopback only. Every address begins with a secret; a request must also name our host, and one
that changes anything must come from our own page. So neither a foreign page in the same browser, nor one that moves
its name to our address, nor another user of the machine gets anything.
"""

import hmac
import json
import os
import re
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, BinaryIO

from benchmark.craft.review.address import Address
from benchmark.errors import BenchmarkError
from benchmark.redaction import redact, redact_data

HOST = "127.0.0.1"
MAX_BODY_BYTES = 1 << 16
SILENCE_SEC = 60.0  # a connection that says nothing for longer is closed
_CHUNK_BYTES = 1 << 16
_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})", re.ASCII)
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class RefusalError(Exception):
    """An answer that is not what was asked for, with its status and one sentence."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        self.status = status
        self.message = message
        super().__init__(message)


@dataclass(frozen=True)
class Response:
    """What is sent back; a file is sent as it is, or the part of it that was asked for."""

    kind: str
    body: bytes = b""
    file: Path | None = None
    status: HTTPStatus = HTTPStatus.OK
    headers: dict[str, str] = field(default_factory=dict)


def json_answer(data: Any) -> Response:
    return Response("application/json", json.dumps(redact_data(data), allow_nan=False).encode())


def html_answer(text: str) -> Response:
    return Response("text/html; charset=utf-8", redact(text).encode("utf-8", "replace"))


def redirect(address: str) -> Response:
    return Response("text/plain", status=HTTPStatus.SEE_OTHER, headers={"Location": address})


@dataclass(frozen=True)
class Application:
    """What answers: a path below the secret, and, for a change, the object that was sent."""

    get: Callable[[str], Response]
    post: Callable[[str, dict[str, Any]], Response]


class ReviewServer(ThreadingHTTPServer):
    """One thread per connection; none of them keeps the program alive."""

    daemon_threads = True

    def __init__(self, address: Address, application: Application) -> None:
        super().__init__((HOST, address.port), Handler)
        self.application = application
        self.token = address.token.encode()
        port = self.server_address[1]
        self.hosts = (f"{HOST}:{port}", f"localhost:{port}")

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"http://{self.hosts[0]}/{self.token.decode()}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that went away is no error."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """Checks a request, asks the application, sends the answer."""

    protocol_version = "HTTP/1.1"
    server_version = "review"
    sys_version = ""
    timeout = SILENCE_SEC
    server: ReviewServer

    def do_GET(self) -> None:
        self._handle(lambda: self.server.application.get(self._path()))

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        self._handle(lambda: self.server.application.post(*self._change()))

    def _no_such_method(self) -> None:
        def refuse() -> Response:
            raise RefusalError(HTTPStatus.METHOD_NOT_ALLOWED, "only GET, HEAD and POST")

        self._handle(refuse)

    do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_TRACE = do_CONNECT = _no_such_method  # noqa: N815

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        """Quiet: addresses hold the secret."""

    def _path(self) -> str:
        """The address below the secret, taken literally: nothing is decoded, so nothing can be hidden in it."""
        if self.headers.get_all("Host", []) not in ([host] for host in self.server.hosts):
            raise RefusalError(HTTPStatus.FORBIDDEN, "this server answers to its own address only")
        path = self.path.partition("?")[0]
        _, token, rest = (*path.split("/", 2), "", "")[:3]
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self.server.token):
            raise RefusalError(HTTPStatus.FORBIDDEN, "open the address that the terminal shows")
        return rest

    def _change(self) -> tuple[str, dict[str, Any]]:
        path = self._path()
        origin = self.headers.get_all("Origin", [])
        if origin not in ([f"http://{host}"] for host in self.server.hosts):
            raise RefusalError(HTTPStatus.FORBIDDEN, "changes are taken from this server's own page only")
        if self.headers.get_content_type() != "application/json":
            raise RefusalError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a change is sent as application/json")
        lengths = self.headers.get_all("Content-Length", [])
        if "Transfer-Encoding" in self.headers or len(lengths) != 1 or not lengths[0].isdecimal():
            raise RefusalError(HTTPStatus.LENGTH_REQUIRED, "one Content-Length is needed")
        if len(lengths[0]) > 9 or int(lengths[0]) > MAX_BODY_BYTES:
            raise RefusalError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a change has at most {MAX_BODY_BYTES} bytes")
        raw = self.rfile.read(int(lengths[0]))
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise RefusalError(HTTPStatus.BAD_REQUEST, f"not JSON: {error}") from error
        if not isinstance(data, dict):
            raise RefusalError(HTTPStatus.BAD_REQUEST, "a change is a JSON object")
        return path, data

    def _handle(self, ask: Callable[[], Response]) -> None:
        try:
            answer = ask()
        except RefusalError as error:
            answer = self._refusal(error.status, error.message)
        except OSError as error:
            if isinstance(error, ConnectionError | TimeoutError):
                raise
            self._say(f"{type(error).__name__}: {error}")
            answer = self._refusal(
                HTTPStatus.INSUFFICIENT_STORAGE, f"nothing was saved: {error.strerror or 'disk error'}"
            )
        except BenchmarkError as error:
            self._say(str(error))
            answer = self._refusal(HTTPStatus.INTERNAL_SERVER_ERROR, "that failed; the terminal says why")
        except Exception:  # a fault of ours: the reviewer goes on, the terminal shows it
            traceback.print_exc()
            answer = self._refusal(HTTPStatus.INTERNAL_SERVER_ERROR, "that failed; the terminal says why")
        if answer.file is not None:
            self._send_file(answer, answer.file)
        else:
            self._begin(answer, len(answer.body))
            if self.command != "HEAD":
                self.wfile.write(answer.body)

    def _say(self, message: str) -> None:
        print(message, file=sys.stderr, flush=True)

    def _refusal(self, status: HTTPStatus, message: str) -> Response:
        self.close_connection = True  # what is left of the request is not read
        answer = json_answer({"error": message})
        return Response(answer.kind, answer.body, status=status, headers={"Connection": "close"})

    def _begin(self, answer: Response, length: int) -> None:
        self.send_response(answer.status)
        headers = {"Cache-Control": "no-store", **HEADERS, **answer.headers}
        for name, value in {**headers, "Content-Type": answer.kind, "Content-Length": str(length)}.items():
            self.send_header(name, value)
        self.end_headers()

    def _send_file(self, answer: Response, path: Path) -> None:
        """The whole, or the one range that a browser asks for when somebody seeks."""
        try:
            handle: BinaryIO = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
        except OSError:
            gone = self._refusal(HTTPStatus.NOT_FOUND, "there is no such file")
            self._begin(gone, len(gone.body))
            self.wfile.write(gone.body)
            return
        with handle:
            size = os.fstat(handle.fileno()).st_size
            first, last = 0, size - 1
            headers = {"Accept-Ranges": "bytes", "Cache-Control": "private, max-age=600"}
            status = HTTPStatus.OK
            if match := _RANGE.fullmatch(self.headers.get("Range", "")):
                wanted = _range(match[1], match[2], size)
                if wanted is None:
                    headers["Content-Range"] = f"bytes */{size}"
                    refused = Response(answer.kind, status=HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, headers=headers)
                    self._begin(refused, 0)
                    return
                first, last = wanted
                status = HTTPStatus.PARTIAL_CONTENT
                headers["Content-Range"] = f"bytes {first}-{last}/{size}"
            left = last - first + 1
            self._begin(Response(answer.kind, status=status, headers=headers), left)
            handle.seek(first)
            while left and self.command != "HEAD":
                block = handle.read(min(left, _CHUNK_BYTES))
                if not block:  # the file shrank: the length we promised cannot be kept
                    self.close_connection = True
                    break
                self.wfile.write(block)
                left -= len(block)


def _range(start: str, end: str, size: int) -> tuple[int, int] | None:
    """First and last byte, both included; None where the file has none of them."""
    if start:
        first, last = int(start), min(int(end), size - 1) if end else size - 1
    elif end and int(end):
        first, last = max(0, size - int(end)), size - 1
    else:
        return None
    return (first, last) if first <= last else None
