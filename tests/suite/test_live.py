"""What is said while agents work: on a terminal, in a log, and to whoever follows one of them."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.suite.conftest import CONFTEST, TASKS, RunSuite

pytestmark = pytest.mark.engine
FOLDER = "reports/r/trials/craft.puzzle.tiny-switch--slow--1"
SLOW = "slow=for i in 1 2 3 4; do echo step $i; sleep 1; done; printf 'end\\033[2J\\n'"
OFTEN = "import benchmark.suite.live\nbenchmark.suite.live.HEARTBEAT_SEC = 0.7\n"
DOING = {
    "did": "Bash: ls\x1b[2J \u202egame\n" + "x" * 300, "turns": 34, "prompt_tokens": 1_200_000, "completion_tokens": 40,
    "cost_usd": 0.84, "limit_sec": 3600.0, "trouble": "",
}  # fmt: skip


@contextmanager
def an_agent_that_says(folder: Path, said: object) -> Iterator[None]:
    """What whoever runs the agent would write, as soon as the trial has begun."""
    over = threading.Event()

    def write() -> None:
        since = datetime.now(UTC).isoformat()
        while not over.wait(0.1):
            if folder.is_dir():
                (folder / "agent").mkdir(exist_ok=True)
                data = {**said, "since": since} if isinstance(said, dict) else said
                (folder / "agent/live.json").write_text(json.dumps(data))

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_a_log_says_every_while_how_far_the_run_is(suite: RunSuite, pytester: pytest.Pytester, workers: str) -> None:
    pytester.makeconftest(CONFTEST + OFTEN)
    with an_agent_that_says(pytester.path / FOLDER, DOING):
        result = suite("--run", "r", "--agent", SLOW, workers)
    beats = [line for line in result.outlines if re.match(r"\[\d+:\d\d\] ", line)]
    assert len(beats) >= 3
    telling = [line for line in beats if "turn 34" in line]
    assert telling
    head, _, doing = telling[0].partition(" · ")
    assert re.fullmatch(r"\[\d+:\d\d\] 1 running, 0 of 1 done, \$0\.84", head)
    assert re.match(r"tiny-switch\[slow\] 0:0\d, 60 min left, turn 34, \$0\.84, 1\.2 M tokens: Bash: ls", doing)
    assert "\x1b" not in doing
    assert "\u202e" not in doing
    assert "Captured stdout" not in result.stdout.str()


def test_without_word_of_the_agent_the_stage_is_said(suite: RunSuite, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST + OFTEN)
    with an_agent_that_says(pytester.path / FOLDER, [1, "hostile"]):
        result = suite("--run", "r", "--agent", SLOW)
    result.stdout.re_match_lines([r".*1 running, 0 of 1 done · tiny-switch\[slow\] produce, \d s$"])


@pytest.mark.parametrize("columns", [200, 50])
def test_a_terminal_shows_what_the_agent_does_in_one_line(
    suite: RunSuite, pytester: pytest.Pytester, columns: int
) -> None:
    """Whatever the agent says, and however narrow the terminal: the line is redrawn, so it must not be two."""
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:hypothesispytest",
        f"--tasks={TASKS}",
        "--run=r",
        "--agent",
        SLOW,
    ]
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    with an_agent_that_says(pytester.path / FOLDER, DOING):
        process = subprocess.Popen(
            command, cwd=pytester.path, stdin=terminal, stdout=terminal, stderr=terminal, env=env
        )
        os.close(terminal)
        seen = b""
        while piece := _read(controller):
            seen += piece
        process.wait(60)
    os.close(controller)
    drawn = [line.partition("\r")[0] for line in seen.decode().split("\r\x1b[K")[1:]]
    telling = [line for line in drawn if "60 min left" in line]
    assert telling
    assert all(len(line) < columns for line in telling)
    assert all(line.isprintable() for line in telling)
    assert ("1.2 M tokens: Bash: ls" in telling[0]) == (columns == 200)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # nobody has it open any more
        return b""


def test_an_agent_at_work_can_be_followed(suite: RunSuite, pytester: pytest.Pytester) -> None:
    run = threading.Thread(target=suite, args=("--run", "r", "--agent", SLOW))
    run.start()
    log = pytester.path / FOLDER / "agent.log"
    while not (log.is_file() and log.stat().st_size):
        assert run.is_alive()
        time.sleep(0.1)
    with subprocess.Popen(_follow("r"), cwd=pytester.path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(f"{Path(FOLDER).name}: ")
        assert process.stdout.readline() == "step 1\n"
        assert not (pytester.path / "reports/r/trials.jsonl").exists()  # told while it works
        *steps, last = process.stdout.read().splitlines()
    assert process.returncode == 0
    assert steps == ["step 2", "step 3", "step 4", "end"]
    assert last.startswith("-- the agent is ")
    run.join()
    again = _output(pytester.path, "r", "tiny-switch[slow]", "--lines=1")
    assert again.stdout.splitlines()[1:] == ["end", "-- the agent is done: finished"]
    assert "no agent is at work in this run" in _output(pytester.path, "r").stderr
    assert "no trial of this run is called 'moon'" in _output(pytester.path, "r", "moon").stderr
    assert "there is no run 'other'" in _output(pytester.path, "other").stderr


def _follow(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "benchmark", "follow", *arguments]


def _output(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(_follow(*arguments), cwd=folder, capture_output=True, text=True, timeout=60, check=False)
