"""A request and the answer to it, whatever protocol they come in; and the tool that a turn is played with."""

import secrets
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.agents.server.script import NOTHING, Turn, Usage

Event = dict[str, Any]
# As the programs call a shell, the one that is meant first.
_SHELLS = ("bash", "exec_command", "shell_command", "run_shell_command", "shell", "local_shell", "terminal",
           "execute_bash")  # fmt: skip
_VIEWERS = ("view_image", "readmediafile", "read", "read_file")
_PATHS = ("file_path", "absolute_path", "filePath", "path")
_FILLERS = {"boolean": False, "integer": 10, "number": 10, "array": [], "object": {}}


@dataclass(frozen=True)
class Tool:
    """One that a request offers. `space` is the group that it is in, where there are groups."""

    name: str
    schema: dict[str, Any]
    space: str = ""


@dataclass(frozen=True)
class Asked:
    """What a request says."""

    model: str
    tools: tuple[Tool, ...]
    calls_made: int  # by the model, so far in this conversation
    stream: bool
    effort: str = ""
    text: str = ""  # of the request as a whole
    wants_json: bool = False


@dataclass(frozen=True)
class Call:
    tool: Tool
    arguments: dict[str, Any]
    id: str = field(default_factory=lambda: f"call_{secrets.token_hex(8)}")


@dataclass(frozen=True)
class Reply:
    """What the model answers."""

    says: str = ""
    thinks: str = ""
    call: Call | None = None
    usage: Usage = NOTHING


class Wire(Protocol):
    """One protocol."""

    def asked(self, path: str, body: dict[str, Any]) -> Asked: ...
    def whole(self, asked: Asked, reply: Reply) -> Event: ...
    def stream(self, asked: Asked, reply: Reply) -> list[bytes]: ...
    def error(self, status: int, message: str) -> Event: ...


def reply_to(asked: Asked, turn: Turn, usage: Usage) -> Reply:
    """The turn, played with the tools that the request offers."""
    call = None
    if turn.tool:
        found = next((tool for tool in asked.tools if tool.name.endswith(turn.tool)), None)
        if found is None:
            return Reply(says=f"there is no tool {turn.tool}", usage=usage)
        call = Call(found, _filled(found, dict(turn.arguments)))
    elif turn.look:
        call = _look(asked, turn.look)
    elif turn.command:
        call = _shell(asked, turn.command)
    elif "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT" in asked.text:  # how a program with nothing but a shell is told
        call = _shell(asked, "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
    return Reply(turn.says, turn.thinks, call, usage)


def _shell(asked: Asked, command: str) -> Call:
    tool = _first(asked, _SHELLS)
    if tool is None:
        raise LookupError(f"no shell among {[one.name for one in asked.tools]}")
    known = tool.schema.get("properties", {})
    name = next((name for name in ("command", "cmd") if name in known), "command")
    return Call(tool, _filled(tool, {name: _as(known.get(name, {}), command)}))


def _look(asked: Asked, path: str) -> Call:
    tool = _first(asked, _VIEWERS)
    if tool is None:
        return _shell(asked, f"ls -l {path}")
    name = next((name for name in _PATHS if name in tool.schema.get("properties", {})), "path")
    return Call(tool, _filled(tool, {name: path}))


def _first(asked: Asked, names: tuple[str, ...]) -> Tool | None:
    by_name = {tool.name.lower(): tool for tool in asked.tools}
    return next((by_name[name] for name in names if name in by_name), None)


def _as(schema: dict[str, Any], command: str) -> Any:
    return ["bash", "-lc", command] if schema.get("type") == "array" else command


def _filled(tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    """With something for whatever else the tool insists on."""
    known = tool.schema.get("properties", {})
    for name in tool.schema.get("required", []):
        one = known.get(name, {})
        default = one["enum"][0] if one.get("enum") else _FILLERS.get(one.get("type"), "as the task asks")
        arguments.setdefault(name, default)
    return arguments
