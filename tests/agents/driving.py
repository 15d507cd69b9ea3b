"""Real programs, driven against the loopback server as a trial would, in a home and a workspace of their own."""

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmark.agents.adapters import adapter_of
from benchmark.agents.adapters.protocol import Adapter, Left, Read, Session
from benchmark.agents.endings import Ending, SessionFacts, decide
from tests.agents.server import ModelServer

PROMPT = "Build a small game.\n\nWith “quotes”, $HOME, `ticks` and\ttabs -- as a task may have."
_ERRORS_BYTES = 4000
_TROUBLE = {"hang": "stalled"}


@dataclass(frozen=True)
class Ran:
    """One session of a program, and what was left."""

    adapter: Adapter
    left: Left
    facts: SessionFacts
    stopped: bool  # at the time limit
    read: Read = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "read", self.adapter.read(self.left))

    @property
    def ending(self) -> Ending:
        """As the runner decides it: a limit comes first."""
        return "time limit" if self.stopped else self.decided[0]

    @property
    def decided(self) -> tuple[Ending, str]:
        return decide(self.adapter.endings, replace(self.facts, closing=self.read.closing))


def drive(
    kind: str, program: tuple[str, ...], server: ModelServer, folder: Path, *,
    limit_sec: float = 300, env: dict[str, str] | None = None, **session: object,
) -> Ran:  # fmt: skip
    """In `folder`, which a session that is resumed shares with the one before. `env` comes on top of the adapter's."""
    adapter = adapter_of(kind)
    home, workspace = folder / "home", folder / "workspace"
    for one in (home, workspace):
        one.mkdir(parents=True, exist_ok=True)
    known = Session(
        program=program, home=str(home), home_outside=home, workspace=str(workspace), prompt=PROMPT, model="scripted",
        base_url=server.url(adapter.wire), key="a-stand-in",
    )  # fmt: skip
    invocation = adapter.invocation(replace(known, **session))  # type: ignore[arg-type]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", **invocation.env, **(env or {})}
    began = time.monotonic()
    with (folder / "out").open("ab") as out, (folder / "err").open("ab") as err:
        process = subprocess.Popen(
            invocation.command, cwd=workspace, env=environment, stdin=subprocess.PIPE, stdout=out, stderr=err,
            start_new_session=True,
        )  # fmt: skip
        try:
            process.communicate(invocation.stdin.encode(), timeout=limit_sec)
            stopped = False
        except subprocess.TimeoutExpired:
            stopped = True
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    left = Left(
        stdout=folder / "out", stderr=folder / "err", home=home, workspace=workspace, pictures=folder / "pictures",
        prompt=PROMPT, exit_code=process.returncode,
    )  # fmt: skip
    last = server.exchanges[-1].fault if server.exchanges else ("unreachable" if "base_url" in session else "")
    facts = SessionFacts(
        exit_code=process.returncode, seconds=time.monotonic() - began, trouble=_TROUBLE.get(last, last),
        errors=(folder / "err").read_text(errors="replace")[-_ERRORS_BYTES:], answered=len(server.turns),
    )  # fmt: skip
    return Ran(adapter, left, facts, stopped)
