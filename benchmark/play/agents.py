"""`--agent` for this track: which agents play."""

from typing import Any

from benchmark.agents.builtin import NopAgent, OracleAgent
from benchmark.play.models.settings import parse_model
from benchmark.play.simple_players import RandomAgent


def parse_agent(text: str) -> Any:
    """An agent that only plays; None for what is none."""
    return RandomAgent() if text == "random" else parse_model(text)


def why_not(agent: Any) -> str:
    """Whoever is told `look, then act` once per step must be made for it."""
    if isinstance(agent, OracleAgent | NopAgent) or hasattr(agent, "sit_down"):
        return ""
    return f"{agent.name} works on files and plays no games; this track takes oracle, nop, random and model:NAME"
