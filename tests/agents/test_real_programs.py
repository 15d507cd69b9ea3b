"""Real programs from npm against the loopback server: a whole session, every fault, limits, and going on afterwards.

Tokens must be what the server said, to the last one. `python -m benchmark agents install` brings the programs; the
tests do it if nobody did.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from benchmark.agents.adapters import adapter_of
from benchmark.agents.adapters.draft import INTERRUPTED
from benchmark.agents.trajectory import Tokens
from tests.agents.atif import check_trajectory
from tests.agents.driving import PROMPT, Ran, drive
from tests.agents.record import program_of
from tests.agents.server import Fault, ModelServer, Script, Turn, closed_port, endless, game_session
from tests.agents.server.script import GAME

pytestmark = [pytest.mark.agents, pytest.mark.slow, pytest.mark.timeout(900)]
KEY = "a-stand-in"
AT = 2  # the turn at which things go wrong
WAITS_SEC = 25  # for those who would wait for ever


@dataclass(frozen=True)
class Expected:
    """What one program does that others do not."""

    effort: str = "high"  # as it stands in the request
    tells_thoughts: bool = True
    tells_version: bool = False
    tells_model: bool = True  # as it was answered
    limits_turns: bool = True
    forgets_when_killed: bool = False  # what it used
    keeps_waiting: frozenset[str] = frozenset({"hang"})
    waits_sec: float = WAITS_SEC
    ends_with_call: bool = False  # where others just stop
    loses_tabs: bool = False  # it types commands into a terminal, where a tab completes names
    counts_cut_answers: bool = False  # what had come of an answer before it was cut counts
    hidden: frozenset[str] = frozenset()  # tools that search from the provider's side
    env: dict[str, str] = field(default_factory=dict)  # fewer retries, for the tests' sake
    arguments: tuple[str, ...] = ()


PROGRAMS = {
    "claude": Expected(
        tells_thoughts=False, tells_version=True, counts_cut_answers=True, hidden=frozenset({"WebSearch", "WebFetch"}),
        env={"CLAUDE_CODE_MAX_RETRIES": "1"},
    ),
    "codex": Expected(
        tells_version=True, limits_turns=False, keeps_waiting=frozenset({"hang", "refused"}),
        hidden=frozenset({"web_search"}), arguments=("-c", "model_providers.endpoint.stream_max_retries=1"),
    ),
    "gemini": Expected(effort="HIGH", hidden=frozenset({"google_web_search", "web_fetch"})),
    "codebuddy": Expected(keeps_waiting=frozenset({"hang", "refused"})),
    "kimi": Expected(
        tells_thoughts=False, tells_version=True, tells_model=False, env={"KIMI_LOOP_MAX_ATTEMPTS_PER_STEP": "2"},
    ),
    "opencode": Expected(
        tells_model=False, limits_turns=False, waits_sec=60,
        keeps_waiting=frozenset({"hang", "cut"}),  # it asks again at once, for ever
    ),
    "qwen": Expected(tells_version=True, waits_sec=60, keeps_waiting=frozenset({"hang", "429"})),
    "openhands": Expected(
        tells_model=False, limits_turns=False, forgets_when_killed=True, loses_tabs=True, waits_sec=150,
        keeps_waiting=frozenset({"hang", "429", "500", "refused", "cut"}),
    ),
    "mini": Expected(tells_version=True, ends_with_call=True, env={"MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT": "2"}),
}  # fmt: skip
HELPER = {"description": "a helper", "prompt": "List files.", "subagent_type": "general-purpose"}
# How each calls for a helper, which talks to the model on its own.
HELPERS = {
    "claude": Turn(tool="Agent", arguments=HELPER),
    "codex": Turn(tool="spawn_agent", arguments={"message": "List files."}),
    "gemini": Turn(tool="invoke_agent", arguments={"agent_name": "generalist", "prompt": "List files."}),
    "codebuddy": Turn(tool="Agent", arguments=HELPER),
    "kimi": Turn(tool="Agent", arguments={**HELPER, "subagent_type": "coder"}),
    "opencode": Turn(tool="task", arguments={**HELPER, "subagent_type": "general"}),
    "qwen": Turn(tool="agent", arguments=HELPER),
    "openhands": Turn(tool="task", arguments={**HELPER, "subagent_type": "default"}),
}  # fmt: skip
FAULTS = {
    "401": Fault("status", 401, AT), "429": Fault("status", 429, AT), "500": Fault("status", 500, AT),
    "cut": Fault("cut", at=AT), "hang": Fault("hang", at=AT),
}  # fmt: skip


@pytest.fixture(params=PROGRAMS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def expected(kind: str) -> Expected:
    return PROGRAMS[kind]


@pytest.fixture
def run(kind: str, expected: Expected, tmp_path: Path) -> Callable[..., Ran]:
    """`run(server)` plays a session in the folder of the test; once more goes on in the same folder."""
    program = program_of(kind)
    settings = tmp_path / "system.json"
    settings.write_text('{"general": {"maxAttempts": 2}}')
    env = {"GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(settings), **expected.env}

    def go(server: ModelServer, **session: Any) -> Ran:
        session.setdefault("arguments", expected.arguments)
        return drive(kind, program, server, tmp_path, env=env, **session)

    return go


def spent(expected: Expected, *servers: ModelServer) -> Tokens:
    """What was answered whole, as a trajectory has it."""
    used = [server.spent for server in servers]
    return Tokens(
        sum(one.prompt for one in used), sum(one.completion for one in used), sum(one.cached for one in used),
        sum(one.reasoning for one in used) if expected.tells_thoughts else 0,
    )  # fmt: skip


def test_a_session_writes_the_game_and_every_token_is_counted(
    expected: Expected, run: Callable[..., Ran], tmp_path: Path
) -> None:
    with ModelServer(game_session(Turn("exit 3"))) as server:
        ran = run(server, effort="high")
    assert ran.decided == ("finished", "")
    for path in GAME.rglob("*"):
        if path.is_file():
            written = (ran.left.workspace / "game" / path.relative_to(GAME)).read_text().strip()
            assert written == path.read_text().strip() or (expected.loses_tabs and "\t" in path.read_text())
    trajectory = ran.read.trajectory
    assert trajectory.tokens == spent(expected, server)
    assert len(trajectory.calls) == len(server.turns) - (not expected.ends_with_call)
    assert sum(result.failed for step in trajectory.steps for result in step.results) == 1
    assert bool(trajectory.program_version) == expected.tells_version
    assert trajectory.model == ("scripted" if expected.tells_model else "")
    check_trajectory(trajectory, tmp_path)
    first = server.turns[0]
    assert (first.asked.model, first.key, first.asked.effort) == ("scripted", KEY, expected.effort)
    assert not {tool.name for tool in first.asked.tools} & expected.hidden
    assert PROMPT.splitlines()[0] in first.asked.text


def test_without_a_word_of_effort_none_is_made_up(run: Callable[..., Ran]) -> None:
    with ModelServer(Script.of(Turn("ls"))) as server:
        assert run(server).decided == ("finished", "")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_endpoint_is_an_outage(
    fault: str, expected: Expected, run: Callable[..., Ran], tmp_path: Path
) -> None:
    waits = fault in expected.keeps_waiting
    with ModelServer(game_session(), FAULTS[fault]) as server:
        ran = run(server, limit_sec=expected.waits_sec if waits else 400)
    assert ran.decided[0] == "infrastructure", ran.read.closing
    assert ran.stopped == waits
    kept = [] if waits and expected.forgets_when_killed else [server]
    found, least = ran.read.trajectory.tokens, spent(expected, *kept)
    assert found == least or (fault == "cut" and expected.counts_cut_answers and found.prompt > least.prompt)
    check_trajectory(ran.read.trajectory, tmp_path)


def test_an_endpoint_that_refuses_is_an_outage(kind: str, expected: Expected, run: Callable[..., Ran]) -> None:
    waits = "refused" in expected.keeps_waiting
    with ModelServer() as server, closed_port() as port:
        url = server.url(adapter_of(kind).wire).replace(str(server.port), str(port))
        ran = run(server, base_url=url, limit_sec=expected.waits_sec if waits else 400)
    assert ran.decided[0] == "infrastructure"
    assert ran.stopped == waits
    assert ran.read.trajectory.tokens == Tokens()


def test_a_fault_that_passes_is_none(expected: Expected, run: Callable[..., Ran]) -> None:
    with ModelServer(game_session(), replace(FAULTS["500"], times=1)) as server:
        ran = run(server)
    if ran.decided[0] == "infrastructure":  # it does not try again
        assert ran.adapter.kind == "codebuddy"
    else:
        assert ran.decided == ("finished", "")
        assert ran.read.trajectory.tokens == spent(expected, server)


def test_its_turns_are_limited(expected: Expected, run: Callable[..., Ran]) -> None:
    with ModelServer(endless(), seconds_per_answer=0.0 if expected.limits_turns else 0.5) as server:
        ran = run(server, max_turns=3, limit_sec=400 if expected.limits_turns else expected.waits_sec)
    assert ran.stopped != expected.limits_turns
    if expected.limits_turns:
        assert ran.decided == ("turn limit", "it used all of its turns")
        assert len(server.turns) == 3


@pytest.mark.parametrize("kind", [kind for kind in PROGRAMS if adapter_of(kind).resumes])
def test_a_session_that_was_killed_is_gone_on_with(expected: Expected, run: Callable[..., Ran], tmp_path: Path) -> None:
    with ModelServer(game_session(), FAULTS["hang"]) as first:
        killed = run(first, limit_sec=expected.waits_sec)
    assert killed.stopped
    with ModelServer(game_session()) as second:
        ran = run(second, resume=killed.read.trajectory.session, prompt="Go on.")
    assert ran.decided == ("finished", "")
    assert second.turns[0].asked.calls_made == AT
    assert "Go on." in second.turns[0].asked.text
    assert ran.read.trajectory.session == killed.read.trajectory.session
    kept = [second] if expected.forgets_when_killed else [first, second]
    assert ran.read.trajectory.tokens == spent(expected, *kept)
    assert (ran.left.workspace / "game/project.godot").is_file()
    check_trajectory(ran.read.trajectory, tmp_path)


@pytest.mark.parametrize("kind", [kind for kind in PROGRAMS if adapter_of(kind).resumes])
def test_a_session_that_ended_is_gone_on_with(expected: Expected, run: Callable[..., Ran]) -> None:
    with ModelServer(Script.of(Turn("ls"))) as first:
        ended = run(first)
    with ModelServer(Script.of(Turn("ls"), Turn("pwd"))) as second:
        ran = run(second, resume=ended.read.trajectory.session, prompt="Go on.")
    assert ran.decided == ("finished", "")
    assert second.turns[0].asked.calls_made == 1
    assert ran.read.trajectory.tokens == spent(expected, first, second)


@pytest.mark.parametrize("kind", HELPERS)
def test_what_its_helpers_spend_is_counted(
    kind: str, expected: Expected, run: Callable[..., Ran], tmp_path: Path
) -> None:
    with ModelServer(Script.of(HELPERS[kind], Turn("sleep 2"), Turn("sleep 2"))) as server:
        ran = run(server)
    assert ran.decided == ("finished", "")
    assert sum(one.asked.calls_made == 0 for one in server.turns) > 1, "there was no helper"
    assert ran.read.trajectory.tokens == spent(expected, server)
    assert [step.source for step in ran.read.trajectory.steps].count("user") == 1
    assert INTERRUPTED not in [step.message for step in ran.read.trajectory.steps]
    check_trajectory(ran.read.trajectory, tmp_path)


@pytest.mark.parametrize("kind", [kind for kind in PROGRAMS if kind != "mini"])
def test_our_mcp_server_is_told_to_the_model_and_works(run: Callable[..., Ran]) -> None:
    server_of_tools = (sys.executable, str(Path(__file__).with_name("echo_mcp.py")))
    with ModelServer(Script.of(Turn(tool="echo", arguments={"text": "hello"}))) as server:
        ran = run(server, mcp=server_of_tools)
    (call,) = ran.read.trajectory.calls
    assert call.name.endswith("echo")
    results = [result for step in ran.read.trajectory.steps for result in step.results]
    assert ["you said hello" in result.text for result in results] == [True]
    assert ran.decided == ("finished", "")


def test_claude_stops_when_its_money_is_spent(tmp_path: Path) -> None:
    with ModelServer(endless()) as server:
        ran = drive("claude", program_of("claude"), server, tmp_path, max_cost_usd=0.01)
    assert ran.decided[0] == "budget"
    assert 0.01 <= (ran.read.trajectory.cost or 0) < 0.1
