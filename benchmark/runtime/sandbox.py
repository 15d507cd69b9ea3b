"""Running an untrusted program: bubblewrap where it works, a plain process that says so elsewhere.

Inside the bubblewrap sandbox there is one userland read-only, the mounts a job names, private /tmp,
HOME and /dev/shm of limited size, no network, no other process, no variable of the caller, and no way to make
another namespace. What bubblewrap is told, and the variables in it, stand in no process list.
"""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from benchmark.runtime.processes import Bounds, Check, Finished, LineWatcher, Start, Supervised
from benchmark.runtime.quota import TmpfsFiles
from benchmark.runtime.seccomp import Conduct, system_call_filter
from benchmark.runtime.userland import Userland

SANDBOX_VARIABLE = "GAMECRAFT_SANDBOX"
MIB = 1 << 20
Access = Literal["read", "write"]

# Around bubblewrap, so that they hold for the first process in the sandbox too, which a job can take over.
_LIMITS_SCRIPT = (
    'ulimit -c 0; ulimit -v "$1"; ulimit -t "$2"; ulimit -f "$3"; ulimit -n "$4" 2>&- || :; shift 4; exec "$@"'
)
# Inside the sandbox, because a user's own processes count against RLIMIT_NPROC outside it.
# Its letter is -p in dash and -u in bash.
_THREADS_SCRIPT = 'ulimit -p "$1" 2>&- || ulimit -u "$1"; shift; exec "$@"'
_OWN_THREADS = 16  # of bubblewrap; so many more than the kernel gives are ended by the supervisor
_PRIVATE = ("/dev/shm", "/tmp", "/home")  # in memory, gone afterwards
_FILES_PER_TMPFS = 100_000  # an empty file takes a kilobyte of the kernel's memory and none of the tmpfs

# Where the caller is root and cannot become nobody, these would be writable inside.
_KERNEL_SETTINGS = tuple(
    part
    for name in ("sys", "irq", "bus", "fs", "acpi", "sysrq-trigger")
    for part in ("--ro-bind-try", f"/proc/{name}", f"/proc/{name}")
)


@dataclass(frozen=True)
class Limits:
    """What one job may use; 0 is no limit. Memory is address space per process and resident set of the tree."""

    wall_sec: float = 60.0
    cpu_sec: int = 120
    address_space_bytes: int = 6 << 30
    resident_bytes: int = 4 << 30
    processes: int = 64
    threads: int = 320  # the engine and its renderer start about 30
    descriptors: int = 4096  # open files and sockets, per process
    output_bytes: int = 4 * MIB
    file_bytes: int = 256 * MIB
    disk_bytes: int = 128 * MIB


@dataclass(frozen=True)
class Mount:
    """A host folder or file that a job sees, by the name it has inside (`/name`)."""

    name: str
    host: Path
    access: Access = "read"


