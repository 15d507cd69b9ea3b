"""An agent that is any shell command. It sees its workspace, the engine and the art; of the benchmark nothing else."""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark.agents.outages import Outage, built_in, outage_of
from benchmark.agents.protocol import AgentReport, Assignment
from benchmark.agents.workspace import INSTRUCTION, sandboxed_mounts, tool_environment
from benchmark.errors import InfrastructureError
from benchmark.limits import MAX_USAGE_BYTES
from benchmark.redaction import LogRedactor
from benchmark.runtime.machine import Machine, find_machine
from benchmark.runtime.processes import Finished
from benchmark.runtime.quota import DiskQuota
from benchmark.runtime.sandbox import AnySandbox, Job, Limits, Mount, Sandbox
from benchmark.runtime.userland import HOST
from benchmark.runtime.workdir import work_folder
from benchmark.untrusted import UnreadableFileError, read_json

USAGE_FILE = "usage.json"  # an agent may leave {"cost_usd": 1.23} here, in its home
MAX_LOG_BYTES = 64 << 20
DISK_MB = 16384  # a JavaScript agent with its packages and caches takes one or two thousand
DISK_FILES = 1_000_000  # ... and one or two hundred thousand files
_START = 'cd "$1" && eval "$2"'
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"


@dataclass(frozen=True)
class CommandAgent:
    """`env` names the variables of ours that it may see; `read` the folders (its own program, say)."""

    name: str
    command: str
    env: tuple[str, ...] = ()
    read: tuple[Path, ...] = ()
    network: bool = True
    memory_mb: int = 8192
    timeout_sec: float | None = None
    feedback: str = "none"
    disk_mb: int = DISK_MB
    disk_files: int = DISK_FILES
    outages: tuple[Outage, ...] = ()  # besides those that hold for every command
    folder: Path | None = None  # where its profile is, which the command may want to name

    @property
    def version(self) -> str:
        folders = [str(path) for path in self.read]
        settings = [self.command, self.env, folders, self.network, self.memory_mb, self.feedback]
        settings += [] if self.timeout_sec is None else [self.timeout_sec]  # most have none: their records stay valid
        disk = (self.disk_mb, self.disk_files)
        settings += [] if disk == (DISK_MB, DISK_FILES) else [disk]
        settings += [[repr(one) for one in self.outages]] if self.outages else []
        return hashlib.sha256(json.dumps(settings).encode()).hexdigest()[:12]

    def work(self, assignment: Assignment) -> AgentReport:
        """Run the command under the task's time limit. Its output goes to the trial's agent.log."""
        machine = assignment.machine or find_machine()
        limits = agent_limits(min(assignment.timeout_sec, self.timeout_sec or assignment.timeout_sec), self.memory_mb)
        with work_folder("agent-home", on_disk=True) as home, _log(assignment.log) as watch:
            job = self._job(assignment, machine, limits, home)
            finished = agent_sandbox(machine).run(job, watch)
            report = _report(finished, home)
        if finished.ending == "exited":
            rows = (*self.outages, *built_in())
            if outage := outage_of(rows, finished.exit_code, finished.wall_sec, assignment.log):
                raise InfrastructureError(
                    f"agent {self.name}: {outage.reason} (exit code {finished.exit_code})",
                    fix=f"see {assignment.log}; the trial runs again when the run is resumed",
                )
        return report

    def _job(self, assignment: Assignment, machine: Machine, limits: Limits, home: Path) -> Job:
        mounts = [*sandboxed_mounts(assignment.workspace, machine), Mount("home", home, "write")]
        scratch = home / "tmp"
        scratch.mkdir(mode=0o777)
        scratch.chmod(0o777)
        mounts.append(Mount("tmp", scratch, "write"))
        for path in self.read:
            if not path.exists():
                raise InfrastructureError(f"agent {self.name}: {path} does not exist", fix="mend `read` in its profile")
            mounts.append(Mount(str(path.resolve()).lstrip("/"), path.resolve()))
        confined = machine.sandbox.confined
        workspace = "/workspace" if confined else str(assignment.workspace)
        env = {
            **tool_environment(workspace),
            "HOME": "/home" if confined else str(home),
            "PATH": f"{workspace}/tools/bin:{SYSTEM_PATH}",
            "TERM": "dumb",
            "GAMECRAFT_INSTRUCTION": assignment.instruction,
            "GAMECRAFT_INSTRUCTION_FILE": f"{workspace}/{INSTRUCTION}",
            "GAMECRAFT_FEEDBACK": self.feedback,
            "GAMECRAFT_TIMEOUT_SEC": f"{limits.wall_sec:.0f}",
            **({"GAMECRAFT_PROFILE_FOLDER": str(self.folder)} if self.folder else {}),
            **{name: os.environ[name] for name in self.env if name in os.environ},
        }
        # an empty project folder is nothing to start in
        begin = f"{workspace}/game" if any(assignment.game.iterdir()) else workspace
        arguments = ("-c", _START, "agent", begin, self.command)
        quota = DiskQuota((assignment.workspace, home), self.disk_mb << 20, self.disk_files)
        return Job(
            program=Path("/bin/sh"),
            args=arguments,
            mounts=tuple(mounts),
            env=env,
            limits=limits,
            home=home,
            network=self.network,
            conduct="agent",
            checks=(quota,),
        )


