"""An agent's MCP client, behind the relay in its sandbox, and a server of its own: passing on what they say.

The server is a process, so that whatever the client sends costs that process at most. It asks the same workbench as the
command line tools, through a socket of its own, under the same limits.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from benchmark.workbench.answers import END, ERROR, TEXT, frame
from benchmark.workbench.bench import worker_environment

_FAREWELL_SEC = 15.0
_POLL_SEC = 0.2
_CHUNK = 1 << 16


def talk_mcp(connection: socket.socket, bench: Path, commands: frozenset[str], closing: Callable[[], bool]) -> None:
    """Until either side ends. `bench` is the socket that the server asks."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "benchmark.workbench.server", str(bench), *sorted(commands)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=worker_environment(),
        start_new_session=True,
    )  # fmt: skip
    sender = threading.Thread(target=_pass_back, args=(process, connection), daemon=True)
    try:
        sender.start()
        _pass_on(connection, process, lambda: closing() or not sender.is_alive())
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        if not closing():
            sender.join(_FAREWELL_SEC)  # answers that are under way
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        sender.join(_FAREWELL_SEC)
        assert process.stdout is not None
        process.stdout.close()


def _pass_on(connection: socket.socket, process: "subprocess.Popen[bytes]", over: Callable[[], bool]) -> None:
    """What the client says. The server bounds its lines itself."""
    assert process.stdin is not None
    connection.settimeout(_POLL_SEC)
    while not over():
        try:
            data = connection.recv(_CHUNK)
        except TimeoutError:
            continue
        except OSError:
            return
        if not data:
            return
        try:
            process.stdin.write(data)
            process.stdin.flush()
        except OSError:
            return


def _pass_back(process: "subprocess.Popen[bytes]", connection: socket.socket) -> None:
    assert process.stdout is not None
    code = b"\0"
    with contextlib.suppress(OSError, ValueError):
        while data := os.read(process.stdout.fileno(), _CHUNK):
            _send(connection, frame(TEXT, data))
        if process.wait(_FAREWELL_SEC) != 0:
            code = b"\1"
            _send(connection, frame(ERROR, b"the MCP server ended early\n"))
        _send(connection, frame(END, code))


def _send(connection: socket.socket, data: bytes) -> None:
    """The other thread's timeout holds for the whole socket: a slow reader is waited for, one that is gone is not."""
    view = memoryview(data)
    while view:
        with contextlib.suppress(TimeoutError):
            view = view[connection.send(view) :]
