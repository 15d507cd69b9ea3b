"""Which limits are real on this machine: kept by the kernel, noticed by the supervisor when it looks, or missing."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchmark.runtime import cgroups
from benchmark.runtime.machine import Machine
from benchmark.runtime.sandbox import Job

Keeper = Literal["kernel", "polled", "missing"]
_TEN = "ten times a second"
# What the first program in a sandbox finds out about it: whether calls are filtered, whether /dev can be written to.
_PROBE = """\
while read -r name value; do [ "$name" = Seccomp: ] && echo "filter $value"; done </proc/self/status
( : >/dev/probe ) 2>&- && echo "dev open" || echo "dev closed"
"""


@dataclass(frozen=True)
class Limit:
    """One limit and who keeps it."""

    name: str
    keeper: Keeper
    how: str


def enforced_limits(machine: Machine) -> list[Limit]:
    """What holds for a job on this machine, tried where trying is cheap."""
    confined = machine.sandbox.confined
    groups = cgroups.support()
    group: tuple[Keeper, str] = ("polled", _TEN) if groups.parent is None else ("kernel", f"cgroup in {groups.parent}")
    limits = [
        Limit("memory of a process", "kernel", "RLIMIT_AS; none for agents"),
        Limit("memory of a tree", *group),
        Limit("processes", "polled", _TEN),
        Limit("threads", "kernel", "RLIMIT_NPROC") if confined else Limit("threads", *group),
        Limit("processor time, file size, open files", "kernel", "RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_NOFILE"),
        Limit("wall time, output", "polled", _TEN),
        Limit("an agent's disk", "polled", "every two seconds, or 20 times as long as looking takes"),
    ]
    if not confined:
        names = ("files in memory", "system calls", "network, other files, other processes")
        return [*limits, *(Limit(name, "missing", "no sandbox") for name in names)]
    said = machine.sandbox.run(Job(_shell(machine), ("-c", _PROBE))).text
    filtered, closed = "filter 2" in said, "dev closed" in said
    return [
        *limits,
        Limit("files in memory, their size", "kernel" if closed else "missing", "tmpfs sizes; /dev is read-only"),
        Limit("files in memory, their number", "polled", _TEN),
        Limit(
            "namespaces, mounts, keys …", *(("kernel", "system call filter") if filtered else ("missing", "no filter"))
        ),
        Limit("network, other files, other processes", "kernel", "namespaces; agents have the network"),
    ]


def reason_without_groups() -> str:
    """Why the kernel does not limit a whole tree here; empty where it does."""
    return cgroups.support().reason


def _shell(machine: Machine) -> Path:
    return Path("/bin/sh") if machine.userland.is_host else machine.userland.root / "usr/bin/sh"
