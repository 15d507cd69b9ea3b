"""The workbench of one trial: a socket in the agent's workspace, and requests that are answered one at a time.

Whoever speaks here is untrusted, and so is what is looked at. Nothing that is said can name a place on this machine,
and nothing that goes wrong here touches the trial: it ends with the agent, whatever is still under way.
"""

import contextlib
import os
import select
import socket
import struct
import threading
import time
import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from benchmark.runtime.workdir import hand_over, work_folder
from benchmark.workbench.answers import BUSY, MISUSED, Answer
from benchmark.workbench.bench import Bench
from benchmark.workbench.requests import (
    MAX_REQUEST_BYTES,
    MAX_WORD_BYTES,
    MAX_WORDS,
    MCP,
    MisuseError,
    parse,
)
from benchmark.workbench.talk import talk_mcp

SOCKET = ".workbench"  # in the folder of the tools
MOST_CONNECTIONS = 16
MOST_WAITING = 4  # requests, besides the one that is being answered
MOST_SERVERS = 4  # MCP clients at once
MOST_A_MINUTE = 30  # requests
_HEADER_SEC = 10.0
_SEND_SEC = 60.0
_POLL_SEC = 0.2
_LENGTH = struct.Struct(">I")


class _GoneError(Exception):
    """Whoever asked has hung up, or does not speak as agreed."""


