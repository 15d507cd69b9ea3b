"""A program in its sandbox: what it reaches, what is told of it, and how its sessions end."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.agents.interrupted import OUTAGES, note_outage, wait_sec
from benchmark.agents.program import ProgramAgent
from benchmark.agents.protocol import AgentReport, Assignment
from benchmark.agents.streams import LIVE_FILE
from benchmark.agents.workspace import lay_out_workspace
from benchmark.assets.library import bring
from benchmark.errors import InfrastructureError
from benchmark.project_trial import ProjectTrial
from benchmark.running import new_trial
from benchmark.runtime.machine import Machine
from benchmark.runtime.workdir import work_folder
from benchmark.tasks import read_task
from benchmark.trials import TrialId
from tests.agents.server import Fault, ModelServer, Script, Turn, closed_port
from tests.agents.shell_program import KIND

pytestmark = pytest.mark.engine
REPOSITORY = Path(__file__).parents[2]
TINY = REPOSITORY / "tests/tasks/craft/puzzle/tiny-switch"
KEY, PLANTED = "sk-the-real-key-0123456789", "planted-0123456789"
SAYS = Script.of(Turn(says="yes"))
Work = Callable[..., tuple[AgentReport, str]]


def shell(script: str, url: str, **more: object) -> ProgramAgent:
    patience: dict[str, object] = {"stall_sec": 2, "outage_sec": 3, "retry_sec": 1, "program": ("/bin/sh",)}
    return ProgramAgent("a", KIND, "scripted", base_url=url, arguments=(script,), **{**patience, **more})  # type: ignore[arg-type]


@pytest.fixture
def work(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    """Run an agent on the tiny task; returns its report and what its program printed, on either stream."""
    bring()
    monkeypatch.setenv("SHELL_PROGRAM_KEY", KEY)
    task = read_task(TINY)

    def go(agent: ProgramAgent, seconds: float = 240) -> tuple[AgentReport, str]:
        with work_folder("workspace", on_disk=True) as folder:
            trial = new_trial(TrialId(task.id, agent.name), task, tmp_path)
            assert isinstance(trial, ProjectTrial)
            instruction = lay_out_workspace(folder, machine, trial.instruction, trial.lay_out_start)
            log = tmp_path / "agent.log"
            report = agent.work(
                Assignment(
                    task=task,
                    workspace=folder,
                    instruction=instruction,
                    timeout_sec=seconds,
                    log=log,
                    reference=lambda _: None,
                    machine=machine,
                )
            )
            left = folder / "left"
            (tmp_path / "left").write_text(left.read_text() if left.exists() else "")
        return report, printed(tmp_path)

    return go


def printed(folder: Path) -> str:
    return "".join((folder / "agent" / name).read_text() for name in ("stdout.jsonl", "stderr.log"))


def test_it_is_asked_answers_and_is_told_of(work: Work, tmp_path: Path) -> None:
    script = 'cat > "$HOME/prompt"; cmp "$HOME/prompt" "$HOME/settings" && ask && echo && echo \'{"did": "looked:"}\''
    (tmp_path / "agent.log").touch()
    with ModelServer(SAYS, key=KEY) as server:
        report, said = work(shell(script, server.url("chat"), effort="high"))
    assert report.ended == "finished", said
    assert '"yes"' in said
    assert [one.key for one in server.exchanges] == [KEY]
    assert report.identity == {
        "program": KIND, "program_version": "9", "adapter": f"{KIND} 1", "model": "scripted",
        "model_answered": "scripted", "effort": "high", "endpoint": f"127.0.0.1:{server.port}", "network": "model",
        "prompt": report.identity["prompt"],
    }  # fmt: skip
    assert report.activity["turns"] >= 1
    assert report.activity["prompt_tokens"] == server.spent.prompt
    log = (tmp_path / "agent.log").read_text()
    assert "] looked\n" in log
    assert "session" not in log
    assert json.loads((tmp_path / "trajectory.json").read_text())["schema_version"] == "ATIF-v1.8"
    assert not (tmp_path / LIVE_FILE).exists()


@pytest.mark.attack("an agent tries to reach other hosts, by name, by address and by proxy", "none; refused and told")
def test_nothing_but_the_model_can_be_reached(work: Work, tmp_path: Path) -> None:
    script = (
        "curl -sS -m 20 https://github.com/solution; curl -sS -m 20 http://example.com/solution; "
        "curl -sS -m 20 --noproxy '*' https://github.com/; curl -sS -m 20 --noproxy '*' http://192.0.2.1/; "
        'curl -sS -m 20 --noproxy "*" http://127.0.0.1:$OTHER/; getent hosts github.com && echo FOUND; '
        "echo; cat /proc/net/dev | grep -c :; ask"
    )
    with ModelServer(SAYS, key=KEY) as server, ModelServer() as other:
        report, said = work(shell(f"OTHER={other.port}; {script}", server.url("chat")))
        assert not other.exchanges
        assert not other.others
    assert "\n1\n" in said, "only the loopback is there"
    assert "FOUND" not in said
    assert '"yes"' in said
    rows = {row["refused"]: row for row in map(json.loads, (tmp_path / "agent/network.jsonl").read_text().splitlines())}
    assert rows.keys() == {"github.com:443", "GET example.com/solution"}
    assert all(row["time"].startswith("20") and row["count"] == 1 for row in rows.values())
    assert report.activity["refused_calls"] == 2
    assert report.ended == "finished"


@pytest.mark.attack("secrets are planted in the host's variables and files", "no agent and no record shows one")
def test_planted_secrets_appear_nowhere(work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_SECRET", PLANTED)
    monkeypatch.setenv("UNNAMED", f"x{PLANTED}x")
    monkeypatch.setenv("NAMED", "this one is passed")
    files = [Path.home() / f".planted-{os.getpid()}", tmp_path / "planted", REPOSITORY / f".planted-{os.getpid()}"]
    for path in files:
        path.write_text(PLANTED)
    script = (
        "env; cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'; "
        f"cat {' '.join(map(str, files))} 2>/dev/null; "
        f"grep -rs {PLANTED} /home /tmp /etc /opt /workspace/game /run /var 2>/dev/null; ask; true"
    )
    try:
        with ModelServer(SAYS, key=KEY) as server:
            report, said = work(shell(script, server.url("chat"), env=("NAMED",)))
    finally:
        for path in files:
            path.unlink()
    assert report.ended == "finished"
    assert "NAMED=this one is passed" in said
    # the script names what it looks for, and so does the list of its words
    assert PLANTED not in said.replace(f"grep -rs {PLANTED}", "")
    everything = "".join(path.read_text("utf-8", "replace") for path in tmp_path.rglob("*") if path.is_file())
    assert KEY not in everything
    assert "KEY=sk-" in said, "what it has is a stand-in"


def test_an_agent_that_is_late_is_scored_on_what_it_left_and_leaves_no_process(work: Work, tmp_path: Path) -> None:
    script = "ask; echo early > left; mv left /workspace/left; (setsid sleep 987654 &) ; sleep 987654"
    with ModelServer(SAYS, key=KEY) as server:
        report, _ = work(shell(script, server.url("chat")), seconds=8)
    assert (report.ended, (tmp_path / "left").read_text()) == ("time limit", "early\n")
    found = subprocess.run(["pgrep", "-f", "sleep 98765[4]"], capture_output=True, text=True)
    assert found.stdout == ""


def test_one_whose_model_was_gone_is_no_result(work: Work, tmp_path: Path) -> None:
    script = "while :; do ask; sleep 0.2; done"
    with closed_port() as port, pytest.raises(InfrastructureError, match=r"unreachable, for \d+ s"):
        work(shell(script, f"http://127.0.0.1:{port}/v1"))
    with pytest.raises(InfrastructureError, match="never asked its model before its time was up"):
        work(shell("sleep 60", "http://127.0.0.1:9/v1"), seconds=3)
    assert json.loads((tmp_path / OUTAGES).read_text())["count"] == 2


FAULTS = {
    "401": (Fault("status", 401), "the key was refused"),
    "429": (Fault("status", 429), "overloaded"),
    "500": (Fault("status", 500), "overloaded"),
    "cut": (Fault("cut"), "cut"),
    "hang": (Fault("hang"), "did not answer"),
}


@pytest.mark.parametrize("exit_code", [0, 1])
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_at_the_end_is_an_outage_whatever_the_exit_code(work: Work, name: str, exit_code: int) -> None:
    fault, reason = FAULTS[name]
    with ModelServer(SAYS, fault, key=KEY) as server, pytest.raises(InfrastructureError, match=reason):
        work(shell(f"ask; exit {exit_code}", server.url("chat")))


def test_a_fault_that_passes_is_none(work: Work) -> None:
    with ModelServer(SAYS, Fault("status", 500, times=2), key=KEY) as server:
        report, _ = work(shell("ask; ask; ask", server.url("chat")))
    assert report.ended == "finished"


@pytest.mark.attack("an agent claims an outage, or makes one by calling what is not there", "its trial is scored")
@pytest.mark.parametrize(
    "script",
    [
        "ask; ask no-such-model; exit 1",
        'ask; curl -s "$BASE/no/such/path"; exit 1',
        'ask; curl -s -H "Authorization: Bearer wrong" "$BASE/chat/completions"; exit 1',
        "ask; kill -9 $PPID; sleep 20",
        "ask; echo 'HTTP 429 overloaded_error' >&2; exit 1",
    ],
)
def test_an_agent_cannot_make_an_outage(work: Work, script: str) -> None:
    with ModelServer(SAYS, Fault("status", 404, at=9), key=KEY) as server:
        report, _ = work(shell(script, server.url("chat")))
    assert report.ended == "crashed"


def test_its_last_word_decides_where_the_table_says_so(work: Work) -> None:
    with ModelServer(SAYS, key=KEY) as server:
        report, _ = work(shell('ask; echo; echo \'{"closing": "refused"}\'', server.url("chat")))
    assert (report.ended, report.detail) == ("refused", "it said that it refuses")


def test_turns_and_money_are_limited_where_the_program_does_not(work: Work) -> None:
    from benchmark.agents.gateway.ledger import Prices

    script = "while :; do ask; done"
    with ModelServer(SAYS, key=KEY) as server:
        report, _ = work(shell(script, server.url("chat"), max_turns=3))
        assert (report.ended, report.activity["turns"] >= 3) == ("turn limit", True)
        assert len(server.exchanges) == 3
        report, _ = work(shell(script, server.url("chat"), max_cost_usd=0.01, prices=Prices(1, 5, 1)))
    assert report.ended == "budget"
    assert 0.01 <= report.cost_usd < 0.02


def test_an_interrupted_session_goes_on_with_its_files(work: Work, tmp_path: Path) -> None:
    begin = 'ask; echo \'{"did": "half"}\'; echo half > /workspace/left; echo mine > $HOME/mine; ask; exit 1'
    go_on = 'echo "{\\"did\\": \\"on with $RESUMED\\"}"; cat /workspace/left $HOME/mine; cat; ask'
    script = f'if [ -z "$RESUMED" ]; then {begin}; else {go_on}; fi'
    with ModelServer(Script(lambda _: Turn(says="yes")), key=KEY) as server:
        agent = shell(script, server.url("chat"))
        calls = 0

        class Second(Fault):
            def meets(self, turn: int, so_far: int) -> bool:
                nonlocal calls
                calls += 1
                return calls == 2

        server.fault = Second("status", 529)
        with pytest.raises(InfrastructureError, match="529"):
            work(agent)
        assert (tmp_path / "session.json").exists()
        report, said = work(agent)
    assert "half\nmine\n" in said
    assert "Your session was interrupted" in said
    assert '"did": "half"' in said, "the streams of both sessions are one"
    assert (report.ended, report.identity["sessions"]) == ("finished", "2")
    assert "-- the session goes on\n" in (tmp_path / "agent.log").read_text()
    assert not list(tmp_path.glob("session.*"))
    assert not (tmp_path / OUTAGES).exists()


def test_a_session_of_another_agent_is_not_gone_on_with(work: Work, tmp_path: Path) -> None:
    with ModelServer(SAYS, Fault("status", 529, at=0), key=KEY) as server:
        server.fault = None
        begin = 'ask; echo; echo \'{"did": "began"}\'; [ -z $RESUMED ] && exec sleep 600; echo resumed'
        agent = shell(begin, server.url("chat"))
        with pytest.raises(KeyboardInterrupt):
            _interrupted(work, agent)
        other = replace(agent, arguments=("echo; echo resumed: $RESUMED; ask",))
        _, said = work(other)
    assert "resumed:\n" in said
    assert "-- a new session\n" in (tmp_path / "agent.log").read_text()


def _interrupted(work: Work, agent: ProgramAgent) -> None:
    """As Ctrl-C would, also where a shell has these tests in its background, and so has told them to ignore it."""
    import threading

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(6, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        work(agent)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)


def test_tries_wait_longer_after_each_outage(tmp_path: Path) -> None:
    assert wait_sec(tmp_path, 30, time.time()) == 0
    note_outage(tmp_path)
    now = time.time()
    assert 28 <= wait_sec(tmp_path, 30, now) <= 31
    note_outage(tmp_path)
    assert 58 <= wait_sec(tmp_path, 30, now) <= 61
    assert wait_sec(tmp_path, 30, now + 3600) == 0
    assert wait_sec(tmp_path, 30, now - 1e6) <= 60, "a clock that was set back makes nobody wait for days"
    for _ in range(20):
        note_outage(tmp_path)
    assert wait_sec(tmp_path, 30, now) <= 901
    (tmp_path / OUTAGES).write_text("[")
    assert wait_sec(tmp_path, 30, now) == 0


def test_without_a_key_it_says_which(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHELL_PROGRAM_KEY")
    with pytest.raises(InfrastructureError) as told:
        work(replace(shell("ask", ""), base_url=""))
    assert "has no key: set SHELL_PROGRAM_KEY" in told.value.message


def test_a_key_that_a_profile_names_must_be_set_whatever_the_endpoint(work: Work) -> None:
    with ModelServer(SAYS) as server:
        with pytest.raises(InfrastructureError, match="has no key: set NO_SUCH_KEY"):
            work(replace(shell("ask", server.url("chat")), key_variable="NO_SUCH_KEY"))
        assert not server.exchanges


def test_the_policy_none_reaches_nothing_and_all_says_so(work: Work) -> None:
    with ModelServer(SAYS, key=KEY) as server:
        report, said = work(shell("grep -c : /proc/net/dev; echo base=$BASE", server.url("chat"), network="none"))
        assert "1\nbase=\n" in said
        assert report.identity["network"] == "none"
        direct = f"curl -sS -m 30 http://127.0.0.1:{server.port}/v1/models; ask"
        report, said = work(shell(direct, server.url("chat"), network="all"))
    assert '"object": "list"' in said
    assert '"yes"' in said
    assert report.identity["network"] == "all"


def test_a_harness_that_is_killed_leaves_no_program(tmp_path: Path) -> None:
    harness = Path(__file__).with_name("harness.py")
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY), "SHELL_PROGRAM_KEY": KEY}
    caller = subprocess.Popen([sys.executable, harness, tmp_path], stdout=subprocess.PIPE, text=True, env=env)
    assert caller.stdout is not None
    deadline = time.monotonic() + 120
    while not (tmp_path / "agent/stdout.jsonl").exists() or not (tmp_path / "agent/stdout.jsonl").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    caller.send_signal(signal.SIGKILL)
    caller.wait()
    caller.stdout.close()
    deadline = time.monotonic() + 30
    while subprocess.run(["pgrep", "-f", "sleep 98765[5]"], capture_output=True).stdout:
        assert time.monotonic() < deadline, "the program outlives its harness"
        time.sleep(0.1)
