"""A trial in which an agent works on a Godot project, and leaves it as its submission."""

from abc import abstractmethod
from functools import partial
from pathlib import Path

from benchmark.agents.feedback import commands_of
from benchmark.agents.protocol import Agent, Assignment
from benchmark.agents.workspace import INSTRUCTION, lay_out_workspace
from benchmark.errors import InfrastructureError
from benchmark.projects.submission import take_submission
from benchmark.projects.submission_digest import NOTHING, submission_digest
from benchmark.running import Tools, Trial
from benchmark.runtime.machine import Machine
from benchmark.workbench.bench import named_engine
from benchmark.workbench.service import Offer, workbench

_FROM_THE_START = "run the trial again from the start: --redo"


class ProjectTrial(Trial):
    """What the agent finds in its workspace is the track's; how it is set to work is the same."""

    @property
    def submission(self) -> Path:
        return self.folder / "submission"

    @abstractmethod
    def instruction(self, workspace: str) -> str:
        """What the agent reads; `workspace` is where it finds itself."""

    def lay_out_start(self, game: Path) -> None:
        """What the agent finds in its project folder. Nothing, where games are made from scratch."""
        game.mkdir()

    @abstractmethod
    def lay_out_reference(self, machine: Machine, game: Path) -> None:
        """The task's own solution, in a folder that does not exist yet."""

    def produce(self, agent: Agent, tools: Tools) -> None:
        with tools.workspace() as workspace:
            instruction = lay_out_workspace(
                workspace, tools.machine, self.instruction, self.lay_out_start, agent.feedback
            )
            (self.folder / INSTRUCTION).write_text(instruction, encoding="utf-8")
            log = self.folder / "agent.log"
            log.touch()
            offer = Offer(
                track=self.task.track, commands=commands_of(agent.feedback), godot=named_engine(tools.machine),
                log=self.folder / "workbench.log",
            )  # fmt: skip
            with workbench(workspace / "tools", workspace / "game", offer):  # it ends with the agent
                self.report = agent.work(
                    Assignment(
                        task=self.task, workspace=workspace, instruction=instruction,
                        timeout_sec=self.task.agent_timeout_sec, log=log,
                        reference=partial(self.lay_out_reference, tools.machine), machine=tools.machine,
                    )
                )  # fmt: skip
            take_submission(workspace / "game", self.submission)

    def handed_over(self) -> str:
        return submission_digest(self.submission)

    def taken_up(self, digest: str) -> None:
        self.handed_in = digest
        self.require_submission()

    def require_submission(self) -> Path:
        """What the agent left, as it left it. Raises InfrastructureError: what was lost since is not the agent's."""
        if not self.submission.is_dir():
            raise InfrastructureError(f"{self.submission} is not there", fix=_FROM_THE_START)
        if self.handed_in is None:
            return self.submission
        try:
            digest = submission_digest(self.submission)
        except OSError as error:
            raise InfrastructureError(f"{self.submission} cannot be read: {error}", fix=_FROM_THE_START) from error
        if digest != self.handed_in and (self.handed_in or digest == NOTHING):
            what = "is empty" if digest == NOTHING else "is not what the agent handed in"
            raise InfrastructureError(f"{self.submission} {what}: it was lost or changed since", fix=_FROM_THE_START)
        return self.submission
