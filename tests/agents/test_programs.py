"""Every program that people use, for real: a scripted model has it write a small game, which is scored.

`make test-agents` installs all of them and runs everything here. Two come with `make test`: the smallest downloads.
"""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmark.agents.adapters import BUILT_IN as KINDS
from benchmark.agents.adapters import adapter_of
from benchmark.agents.programs import recipe_of
from benchmark.agents.streams import LIVE_FILE
from benchmark.results.identity import NAMES as IDENTITY_NAMES
from benchmark.results.identity import other_model
from benchmark.results.store import RunStore
from benchmark.trials import TrialRecord
from tests.agents.atif import check_file
from tests.agents.server import Fault, ModelServer, Script, Turn, closed_port, game_session
from tests.suite.conftest import CACHE, CONFTEST, REPOSITORY

pytestmark = [pytest.mark.agents, pytest.mark.engine, pytest.mark.timeout(900)]
KEY, PLANTED = "sk-the-real-key-0123456789", "planted-0123456789"
IN_MAKE_TEST = ("gemini", "codebuddy")
WITHOUT_MCP = ("mini",)
TASK = "tests/tasks/craft/puzzle/tiny-switch"
FAULTS: dict[str, Fault | None] = {
    "401": Fault("status", 401),
    "429": Fault("status", 429),
    "500": Fault("status", 500),
    "refused": None,
    "cut": Fault("cut"),
    "hang": Fault("hang"),
    "500 later": Fault("status", 500, at=3),
}
REASONS = {
    "401": "401|key was refused",
    "429": "429|overloaded",
    "500": "500|overloaded",
    "refused": "unreachable|cannot be reached",
    "cut": "cut",
    "hang": "stalled|did not answer",
    "500 later": "500|overloaded",
}


def session(*more: Turn) -> Script:
    """With spaces for tabs: OpenHands types commands into a terminal, where a tab completes names."""
    whole = game_session(*more)
    return Script(lambda number: replace(turn := whole.turn(number), command=turn.command.replace("\t", "    ")))


RunAgent = Callable[..., tuple[TrialRecord, Path]]


def kinds(*, slow: bool) -> list[Any]:
    """`slow`: those of `make test` are left out of it as well."""
    return [pytest.param(kind, marks=[] if kind in IN_MAKE_TEST and not slow else [pytest.mark.slow]) for kind in KINDS]


@pytest.fixture
def run_agent(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> RunAgent:
    """Run the suite with a program against a model's address; returns the record and the trial's folder."""
    for name, value in {
        "PYTHONPATH": str(REPOSITORY), "GAMECRAFT_CACHE": str(CACHE), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "",
        "LOOP_KEY": KEY, "PLANTED_SECRET": PLANTED,
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
        monkeypatch.delenv(name, raising=False)
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_mine="from benchmark.suite.test_benchmark import test_trial")
    task = pytester.path / "tasks/craft/puzzle/tiny-switch"
    for path in (path for path in (REPOSITORY / TASK).rglob("*") if path.is_file()):
        copy = task / path.relative_to(REPOSITORY / TASK)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    settings = task / "task.toml"
    settings.write_text(settings.read_text().replace("timeout_sec = 60", "timeout_sec = 400"))

    def go(kind: str, url: str, *arguments: str, **profile: object) -> tuple[TrialRecord, Path]:
        recipe = recipe_of(kind)
        assert recipe is not None
        assert recipe.is_installed, f"python -m benchmark agents install {kind}"
        lines = {
            "kind": kind, "model": "scripted-1", "base_url": url, "key": "LOOP_KEY", "prices": [1, 5, 0.1],
            "stall_sec": 5, "outage_sec": 6, "retry_sec": 1, **profile,
        }  # fmt: skip
        text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in lines.items())
        (pytester.path / "agents.toml").write_text(f"[{kind}]\n{text}")
        options = ("-p", "no:hypothesispytest", "--tasks=tasks", "-k", "tiny-switch", "--run=r", f"--agent={kind}")
        result = pytester.runpytest_subprocess(*options, *arguments)
        records = RunStore(pytester.path / "reports/r").history()
        assert records, result.stdout.str()
        return records[-1], pytester.path / "reports/r/trials" / records[-1].id.folder

    return go


