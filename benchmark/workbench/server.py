"""The MCP server: the workbench as tools with pictures, over standard input and output.

`python -m benchmark mcp` runs it for a person. For an agent it runs outside the sandbox, as
`python -m benchmark.workbench.server SOCKET COMMAND…`, and lines come and go through the relay inside.
"""

import os
import sys
from collections.abc import AsyncIterator, Callable, Collection
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import anyio
import cv2
import numpy as np

from benchmark import __version__
from benchmark.errors import MissingRuntimeError
from benchmark.workbench.answers import OK, Answer
from benchmark.workbench.bench import Asks
from benchmark.workbench.client import Client
from benchmark.workbench.requests import MAX_FRAMES, MAX_SECONDS, MAX_WORD_BYTES

try:
    from mcp.server import MCPServer
    from mcp.server.stdio import stdio_server
    from mcp_types import CallToolResult, ImageContent, TextContent
    from pydantic import Field
except ImportError as error:
    raise MissingRuntimeError(
        f"the package mcp is not installed ({error})", fix="pip install 'gamecraft-bench[mcp]'"
    ) from error

NAME = "gamecraft"
MAX_LINE_BYTES = MAX_WORD_BYTES + (64 << 10)
MAX_SIDE = 1568  # models scale down what is larger
MAX_IMAGE_BYTES = 1 << 20
MOST_AT_ONCE = 8  # calls of one client
_TOO_LONG = '{"jsonrpc":"2.0","id":null,"method":"too-long"}\n'  # read as what it is: a request that nobody knows

Frames = Annotated[int, Field(ge=1, le=MAX_FRAMES, description="how many frames to run, 30 a second")]
Scene = Annotated[str, Field(max_length=400, description="a scene as res://…; empty: the main scene")]
Scenario = Annotated[str, Field(max_length=200, description="handed to the game as --scenario ID; empty: none")]
Seconds = Annotated[float, Field(ge=0, le=MAX_SECONDS, description="without demo and trace: so long, no inputs")]
Screen = Annotated[str, Field(pattern="^(|2D|3D|Script)$", description="2D, 3D or Script; empty: what fits the scene")]
Demo = Annotated[str, Field(max_length=200, description="one of demo_outputs/*.json by name; empty: all")]
TraceText = Annotated[
    str, Field(max_length=MAX_WORD_BYTES, description="the JSON of a trace to play, in place of a demo")
]
Pack = Annotated[str, Field(max_length=200, description="the name of a pack; empty: which there are")]


def make_server(bench: Asks, commands: Collection[str]) -> MCPServer[Any]:
    """A server with a tool for each of the commands."""
    server: MCPServer[Any] = MCPServer(NAME, version=__version__, log_level="CRITICAL")
    slots = anyio.Semaphore(MOST_AT_ONCE)

    async def ask(*words: str) -> CallToolResult:
        if slots.value == 0:
            return _result(Answer(f"{MOST_AT_ONCE} calls are under way; wait for one of them", 1))
        async with slots:
            return _result(await anyio.to_thread.run_sync(bench.ask, words, abandon_on_cancel=True))

    async def check_project() -> CallToolResult:
        """Build check and input traces, exactly as the verifier checks them: what blocks, what is only a note."""
        return await ask("check")

    async def game_screenshot(frames: Frames = 60, scene: Scene = "", scenario: Scenario = "") -> CallToolResult:
        """Run the game and get a picture of it (1280x720) after so many frames, with the errors it printed."""
        return await ask("screenshot", f"--frames={frames}", *_given(scene=scene, scenario=scenario))

    async def editor_screenshot(scene: Scene = "", screen: Screen = "") -> CallToolResult:
        """A picture of the Godot editor's window with a scene open, its root selected in tree and inspector."""
        return await ask("editor", *_given(scene=scene, screen=screen))

    async def run_and_read_errors(frames: Frames = 60, scene: Scene = "", scenario: Scenario = "") -> CallToolResult:
        """Run the game without a window; every error and warning with file and line, and what it printed last."""
        return await ask("errors", f"--frames={frames}", *_given(scene=scene, scenario=scenario))

    async def replay(demo: Demo = "", trace: TraceText = "", seconds: Seconds = 0) -> CallToolResult:
        """Play input traces; a contact sheet with time and pressed inputs, and what the inputs caused."""
        return await ask("replay", *_given(demo=demo, trace=trace, seconds=f"{seconds:g}" if seconds else ""))

    async def look_at_art(pack: Pack = "") -> CallToolResult:
        """The art library: which packs there are, or all pictures of one pack on a sheet with their file names."""
        return await ask("art", *([pack] if pack else []))

    tools: dict[str, Callable[..., Any]] = {
        "check": check_project, "screenshot": game_screenshot, "editor": editor_screenshot,
        "errors": run_and_read_errors, "replay": replay, "art": look_at_art,
    }  # fmt: skip
    for command, tool in tools.items():
        if command in commands:
            server.add_tool(tool, structured_output=False)
    return server


