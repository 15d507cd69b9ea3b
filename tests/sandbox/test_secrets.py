"""What other users of the machine see of an agent's keys, and what is left when the harness is killed."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from benchmark.agents.command import CommandAgent
from benchmark.agents.protocol import Assignment
from benchmark.runtime.workdir import hand_over, work_folder
from benchmark.tasks import read_task
from fixtures.attacks import Saw
from tests.sandbox.conftest import Attacker

pytestmark = pytest.mark.engine
REPOSITORY = str(Path(__file__).parents[2])
TINY = Path(__file__).parents[1] / "tasks/craft/puzzle/tiny-switch"
SECRET = "sk-planted-0123456789"
NOBODY, SOMEBODY = 65534, 12345


def spy(attack: Path) -> str:
    """What other users read in /proc; where we cannot become another user, what all users can read."""
    if os.geteuid() != 0:
        return subprocess.run([attack, "spy", SECRET, "cmdline"], capture_output=True, text=True).stdout
    return "".join(
        subprocess.run(
            [attack, "spy", SECRET, "cmdline", "environ"],
            capture_output=True, text=True, user=user, group=user, extra_groups=[],
        ).stdout
        for user in (NOBODY, SOMEBODY)
    )  # fmt: skip


@pytest.mark.attack(
    "another user looks for an agent's key in all of /proc", "it is in no command line and no environment"
)
def test_keys_of_an_agent_are_in_no_process_list(
    attack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saw: Saw
) -> None:
    monkeypatch.setenv("PLANTED_KEY", SECRET)
    log = tmp_path / "agent.log"
    agent = CommandAgent("a", "echo ${#PLANTED_KEY}; read line < /workspace/go", env=("PLANTED_KEY",))
    with work_folder("workspace", on_disk=True) as workspace:
        (workspace / "game").mkdir()
        os.mkfifo(workspace / "go")
        hand_over(workspace)
        assignment = Assignment(
            task=read_task(TINY),
            workspace=workspace,
            instruction=f"an instruction with {SECRET}",
            timeout_sec=60,
            log=log,
            reference=lambda _: None,
        )
        working = threading.Thread(target=agent.work, args=(assignment,))
        working.start()
        while not (log.exists() and log.read_text()):
            time.sleep(0.05)
        found = spy(attack)
        (workspace / "go").write_text("on\n")
        working.join()
    saw(found)
    assert log.read_text() == f"{len(SECRET)}\n"  # the agent itself had it
    assert "looked at many" in found
    assert "found" not in found


@pytest.mark.attack("the harness is killed while a sandbox is full of processes", "none is left")
def test_nothing_in_a_sandbox_outlives_the_harness(attacker: Attacker, attack: Path, saw: Saw) -> None:
    harness = Path(__file__).with_name("harness.py")
    caller = subprocess.Popen(
        [sys.executable, harness, attack],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": REPOSITORY},
    )
    assert caller.stdout is not None
    started = {int(pid) for pid in caller.stdout.readline().split()}
    caller.send_signal(signal.SIGKILL)
    caller.wait()
    caller.stdout.close()
    assert len(started) > 20
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and (left := {pid for pid in started if Path(f"/proc/{pid}").exists()}):
        time.sleep(0.05)
    saw(f"{len(left)} of {len(started)} left")
    assert not left
