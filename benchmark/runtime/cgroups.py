"""Limits that the kernel enforces on a whole tree of processes, where this process may make groups (cgroup v2).

Nothing is asked of the machine: of the groups above our own, the first that limits memory and processes of its children
and lets us add one is used. Elsewhere only the supervisor looks, ten times a second.
"""

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

NEEDED = {"memory", "pids"}
_GONE_SEC = 2.0
_numbers = itertools.count()
# Stands still until it is in its group, so that nothing it starts is outside.
_WAIT_SCRIPT = 'kill -STOP $$; exec "$@"'


@dataclass(frozen=True)
class Support:
    """The group that ours are made in, or None and the reason."""

    parent: Path | None
    reason: str = ""


class Group:
    """The group of one job."""

    def __init__(self, parent: Path, memory_bytes: int, threads: int) -> None:
        self.folder = parent / f"gamecraft-{os.getpid()}-{next(_numbers)}"
        self.folder.mkdir()
        settings = {"memory.max": memory_bytes, "memory.swap.max": 0, "memory.oom.group": 1, "pids.max": threads}
        for name, value in settings.items():
            with contextlib.suppress(FileNotFoundError):  # a kernel without swap has no limit for it
                (self.folder / name).write_text(str(value), encoding="ascii")

    @staticmethod
    def waiting(command: tuple[str, ...]) -> tuple[str, ...]:
        """The command that `admit` is waiting for."""
        return ("/bin/sh", "-c", _WAIT_SCRIPT, "wait", *command)

    def admit(self, pid: int) -> None:
        """Take in a process that was started with `waiting`, and let it go on."""
        os.waitid(os.P_PID, pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        (self.folder / "cgroup.procs").write_text(str(pid), encoding="ascii")
        os.kill(pid, signal.SIGCONT)

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel ended the job for its memory."""
        try:
            events = (self.folder / "memory.events").read_text(encoding="ascii").split()
        except OSError:
            return False
        return int(dict(zip(events[::2], events[1::2], strict=False)).get("oom_kill", "0")) > 0

    def close(self) -> None:
        """End whatever is left in it, and remove it."""
        with contextlib.suppress(OSError):
            (self.folder / "cgroup.kill").write_text("1", encoding="ascii")
        deadline = time.monotonic() + _GONE_SEC
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                self.folder.rmdir()
                return
            time.sleep(0.01)


@cache
def support() -> Support:
    """What this process may do on this machine."""
    mount = _mount()
    if mount is None:
        return Support(None, "no cgroups of version 2 are mounted")
    own = next(
        (line[3:] for line in Path("/proc/self/cgroup").read_text("utf-8").splitlines() if line.startswith("0::")), "/"
    )
    return find_parent(mount, mount / own.lstrip("/"))


def find_parent(mount: Path, own: Path) -> Support:
    """The nearest group from our own upwards in which a group of ours would really hold a process."""
    reason = "no group above ours limits memory and processes"
    for folder in (own, *own.parents):
        if not folder.is_relative_to(mount):
            break
        try:
            if set((folder / "cgroup.subtree_control").read_text(encoding="ascii").split()) >= NEEDED:
                if _takes_processes(folder):
                    return Support(folder)
                reason = f"{folder} does not take our processes"
        except OSError as error:
            reason = f"{folder}: {error.strerror}"
    return Support(None, reason)


def remove_abandoned(parent: Path) -> None:
    """Groups of harnesses that were killed. One that is in use cannot be removed."""
    for folder in parent.glob("gamecraft-*-*"):
        if not Path("/proc", folder.name.split("-")[1]).exists():
            with contextlib.suppress(OSError):
                folder.rmdir()


def _mount() -> Path | None:
    for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        fields, _, rest = line.partition(" - ")
        if rest.startswith("cgroup2 "):
            return Path(fields.split()[4])
    return None


def _takes_processes(parent: Path) -> bool:
    remove_abandoned(parent)
    group = Group(parent, 1 << 30, 100)
    command = (shutil.which("sleep") or "/bin/sleep", "60")
    probe = subprocess.Popen(group.waiting(command), stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        group.admit(probe.pid)
        return group.folder.name in Path(f"/proc/{probe.pid}/cgroup").read_text(encoding="utf-8")
    finally:
        probe.kill()
        probe.wait()
        group.close()
