"""A game over MCP, with the official client, as a coding agent meets it."""

import base64
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from benchmark.play.package import PlayPackage
from benchmark.play.replaying import replay
from benchmark.play.step_log import read_steps
from benchmark.runtime.stepped.browser import SteppedBrowser
from tests.loops import run_async
from tests.play.conftest import GAMES
from tests.suite.conftest import CACHE, REPOSITORY

pytestmark = pytest.mark.browser


@asynccontextmanager
async def game(*options: str, task: str = "tiny-steps-2-four") -> AsyncIterator[ClientSession]:
    command = ["-m", "benchmark", "mcp", "--play", task, "--tasks", str(GAMES), *options]
    env = {"GAMECRAFT_CACHE": str(CACHE), "PYTHONPATH": str(REPOSITORY)}
    server = StdioServerParameters(command=sys.executable, args=command, env=env)
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        yield session


def told(result: Any) -> str:
    return "\n".join(one.text for one in result.content if one.type == "text")


def picture(result: Any) -> bytes:
    (found,) = [one for one in result.content if one.type == "image"]
    assert found.mime_type == "image/jpeg"
    return base64.b64decode(found.data)


def test_a_task_is_played_to_its_end_and_its_log_repeats(
    tmp_path: Path, steps_game: PlayPackage, stepped: SteppedBrowser
) -> None:
    async def session() -> None:
        async with game("--log", str(tmp_path)) as client:
            assert {one.name for one in (await client.list_tools()).tools} == {"look", "act", "wait", "reset"}
            first = await client.call_tool("look", {})
            assert "Task: Come to 4 points." in told(first)
            assert '- stride {"frames": "1 to 60"}: Walk for some frames.' in told(first)
            assert "14 actions left." in told(first)
            assert "score" not in told(first)
            assert picture(await client.call_tool("look", {})) == picture(first)
            wrong = await client.call_tool("act", {"action": "fly"})
            assert "Not done: 'fly' is no action of this role" in told(wrong)
            assert picture(wrong) == picture(first)
            moved = await client.call_tool("act", {"action": "right"})
            assert "12 actions left." in told(moved)
            assert picture(moved) != picture(first)
            assert "11 actions left." in told(await client.call_tool("wait", {"frames": 30}))
            lost = await client.call_tool("act", {"action": "lose"})
            assert "began again 1 times" in told(lost)
            end = await client.call_tool("act", {"action": "stride", "arguments": {"frames": 60}})
            assert "This try is over: target reached, after 5 actions" in told(end)
            assert "over" in told(await client.call_tool("act", {"action": "right"}))
            again = await client.call_tool("reset", {})
            assert "14 actions left." in told(again)
            assert picture(again) == picture(first)

    run_async(session)
    steps = read_steps(tmp_path / "try-1")
    assert [step.number for step in steps] == list(range(6))
    assert replay(stepped, steps_game.game, steps_game.goal(2), 1, steps) is None
    assert json.loads((tmp_path / "try-1/play.json").read_text())["game"] == "arcade/tiny-steps"
    assert read_steps(tmp_path / "try-2")[-1].signal == "player stopped"


def test_low_level_actions_and_the_state_where_they_are_asked_for() -> None:
    async def session() -> None:
        async with game("--interface", "computer", "--show-state") as client:
            first = await client.call_tool("look", {})
            assert '"score": 0' in told(first)
            assert "- press_key" in told(first)
            walked = await client.call_tool("act", {"action": "press_key", "arguments": {"key": "ArrowRight"}})
            assert "13 actions left" in told(walked)
            assert "State: {" in told(walked)
            refused = await client.call_tool("act", {"action": "press_key", "arguments": {"key": "F5"}})
            assert "Not done" in told(refused)
            assert (await client.call_tool("wait", {"frames": 10**9})).is_error
            long = {"action": "type", "arguments": {"text": "a" * 30_000}}
            assert "arguments that are no object" in told(await client.call_tool("act", long))

    run_async(session)


def test_a_role_of_a_game_for_two_is_played_while_the_other_stands_still() -> None:
    async def session() -> None:
        async with game("--role", "right", task="tiny-duo-2-two") as client:
            assert "You play right." in told(await client.call_tool("look", {}))
            assert "actions left" in told(await client.call_tool("act", {"action": "push"}))

    run_async(session)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--play", "no-such-task"], "means 0 tasks"),
        (["--play", "tiny-steps-2-four", "--role", "nobody"], "--role: 'nobody'"),
        (["--play", "tiny-steps-2-four", "--seed", "-1"], "--seed: -1"),
    ],
)
def test_what_cannot_be_played_is_said_before_anything_starts(
    options: list[str], said: str, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    monkeypatch.setenv("GAMECRAFT_CACHE", str(CACHE))
    found = pytester.run(sys.executable, "-m", "benchmark", "mcp", "--tasks", str(GAMES), *options)
    assert found.ret != 0
    assert said in found.stderr.str()