def agent_limits(wall_sec: float, memory_mb: int, output_bytes: int = 1 << 20) -> Limits:
    """What an agent may use, whichever program it is."""
    return Limits(
        wall_sec=wall_sec,
        cpu_sec=0,
        address_space_bytes=0,  # JavaScript engines reserve terabytes; the resident set is what counts
        resident_bytes=memory_mb << 20,
        processes=512,
        threads=4096,
        descriptors=16384,
        file_bytes=4 << 30,
        output_bytes=output_bytes,
    )


def agent_sandbox(machine: Machine) -> AnySandbox:
    """The one of its machine, with the programs of the system instead of the private root's."""
    sandbox = machine.sandbox
    return Sandbox(HOST, sandbox.bwrap, sandbox.as_nobody) if isinstance(sandbox, Sandbox) else sandbox


@contextmanager
def _log(path: Path) -> Iterator["_LogWriter"]:
    with path.open("wb") as handle:
        writer = _LogWriter(handle.fileno())
        try:
            yield writer
        finally:
            writer.write(writer.redactor.rest())


@dataclass
class _LogWriter:
    """Writes each line as it comes, so that a long run can be watched; keeps the beginning of an endless one.

    An agent has a key and may print it: secrets are redacted.
    """

    descriptor: int
    written: int = 0
    redactor: LogRedactor = field(default_factory=LogRedactor)

    def __call__(self, line: bytes) -> bool:
        self.write(self.redactor.feed(line))
        return True

    def write(self, data: bytes) -> None:
        while data and self.written < MAX_LOG_BYTES:  # a disk that fills up takes a part first, and then says so
            count = os.write(self.descriptor, data)
            self.written += count
            data = data[count:]


def _report(finished: Finished, home: Path) -> AgentReport:
    cost = _cost(home / USAGE_FILE)
    if finished.ending == "wall time":
        return AgentReport("time limit", f"stopped after {finished.wall_sec:.0f} s", cost)
    if finished.ending != "exited":
        return AgentReport("resource limit", finished.describe(), cost)
    if finished.exit_code != 0:
        return AgentReport("crashed", finished.describe(), cost)
    return AgentReport("finished", f"in {finished.wall_sec:.0f} s", cost)


def _cost(path: Path) -> float:
    """What the agent says it spent; anything but a sane number counts as unknown."""
    try:
        said = read_json(path, MAX_USAGE_BYTES)
    except UnreadableFileError:
        return 0.0
    value: Any = said.get("cost_usd") if isinstance(said, dict) else None
    return float(value) if type(value) in (int, float) and 0 <= value < 1e6 else 0.0  # true is no number
