"""One command writes a run at a time, and what is lost of a run is void: nothing of it becomes a number."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.cli import main
from benchmark.results.store import RunStore
from benchmark.runtime.processes import tree
from benchmark.trials import TrialRecord
from fixtures.attacks import Saw
from tests.suite.conftest import CONFTEST, TASKS, RunSuite, command_of, is_worker, mounting
from tests.suite.test_parallel import sleeper, start, wait_for

pytestmark = pytest.mark.engine
Records = Callable[[str], list[TrialRecord]]


def contents(folder: Path) -> dict[Path, tuple[int, str]]:
    """Every file, when it was written and what is in it."""
    return {
        path: (path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "")
        for path in sorted(folder.rglob("*"))
    }


def is_alive(pid: int) -> bool:
    return bool(command_of(pid))


@pytest.mark.attack("a second command with the name of a run that is written", "exit code 4, not a file is touched")
def test_a_second_command_touches_nothing(
    suite: RunSuite, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str], saw: Saw
) -> None:
    suite("--run", "r", "--agent", "nop")
    folder = pytester.path / "reports/r"
    held = RunStore(folder)
    held.writing()
    before = contents(folder)
    lines = []
    for more in (["-n0"], ["-n2"], ["-p", "no:xdist"], ["-n2", "--rejudge"]):
        refused = suite("--run", "r", "--agent", "nop", "--agent", "x=true", *more)
        assert refused.ret == pytest.ExitCode.USAGE_ERROR
        lines += refused.stderr.lines
        assert "gw0" not in refused.stdout.str()  # no worker was started
    said = [line for line in lines if line.strip()]
    assert set(said) == {
        "ERROR: run 'r' is being written by another process", "  next: wait for it, or choose another --run name",
    }  # fmt: skip
    assert contents(folder) == before
    listed = suite("--run", "r", "--agent", "nop", "--agent", "x=true", "--collect-only", "-q")
    assert listed.ret == 0
    listed.stdout.fnmatch_lines(["*switch[[]nop??", "*switch[[]x??", "1 of these are settled in this run: *"])
    assert contents(folder) == before
    for command in (["report", "r"], ["report", "r", "--format", "csv"], ["verify-run", "r", "--tasks", str(TASKS)]):
        assert main(command) == 0  # reading needs no lock
    assert main(["report", "r", "--pictures"]) == 2
    assert "run 'r' is being written by another process" in capsys.readouterr().err
    held.close()
    assert suite("--run", "r", "--agent", "nop").ret == 1
    saw("exit code 4 four times, one line each")


@pytest.mark.attack("a second -n command while workers of the first are at work", "all trials of the first are scored")
def test_two_parallel_commands_lose_nothing(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    agents = ("--agent", sleeper(pytester.path), "--attempts", "4")
    first = start(pytester, "-n", "2", "--run", "r", *agents)
    wait_for(lambda: (pytester.path / "reports/r/trials").exists())
    second = suite("-n", "2", "--run", "r", *agents)
    assert second.ret == pytest.ExitCode.USAGE_ERROR
    output, _ = first.communicate(timeout=120)
    assert first.returncode == 1, output.decode()
    assert [one.outcome for one in records("r")] == ["scored"] * 4
    suite("--run", "r", *agents, "--replay-only")
    assert [one.outcome for one in records("r")[4:]] == ["scored"] * 4


def kill(run: "subprocess.Popen[bytes]") -> None:
    os.kill(run.pid, signal.SIGKILL)
    run.wait()


@pytest.mark.attack("kill -9 of the command alone", "its workers end at once, the next command works alone")
def test_workers_end_with_their_command(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    agents = ("--agent", sleeper(pytester.path), "--attempts", "2")
    run = start(pytester, "-n", "2", "--run", "r", *agents)

    def at_work() -> list[int]:
        return [pid for pid in tree(run.pid) if command_of(pid).startswith(b"sleep\0")]

    wait_for(lambda: len(at_work()) == 2)
    below = tree(run.pid) - {run.pid}
    workers = [pid for pid in below if is_worker(pid)]
    kill(run)
    wait_for(lambda: not any(map(is_alive, workers)), seconds=5)
    result = suite("-n", "2", "--run", "r", *agents)
    assert result.ret == 1
    assert [one.outcome for one in records("r")] == ["scored", "scored"]
    assert not any(map(is_alive, below))


@pytest.mark.attack("workers that live on when their command was killed", "the next command waits until they are gone")
def test_a_command_waits_for_frozen_workers(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    agents = ("--agent", sleeper(pytester.path), "--agent", "nop")
    run = start(pytester, "-n", "1", "--run", "r", *agents)
    folder = pytester.path / "reports/r"
    wait_for(lambda: any(command_of(pid).startswith(b"sleep\0") for pid in tree(run.pid)))
    workers = [pid for pid in tree(run.pid) if is_worker(pid)]
    for pid in workers:
        os.kill(pid, signal.SIGSTOP)
    kill(run)
    before = contents(folder)
    second = start(pytester, "-n", "1", "--run", "r", *agents)
    time.sleep(6)
    assert second.poll() is None
    assert contents(folder) == before
    for pid in workers:
        os.kill(pid, signal.SIGCONT)
    output, _ = second.communicate(timeout=120)
    assert second.returncode == 1, output.decode()
    assert sorted(one.agent for one in records("r") if one.scored) == ["nop", "sleeper"]


DAMAGED = ("gone", "emptied", "changed", "grown", "unreadable")


@pytest.mark.attack("submissions that are gone, empty or changed are scored again", "void with a reason, never 0")
def test_what_was_handed_in_and_is_lost_is_void(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    agents = [f"--agent={name}=echo {name} > game/note.txt" for name in (*DAMAGED, "kept")]
    suite("--run", "r", *agents, "--agent", "nop")
    before = {one.agent: one.score for one in records("r")}
    assert set(before.values()) == {0.0}
    for name in DAMAGED:
        folder = pytester.path / f"reports/r/trials/craft.puzzle.tiny-switch--{name}--1/submission"
        if name in ("gone", "emptied"):
            shutil.rmtree(folder)
        if name == "emptied":
            folder.mkdir()
        if name in ("changed", "unreadable"):
            (folder / "note.txt").unlink()
        if name == "changed":
            (folder / "note.txt").write_text("changes\n")
        if name == "grown":
            (folder / "more.txt").touch()
        if name == "unreadable":
            (folder / "note.txt").symlink_to("/etc/passwd")
    for option in ("--replay-only", "--rejudge", "--rescore"):
        known = len(records("r"))
        suite("--run", "r", option, *agents, "--agent", "nop")
        found = {one.agent: one for one in records("r")[known:]}
        assert {name: one.score for name, one in found.items()} == {**dict.fromkeys(DAMAGED), "kept": 0.0, "nop": 0.0}
        assert "submission is not there" in found["gone"].reason
        assert "is empty: it was lost or changed since" in found["emptied"].reason
        assert "is not what the agent handed in" in found["changed"].reason
        assert "is not what the agent handed in" in found["grown"].reason
        assert "not a regular file" in found["unreadable"].reason


def test_an_older_run_without_a_digest_is_scored_unless_nothing_is_there(
    suite: RunSuite, records: Records, pytester: pytest.Pytester
) -> None:
    agents = ("--agent", "full=echo > game/note.txt", "--agent", "nop")
    suite("--run", "r", *agents)
    for path in (pytester.path / "reports/r/trials").glob("*/agent.json"):
        data = json.loads(path.read_text())
        assert data.pop("submission")
        path.write_text(json.dumps(data))
    suite("--run", "r", "--replay-only", *agents)
    assert {one.agent: one.outcome for one in records("r")[2:]} == {"full": "scored", "nop": "void"}


@pytest.mark.attack("evidence with a picture missing is judged again", "void with a reason, never a lower score")
def test_evidence_that_is_lost_is_void(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    suite("--run", "r")
    still = next((pytester.path / "reports/r/trials").glob("*/evidence/*/frames/*.jpg"))
    still.unlink()
    suite("--run", "r", "--rejudge")
    assert f"{still.name} is not there, or not as it was recorded" in records("r")[1].reason
    suite("--run", "r", "--replay-only")
    assert records("r")[2].score == records("r")[0].score


def in_private(pytester: pytest.Pytester, script: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """pytest where `script` has mounted something that nobody else sees."""
    options = ["-p", "no:hypothesispytest", f"--tasks={TASKS}", *arguments]
    return subprocess.run(
        [*mounting(script), sys.executable, "-m", "pytest", *options], cwd=pytester.path, capture_output=True, text=True
    )


@pytest.mark.attack("runs are kept where nothing can be written", "exit code 4 and one line, before anything starts")
def test_a_read_only_folder_is_one_line(suite: RunSuite, pytester: pytest.Pytester, saw: Saw) -> None:
    suite("--run", "r", "--agent", "nop")
    read_only = "mount --bind reports reports && mount -o remount,ro,bind reports"
    for more in (["--run", "r"], ["--run", "r", "-n2"], ["--run", "new"]):
        ran = in_private(pytester, read_only, "--agent", "nop", "--agent", "x=true", *more)
        assert ran.returncode == pytest.ExitCode.USAGE_ERROR, ran.stdout
        first, second = (line for line in ran.stderr.splitlines() if line.strip())
        assert first.startswith(f"ERROR: run '{more[1]}' cannot be written: ")
        assert first.endswith(": Read-only file system")
        assert second.startswith("  next: mend that, or name another folder with --runs-dir")
    saw(first)
    unnamed = in_private(pytester, read_only, "--agent", "nop", "-n2")
    assert unnamed.returncode == pytest.ExitCode.USAGE_ERROR
    assert "Read-only file system" in unnamed.stdout
    assert "Traceback" not in unnamed.stdout + unnamed.stderr
    told = in_private(pytester, read_only, "--run", "r", "--collect-only", "-q", "--agent", "nop")
    assert told.returncode == 0


@pytest.mark.attack("a file stands where a trial has its folder", "that trial is void with a reason, the others go on")
def test_one_folder_that_cannot_be_made_costs_one_trial(
    suite: RunSuite, records: Records, pytester: pytest.Pytester
) -> None:
    (pytester.path / "reports/r/trials").mkdir(parents=True)
    (pytester.path / "reports/r/trials/craft.puzzle.tiny-switch--x--1").touch()
    result = suite("--run", "r", "--agent", "x=true", "--agent", "nop")
    void, scored = sorted(records("r"), key=lambda one: one.scored)
    assert (void.outcome, scored.outcome) == ("void", "scored")
    assert void.reason.startswith("[Errno 17] File exists: ")
    assert "Traceback" not in result.stdout.str()


FILL = """
import contextlib
import os
import pytest

