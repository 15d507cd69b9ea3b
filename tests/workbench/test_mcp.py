"""The MCP server, spoken to by the official client library and by clients that misbehave."""

import base64
import json
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from benchmark.workbench.server import MAX_IMAGE_BYTES, MAX_LINE_BYTES, MAX_SIDE
from tests.loops import run_async
from tests.workbench.conftest import Work

pytestmark = pytest.mark.engine
PICTURES: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("game_screenshot", {"frames": 30}, 1280),
    ("editor_screenshot", {}, 1536),
    ("replay", {"seconds": 1}, 1536),
    ("look_at_art", {"pack": "kenney"}, 0),
)


@asynccontextmanager
async def client(*command: str) -> AsyncIterator[ClientSession]:
    server = StdioServerParameters(command=command[0], args=list(command[1:]))
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        yield session


def started(project: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(mcp_command(project), stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def mcp_command(project: Path) -> list[str]:
    return [sys.executable, "-m", "benchmark", "mcp", "--project", str(project)]


@pytest.mark.timeout(900)  # the editor alone takes minutes on a crowded machine
def test_every_tool_answers_and_every_picture_shows_something(games: Path) -> None:
    async def go() -> None:
        async with client(*mcp_command(games / "bench/tinker_market")) as session:
            names = {tool.name for tool in (await session.list_tools()).tools}
            assert names == {
                "check_project", "game_screenshot", "editor_screenshot", "run_and_read_errors", "replay", "look_at_art",
            }  # fmt: skip
            for name, arguments, width in PICTURES:
                result = await session.call_tool(name, arguments)
                assert not result.is_error, (name, result.content)
                [image] = [one for one in result.content if one.type == "image"]
                data = base64.b64decode(image.data)
                assert len(data) <= MAX_IMAGE_BYTES
                picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
                assert picture is not None
                assert max(picture.shape) <= MAX_SIDE
                assert width in (0, picture.shape[1]), (name, picture.shape)
                assert float(np.std(picture)) > 15, f"{name}: the picture is blank"
            check = await session.call_tool("check_project", {})
            assert check.content[0].type == "text"
            assert check.content[0].text.startswith("BUILD 1")
            run = await session.call_tool("run_and_read_errors", {"frames": 5})
            assert run.content[0].type == "text"
            assert "no errors, no warnings" in run.content[0].text
            for name, arguments in (
                ("game_screenshot", {"frames": 0}),
                ("editor_screenshot", {"scene": "/etc/passwd"}),
            ):
                refused = await session.call_tool(name, arguments)
                assert refused.is_error

    run_async(go)


def test_a_broken_script_is_named_with_its_line(games: Path) -> None:
    async def go() -> None:
        async with client(*mcp_command(games / "broken/parse_error_main")) as session:
            result = await session.call_tool("run_and_read_errors", {"frames": 5})
            assert result.content[0].type == "text"
            assert "res://main.gd:5: Parse Error" in result.content[0].text

    run_async(go)


def test_it_survives_what_is_no_message(games: Path) -> None:
    """Also the method that one well-known client sends before it has said hello."""
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "odd", "version": "1"},
        },
    }  # fmt: skip
    with started(games / "bench/tinker_market") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in (
            b'{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{}}', b"{", b"null", b"[]", b"\xff\xfe",
            b'{"jsonrpc":"2.0","id":7,"method":"no/such/method"}', b'{"jsonrpc":"2.0","method":"nothing"}',
            b'{"x":"' + b"a" * (2 * MAX_LINE_BYTES) + b'"}', b"[" * 100_000, json.dumps(hello).encode(),
            b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
            b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check_project","arguments":5}}',
            b'{"jsonrpc":"2.0","id":3,"method":"tools/list"}',
        ):  # fmt: skip
            process.stdin.write(line + b"\n")
            process.stdin.flush()
        answers: dict[object, dict[str, Any]] = {}
        while 3 not in answers:
            line = process.stdout.readline()
            assert line, f"the server is gone; it answered {answers}"
            answers.update({one.get("id"): one for one in [json.loads(line)]})
        assert "error" in answers[0]
        assert answers[1]["result"]["serverInfo"]["name"] == "gamecraft"
        assert len(answers[3]["result"]["tools"]) == 6
        process.stdin.close()
        assert process.wait(20) == 0, "it ends with its input"


def test_agents_reach_it_through_the_relay_in_their_sandbox(games: Path, work: Work) -> None:
    """Two clients at once; the pictures go to the agent, and nothing of ours is in its sandbox."""
    said = [
        {
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": ""}},
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "check_project", "arguments": {}}},
        {
            "jsonrpc": "2.0", "id": 4, "method": "tools/call",
            "params": {"name": "game_screenshot", "arguments": {"frames": 5}},
        },
    ]  # fmt: skip
    game = games / "bench/tinker_market"
    lines = "\n".join(map(json.dumps, said))
    worked = work(
        f"cp -r {game}/. game/; cat > in.jsonl <<'END'\n{lines}\nEND\n"
        "for n in 1 2; do { cat in.jsonl; until [ $(wc -l < game/out$n.txt) -ge 4 ]; do sleep 0.2; done; }"
        " | tools/mcp > game/out$n.txt & done; wait; which python3 || echo no python",
        feedback="screenshot", read=(game,),
    )  # fmt: skip
    for number in (1, 2):
        answers = {}
        for line in (worked.submission / f"out{number}.txt").read_text().splitlines():
            one = json.loads(line)
            answers[one["id"]] = one["result"]
        assert answers[3]["content"][0]["text"].startswith("BUILD 1")
        image = next(one for one in answers[4]["content"] if one["type"] == "image")
        assert base64.b64decode(image["data"]).startswith(b"\x89PNG")


def test_without_a_project_it_says_so(tmp_path: Path) -> None:
    done = subprocess.run(mcp_command(tmp_path), capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode != 0
    assert "no project.godot" in done.stderr


def test_a_client_that_dies_leaves_nothing(games: Path, tmp_path: Path) -> None:
    shutil.copytree(games / "broken/hang_in_ready", tmp_path / "game")
    process = started(tmp_path / "game")
    process.kill()
    process.wait()
    began = time.monotonic()
    assert process.stdout is not None
    process.stdout.read()
    assert time.monotonic() - began < 10
    process.stdout.close()
    assert process.stdin is not None
    process.stdin.close()
