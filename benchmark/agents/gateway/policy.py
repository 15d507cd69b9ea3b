"""What passes the gateway: calls of the model, as the program's protocol has them, that open no other way out.

A provider can search the web, fetch a page or call a server of somebody's on behalf of whoever asks it. Such a call
would bring an agent what its sandbox keeps from it, so it is refused like any other host.
"""

import re
from dataclasses import dataclass
from typing import Any

from benchmark.agents.adapters.protocol import Wire
from benchmark.untrusted import UnreadableFileError, parse_json

# What follows the address of the endpoint: calls that are answered by a model, and questions that cost nothing.
_MODEL_CALLS: dict[Wire, str] = {
    "anthropic": r"(/v1)?/messages",
    "responses": r"(/v1)?/responses(/compact)?",
    "chat": r"(/v1)?/chat/completions",
    "gemini": r"(/v1(beta|alpha)?)?/models/[^/]+:(streamG|g)enerateContent",
}
_QUESTIONS: dict[Wire, str] = {
    "anthropic": r"(/v1)?/(messages/count_tokens|models(/[\w.@:-]+)?)",
    "responses": r"(/v1)?/models(/[\w.@:-]+)?",
    "chat": r"(/v1)?/models(/[\w./@:-]+)?",
    "gemini": r"(/v1(beta|alpha)?)?/models(/[\w.-]+(:countTokens)?)?",
}
_MODEL_IN_PATH = re.compile(r"/models/([^/:]+):")
# A tool of this kind is run by the provider, and reaches the web.
_REACHES_OUT = re.compile(
    r"web_?(search|fetch|browse)|search_preview|url_?context|google_?(search|maps)|browser|^mcp|\$web|bing|file_search",
    re.I,
)
_OPTIONS = ("mcp_servers", "web_search_options", "plugins", "search_parameters", "enable_search", "web_search")
_ADDRESS_KEYS = frozenset({"file_url", "fileUri", "file_uri"})
# What a model said or is told may look like anything.
_NOT_LOOKED_INTO = frozenset({"input_schema", "parameters", "arguments", "args", "response", "functionResponse"})


@dataclass(frozen=True)
class Passage:
    """Of one request. `why` it is refused; empty: it passes. `is_call`: whether a model answers it."""

    why: str = ""
    is_call: bool = False
    model: str = ""


def examine(wire: Wire, method: str, path: str, body: bytes) -> Passage:
    """`path` is what follows the endpoint's address, without what is behind a question mark."""
    if method == "POST" and re.fullmatch(_MODEL_CALLS[wire], path):
        return _examine_call(path, body)
    if method in ("GET", "POST") and re.fullmatch(_QUESTIONS[wire], path):
        return Passage()
    return Passage(why="not a call of the model")


def _examine_call(path: str, body: bytes) -> Passage:
    try:
        data = parse_json(body, encodable=False)
    except UnreadableFileError as error:
        return Passage(why=f"its body {error}"[:200])
    if not isinstance(data, dict):
        return Passage(why="its body is not a JSON object")
    named = _MODEL_IN_PATH.search(path)
    model = named[1] if named else data.get("model")
    model = model[:200] if isinstance(model, str) else ""
    if model.endswith(":online"):
        return Passage(why="a model that searches the web")
    if option := next((name for name in _OPTIONS if data.get(name)), ""):
        return Passage(why=f"{option}: the provider would reach out")
    for tool in data["tools"] if isinstance(data.get("tools"), list) else []:
        if isinstance(tool, dict) and (name := _reaching(tool)):
            return Passage(why=f"the tool {name}: the provider would reach out")
    if place := _address_in(data):
        return Passage(why=f"{place}: the provider would fetch an address")
    return Passage(is_call=True, model=model)


def _reaching(tool: dict[str, Any]) -> str:
    """The name of a tool that the provider itself runs. One of the program's own may be called what it likes."""
    kind = tool.get("type")
    if isinstance(kind, str) and _REACHES_OUT.search(kind):
        return str(kind[:80])
    if kind == "builtin_function":
        return str(tool.get("function", ""))[:80]
    if kind is None and "name" not in tool:  # Gemini's are keys
        return next((str(key)[:80] for key in tool if _REACHES_OUT.search(key)), "")
    return ""


def _address_in(data: Any) -> str:
    """Where the conversation names a file by an address."""
    waiting = [data]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            tool_input = one.get("type") in ("tool_use", "server_tool_use")
            for key, value in one.items():
                if key in _ADDRESS_KEYS and _is_address(value):
                    return str(key)
                if key == "source" and isinstance(value, dict) and value.get("type") == "url":
                    return "source"
                if key == "image_url" and _is_address(value.get("url") if isinstance(value, dict) else value):
                    return "image_url"
                if key not in _NOT_LOOKED_INTO and not (tool_input and key == "input"):
                    waiting.append(value)
    return ""


def _is_address(value: Any) -> bool:
    return isinstance(value, str) and value[:5].lower() in ("http:", "https", "ftp:/")
