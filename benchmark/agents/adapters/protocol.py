"""What an adapter is: how one program is started, and how what it leaves is read.

An adapter knows nothing of sandboxes, limits, keys or records. It writes its program's configuration into a private
home, says the command line, and later makes a trajectory of the raw streams.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from benchmark.agents.endings import Row
from benchmark.agents.trajectory import Trajectory
from benchmark.jsonl import read_lines

Wire = Literal["anthropic", "responses", "chat", "gemini"]


@dataclass(frozen=True)
class Session:
    """One start of a program. Paths are as the program sees them, except `home_outside`."""

    program: tuple[str, ...]  # the words that start it
    home: str  # its own, $HOME
    home_outside: Path  # the same folder, where the adapter writes configuration
    workspace: str
    prompt: str
    model: str
    effort: str = ""  # empty: whatever the program does by itself
    base_url: str = ""  # of the model's endpoint, as the program must be told
    key: str = ""  # a stand-in: the real one is put into requests on their way out
    max_turns: int | None = None
    max_cost_usd: float | None = None
    mcp: tuple[str, ...] = ()  # the command of our MCP server; empty: it gets none
    resume: str = ""  # the session to go on with; empty: begin
    arguments: tuple[str, ...] = ()  # what the profile adds


@dataclass(frozen=True)
class Invocation:
    """What to run. Standard input is this text, and closed: some programs wait for more."""

    command: tuple[str, ...]
    env: dict[str, str]
    stdin: str = ""


@dataclass(frozen=True)
class Left:
    """What a program left behind: its streams, complete, and its home."""

    stdout: Path
    stderr: Path
    home: Path
    workspace: Path
    pictures: Path  # a folder for pictures that the agent looked at, beside the trajectory
    prompt: str
    exit_code: int = 0

    def events(self) -> Iterator[dict[str, Any]]:
        """The JSON objects among the lines of its standard output, in order."""
        yield from events_in(self.stdout)


@dataclass(frozen=True)
class Glance:
    """What one line of the stream says of work in progress, for whoever watches."""

    did: str = ""  # "Bash: ls game", "says: now the player's jump"
    turns: int = 0  # calls of the model that this line tells of


@dataclass(frozen=True)
class Read:
    """Everything that an adapter finds in what is left."""

    trajectory: Trajectory
    closing: str = ""  # the program's own last word on how it went, for the rows of its endings


class Adapter(Protocol):
    """One per program, without state. `version` is raised whenever results may differ."""

    kind: str
    version: str
    wire: Wire
    base_url: str  # where the program's models usually are; may be empty
    key_variables: tuple[str, ...]  # where people usually keep the key; the first that is set is taken
    model: str  # used if the profile names none; empty: it must name one
    resumes: bool  # whether an interrupted session can be gone on with
    endings: tuple[Row, ...]

    def invocation(self, session: Session) -> Invocation:
        """Write the configuration into the home, and say what to run."""
        ...

    def glance(self, event: dict[str, Any]) -> Glance | None:
        """Of one event of its standard output, while it works."""
        ...

    def read(self, left: Left) -> Read:
        """Never raises for what a program or agent may have written: what cannot be read becomes a note."""
        ...


def events_in(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file that are JSON objects; others are passed over. A file that cannot be read ends early."""
    with contextlib.suppress(OSError, ValueError):
        for line in read_lines(path):
            if (event := line.object()) is not None:
                yield event