def fill():
    with open("reports/filler", "ab", buffering=0) as filler, contextlib.suppress(OSError):
        while filler.write(b"x" * 4096):
            pass

@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_logreport(report):
    if os.path.exists("reports/filler"):
        fill()  # again: a worker may have made room since, by removing what it worked with
    yield
    # Not at an item of a trial, which is reported before it. Workers report too, before the controller hears of it.
    if getattr(report, "gamecraft_record", None) and "PYTEST_XDIST_WORKER" not in os.environ:
        fill()
"""


@pytest.mark.attack("the disk of a run fills up while it goes", "one line and exit code 11; what was told is kept")
@pytest.mark.parametrize("workers", [(), ("-n1",)])
def test_a_disk_that_fills_up_ends_the_run(
    workers: tuple[str, ...], suite: RunSuite, pytester: pytest.Pytester, saw: Saw
) -> None:
    pytester.makeconftest(CONFTEST + FILL)
    (pytester.path / "reports").mkdir()
    script = f"mount -t tmpfs -o size=24m none {pytester.path}/reports\n"
    script += '"$@" && code=0 || code=$?\n cp -r reports/r saved\n set -- sh -c "exit $code"'
    agents = [f"--agent=a{number}=true" for number in range(8)]
    ran = in_private(pytester, script, "--run", "r", *agents, *workers)
    assert ran.returncode == 11, ran.stdout + ran.stderr
    assert "Traceback" not in ran.stdout + ran.stderr
    assert re.search(
        r"trials\.jsonl takes no more: No space left on device; craft/puzzle/tiny-switch\[a\d\]", ran.stdout
    )
    assert "the same command with --run r goes on" in ran.stdout
    told = re.findall(r"^\[ *\d/8\] (\S+)", ran.stdout, re.MULTILINE)
    kept = RunStore(pytester.path / "saved").history()
    assert [one.id.label for one in kept] == told
    assert 1 <= len(kept) < 8
    assert (pytester.path / "saved/trials.jsonl").read_text().endswith("}\n")
    shutil.move(pytester.path / "saved", pytester.path / "reports/r")
    pytester.makeconftest(CONFTEST)
    suite("--run", "r", *agents)
    assert [one.scored for one in RunStore(pytester.path / "reports/r").latest().values()] == [True] * 8
    saw(f"exit code 11, {len(told)} told, {len(kept)} kept; resumed")


@pytest.mark.attack("a disk with no room for another trial", "void before an agent works in vain; exit code 10")
def test_without_room_no_agent_is_set_to_work(suite: RunSuite, pytester: pytest.Pytester) -> None:
    (pytester.path / "reports").mkdir()
    script = f"mount -t tmpfs -o size=8m none {pytester.path}/reports"
    ran = in_private(pytester, script, "--run", "r", "--agent", "x=touch /workspace/worked; sleep 30", "--agent", "nop")
    assert ran.returncode == 10, ran.stdout
    assert ran.stdout.count("void: craft/puzzle/tiny-switch[") == 2
    assert "less than 16 MiB are free where" in ran.stdout
    assert "Traceback" not in ran.stdout + ran.stderr
