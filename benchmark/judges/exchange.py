"""One POST to an endpoint that nobody vouches for: whatever it does, it ends, and takes no more than was allowed.

Client libraries time each read instead of the whole exchange, unpack what they get without end, follow redirects with
the same body and keep cookies; the clock and the count have to sit at the socket. So this is `http.client`, and the
socket is ours. Proxies: `HTTPS_PROXY` and `NO_PROXY` count for https, where only the endpoint can read what passes
through; an http address is always asked directly, so no key goes to a proxy.
"""

import base64
import http.client
import io
import socket
import ssl
import time
import urllib.request
import zlib
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn
from urllib.parse import SplitResult, unquote, urlsplit

MAX_ANSWER_BYTES = 2 << 20  # as sent with its headers, and again unpacked; 6,000 tokens are 50 KB
_PIECE = 1 << 16


class ExchangeError(Exception):
    """No answer, or one that must not be read."""


class NoTimeLeftError(ExchangeError):
    """The whole exchange took too long."""


class NotAnAnswerError(ExchangeError):
    """Too large, cut off, or not packed as asked for."""


@dataclass(frozen=True)
class HttpAnswer:
    """Any status. Header names in small letters; of one that was sent twice both values."""

    status: int
    headers: dict[str, str]
    body: bytes


def post(
    url: str, headers: Mapping[str, str], body: bytes, seconds: float, max_bytes: int = MAX_ANSWER_BYTES
) -> HttpAnswer:
    """Connect, send and read all of the answer within `seconds`. Raises ExchangeError and nothing else.

    Only looking up the host's name is timed by the system's resolver.
    """
    clock, address = _Clock(seconds), urlsplit(url)
    lines = [f"POST {address.path or '/'}{'?' if address.query else ''}{address.query} HTTP/1.1"]
    own = {"Host": address.netloc, "Accept-Encoding": "gzip", "Connection": "close", "Content-Length": str(len(body))}
    lines += [f"{name}: {value}" for name, value in {**headers, **own}.items()]
    request = "\r\n".join([*lines, "", ""]).encode("latin-1") + body
    try:
        with closing(_connected(address, clock)) as connection:
            with suppress(ConnectionError):  # it may have answered before it had heard everything
                _send(connection, request, clock)
            return _read(_Incoming(connection, clock, max_bytes), max_bytes)
    except ExchangeError:
        raise
    except TimeoutError:
        clock.stop()
    except (OSError, http.client.HTTPException, ValueError, AssertionError) as error:
        raise ExchangeError(f"{type(error).__name__}: {error}") from error


def open_connection(url: str, seconds: float) -> socket.socket:
    """To the host of an address, directly or through the proxy that is configured; TLS is verified.

    For whoever reads answers as they come. Raises ExchangeError or OSError.
    """
    clock = _Clock(seconds)
    try:
        return _connected(urlsplit(url), clock)
    except TimeoutError:
        clock.stop()


class _Clock:
    """What is left of the time for the whole exchange."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            self.stop()
        return left

    def stop(self) -> NoReturn:
        raise NoTimeLeftError(f"no whole answer in {self._seconds:.3g} s")


class _Incoming(io.RawIOBase):
    """What comes in, by the clock and counted; `http.client` takes it for a socket."""

    def __init__(self, connection: socket.socket, clock: _Clock, max_bytes: int) -> None:
        self._connection = connection
        self._clock = clock
        self._max_bytes = max_bytes
        self._got = 0

    def makefile(self, _: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._connection.settimeout(self._clock.left())
        count = self._connection.recv_into(buffer)
        self._got += count
        if self._got > self._max_bytes:
            raise NotAnAnswerError(f"the answer is larger than {self._max_bytes:,} bytes")
        return count


def _connected(address: SplitResult, clock: _Clock) -> socket.socket:
    host, port = address.hostname or "", address.port or (443 if address.scheme == "https" else 80)
    if address.scheme != "https":
        return _reach(host, port, clock)
    proxy = None if urllib.request.proxy_bypass(host) else urllib.request.getproxies().get("https")
    connection = _tunnel(proxy, host, port, clock) if proxy else _reach(host, port, clock)
    try:
        connection.settimeout(clock.left())
        return _tls().wrap_socket(connection, server_hostname=host)
    except BaseException:
        connection.close()
        raise


@cache
def _tls() -> ssl.SSLContext:
    """Verifies certificate and name, by the system's authorities or `SSL_CERT_FILE`; nothing turns that off."""
    return ssl.create_default_context()


def _reach(host: str, port: int, clock: _Clock) -> socket.socket:
    """The first of the host's addresses that answers; all of them share the time."""
    failed: OSError = OSError(f"{host} has no address")
    for family, kind, protocol, _, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(clock.left())
            connection.connect(place)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection
        except OSError as error:
            connection.close()
            failed = error
        except BaseException:
            connection.close()
            raise
    raise failed


def _tunnel(proxy: str, host: str, port: int, clock: _Clock) -> socket.socket:
    at = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    if at.scheme != "http" or not at.hostname:
        raise ExchangeError("HTTPS_PROXY: only a proxy at http://HOST:PORT can be used")
    target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
    if at.username:
        who = f"{unquote(at.username)}:{unquote(at.password or '')}"
        lines.append(f"Proxy-Authorization: Basic {base64.b64encode(who.encode()).decode()}")
    connection = _reach(at.hostname, at.port or 80, clock)
    try:
        _send(connection, "\r\n".join([*lines, "", ""]).encode("latin-1"), clock)
        answer = http.client.HTTPResponse(_Incoming(connection, clock, _PIECE), method="CONNECT")  # type: ignore[arg-type]
        answer.begin()
        if answer.status != 200:
            raise ExchangeError(f"the proxy {at.hostname} answers HTTP {answer.status}")
    except BaseException:
        connection.close()
        raise
    return connection


def _send(connection: socket.socket, data: bytes, clock: _Clock) -> None:
    left = memoryview(data)
    while left:
        connection.settimeout(clock.left())
        left = left[connection.send(left[:_PIECE]) :]


def _read(incoming: _Incoming, max_bytes: int) -> HttpAnswer:
    answer = http.client.HTTPResponse(incoming, method="POST")  # type: ignore[arg-type]
    answer.begin()
    parts = []
    while part := answer.read(_PIECE):
        parts.append(part)
    headers: dict[str, str] = {}
    for name, value in answer.getheaders():
        name = name.lower()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    packed = headers.get("content-encoding", "identity").strip().lower()
    return HttpAnswer(answer.status, headers, _unpacked(b"".join(parts), packed, max_bytes))


def _unpacked(body: bytes, packed: str, max_bytes: int) -> bytes:
    if packed in ("identity", "") or not body:
        return body
    if packed not in ("gzip", "x-gzip"):
        raise NotAnAnswerError(f"the answer is packed as {packed[:40]!r}; only gzip was asked for")
    unpack = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        data = unpack.decompress(body, max_bytes + 1)
    except zlib.error as error:
        raise NotAnAnswerError(f"the answer is not gzip: {error}") from error
    if len(data) > max_bytes:
        raise NotAnAnswerError(f"the answer unpacks to more than {max_bytes:,} bytes")
    if not unpack.eof:
        raise NotAnAnswerError("the packed answer is cut off")
    if unpack.unused_data:
        raise NotAnAnswerError("something follows the packed answer")
    return data