@dataclass(frozen=True)
class Job:
    """One program start. Paths in `args` come from `Sandbox.place`."""

    program: Path
    args: tuple[str, ...]
    mounts: tuple[Mount, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    display: "DisplayAddress | None" = None
    home: Path | None = None  # HOME outside a sandbox; inside it is a private tmpfs, unless a mount stands there
    network: bool = False  # agents call their models; games never have it
    conduct: Conduct = "game"  # which system calls are refused
    checks: tuple[Check, ...] = ()  # more limits, looked at while it runs


@dataclass(frozen=True)
class DisplayAddress:
    """An X display: its number and the folder that holds its socket."""

    number: int
    socket_folder: Path


@dataclass(frozen=True)
class Sandbox:
    """Bubblewrap, given the command that starts it. The userland stands as /usr."""

    userland: Userland
    bwrap: tuple[str, ...]
    as_nobody: bool = False  # for a caller that is root, which owns /proc/sys even in a namespace: another user
    confined = True

    def place(self, mount: Mount) -> str:
        """Where the job sees a mount."""
        return f"/{mount.name}"

    def start(
        self, job: Job, on_line: LineWatcher | None = None, *, stdin: int = subprocess.DEVNULL,
        on_error_line: LineWatcher | None = None,
    ) -> Supervised:  # fmt: skip
        """Start a job under its limits; use the result as a context manager."""
        options, command = self.words(job)
        limits = job.limits
        places = tuple(place for place in _PRIVATE if place not in map(self.place, job.mounts))
        checks: tuple[Check, ...] = (*job.checks, TmpfsFiles(places, limits.disk_bytes, _FILES_PER_TMPFS))
        with _handed_over(options, system_call_filter(job.conduct)) as (words, descriptors):
            whole = (*limited(limits), *self.bwrap, *words, *command)
            start = Start(command=whole, env={}, stdin=stdin, as_nobody=self.as_nobody, descriptors=descriptors)
            return Supervised(start, _bounds(limits, checks), on_line, on_error_line)

    def words(self, job: Job) -> tuple[list[str], tuple[str, ...]]:
        """Bubblewrap's options for a job, and the command in it: for a program that starts the job itself."""
        options = [*self._base(job.limits), *(self._network() if job.network else ())]
        for mount in job.mounts:
            options += ["--bind" if mount.access == "write" else "--ro-bind", str(mount.host), self.place(mount)]
        if job.display is not None:
            sockets = str(job.display.socket_folder)
            options += ["--ro-bind", sockets, "/tmp/.X11-unix", "--setenv", "DISPLAY", f":{job.display.number}"]
        for key, value in job.env.items():
            options += ["--setenv", key, value]
        program = job.program
        if self.userland.is_host or program.is_relative_to(self.userland.root):
            inside = self.userland.inside(program)
        else:  # an engine from elsewhere, brought in on its own
            inside = f"/opt/{program.name}"
            options += ["--ro-bind", str(program.resolve()), inside]
        # last: what was needed to create mount points is not needed any more
        options += ["--remount-ro", "/dev", "--remount-ro", "/"]
        command = ("/bin/sh", "-c", _THREADS_SCRIPT, "limits", str(job.limits.threads), inside, *job.args)
        return options, command

    def run(self, job: Job, on_line: LineWatcher | None = None) -> Finished:
        """Start a job and wait for its end."""
        with self.start(job, on_line) as running:
            return running.finish()

    def _base(self, limits: Limits) -> list[str]:
        size = str(limits.disk_bytes)
        options = [
            "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
            "--uid", "65534", "--gid", "65534", "--hostname", "sandbox", "--clearenv",
            *self._userland_mounts(),
            "--proc", "/proc", *_KERNEL_SETTINGS, "--dev", "/dev",
            *(word for place in _PRIVATE for word in ("--size", size, "--tmpfs", place)),
            "--dir", "/home/.cache", "--dir", "/home/.local/share", "--dir", "/home/.config", "--chdir", "/",
        ]  # fmt: skip
        environment = {
            "HOME": "/home", "PATH": "/nonexistent", "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": "/tmp",
            "XKB_CONFIG_ROOT": "/usr/share/X11/xkb",
        }  # fmt: skip
        return options + [part for key, value in environment.items() for part in ("--setenv", key, value)]

    def _network(self) -> list[str]:
        """The machine's network, with what programs need to find names and to trust certificates."""
        options = ["--share-net"]
        for name in ("resolv.conf", "hosts", "nsswitch.conf", "ssl", "ca-certificates", "passwd", "group"):
            options += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
        return options

    def _userland_mounts(self) -> list[str]:
        root = self.userland.root
        mounts = ["--ro-bind", str(root / "usr"), "/usr"]
        for name in ("bin", "lib", "lib64"):
            if self.userland.is_host and not Path("/", name).is_symlink():
                mounts += ["--ro-bind-try", f"/{name}", f"/{name}"]
            else:
                mounts += ["--symlink", f"usr/{name}", f"/{name}"]
        if not self.userland.is_host:
            return [*mounts, "--ro-bind", str(root / "etc"), "/etc"]
        for name in ("fonts", "ld.so.cache", "alternatives", "X11"):  # of the machine's /etc, only this
            mounts += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
        return mounts


@dataclass(frozen=True)
class PlainProcess:
    """No sandbox: the same jobs under resource limits only. For machines without user namespaces."""

    userland: Userland
    confined = False

    def place(self, mount: Mount) -> str:
        return str(mount.host)

    def start(
        self, job: Job, on_line: LineWatcher | None = None, *, stdin: int = subprocess.DEVNULL,
        on_error_line: LineWatcher | None = None,
    ) -> Supervised:  # fmt: skip
        home = str(job.home or "/nonexistent")
        environment = {
            "HOME": home, "PATH": "/nonexistent", "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": home,
            **self.userland.environment(), **job.env,
        }  # fmt: skip
        if job.display is not None:
            environment["DISPLAY"] = f":{job.display.number}"
        limits = job.limits
        private = not self.userland.is_host and job.program.is_relative_to(self.userland.root)
        program = self.userland.command(job.program) if private else (str(job.program),)
        command = (*limited(limits), *program, *job.args)
        return Supervised(Start(command, environment, stdin), _bounds(limits, job.checks), on_line, on_error_line)

    def run(self, job: Job, on_line: LineWatcher | None = None) -> Finished:
        with self.start(job, on_line) as running:
            return running.finish()


AnySandbox = Sandbox | PlainProcess


def limited(limits: Limits) -> tuple[str, ...]:
    """What stands before a command to start it with these limits on each of its processes, in the units of `ulimit`."""
    values = (limits.address_space_bytes // 1024, limits.cpu_sec, limits.file_bytes // 512, limits.descriptors)
    return ("/bin/sh", "-c", _LIMITS_SCRIPT, "limits", *(str(value) if value else "unlimited" for value in values))


def _bounds(limits: Limits, checks: tuple[Check, ...]) -> Bounds:
    return Bounds(
        wall_sec=limits.wall_sec,
        processes=limits.processes,
        threads=limits.threads + _OWN_THREADS,
        memory_bytes=limits.resident_bytes,
        output_bytes=limits.output_bytes,
        others=checks,
    )


@contextmanager
def _handed_over(options: list[str], calls: bytes | None) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Bubblewrap's options and filter as files without a name: words that lead to them, descriptors to inherit."""
    descriptors: list[int] = []
    try:
        if calls is not None:
            descriptors.append(_unnamed(calls))
            options = [*options, "--seccomp", str(descriptors[0])]
        descriptors.append(_unnamed(b"".join(os.fsencode(option) + b"\0" for option in options)))
        yield ("--args", str(descriptors[-1])), tuple(descriptors)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def _unnamed(content: bytes) -> int:
    descriptor = os.memfd_create("options")
    with open(descriptor, "wb", closefd=False) as handle:
        handle.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def choose_sandbox(userland: Userland, bwrap: tuple[str, ...] | None, program: Path) -> AnySandbox:
    """Bubblewrap if it really starts and can reach `program`; `$GAMECRAFT_SANDBOX=none` asks for none."""
    if bwrap is not None and os.environ.get(SANDBOX_VARIABLE) != "none":
        for as_nobody in (True, False) if os.geteuid() == 0 else (False,):
            sandbox = Sandbox(userland, bwrap, as_nobody)
            shell = Path("/bin/sh") if userland.is_host else userland.root / "usr/bin/sh"
            probe = Job(shell, ("-c", ":"), (Mount("opt/engine", program),))
            with contextlib.suppress(OSError):  # a container may not have that user
                if sandbox.run(probe).exit_code == 0:
                    return sandbox
    return PlainProcess(userland)