@dataclass
class Service:
    """The socket's side of a bench. `allowed` are the commands that this agent may use."""

    bench: Bench
    allowed: frozenset[str]
    listeners: tuple[socket.socket, ...]  # the agent's, and one for our own MCP servers
    own: Path  # where the latter is
    most_a_minute: int = MOST_A_MINUTE
    closing: threading.Event = field(default_factory=threading.Event)
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _state: threading.Lock = field(default_factory=threading.Lock)
    _waiting: int = 0
    _servers: int = 0
    _asked: deque[float] = field(default_factory=deque)
    _threads: list[threading.Thread] = field(default_factory=list)

    def serve(self) -> None:
        """Until it is closed."""
        while not self.closing.is_set():
            for listener in select.select(self.listeners, [], [], _POLL_SEC)[0]:
                with contextlib.suppress(OSError):
                    self._welcome(listener.accept()[0], MOST_CONNECTIONS * (1 + self.listeners.index(listener)))

    def _welcome(self, connection: socket.socket, most: int) -> None:
        """Our own servers find room where agents find none."""
        self._threads = [one for one in self._threads if one.is_alive()]
        if len(self._threads) >= most:
            connection.close()
            return
        thread = threading.Thread(target=self._converse, args=(connection,), daemon=True)
        self._threads.append(thread)
        thread.start()

    def close(self) -> None:
        """What is under way is given up; nothing of it is left."""
        self.closing.set()
        for thread in self._threads:
            thread.join(30)

    def _converse(self, connection: socket.socket) -> None:
        with connection:
            try:
                words = _read_words(connection)
                if words[:1] == [MCP]:
                    self._serve_mcp(connection)
                else:
                    _send(connection, self._answer(words, connection))
            except (_GoneError, OSError):
                pass  # theirs
            except Exception:  # a bug of ours costs the answer, never the trial
                self._note(traceback.format_exc())

    def _answer(self, words: list[str], connection: socket.socket) -> Answer:
        if (command := words[0] if words else "") not in self.allowed:
            names = ", ".join(sorted(self.allowed - {MCP}))
            return Answer(f"{command[:40]!r} is not to be had here; there is {names}", MISUSED)
        try:
            parse(words)
        except MisuseError as error:
            return Answer(str(error), MISUSED)
        with self._state:
            now = time.monotonic()
            while self._asked and self._asked[0] < now - 60:
                self._asked.popleft()
            if len(self._asked) >= self.most_a_minute:
                return Answer(f"more than {self.most_a_minute} requests in a minute; wait a little", BUSY)
            if self._waiting > MOST_WAITING:
                return Answer(f"{self._waiting} requests are under way; ask again when one is answered", BUSY)
            self._asked.append(now)
            self._waiting += 1
        try:
            while not self._turn.acquire(timeout=_POLL_SEC):
                if self._unwanted(connection):
                    raise _GoneError
            try:
                began = time.monotonic()
                answer = self.bench.ask(words, lambda: self._unwanted(connection))
                self._note(f"{words[0]}: exit code {answer.code} after {time.monotonic() - began:.1f} s")
                return answer
            finally:
                self._turn.release()
        finally:
            with self._state:
                self._waiting -= 1

    def _serve_mcp(self, connection: socket.socket) -> None:
        with self._state:
            free = MCP in self.allowed and self._servers < MOST_SERVERS
            self._servers += free
        if not free:
            why = f"there {MOST_SERVERS} times already" if MCP in self.allowed else "not handed over"
            _send(connection, Answer(f"the MCP server is {why}", BUSY))
            return
        self._note("an MCP client")
        try:
            talk_mcp(connection, self.own, self.allowed - {MCP}, self.closing.is_set)
        finally:
            with self._state:
                self._servers -= 1

    def _note(self, what: str) -> None:
        if self.bench.log is not None:
            with contextlib.suppress(OSError), self.bench.log.open("a", encoding="utf-8") as handle:
                handle.write(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {what}\n")

    def _unwanted(self, connection: socket.socket) -> bool:
        if self.closing.is_set():
            return True
        poll = select.poll()
        poll.register(connection, select.POLLRDHUP)
        return any(event & (select.POLLHUP | select.POLLERR | select.POLLRDHUP) for _, event in poll.poll(0))


def _read_words(connection: socket.socket) -> list[str]:
    """What native/relay.c sends first."""
    deadline = time.monotonic() + _HEADER_SEC

    def exactly(size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            connection.settimeout(max(0.01, deadline - time.monotonic()))
            piece = connection.recv(min(size - len(data), 1 << 16))
            if not piece:
                raise _GoneError
            data += piece
        return bytes(data)

    def number() -> int:
        return int(_LENGTH.unpack(exactly(_LENGTH.size))[0])

    count, left, words = number(), MAX_REQUEST_BYTES, []
    if count > MAX_WORDS:
        raise _GoneError
    for _ in range(count):
        size = number()
        left -= size
        if size > MAX_WORD_BYTES or left < 0:
            raise _GoneError
        words.append(exactly(size).decode(errors="replace"))
    return words


def _send(connection: socket.socket, answer: Answer) -> None:
    connection.settimeout(_SEND_SEC)
    for frame in answer.frames():
        connection.sendall(frame)


@dataclass(frozen=True)
class Offer:
    """What an agent is offered: the commands, by the rules of its track."""

    track: str
    commands: frozenset[str]
    godot: str | None = None  # an engine that the user named
    log: Path | None = None
    most_a_minute: int = MOST_A_MINUTE


@contextmanager
def workbench(tools: Path, project: Path, offer: Offer) -> Iterator[Service]:
    """Serve an agent while it works. The socket goes into `tools`, a folder of its workspace."""
    folder = os.open(tools, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, folder)
        imports = stack.enter_context(work_folder("imports", on_disk=True))
        own = stack.enter_context(work_folder("bench")) / "socket"
        # An address has room for 107 characters, a path for more.
        listeners = tuple(
            stack.enter_context(_listening(place)) for place in (f"/proc/self/fd/{folder}/{SOCKET}", str(own))
        )
        (tools / SOCKET).chmod(0o666)
        hand_over(tools / SOCKET)
        service = Service(
            bench=Bench(project=project, track=offer.track, imports=imports, godot=offer.godot, log=offer.log),
            allowed=offer.commands, listeners=listeners, own=own, most_a_minute=offer.most_a_minute,
        )  # fmt: skip
        thread = threading.Thread(target=service.serve, daemon=True)
        thread.start()
        try:
            yield service
        finally:
            service.closing.set()
            thread.join(30)
            service.close()
            with contextlib.suppress(OSError):  # the agent may have removed it
                os.unlink(SOCKET, dir_fd=folder)


def _listening(place: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(place)
    listener.listen(MOST_CONNECTIONS)
    return listener
