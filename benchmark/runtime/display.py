"""A virtual X display of its own for each recording."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmark.errors import InfrastructureError
from benchmark.runtime.machine import Machine
from benchmark.runtime.native import library_path
from benchmark.runtime.sandbox import DisplayAddress, Job, Limits, Mount
from benchmark.runtime.userland import Userland
from benchmark.runtime.workdir import work_folder

WIDTH, HEIGHT = 1280, 720
_START_SEC = 30.0
# A game can have the server keep pictures for it, which no look at the game's own memory finds. It takes 240 MiB of
# address space where a game draws, and there the kernel refuses more.
_LIMITS = Limits(wall_sec=7200, cpu_sec=7200, address_space_bytes=1 << 30)
_HOST_SOCKETS = Path("/tmp/.X11-unix")


@contextmanager
def virtual_display(machine: Machine, width: int = WIDTH, height: int = HEIGHT) -> Iterator[DisplayAddress]:
    """Start Xvfb, wait until it serves, end it on leaving.

    In a sandbox its socket lies in a folder of ours, so displays never meet each other or the
    machine's own; without one Xvfb takes a free number itself.
    """
    with work_folder("display") as folder:
        ready = threading.Event()
        number: list[int] = []

        def watch(line: bytes) -> bool:
            if not ready.is_set() and line.strip().isdigit():  # what -displayfd 1 prints
                number.append(int(line))
                ready.set()
                return True
            return False

        arguments = f"-displayfd 1 -screen 0 {width}x{height}x24 -noreset -nolisten tcp".split()
        if machine.sandbox.confined:
            sockets = folder
            job = Job(machine.xvfb, tuple(arguments), (Mount("tmp/.X11-unix", folder, "write"),), limits=_LIMITS)
        else:
            sockets = _HOST_SOCKETS
            env, more = outside_its_root(machine.userland)
            job = Job(machine.xvfb, (*arguments, *more), env=env, limits=_LIMITS, home=folder)
        with machine.sandbox.start(job, watch) as server:
            deadline = _START_SEC
            while not ready.wait(0.05):
                deadline -= 0.05
                if server.process.poll() is not None or deadline <= 0:
                    finished = server.stop()
                    raise InfrastructureError(
                        f"the virtual display did not start ({finished.describe()}): {finished.text.strip()[-300:]}",
                        fix="python -m benchmark doctor",
                    )
            try:
                yield DisplayAddress(number[0], sockets)
            finally:
                server.stop()
                (sockets / f"X{number[0]}").unlink(missing_ok=True)


def outside_its_root(userland: Userland) -> tuple[dict[str, str], tuple[str, ...]]:
    """Xvfb of a private root, started without a sandbox: show it its keymap compiler and data."""
    compiler = userland.program("xkbcomp")
    if userland.is_host or compiler is None:
        return {}, ()
    words = " ".join(f'"{word}"' for word in userland.command(compiler))
    env = {"LD_PRELOAD": str(library_path("keyboard")), "GAMECRAFT_XKBCOMP": words}
    return env, ("-xkbdir", str(userland.root / "usr/share/X11/xkb"))
