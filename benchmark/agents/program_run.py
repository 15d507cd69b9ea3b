"""One session of a program: its sandbox, its way to the model, its streams, and the report of how it ended."""

import os
import secrets
import socket
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from benchmark.agents.activity import activity_of
from benchmark.agents.adapters.protocol import Invocation, Left, Read, Session
from benchmark.agents.command import SYSTEM_PATH, agent_limits, agent_sandbox
from benchmark.agents.endings import SessionFacts
from benchmark.agents.feedback import mcp_command
from benchmark.agents.gateway.endpoint import ModelEndpoint
from benchmark.agents.gateway.ledger import CallLedger
from benchmark.agents.gateway.server import SOCKET, Gate, gateway
from benchmark.agents.interrupted import KeptSession, digest_of, keep_session, restore_session
from benchmark.agents.limits_reached import Stop, ending_of, stop_of
from benchmark.agents.programs import Program
from benchmark.agents.protocol import AgentReport, Assignment
from benchmark.agents.streams import Onlooker, StreamFile
from benchmark.agents.trajectory import Tokens, Trajectory, Who, write_trajectory
from benchmark.agents.workspace import INSTRUCTION, porter, sandboxed_mounts, tool_environment
from benchmark.runtime.machine import Machine, find_machine
from benchmark.runtime.processes import Finished
from benchmark.runtime.quota import DiskQuota
from benchmark.runtime.sandbox import Job, Limits, Mount
from benchmark.runtime.workdir import hand_over

if TYPE_CHECKING:
    from benchmark.agents.program import ProgramAgent

TRAJECTORY = "trajectory.json"
STDOUT, STDERR = "stdout.jsonl", "stderr.log"
PICTURES = "trajectory"  # the folder beside it
_PORT = 47100  # in a network of its own nobody else has it
_GATE = "opt/gamecraft/gate"
_PORTER = "opt/gamecraft/porter"
_SYSTEM_FILES = Path(__file__).with_name("system_files")
_RESUME = Path(__file__).with_name("templates") / "resume.md"
_OUTPUT_BYTES = 128 << 20  # times 16 is where it is stopped
_ERRORS_TAIL = 1 << 14
_LEAST_SEC = 60.0  # left to a session that goes on
_START = 'cd "$1" && shift && exec "$@"'
_NO_PROXY = "127.0.0.1,localhost,::1"


