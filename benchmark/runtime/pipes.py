"""Telling a program something that it can read once."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def told_once(data: bytes) -> Iterator[int]:
    """A file descriptor that gives the size of these bytes in 16 characters, then them. A file could be read again."""
    reader, writer = os.pipe()

    def feed() -> None:
        try:
            with os.fdopen(writer, "wb") as handle:
                handle.write(f"{len(data):<16}".encode() + data)
        except BrokenPipeError:
            pass  # the program ended before it read everything

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    try:
        yield reader
    finally:
        os.close(reader)
        feeder.join(timeout=5)
