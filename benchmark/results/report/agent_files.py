"""What an agent was asked, how it ended, what it was refused, and the end of its log, read without trust."""

from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from benchmark.agents.gateway.ledger import NETWORK_FILE
from benchmark.agents.workspace import INSTRUCTION
from benchmark.results.report.damaged import as_text, as_whole, head, json_lines, json_object, tail

LOG_LINES = 200
NO_FOLDER = "The trial's folder is not there, or holds links: only its record is known."
_INSTRUCTION_LINES = 1000


REFUSED_FILE = f"agent/{NETWORK_FILE}"  # in a trial's folder: what its network policy did not let through
_MAX_REFUSED = 500
_MAX_CHARACTERS = 500


@dataclass(frozen=True)
class Refusal:
    """A host or a call that the agent's sandbox was not let to."""

    what: str
    why: str
    count: int


@dataclass(frozen=True)
class AgentFiles:
    """What a trial's folder says of its agent."""

    instruction: str = ""
    report: dict[str, str] = field(default_factory=dict)
    log: str = ""
    refused: tuple[Refusal, ...] = ()


def read_agent(folder: Path, problems: list[str]) -> AgentFiles:
    report = json_object(folder / "agent.json", problems)
    known = {key: str(value) for key, value in report.items() if isinstance(value, str | int | float)}
    asked, _ = head(folder / INSTRUCTION, _INSTRUCTION_LINES)
    refused = tuple(map(_refusal, islice(filter(None, json_lines(folder / REFUSED_FILE)), _MAX_REFUSED)))
    return AgentFiles("\n".join(asked), known, tail(folder / "agent.log", LOG_LINES), refused)


def _refusal(row: dict[str, Any]) -> Refusal:
    what, why = (as_text(row.get(key))[:_MAX_CHARACTERS] for key in ("refused", "why"))
    return Refusal(what, why, as_whole(row.get("count"), 1, 1, 1 << 31))
