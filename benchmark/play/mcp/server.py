"""The MCP server of a game: look, act, wait, reset. It tells pictures and legal actions; the state if asked."""

import base64
import json
from collections.abc import Callable
from typing import Annotated, Any

import anyio
from mcp.server import MCPServer
from mcp_types import CallToolResult, ImageContent, TextContent
from pydantic import Field

from benchmark import __version__
from benchmark.errors import BenchmarkError
from benchmark.play.game import MAX_ACTION_FRAMES
from benchmark.play.mcp.table import GameTable, TableView
from benchmark.play.models.functions import REASONING, functions_for
from benchmark.redaction import redact

NAME = "gamecraft-play"
_MAX_STATE = 20_000  # characters

Action = Annotated[str, Field(max_length=200, description="one of the actions that `look` names")]
Arguments = Annotated[dict[str, Any] | None, Field(description="what the action wants to be told, by name")]
Frames = Annotated[int, Field(ge=1, le=MAX_ACTION_FRAMES, description="frames of play, 60 a second")]


def make_game_server(table: GameTable) -> MCPServer[Any]:
    """A server with the four tools, for one table."""
    server: MCPServer[Any] = MCPServer(NAME, version=__version__, log_level="CRITICAL")

    async def answer(call: Callable[[], TableView], *, first: bool = False) -> CallToolResult:
        try:
            view = await anyio.to_thread.run_sync(call)
        except BenchmarkError as error:
            text = redact(f"{error.message}{f' (next: {error.fix})' if error.fix else ''}")
            return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)
        return _result(table, view, first=first)

    async def look() -> CallToolResult:
        """The task, the rules, the actions that are legal, and a picture of the game as it stands. Costs nothing."""
        return await answer(table.look, first=True)

    async def act(action: Action, arguments: Arguments = None) -> CallToolResult:
        """Do one action, and see what came of it. The game stands still until the next one."""
        return await answer(lambda: table.act(action, arguments or {}))

    async def wait(frames: Frames = 30) -> CallToolResult:
        """Let the game go on for some frames without doing anything. Costs one action."""
        return await answer(lambda: table.wait(frames))

    async def reset() -> CallToolResult:
        """Give up this try and begin the task again, with all actions left."""
        return await answer(table.reset, first=True)

    for tool in (look, act, wait, reset):
        server.add_tool(tool, structured_output=False)
    return server


def _result(table: GameTable, view: TableView, *, first: bool) -> CallToolResult:
    lines = [briefing(table)] if first else []
    if view.refused:
        lines.append(f"Not done: {view.refused}.")
    if view.over:
        lines.append(f"This try is over: {view.over}. Call reset to begin again.")
    else:
        again = f" The game was lost and began again {view.episode} times so far." if view.episode else ""
        lines.append(f"{view.steps_left} actions left.{again}")
    if view.state is not None:
        lines.append(f"State: {json.dumps(view.state)[:_MAX_STATE]}")
    content: list[Any] = [TextContent(type="text", text="\n\n".join(lines))]
    if view.picture is not None:
        data = base64.b64encode(view.picture).decode()
        content.append(ImageContent(type="image", data=data, mime_type="image/jpeg"))
    return CallToolResult(content=content, is_error=False)


def briefing(table: GameTable) -> str:
    """What is played, what for, and with what."""
    place = table.place
    game, role = place.package.game, place.role
    lines = [
        f"{game.title}: {game.about}",
        game.rules,
        f"You play {role.id}. {role.about}",
        f"Task: {place.goal.instruction}",
    ]
    for one in functions_for(role, place.interface, (game.width, game.height)):
        wanted = {name: _short(kind) for name, kind in one.schema["properties"].items() if name != REASONING}
        lines.append(f"- {one.name}{f' {json.dumps(wanted)}' if wanted else ''}: {one.does}")
    return "\n".join(line for line in lines if line)


def _short(schema: dict[str, Any]) -> Any:
    """A parameter in one word or a few."""
    if "enum" in schema:
        return schema["enum"]
    if "minimum" in schema:
        return f"{schema['minimum']} to {schema['maximum']}"
    if schema["type"] == "array":
        return [_short(schema["items"])]
    return schema.get("description") or schema["type"]
