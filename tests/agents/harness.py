"""A harness that test_program.py kills while its agent is at work in the folder that is named."""

import sys
from pathlib import Path

from benchmark.agents.protocol import Assignment
from benchmark.runtime.machine import find_machine
from benchmark.runtime.workdir import hand_over, work_folder
from benchmark.tasks import read_task
from tests.agents.server import ModelServer
from tests.agents.test_program import TINY, shell

folder = Path(sys.argv[1])
with ModelServer() as server, work_folder("workspace", on_disk=True) as workspace:
    (workspace / "game").mkdir()
    (workspace / "tools").mkdir()
    (workspace / "assets/library").mkdir(parents=True)
    hand_over(workspace)
    agent = shell("ask; echo started; setsid sleep 987655 & sleep 987655", server.url("chat"))
    agent.work(
        Assignment(
            task=read_task(TINY),
            workspace=workspace,
            instruction="",
            timeout_sec=600,
            log=folder / "agent.log",
            reference=lambda _: None,
            machine=find_machine(),
        )
    )
