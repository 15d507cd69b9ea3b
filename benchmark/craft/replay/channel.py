"""The host's end of the socket to the replayer inside the game.

The socket's file is removed as soon as the replayer, which runs before any code of the game, has
connected: the game has nothing to connect to. What arrives is checked all the same.
"""

import contextlib
import json
import os
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from benchmark.errors import InfrastructureError

_HEADER = struct.Struct("<5I")
MAX_SIDE = 8192
MAX_TEXT = 4 << 20


class Kind(IntEnum):
    HELLO = 1
    FRAME = 2
    STATE = 3
    INPUT = 4
    END = 5
    PRINT = 6
    SAME = 7
    POINTER = 8


@dataclass(frozen=True)
class Message:
    """One message: three numbers and a payload (RGBA pixels or JSON)."""

    kind: Kind
    a: int
    b: int
    c: int
    payload: memoryview

    def json(self) -> Any:
        """The payload as a value, or None if it is not JSON."""
        try:
            return json.loads(bytes(self.payload))
        except (ValueError, RecursionError):
            return None


class Channel:
    """Listens for one connection; use as a context manager."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "socket"
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            # sun_path holds 107 bytes: bind by a short name whatever the folder is called
            descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY)
            try:
                self._listener.bind(f"/proc/self/fd/{descriptor}/socket")
            finally:
                os.close(descriptor)
        except OSError as error:
            self._listener.close()
            raise InfrastructureError(f"cannot open a socket in {folder}: {error}") from error
        self.path.chmod(0o666)
        self._listener.listen(1)
        self._connection: socket.socket | None = None

    def __enter__(self) -> "Channel":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Also ends a `receive` that waits in another thread."""
        for end in (self._listener, self._connection):
            if end is not None:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()

    def receive(self, configuration: dict[str, Any], handle: Callable[[Message], None]) -> bool:
        """Accept, configure, then hand over messages until the game closes. True after a proper END."""
        try:
            self._connection, _ = self._listener.accept()
        except OSError:
            return False  # closed before the game came up
        self._listener.close()
        self.path.unlink(missing_ok=True)
        text = json.dumps(configuration).encode()
        try:
            self._connection.sendall(struct.pack("<I", len(text)) + text)
            buffer = bytearray()
            while (header := self._read(_HEADER.size, bytearray(_HEADER.size))) is not None:
                number, a, b, c, size = _HEADER.unpack(header)
                if not _acceptable(number, a, b, c, size):
                    return False
                if len(buffer) < size:
                    buffer = bytearray(size)
                payload = self._read(size, buffer)
                if payload is None:
                    return False
                handle(Message(Kind(number), a, b, c, payload))
                if number == Kind.END:
                    return True
        except OSError:
            return False
        return False

    def _read(self, size: int, buffer: bytearray) -> memoryview | None:
        assert self._connection is not None
        view = memoryview(buffer)[:size]
        done = 0
        while done < size:
            count = self._connection.recv_into(view[done:])
            if count == 0:
                return None
            done += count
        return view


def _acceptable(number: int, a: int, b: int, c: int, size: int) -> bool:
    """A game that got hold of the connection must not make us allocate or decode nonsense."""
    if number == Kind.FRAME:  # the x11 recorder's onlooker only says that a frame was drawn
        return b <= MAX_SIDE and c <= MAX_SIDE and size == b * c * 4
    return number in tuple(Kind) and size <= MAX_TEXT