@pytest.mark.parametrize("kind", kinds(slow=False))
def test_it_builds_a_game_that_is_scored_and_everything_is_told(kind: str, run_agent: RunAgent) -> None:
    mcp = kind not in WITHOUT_MCP
    look = [Turn(tool="game_screenshot")] if mcp else []
    with ModelServer(session(*look), key=KEY) as server:
        options = ["--feedback=screenshot"] if mcp else []
        record, folder = run_agent(kind, server.url(adapter_of(kind).wire), *options)
    assert (record.outcome, record.agent_ended) == ("scored", "finished"), record.reason
    assert record.categories.keys() == {"M", "D", "V", "A"}
    assert json.loads((folder / "gate.json").read_text())["build"] == 1
    recipe = recipe_of(kind)
    assert recipe is not None
    assert record.agent_identity["program_version"] == recipe.version
    assert record.agent_identity["model_answered"] == "scripted-1"
    assert not other_model(record.agent_identity)
    assert record.agent_identity.keys() <= IDENTITY_NAMES.keys(), "reports have words for all of it"
    assert record.activity["tool_calls"] >= len(server.turns) - 1  # some end with a call
    assert record.activity["prompt_tokens"] == server.spent.prompt
    assert record.activity["cached_tokens"] == server.spent.cached
    assert record.activity["completion_tokens"] == server.spent.completion
    assert record.cost_usd > 0
    assert {one.key for one in server.exchanges} == {KEY}, "the real key arrives"
    check_file(folder / "trajectory.json")
    if mcp:
        assert record.activity["inspections"] >= 1
    for path in (path for path in folder.parents[1].rglob("*") if path.is_file()):
        data = path.read_bytes()
        assert KEY.encode() not in data, path
        assert PLANTED.encode() not in data, path
    assert "finished" in (folder / "agent.log").read_text().splitlines()[-1]
    assert not (folder / LIVE_FILE).exists()


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("kind", kinds(slow=True))
def test_an_outage_is_never_a_score(kind: str, fault: str, run_agent: RunAgent) -> None:
    with ModelServer(session(), FAULTS[fault], key=KEY) as server, closed_port() as closed:
        url = server.url(adapter_of(kind).wire)
        if fault == "refused":
            url = url.replace(str(server.port), str(closed))
        record, _ = run_agent(kind, url)
    assert record.outcome == "void"
    assert_outage(record.reason, fault)


def assert_outage(reason: str, fault: str) -> None:
    assert re.search(REASONS[fault], reason), reason


@pytest.mark.parametrize("kind", IN_MAKE_TEST)
def test_a_refused_key_is_an_outage_and_the_trial_runs_again(kind: str, run_agent: RunAgent) -> None:
    with ModelServer(session(), key="another") as server:
        record, _ = run_agent(kind, server.url(adapter_of(kind).wire))
        assert record.outcome == "void"
        assert_outage(record.reason, "401")
        server.key = KEY
        record, _ = run_agent(kind, server.url(adapter_of(kind).wire))
    assert (record.outcome, record.agent_ended) == ("scored", "finished")


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if adapter_of(kind).resumes])
def test_a_session_that_an_outage_interrupted_goes_on(kind: str, run_agent: RunAgent) -> None:
    with ModelServer(session(), Fault("status", 500, at=3), key=KEY) as server:
        record, folder = run_agent(kind, server.url(adapter_of(kind).wire))
        assert record.outcome == "void"
        assert (folder / "session.json").is_file(), "there is something to go on with"
        before = len(server.turns)
        server.fault = None
        record, folder = run_agent(kind, server.url(adapter_of(kind).wire))
        assert len(server.turns) - before < len(server.turns) - 2, "it does not begin anew"
    assert (record.outcome, record.agent_ended) == ("scored", "finished"), record.reason
    assert record.agent_identity["sessions"] == "2"
    assert json.loads((folder / "gate.json").read_text())["build"] == 1
    check_file(folder / "trajectory.json")
    assert not (folder / "session.json").exists()
