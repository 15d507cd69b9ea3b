"""Workers, dead workers, killed runs."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.results.store import RunStore
from benchmark.runtime.processes import tree
from benchmark.trials import TrialRecord
from tests.suite.conftest import TASKS, RunSuite, command_of, is_worker

pytestmark = pytest.mark.engine
Records = Callable[[str], list[TrialRecord]]


def scores(records: list[TrialRecord]) -> dict[str, float | None]:
    return {record.id.label: record.score for record in records}


def test_workers_give_the_same_scores_as_one_process(suite: RunSuite, records: Records) -> None:
    agents = ("--agent", "oracle", "--agent", "nop", "--agent", "x=true")
    alone = suite("--run", "alone", *agents)
    together = suite("--run", "together", "-n", "2", *agents)
    assert alone.ret == together.ret == 1
    assert scores(records("alone")) == scores(records("together"))
    together.stdout.fnmatch_lines(["*3/3] *", "oracle *", "report: *"])


def start(pytester: pytest.Pytester, *arguments: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", f"--tasks={TASKS}", *arguments]
    return subprocess.Popen(
        command, cwd=pytester.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def sleeper(folder: Path) -> str:
    """An agent that takes its time, so that it can be caught at work."""
    profile = folder / "sleeper.toml"
    profile.write_text('name = "sleeper"\ncommand = "sleep 8"\n')
    return str(profile)


@pytest.mark.parametrize("distribution", ["load", "worksteal"])
def test_a_dead_workers_trial_is_tried_again(
    distribution: str, records: Records, pytester: pytest.Pytester, suite: RunSuite
) -> None:
    run = start(pytester, "-n", "1", "--dist", distribution, "--run", "r", "--agent", sleeper(pytester.path))

    def sleeping() -> list[int]:
        return [pid for pid in tree(run.pid) if command_of(pid).startswith(b"sleep\0")]

    wait_for(lambda: bool(sleeping()))
    os.kill(next(pid for pid in tree(run.pid) if is_worker(pid)), signal.SIGKILL)
    output, _ = run.communicate(timeout=120)
    first, second = records("r")
    assert first.outcome == "void", output.decode()
    assert "worker died" in first.reason
    assert second.scored
    assert b"trying once more" in output


def test_two_processes_do_not_write_one_run(suite: RunSuite, pytester: pytest.Pytester) -> None:
    run = start(pytester, "--run", "r", "--agent", sleeper(pytester.path))
    wait_for(lambda: (pytester.path / "reports/r/run.json").exists())
    second = suite("--run", "r", "--agent", "nop")
    assert second.ret == pytest.ExitCode.USAGE_ERROR
    assert "is being written by another process" in second.stderr.str()
    run.communicate(timeout=120)


def test_a_run_killed_in_the_middle_gives_the_same_table_when_resumed(
    suite: RunSuite, records: Records, pytester: pytest.Pytester
) -> None:
    agents = ("--agent", "nop", "--agent", "oracle", "--agent", sleeper(pytester.path), "--attempts", "2")
    suite("--run", "whole", *agents)
    run = start(pytester, "-n", "2", "--run", "cut", *agents)
    store = RunStore(pytester.path / "reports/cut")
    wait_for(lambda: len(store.history()) >= 2)
    os.killpg(run.pid, signal.SIGKILL)
    for pid in tree(run.pid) - {run.pid}:
        with contextlib.suppress(ProcessLookupError):  # it went with its parents
            os.kill(pid, signal.SIGKILL)
    run.communicate()
    settled = len(store.history())
    with (store.folder / "trials.jsonl").open("a") as handle:
        handle.write('{"task": "craft/puz')
    assert settled < 6
    result = suite("--run", "cut", *agents)
    result.stdout.fnmatch_lines(["*the last line was torn*"])
    assert scores(records("cut")) == scores(records("whole"))
    assert len(records("cut")) == 6
