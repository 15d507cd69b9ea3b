"""Between program and endpoint: when the program hangs up, nobody waits for the endpoint any more."""

import contextlib
import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_WATCH_SEC = 0.5


class ProgramLine:
    """One call's."""

    def __init__(self) -> None:
        self.is_gone = False
        self.heard = time.monotonic()  # when the last bytes of the answer came
        self._there: socket.socket | None = None
        self._lock = threading.Lock()

    def lead_to(self, connection: socket.socket) -> None:
        with self._lock:
            self._there = connection

    def cut(self) -> None:
        with self._lock:
            self.is_gone = True
            if self._there is not None:
                with contextlib.suppress(OSError):
                    self._there.shutdown(socket.SHUT_RDWR)


@contextmanager
def watched_line(client: socket.socket) -> Iterator[ProgramLine]:
    line, over = ProgramLine(), threading.Event()

    def watch() -> None:
        poll = select.poll()
        poll.register(client, select.POLLRDHUP)
        gone = select.POLLHUP | select.POLLERR | select.POLLRDHUP
        while not over.wait(_WATCH_SEC):
            if any(event & gone for _, event in poll.poll(0)):
                line.cut()
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield line
    finally:
        over.set()
        thread.join()
