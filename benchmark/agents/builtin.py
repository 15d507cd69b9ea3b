"""The two agents that test the suite itself: one hands in the task's own solution, one hands in nothing."""

import shutil
from dataclasses import dataclass

from benchmark import __version__
from benchmark.agents.protocol import AgentReport, Assignment


@dataclass(frozen=True)
class OracleAgent:
    """Hands in the solution that comes with the task."""

    name: str = "oracle"
    version: str = __version__
    feedback: str = "none"

    def work(self, assignment: Assignment) -> AgentReport:
        shutil.rmtree(assignment.game)
        assignment.reference(assignment.game)
        return AgentReport("finished", "the task's own solution")


@dataclass(frozen=True)
class NopAgent:
    """Does nothing: what a score must not reward."""

    name: str = "nop"
    version: str = __version__
    feedback: str = "none"

    def work(self, assignment: Assignment) -> AgentReport:
        return AgentReport("finished", "did nothing")
