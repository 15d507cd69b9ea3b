"""An agent at work on a task, in its real sandbox, with the workbench at hand."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from benchmark.agents.command import CommandAgent
from benchmark.agents.protocol import AgentReport
from benchmark.assets.library import bring
from benchmark.project_trial import ProjectTrial
from benchmark.running import Tools, new_trial
from benchmark.runtime.machine import Machine
from benchmark.runtime.workdir import work_folder
from benchmark.tasks import read_task
from benchmark.trials import TrialId

REPOSITORY = Path(__file__).parents[2]
CRAFT = REPOSITORY / "tests/tasks/craft/puzzle/tiny-switch"
EDIT = next((REPOSITORY / "tasks/edit").glob("*/*/task.toml")).parent


@dataclass(frozen=True)
class Worked:
    """What an agent's command came to."""

    report: AgentReport
    log: str
    submission: Path
    instruction: str


Work = Callable[..., Worked]


@pytest.fixture
def work(machine: Machine, tmp_path: Path) -> Work:
    """`work("tools/check")` runs a command as the agent of the tiny task, with `read` folders at their places."""

    def go(command: str, *, task: Path = CRAFT, feedback: str = "none", read: tuple[Path, ...] = ()) -> Worked:
        assert machine.sandbox.confined, "without a sandbox there is nothing to see here: python -m benchmark doctor"
        bring()
        package = replace(read_task(task), agent_timeout_sec=1500)  # its own is of seconds
        folder = tmp_path / f"trial-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        agent = CommandAgent("a", command, feedback=feedback, read=read, network=False)
        trial = new_trial(TrialId(package.id, "a"), package, folder)
        assert isinstance(trial, ProjectTrial)
        trial.produce(agent, Tools(machine, None, (), lambda: work_folder("workspace", on_disk=True)))
        assert trial.report is not None
        instruction = (folder / "instruction.md").read_text(encoding="utf-8")
        return Worked(trial.report, (folder / "agent.log").read_text(), trial.submission, instruction)

    return go
