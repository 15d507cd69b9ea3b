"""The host's end of the socket to the replayer inside the game.

The socket's file is removed as soon as the replayer, which runs before any code of the game, has
connected: the game has nothing to connect to. It can still find the connection inside its own process, so what
arrives is checked all the same, and bounded in size and number.
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
MAX_TEXT = 1 << 20  # of one message; the longest that our observer can write has 600 KB, the usual one 10
MAX_MESSAGES = 200_000  # of one demo; the longest demo has 2,700 frames
MAX_TEXT_IN_ALL = 256 << 20
_PICTURE_BUFFERS = 3  # one is being received, one waits, one is being stored


class Kind(IntEnum):
    HELLO = 1
    FRAME = 2
    STATE = 3
    INPUT = 4
    END = 5
    PRINT = 6
    SAME = 7
    POINTER = 8
    OVER = 9
    SHOWN = 10
    RELEASE = 11


class OutOfTurnError(Exception):
    """The game's end said what our scripts do not say at that moment. A finding about the game, never a failure."""


@dataclass(frozen=True)
class Message:
    """One message: three numbers and a payload (RGBA pixels or JSON)."""

    kind: Kind
    a: int
    b: int
    c: int
    payload: memoryview

    def json(self) -> dict[str, Any]:
        """The payload as an object; anything else is an empty one."""
        try:
            value = json.loads(bytes(self.payload))
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}


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
        self.fault = ""  # what the other end did that ours does not

    def __enter__(self) -> "Channel":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def connected(self) -> bool:
        """Whether anybody ever came to the other end."""
        return self._connection is not None

    def close(self) -> None:
        """Also ends a `receive` that waits in another thread."""
        for end in (self._listener, self._connection):
            if end is not None:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()

    def receive(self, configuration: dict[str, Any], handle: Callable[[Message], bytes | None]) -> bool:
        """Accept, configure, then hand over messages and send back what is answered. True after a proper END.

        The payload of a picture is good until two more pictures were handed over, any other until the next message.
        """
        try:
            self._connection, _ = self._listener.accept()
        except OSError:
            return False  # closed before the game came up
        self._listener.close()
        self.path.unlink(missing_ok=True)
        try:
            self._send(json.dumps(configuration).encode())
            return self._converse(handle)
        except OutOfTurnError as error:
            self.fault = str(error)
            self._hang_up()
        except OSError:
            return False
        return False

    def _converse(self, handle: Callable[[Message], bytes | None]) -> bool:
        texts = [bytearray()]
        pictures = [bytearray() for _ in range(_PICTURE_BUFFERS)]
        count = total = 0
        header = bytearray(_HEADER.size)
        while self._read(_HEADER.size, header) is not None:
            number, a, b, c, size = _HEADER.unpack(header)
            if not _acceptable(number, a, b, c, size):
                raise OutOfTurnError(f"a message of kind {number} with {size} bytes")
            count += 1
            total += 0 if number == Kind.FRAME else size
            if count > MAX_MESSAGES or total > MAX_TEXT_IN_ALL:
                raise OutOfTurnError(f"more than {MAX_MESSAGES} messages or {MAX_TEXT_IN_ALL >> 20} MiB of them")
            if number == Kind.FRAME:
                pictures.append(pictures.pop(0))
            buffers = pictures if number == Kind.FRAME else texts
            if len(buffers[-1]) < size:
                buffers[-1] = bytearray(size)
            payload = self._read(size, buffers[-1])
            if payload is None:
                return False
            answer = handle(Message(kind=Kind(number), a=a, b=b, c=c, payload=payload))
            if answer is not None:
                self._send(answer)
            if number == Kind.END:
                return True
        return False

    def _send(self, text: bytes) -> None:
        assert self._connection is not None
        self._connection.sendall(struct.pack("<I", len(text)) + text)

    def _hang_up(self) -> None:
        assert self._connection is not None
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

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
    if number == Kind.FRAME:  # the x11 recorder's observer only says that a frame was drawn
        return b <= MAX_SIDE and c <= MAX_SIDE and size == b * c * 4
    return number in tuple(Kind) and size <= MAX_TEXT
