"""The other end of a workbench's socket, in Python: what native/relay.c is for an agent's tools."""

import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmark.workbench.answers import BUSY, Answer, BrokenAnswerError, read_answer

_LENGTH = struct.Struct(">I")
_ANSWER_SEC = 3600.0  # the service gives up by itself long before


@dataclass(frozen=True)
class Client:
    """Asks the workbench behind a socket."""

    place: Path

    def ask(self, words: Sequence[str]) -> Answer:
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.settimeout(_ANSWER_SEC)
                connection.connect(str(self.place))
                connection.sendall(spoken(words))
                with connection.makefile("rb") as reader:
                    return read_answer(reader.read)
        except (OSError, BrokenAnswerError) as error:
            return Answer(f"the workbench does not answer: {error}", BUSY)


def spoken(words: Sequence[str]) -> bytes:
    said = [word.encode(errors="replace") for word in words]
    return _LENGTH.pack(len(said)) + b"".join(_LENGTH.pack(len(word)) + word for word in said)