@dataclass
class ProgramRun:
    """One session. `run` starts it, waits, and says how it ended."""

    agent: "ProgramAgent"
    assignment: Assignment
    program: Program
    endpoint: ModelEndpoint | None
    home: Path
    stand_in: str = field(default_factory=lambda: f"sk-{secrets.token_hex(24)}")
    stop: Stop | None = None  # why we ended it
    begin: str = ""  # the folder of the workspace in which it starts

    def run(self) -> AgentReport:
        agent, assignment = self.agent, self.assignment
        machine = assignment.machine or find_machine()
        self.network = agent.network if machine.sandbox.confined else "all, without a sandbox"
        self.folder = assignment.log.parent
        self.prompt_digest = digest_of(assignment.instruction)
        kept = restore_session(self.folder, agent.version, self.prompt_digest, self.home, assignment.workspace)
        self.kept = kept or KeptSession(
            session="", agent=agent.version, prompt=self.prompt_digest, seconds=0.0, sessions=0
        )
        self.notes = self.folder / "agent"
        self.notes.mkdir(exist_ok=True)
        for name in () if kept else (STDOUT, STDERR):  # of an earlier try
            (self.notes / name).unlink(missing_ok=True)
        self.ledger = CallLedger(
            model=agent.model,
            folder=self.notes,
            prices=agent.prices,
            max_turns=agent.max_turns,
            max_cost_usd=agent.max_cost_usd,
        )
        limit = min(assignment.timeout_sec, agent.timeout_sec or assignment.timeout_sec)
        limits = agent_limits(max(limit - self.kept.seconds, min(limit, _LEAST_SEC)), agent.memory_mb, _OUTPUT_BYTES)
        onlooker = Onlooker(agent.adapter, self.ledger, assignment.log, limits.wall_sec)
        if assignment.log.is_file() and assignment.log.stat().st_size:  # whoever follows must tell the tries apart
            onlooker.say("-- the session goes on" if self.kept.session else "-- a new session")
        out = StreamFile(self.notes / STDOUT, onlooker.feed)
        err = StreamFile(self.notes / STDERR)
        finished: Finished | None = None
        try:
            with onlooker.watched():
                finished = self._work(machine, limits, out, err)
        finally:
            out.close()
            err.close()
            read = self._read(finished)
            if finished is None:  # the harness was told to stop: the agent may go on later
                self._keep(read, 0.0)
        report = self._report(read, finished, limits)
        onlooker.say(f"-- {report.ended}{f': {report.detail}' if report.detail else ''}")
        if report.ended == "infrastructure" and self.ledger.answered:
            self._keep(read, finished.wall_sec)
        return report

    def _work(self, machine: Machine, limits: Limits, out: StreamFile, err: StreamFile) -> Finished:
        alone = machine.sandbox.confined and self.agent.network != "all"
        port = _PORT if alone else _free_port()
        with ExitStack() as stack:
            gate_folder = None
            if self.endpoint is not None:
                gate = Gate(
                    endpoint=self.endpoint, wire=self.agent.adapter.wire, ledger=self.ledger, stand_in=self.stand_in,
                    port=port,
                )  # fmt: skip
                gate_folder = stack.enter_context(gateway(gate))
            job, text = self._job(machine, limits, port, gate_folder)
            stdin = stack.enter_context(os.fdopen(os.memfd_create("prompt"), "wb+", buffering=0))
            stdin.write(text.encode("utf-8", "replace"))
            stdin.seek(0)
            sandbox = agent_sandbox(machine)
            with sandbox.start(job, out, stdin=stdin.fileno(), on_error_line=err) as running:
                running.wait(until=self._over())
                return running.stop()

    def _over(self) -> Callable[[], bool]:
        """Whether it must be stopped now."""

        def over() -> bool:
            self.stop = stop_of(self.ledger, self.agent.outage_sec)
            return self.stop is not None

        return over

    def _job(self, machine: Machine, limits: Limits, port: int, gate: Path | None) -> tuple[Job, str]:
        agent, assignment = self.agent, self.assignment
        confined = machine.sandbox.confined
        workspace = "/workspace" if confined else str(assignment.workspace)
        # an empty project folder is nothing to start in
        self.begin = "game" if any(assignment.game.iterdir()) else ""
        if self.kept.session:
            self.begin = self.kept.begin
        begin = f"{workspace}/{self.begin}".rstrip("/")
        invocation = self._invocation(begin, workspace, "/home" if confined else str(self.home), port)
        scratch = self.home / "tmp"
        scratch.mkdir(exist_ok=True)
        hand_over(self.home)
        scratch.chmod(0o1777)
        mounts = [*sandboxed_mounts(assignment.workspace, machine), Mount("home", self.home, "write")]
        mounts.append(Mount("tmp", scratch, "write"))
        mounts += [Mount(str(path).lstrip("/"), path) for path in self.program.read]
        mounts += [Mount(str(place).lstrip("/"), path) for place, path in self.program.elsewhere]
        mounts += [Mount(f"etc/{path.name}", path) for path in _SYSTEM_FILES.iterdir() if agent.network != "all"]
        command = invocation.command
        if gate is not None:
            carrier = porter(machine)
            mounts += [Mount(_GATE, gate), Mount(_PORTER, carrier)]
            place = f"/{_GATE}/{SOCKET}" if confined else str(gate / SOCKET)
            command = (f"/{_PORTER}" if confined else str(carrier), str(port), place, *command)
        quota = DiskQuota((assignment.workspace, self.home), agent.disk_mb << 20, agent.disk_files)
        return Job(
            program=Path("/bin/sh"), args=("-c", _START, "agent", begin, *command), mounts=tuple(mounts),
            env=self._environment(invocation, workspace, limits, port, gate), limits=limits, home=self.home,
            network=agent.network == "all", conduct="agent", checks=(quota,),
        ), invocation.stdin  # fmt: skip

    def _invocation(self, begin: str, workspace: str, home: str, port: int) -> Invocation:
        agent = self.agent
        prompt = self.assignment.instruction
        if self.kept.session:
            prompt = _RESUME.read_text(encoding="utf-8").format(instruction=f"{workspace}/{INSTRUCTION}")
        return agent.adapter.invocation(
            Session(
                program=self.program.words, home=home, home_outside=self.home, workspace=begin, prompt=prompt,
                model=agent.model, effort=agent.effort,
                base_url=f"http://127.0.0.1:{port}{self.endpoint.base_path}" if self.endpoint else "",
                key=self.stand_in, max_turns=agent.max_turns, max_cost_usd=agent.max_cost_usd,
                mcp=mcp_command(workspace, agent.feedback), resume=self.kept.session, arguments=agent.arguments,
            )
        )  # fmt: skip

    def _environment(
        self, invocation: Invocation, workspace: str, limits: Limits, port: int, gate: Path | None
    ) -> dict[str, str]:
        """Of ours, only what the profile names."""
        own_programs = ":".join(dict.fromkeys(str(Path(word).parent) for word in self.program.words[:1]))
        env = {
            **tool_environment(workspace),
            "HOME": "/home" if workspace == "/workspace" else str(self.home),
            "PATH": f"{workspace}/tools/bin:{SYSTEM_PATH}:{own_programs}",
            "TERM": "dumb",
            "GAMECRAFT_INSTRUCTION_FILE": f"{workspace}/{INSTRUCTION}",
            "GAMECRAFT_FEEDBACK": self.agent.feedback,
            "GAMECRAFT_TIMEOUT_SEC": f"{limits.wall_sec:.0f}",
        }
        if gate is not None and self.agent.network == "model":  # whoever asks a proxy hears at once, and it is told
            for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
                env |= {name: f"http://127.0.0.1:{port}", name.lower(): f"http://127.0.0.1:{port}"}
            env |= {"NO_PROXY": _NO_PROXY, "no_proxy": _NO_PROXY}
        env |= {name: os.environ[name] for name in self.agent.env if name in os.environ}
        return env | invocation.env

    def _read(self, finished: Finished | None) -> Read:
        pictures = self.folder / PICTURES
        pictures.mkdir(exist_ok=True)
        left = Left(
            stdout=self.notes / STDOUT, stderr=self.notes / STDERR, home=self.home,
            workspace=self.assignment.workspace / self.begin, pictures=pictures,
            prompt=self.assignment.instruction, exit_code=finished.exit_code if finished else 0,
        )  # fmt: skip
        try:
            read = self.agent.adapter.read(left)
        except Exception as error:  # an adapter's fault must not cost the agent its work
            read = Read(Trajectory(notes=(f"the adapter could not read it: {type(error).__name__}: {error}",)))
        extra = {"adapter": self._adapter_name, "network": self.network}
        who = Who(
            name=self.agent.kind, version=self._program_version(read), model=self.agent.model,
            effort=self.agent.effort, extra=extra,
        )  # fmt: skip
        write_trajectory(self.folder / TRAJECTORY, read.trajectory, who)
        if not any(pictures.iterdir()):
            pictures.rmdir()
        return read

    @property
    def _adapter_name(self) -> str:
        return f"{self.agent.kind} {self.agent.adapter.version}"

    def _program_version(self, read: Read) -> str:
        return read.trajectory.program_version or self.program.version

    def _keep(self, read: Read, seconds: float) -> None:
        if self.agent.adapter.resumes:
            kept = KeptSession(
                session=read.trajectory.session, agent=self.agent.version, prompt=self.prompt_digest,
                seconds=self.kept.seconds + seconds, sessions=self.kept.sessions + 1, begin=self.begin,
            )  # fmt: skip
            keep_session(self.folder, kept, self.home, self.assignment.workspace)

    def _report(self, read: Read, finished: Finished, limits: Limits) -> AgentReport:
        facts = SessionFacts(
            exit_code=finished.exit_code, seconds=finished.wall_sec, closing=read.closing,
            errors=_tail(self.notes / STDERR), trouble=self.ledger.trouble, answered=self.ledger.answered,
            gateway=self.endpoint is not None,
        )  # fmt: skip
        rows = self.agent.adapter.endings
        ended, detail = ending_of(self.stop or self.ledger.over, self.ledger, finished, limits.wall_sec, facts, rows)
        trajectory, ledger = read.trajectory, self.ledger
        activity = activity_of(trajectory)
        if not trajectory.tokens.prompt and ledger.tokens != Tokens():
            seen = activity_of(Trajectory(total=ledger.tokens, turns=ledger.answered))
            activity |= {name: value for name, value in seen.items() if name.endswith("_tokens")}
        if not activity.get("turns"):
            activity["turns"] = ledger.answered
        if refused := sum(ledger.refusals.values()):
            activity["refused_calls"] = refused
        # what a program computes by prices of its own is wrong where the profile knows better
        cost = ledger.cost_usd if ledger.cost_usd is not None else trajectory.cost
        return AgentReport(
            ended=ended, detail=detail, cost_usd=cost or 0.0, identity=self._identity(read), activity=activity
        )

    def _identity(self, read: Read) -> dict[str, str]:
        agent = self.agent
        answered = [name for name, _ in self.ledger.answered_models.most_common(5)]
        found = {
            "program": agent.kind,
            "program_version": self._program_version(read),
            "adapter": self._adapter_name,
            "model": agent.model,
            "model_answered": ", ".join(answered) or read.trajectory.model,
            "effort": agent.effort,
            "endpoint": self.endpoint.host if self.endpoint else "",
            "network": self.network,
            "prompt": self.prompt_digest,
            "sessions": str(self.kept.sessions + 1) if self.kept.session else "",
        }
        return {name: value for name, value in found.items() if value}


def _tail(path: Path) -> str:
    with path.open("rb") as handle:
        handle.seek(max(0, path.stat().st_size - _ERRORS_TAIL))
        return handle.read().decode("utf-8", "replace")


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
