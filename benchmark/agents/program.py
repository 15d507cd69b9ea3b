"""An agent that is a program people use: started by its adapter, where only its model can be reached."""

import hashlib
import json
import os
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchmark.agents.adapters import adapter_of
from benchmark.agents.adapters.protocol import Adapter
from benchmark.agents.command import DISK_FILES, DISK_MB
from benchmark.agents.gateway.endpoint import STALL_SEC, ModelEndpoint
from benchmark.agents.gateway.ledger import Prices
from benchmark.agents.interrupted import forget_outages, forget_session, note_outage, wait_sec
from benchmark.agents.program_run import ProgramRun
from benchmark.agents.programs import find_program, recipe_of
from benchmark.agents.protocol import AgentReport, Assignment
from benchmark.errors import InfrastructureError
from benchmark.redaction import keep_secret
from benchmark.runtime.workdir import work_folder

Policy = Literal["model", "none", "all"]
POLICIES: tuple[Policy, ...] = ("model", "none", "all")
OUTAGE_SEC = 300.0
RETRY_SEC = 30.0


@dataclass(frozen=True)
class ProgramAgent:
    """A profile of a program: which model, at which endpoint, within which limits."""

    name: str
    kind: str
    model: str
    effort: str = ""
    base_url: str = ""
    key_variable: str = ""  # of ours; empty: the first that is set of those that people use for this program
    arguments: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    program: tuple[str, ...] = ()
    read: tuple[Path, ...] = ()
    network: Policy = "model"
    feedback: str = "none"
    timeout_sec: float | None = None
    max_turns: int | None = None
    max_cost_usd: float | None = None
    prices: Prices | None = None
    memory_mb: int = 8192
    disk_mb: int = DISK_MB
    disk_files: int = DISK_FILES
    stall_sec: float = STALL_SEC
    outage_sec: float = OUTAGE_SEC
    retry_sec: float = RETRY_SEC

    @property
    def version(self) -> str:
        """Also of its adapter and of the program that is pinned; patience with an endpoint changes no result."""
        recipe = recipe_of(self.kind) if not self.program else None
        settings = [
            self.kind, adapter_of(self.kind).version, recipe.version if recipe else "", self.model, self.effort,
            self.base_url, self.arguments, self.env, self.program, [str(path) for path in self.read], self.network,
            self.feedback, self.timeout_sec, self.max_turns, self.max_cost_usd, self.memory_mb, self.disk_mb,
            self.disk_files,
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(settings).encode()).hexdigest()[:12]

    @property
    def adapter(self) -> Adapter:
        return adapter_of(self.kind)

    @property
    def endpoint_url(self) -> str:
        return (self.base_url or self.adapter.base_url).rstrip("/")

    def key(self) -> tuple[str, str]:
        """The variable that holds the key, and its value; both are empty if there is none."""
        names = (self.key_variable,) if self.key_variable else self.adapter.key_variables
        return next(((name, value) for name in names if (value := os.environ.get(name, "").strip())), ("", ""))

    def work(self, assignment: Assignment) -> AgentReport:
        """One session, or the next one of an attempt that was interrupted. Raises InfrastructureError for an outage."""
        folder = assignment.log.parent
        if (wait := wait_sec(folder, self.retry_sec, time.time())) > 0:
            with assignment.log.open("a", encoding="utf-8") as log:
                log.write(f"waiting {wait:.0f} s after an outage\n")
            time.sleep(wait)
        with ExitStack() as stack:
            home = stack.enter_context(work_folder("agent-home", on_disk=True))
            program = find_program(self.kind, self.program, self.read)
            report = ProgramRun(
                agent=self, assignment=assignment, program=program, endpoint=self._endpoint(), home=home
            ).run()
        if report.ended == "infrastructure":
            note_outage(folder)
            raise InfrastructureError(
                f"agent {self.name}: {report.detail}",
                fix=f"see {folder / 'agent'}; the trial runs again when the run is resumed",
            )
        forget_outages(folder)
        forget_session(folder)
        return report

    def _endpoint(self) -> ModelEndpoint | None:
        if self.network == "none":
            return None
        variable, key = self.key()
        if not key and (self.key_variable or not self.base_url):  # an endpoint of one's own may need none
            names = self.key_variable or " or ".join(self.adapter.key_variables)
            raise InfrastructureError(f"agent {self.name} has no key: set {names}")
        if not self.endpoint_url:
            raise InfrastructureError(f"agent {self.name}: it has no endpoint", fix="`base_url` in its profile")
        if key:
            keep_secret(variable, key)
        return ModelEndpoint(self.endpoint_url, key, self.stall_sec)
