"""What an agent is shown of its work besides what it looks up itself: nothing, pictures, videos, or both.

The four settings are those of the public benchmark of changes, where their effect on scores is measured.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmark.agents.builtin import NopAgent, OracleAgent
from benchmark.agents.protocol import Agent
from benchmark.errors import UsageError
from benchmark.workbench.requests import MCP

_TEMPLATES = Path(__file__).with_name("templates")
_ALWAYS = frozenset({"check", "replay"})  # tools of every workspace
_PICTURES = frozenset({"screenshot", "editor", "errors", "art", MCP})


def shows_pictures(feedback: str) -> bool:
    """Whether the MCP server is handed over."""
    return feedback in ("screenshot", "both")


def shows_videos(feedback: str) -> bool:
    return feedback in ("video", "both")


def commands_of(feedback: str) -> frozenset[str]:
    """What the workbench of such an agent answers."""
    return _ALWAYS | (_PICTURES if shows_pictures(feedback) else frozenset())


def tools_left_out(feedback: str) -> tuple[str, ...]:
    """Tools of the workspace that such an agent does not get."""
    return () if shows_pictures(feedback) else ("mcp", "editor.sh", "errors.sh")


def mcp_command(workspace: str, feedback: str) -> tuple[str, ...]:
    """What starts the MCP server where the agent is; empty if it gets none."""
    return (f"{workspace}/tools/mcp",) if shows_pictures(feedback) else ()


def instruction_sections(workspace: str, feedback: str) -> str:
    """What the agent reads about it, after its task."""
    names = [*(["screenshot"] if shows_pictures(feedback) else []), *(["video"] if shows_videos(feedback) else [])]
    texts = [(_TEMPLATES / f"{name}.md").read_text(encoding="utf-8").format(workspace=workspace) for name in names]
    return "".join(f"\n{text}" for text in texts)


def with_feedback(agent: Agent, feedback: str) -> Agent:
    """The same agent with another setting. Those that hand in what is there already are shown nothing anyway."""
    if isinstance(agent, OracleAgent | NopAgent):
        return agent
    shown: Any = agent
    try:
        changed: Agent = replace(shown, feedback=feedback)
    except TypeError as error:  # an agent of others, which is no dataclass or has no such field
        raise UsageError(f"--feedback: the agent {agent.name} sets its own, {agent.feedback}") from error
    return changed


def require_server(agents: tuple[Agent, ...]) -> None:
    """Raises MissingRuntimeError now, not after an hour, if the MCP server cannot be handed over."""
    if any(shows_pictures(agent.feedback) for agent in agents):
        import benchmark.workbench.server  # noqa: F401 - says what is missing
