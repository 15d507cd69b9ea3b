"""The loopback model server: whatever a program speaks, it is played the same session, and can count on the numbers."""

import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from benchmark.agents.adapters.protocol import Wire
from benchmark.replay.build_gate import check_build
from benchmark.runtime.machine import Machine
from tests.agents.server import Fault, ModelServer, Script, Turn, Usage, closed_port
from tests.agents.server.script import GAME, usage_of

SHELL = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
REQUESTS: dict[Wire, tuple[str, dict[str, Any]]] = {
    "anthropic": (
        "/v1/messages?beta=true",
        {"model": "m", "messages": [], "tools": [{"name": "Bash", "input_schema": SHELL}]},
    ),
    "responses": ("/responses", {"model": "m", "input": [], "tools": [{"name": "shell", "parameters": SHELL}]}),
    "chat": (
        "/chat/completions",
        {"model": "m", "messages": [], "tools": [{"function": {"name": "bash", "parameters": SHELL}}]},
    ),
    "gemini": (
        "/v1beta/models/m:generateContent",
        {"tools": [{"functionDeclarations": [{"name": "run_shell_command", "parametersJsonSchema": SHELL}]}]},
    ),
}
SESSION = Script.of(Turn("ls", thinks="hm", says="first"))


def post(server: ModelServer, wire: Wire, **more: Any) -> bytes:
    path, body = REQUESTS[wire]
    if more.get("stream"):
        path = path.replace(":generateContent", ":streamGenerateContent?alt=sse")
    request = urllib.request.Request(server.url(wire) + path, json.dumps({**body, **more}).encode())
    with urllib.request.urlopen(request, timeout=60) as answer:
        found: bytes = answer.read()
    return found


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("wire", REQUESTS)
def test_the_turn_is_played_with_the_shell_that_is_offered(wire: Wire, stream: bool) -> None:
    with ModelServer(SESSION) as server:
        answer = post(server, wire, stream=stream).decode()
    tool = {"anthropic": "Bash", "responses": "shell", "chat": "bash", "gemini": "run_shell_command"}[wire]
    assert f'"{tool}"' in answer
    assert "hm" in answer
    assert "first" in answer
    assert server.spent == usage_of(0)
    assert [one.asked.stream for one in server.turns] == [stream]


@pytest.mark.parametrize("wire", REQUESTS)
def test_a_call_without_tools_is_no_turn(wire: Wire) -> None:
    with ModelServer(SESSION) as server:
        answer = post(server, wire, tools=[], generationConfig={"responseMimeType": "application/json"})
    assert answer
    assert (server.turns, server.spent) == ([], Usage())
    assert [one.aside for one in server.exchanges] == [True]


@pytest.mark.parametrize("status", [401, 429, 500])
@pytest.mark.parametrize("wire", REQUESTS)
def test_a_fault_is_a_status_for_as_long_as_it_lasts(wire: Wire, status: int) -> None:
    with ModelServer(SESSION, Fault("status", status, times=1)) as server:
        with pytest.raises(urllib.error.HTTPError) as failed:
            post(server, wire)
        assert failed.value.code == status
        failed.value.close()
        assert post(server, wire)
    assert (server.faults_met, len(server.turns)) == (1, 1)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("wire", REQUESTS)
def test_a_cut_answer_ends_in_the_middle(wire: Wire, stream: bool) -> None:
    with ModelServer(SESSION, Fault("cut")) as server, pytest.raises((ConnectionError, OSError)):
        post(server, wire, stream=stream)
    assert (server.faults_met, server.spent) == (1, Usage())


def test_another_key_is_refused() -> None:
    with ModelServer(SESSION, key="right") as server, pytest.raises(urllib.error.HTTPError) as failed:
        post(server, "chat")
    assert failed.value.code == 401
    failed.value.close()


def test_a_closed_port_refuses() -> None:
    with closed_port() as port, pytest.raises(urllib.error.URLError, match="refused"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60)


@pytest.mark.engine
def test_the_game_of_the_session_passes_the_gate(machine: Machine) -> None:
    report = check_build(GAME, machine)
    assert (report.build, report.has_trace, report.findings) == (1, True, ())
