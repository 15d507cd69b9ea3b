"""An agent that is any shell command. It sees its workspace, the engine and the art; of the benchmark nothing else."""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmark.agents.protocol import AgentReport, Assignment
from benchmark.agents.workspace import INSTRUCTION, sandboxed_mounts, tool_environment
from benchmark.errors import InfrastructureError
from benchmark.runtime.machine import Machine, find_machine
from benchmark.runtime.processes import Finished
from benchmark.runtime.sandbox import Job, Limits, Mount, Sandbox
from benchmark.runtime.userland import HOST
from benchmark.runtime.workdir import work_folder

USAGE_FILE = "usage.json"  # an agent may leave {"cost_usd": 1.23} here, in its home
MAX_LOG_BYTES = 64 << 20
_START = 'cd "$1" && eval "$2"'
_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"


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

    @property
    def version(self) -> str:
        folders = [str(path) for path in self.read]
        settings = [self.command, self.env, folders, self.network, self.memory_mb, self.feedback]
        settings += [] if self.timeout_sec is None else [self.timeout_sec]  # most have none: their records stay valid
        return hashlib.sha256(json.dumps(settings).encode()).hexdigest()[:12]

    def work(self, assignment: Assignment) -> AgentReport:
        """Run the command under the task's time limit. Its output goes to the trial's agent.log."""
        machine = find_machine()
        limits = Limits(
            wall_sec=min(assignment.timeout_sec, self.timeout_sec or assignment.timeout_sec),
            cpu_sec=0,
            address_space_bytes=0,  # JavaScript engines reserve terabytes; the resident set is what counts
            resident_bytes=self.memory_mb << 20,
            processes=512,
            threads=4096,
            file_bytes=4 << 30,
            output_bytes=1 << 20,
        )
        with work_folder("agent-home", on_disk=True) as home, _log(assignment.log) as watch:
            job = self._job(assignment, machine, limits, home)
            sandbox = machine.sandbox
            if isinstance(sandbox, Sandbox):
                sandbox = Sandbox(HOST, sandbox.bwrap, sandbox.as_nobody)
            finished = sandbox.run(job, watch)
            return _report(finished, home)

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
            "PATH": f"{workspace}/tools/bin:{_PATH}",
            "TERM": "dumb",
            "GAMECRAFT_INSTRUCTION": assignment.instruction,
            "GAMECRAFT_INSTRUCTION_FILE": f"{workspace}/{INSTRUCTION}",
            "GAMECRAFT_FEEDBACK": self.feedback,
            "GAMECRAFT_TIMEOUT_SEC": f"{limits.wall_sec:.0f}",
            **{name: os.environ[name] for name in self.env if name in os.environ},
        }
        # an empty project folder is nothing to start in
        begin = f"{workspace}/game" if any(assignment.game.iterdir()) else workspace
        arguments = ("-c", _START, "agent", begin, self.command)
        return Job(Path("/bin/sh"), arguments, tuple(mounts), env, limits, home=home, network=self.network)


@contextmanager
def _log(path: Path) -> Iterator["_LogWriter"]:
    with path.open("wb") as handle:
        yield _LogWriter(handle.fileno())


@dataclass
class _LogWriter:
    """Writes each line as it comes, so that a long run can be watched; keeps the beginning of an endless one."""

    descriptor: int
    written: int = 0

    def __call__(self, line: bytes) -> bool:
        if self.written < MAX_LOG_BYTES:
            self.written += os.write(self.descriptor, line)
        return True


def _report(finished: Finished, home: Path) -> AgentReport:
    cost = _cost(home / USAGE_FILE)
    if finished.ending == "wall time":
        return AgentReport("timeout", f"stopped after {finished.wall_sec:.0f} s", cost)
    if finished.ending != "exited":
        return AgentReport("limit", finished.describe(), cost)
    if finished.exit_code != 0:
        return AgentReport("failed", finished.describe(), cost)
    return AgentReport("finished", f"in {finished.wall_sec:.0f} s", cost)


def _cost(path: Path) -> float:
    """What the agent says it spent; anything but a sane number counts as unknown."""
    try:
        if path.is_symlink() or path.stat().st_size > 1 << 16:
            return 0.0
        value = json.loads(path.read_text(encoding="utf-8"))["cost_usd"]
    except (OSError, ValueError, KeyError, TypeError):
        return 0.0
    return float(value) if type(value) in (int, float) and 0 <= value < 1e6 else 0.0
