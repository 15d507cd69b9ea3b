"""What an agent was asked, how it ended, and the end of its log, read without trust from a trial's folder."""

from dataclasses import dataclass, field
from pathlib import Path

from benchmark.agents.workspace import INSTRUCTION
from benchmark.results.report.damaged import head, json_object, tail

LOG_LINES = 200
NO_FOLDER = "The trial's folder is not there, or holds links: only its record is known."
_INSTRUCTION_LINES = 1000


@dataclass(frozen=True)
class AgentFiles:
    """What the agent was asked, how it ended, and the end of its log."""

    instruction: str = ""
    report: dict[str, str] = field(default_factory=dict)
    log: str = ""


def read_agent(folder: Path, problems: list[str]) -> AgentFiles:
    report = json_object(folder / "agent.json", problems)
    known = {key: str(value) for key, value in report.items() if isinstance(value, str | int | float)}
    asked, _ = head(folder / INSTRUCTION, _INSTRUCTION_LINES)
    return AgentFiles("\n".join(asked), known, tail(folder / "agent.log", LOG_LINES))
