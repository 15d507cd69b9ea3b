"""Answers of the workbench, and how they go over a pipe or a socket: frames of a kind, a length, and so many bytes.

native/relay.c reads the same frames inside an agent's sandbox.
"""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

MAX_ANSWER_BYTES = 64 << 20
OK, FAILED, MISUSED, BUSY = 0, 1, 2, 75  # exit codes of the tools; the last is sysexits' EX_TEMPFAIL

TEXT, ERROR, PICTURE, VIDEO, END = b"o", b"e", b"p", b"v", b"x"
_HEAD = struct.Struct(">cI")


class BrokenAnswerError(ValueError):
    """The other side hung up in the middle, or sent what is no answer."""


@dataclass(frozen=True)
class Answer:
    """What came of a request. `code` is the exit code of the tool that asked."""

    text: str
    code: int = OK
    picture: bytes | None = None  # PNG
    video: bytes | None = None  # MP4

    def frames(self) -> Iterator[bytes]:
        if self.text:
            text = self.text.rstrip("\n").encode(errors="replace") + b"\n"
            yield frame(ERROR if self.code >= MISUSED else TEXT, text)
        if self.picture is not None:
            yield frame(PICTURE, self.picture)
        if self.video is not None:
            yield frame(VIDEO, self.video)
        yield frame(END, bytes([self.code]))


def frame(kind: bytes, payload: bytes) -> bytes:
    return _HEAD.pack(kind, len(payload)) + payload


def read_answer(read: Callable[[int], bytes]) -> Answer:
    """From frames; `read` gives so many bytes, fewer only at the end. Raises BrokenAnswerError."""
    text = ""
    found: dict[bytes, bytes | None] = {PICTURE: None, VIDEO: None}
    left = MAX_ANSWER_BYTES
    while True:
        kind, size = _HEAD.unpack(_whole(read, _HEAD.size))
        left -= size
        if left < 0:
            raise BrokenAnswerError(f"an answer of more than {MAX_ANSWER_BYTES >> 20} MiB")
        payload = _whole(read, size)
        if kind in (TEXT, ERROR):
            text += payload.decode(errors="replace")
        elif kind in found:
            found[kind] = payload
        elif kind == END and payload:
            return Answer(text, payload[0], found[PICTURE], found[VIDEO])
        else:
            raise BrokenAnswerError(f"a frame of unknown kind {kind!r}")


def _whole(read: Callable[[int], bytes], size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = read(size - len(data))
        if not piece:
            raise BrokenAnswerError("it ended in the middle")
        data += piece
    return bytes(data)