def serve(bench: Asks, commands: Collection[str]) -> None:
    """The workbench over standard input and output."""
    serve_over_stdio(make_server(bench, commands))


def serve_over_stdio(server: MCPServer[Any]) -> None:
    """Until standard input ends. Nothing else that this process prints gets between the messages."""
    wire_in, wire_out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)

    async def run() -> None:
        lines: Any = _Lines(partial(wire_in.readline, MAX_LINE_BYTES))
        async with stdio_server(lines, anyio.wrap_file(wire_out)) as (read, write):
            low = server._lowlevel_server  # `run_stdio_async` would read lines of any length
            await low.run(read, write, low.create_initialization_options())

    try:
        anyio.run(run)
    except* (BrokenPipeError, anyio.BrokenResourceError):
        pass  # the client is gone


class _Lines:
    """Lines of standard input; one that is too long is thrown away in pieces, and something short stands for it."""

    def __init__(self, read: Callable[[], bytes]) -> None:
        self._read = read

    async def __aiter__(self) -> AsyncIterator[str]:
        cut = False
        while line := await anyio.to_thread.run_sync(self._read, abandon_on_cancel=True):
            whole = line.endswith(b"\n")
            if not whole and len(line) >= MAX_LINE_BYTES:
                cut = True
            elif cut:
                cut = False
                yield _TOO_LONG
            elif line.strip():
                yield line.decode(errors="replace")


def _given(**options: str) -> list[str]:
    return [f"--{name}={value}" for name, value in options.items() if value]


def _result(answer: Answer) -> CallToolResult:
    """A finding of ours is no failure of the tool: only what could not be answered is."""
    content: list[Any] = [TextContent(type="text", text=answer.text)] if answer.text else []
    if answer.picture is not None:
        data, kind = _bounded(answer.picture)
        content.append(ImageContent(type="image", data=data, mime_type=kind))
    return CallToolResult(content=content, is_error=answer.code > OK + 1)


def _bounded(picture: bytes) -> tuple[str, str]:
    """As base64 with its kind: PNG if it is small enough, else JPEG, smaller until it is."""
    import base64

    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return base64.b64encode(picture[:MAX_IMAGE_BYTES]).decode(), "image/png"
    side = MAX_SIDE
    while True:
        scale = min(1.0, side / max(image.shape[:2]))
        small = image if scale == 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        for ending, kind, how in ((".png", "image/png", []), (".jpg", "image/jpeg", [cv2.IMWRITE_JPEG_QUALITY, 85])):
            done, data = cv2.imencode(ending, small, how)
            if done and len(data) <= MAX_IMAGE_BYTES:
                return base64.b64encode(data.tobytes()).decode(), kind
        side = side * 3 // 4


if __name__ == "__main__":
    serve(Client(Path(sys.argv[1])), sys.argv[2:])
