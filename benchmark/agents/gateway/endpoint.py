"""The model's endpoint: a request goes there with the real key, and its answer comes back as it arrives.

Nothing is followed, kept or unpacked. Every wait has an end.
"""

import contextlib
import http.client
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from benchmark.judges.exchange import ExchangeError, open_connection

CONNECT_SEC = 30.0
STALL_SEC = 600.0  # without a byte; a model may think that long before it begins
CALL_SEC = 3600.0  # for a whole answer
MAX_ANSWER_BYTES = 256 << 20
_PIECE = 1 << 16
# Headers of the endpoint that the program is given.
_PASSED = ("content-type", "content-encoding", "retry-after", "retry-after-ms", "request-id", "x-request-id", "date")
_PASSED_BEGINNINGS = ("anthropic-", "openai-", "x-ratelimit-", "x-should-retry", "x-goog-")


class EndpointError(Exception):
    """No whole answer; `trouble` says how it failed, in the words of the table of endings."""

    def __init__(self, trouble: str, detail: str) -> None:
        super().__init__(f"{trouble}: {detail}")
        self.trouble, self.detail = trouble, detail


@dataclass(frozen=True)
class ModelEndpoint:
    """Where the model is. The key stays in here: nothing that is printed shows it."""

    base_url: str
    key: str = field(repr=False)
    stall_sec: float = STALL_SEC
    call_sec: float = CALL_SEC

    @property
    def base_path(self) -> str:
        return urlsplit(self.base_url).path.rstrip("/")

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).netloc.rpartition("@")[2]

    @contextlib.contextmanager
    def ask(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes,
        opened: Callable[[socket.socket], None] = lambda _: None,
    ) -> Iterator["Asked"]:  # fmt: skip
        """Send a request whose path and query are `target`; `opened` is told of it. Raises EndpointError."""
        address = urlsplit(self.base_url)
        lines = [f"{method} {target} HTTP/1.1"]
        own = {
            "Host": self.host,
            "Accept-Encoding": "identity",
            "Connection": "close",
            "Content-Length": str(len(body)),
        }
        lines += [f"{name}: {value}" for name, value in {**headers, **own}.items()]
        request = "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + body
        try:
            connection = open_connection(f"{address.scheme}://{self.host}", CONNECT_SEC)
        except (ExchangeError, OSError, ValueError) as error:
            raise EndpointError("unreachable", _words(error)) from error
        opened(connection)
        with contextlib.closing(connection):
            deadline = time.monotonic() + self.call_sec
            with _told_as_trouble():
                connection.settimeout(max(self.stall_sec, 1.0))
                with contextlib.suppress(ConnectionError):  # it may have answered before it had heard everything
                    connection.sendall(request)
                connection.settimeout(self.stall_sec)
                answer = http.client.HTTPResponse(connection, method=method)
                answer.begin()
            yield Asked(answer, deadline)


@dataclass(frozen=True)
class Asked:
    """An answer of which the head has come."""

    answer: http.client.HTTPResponse
    deadline: float

    @property
    def status(self) -> int:
        return self.answer.status

    @property
    def location(self) -> str:
        return self.answer.getheader("location") or ""

    @property
    def streams(self) -> bool:
        return (self.answer.getheader("content-type") or "").lower().startswith("text/event-stream")

    def headers(self) -> dict[str, str]:
        """Those that say something to the program; no cookies."""
        return {
            name: value
            for name, value in self.answer.getheaders()
            if (name.lower() in _PASSED or name.lower().startswith(_PASSED_BEGINNINGS)) and "\n" not in value
        }

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives. Raises EndpointError if it ends before its end, or never."""
        size = 0
        while True:
            left = self.deadline - time.monotonic()
            if left <= 0:
                raise EndpointError("stalled", "no whole answer within the time for one")
            with _told_as_trouble():
                piece = self.answer.read1(_PIECE)
            if not piece:
                # `read1` ends quietly where fewer bytes came than were announced
                if self.answer.length:
                    raise EndpointError("cut", f"{self.answer.length} bytes are missing")
                return
            size += len(piece)
            if size > MAX_ANSWER_BYTES:
                raise EndpointError("cut", f"more than {MAX_ANSWER_BYTES >> 20} MiB")
            yield piece


@contextlib.contextmanager
def _told_as_trouble() -> Iterator[None]:
    try:
        yield
    except TimeoutError as error:
        raise EndpointError("stalled", "nothing came any more") from error
    except http.client.HTTPException as error:
        raise EndpointError("cut", _words(error)) from error
    except (OSError, ValueError, AssertionError) as error:
        raise EndpointError("cut", _words(error)) from error


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]
