"""The body of a request that a stranger sends, whole or refused."""

from email.message import Message
from io import BufferedIOBase

MAX_BODY_BYTES = 64 << 20


class BadRequestError(Exception):
    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


def read_body(stream: BufferedIOBase, headers: Message) -> bytes:
    """By its length or in chunks. Raises BadRequestError."""
    if "chunked" in headers.get("Transfer-Encoding", "").lower():
        return _chunks(stream)
    length = headers.get("Content-Length", "0")
    if not length.isdecimal() or len(length) > 12:
        raise BadRequestError(400, "its length is no number")
    if int(length) > MAX_BODY_BYTES:
        raise BadRequestError(413, f"larger than {MAX_BODY_BYTES >> 20} MiB")
    body = stream.read(int(length))
    if len(body) < int(length):
        raise BadRequestError(400, "it ended early")
    return body


def _chunks(stream: BufferedIOBase) -> bytes:
    body = bytearray()
    while True:
        size = stream.readline(64).partition(b";")[0].strip()
        try:
            count = int(size, 16)
        except ValueError as error:
            raise BadRequestError(400, "a chunk has no length") from error
        if count < 0 or len(body) + count > MAX_BODY_BYTES:
            raise BadRequestError(413, f"larger than {MAX_BODY_BYTES >> 20} MiB")
        piece = stream.read(count)
        stream.readline(64)
        if len(piece) < count:
            raise BadRequestError(400, "it ended early")
        if not count:
            return bytes(body)
        body += piece
