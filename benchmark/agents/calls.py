"""Tool calls, whatever the program calls its tools: of which kind one is, and what it asked for."""

import json
import re
from collections.abc import Iterator

from benchmark.agents.trajectory import ToolCall

# kind of tool call → words in the names that the programs give such tools. The first kind that fits counts:
# `TodoWrite` plans, `write_stdin` goes on with a shell, and `web_search` leaves the machine.
_KIND_WORDS = {
    "look": "screenshot image images media look sheet replay picture pictures video",
    "plan": "todo todos todowrite todoread plan think task tasks agent delegate memory investigator",
    "web": "web webfetch websearch url browser google",
    "shell": "bash shell terminal exec execute execution command run stdin ipython",
    "write": "edit multiedit write patch replace create insert editor change delete",
    "search": "grep glob search find list ls lsp",
    "read": "read view cat open",
}
KINDS = {kind: frozenset(words.split()) for kind, words in _KIND_WORDS.items()}
OTHER = "other"
ALL_KINDS = (*KINDS, OTHER)
# They bring or call a tool that was not told to the model at first, and do nothing themselves.
_LOADERS = frozenset({"toolsearch", "toolcall", "deferexecutetool"})
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_MCP = re.compile(r"mcp_{1,2}[A-Za-z0-9-]+_{1,2}(?=.)")
_MAX_NAME = 200
# One editor for everything says in an argument what it is to do.
_VIEWS = frozenset({"view", "read"})

# A command that draws the game.
_DRAWS = re.compile(r"screenshot\.sh|tools/replay|--write-movie")
_PICTURE = re.compile(r"\.(?:png|jpe?g|webp)\b", re.I)
_ASSETS = re.compile(r"\bassets/")
_MAX_ARGUMENT = 1 << 16
# What of a call's arguments says most, if it has it.
_TELLING = ("command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "description")


def kind_of(call: ToolCall) -> str:
    """Which kind of tool was called."""
    name = _MCP.sub("", call.name[:_MAX_NAME], count=1)
    words = [word.lower() for word in _WORD.findall(name)]
    if "".join(words) in _LOADERS:
        return OTHER
    kind = next((kind for kind, known in KINDS.items() if not known.isdisjoint(words)), OTHER)
    return "read" if kind == "write" and call.arguments.get("command") in _VIEWS else kind


def draws_game(call: ToolCall) -> bool:
    """Whether the call renders what a player would see."""
    kind = kind_of(call)
    return (kind == "look" and not opens_picture(call)) or (
        kind == "shell" and any(_DRAWS.search(words) for words in _words(call))
    )


def opens_picture(call: ToolCall) -> bool:
    """Whether the call opens a picture file; what comes with the asset library does not count."""
    return kind_of(call) in ("look", "read") and any(
        _PICTURE.search(words) and not _ASSETS.search(words) for words in _words(call)
    )


def summary_of(call: ToolCall, limit: int = 180) -> str:
    """What was asked for, in one line."""
    texts = {key: as_text(value) for key, value in call.arguments.items()}
    told = next((texts[key] for key in _TELLING if texts.get(key)), next(filter(None, texts.values()), ""))
    line = " ".join(told[: 10 * limit].split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def as_text(value: object) -> str:
    """An argument; a command may come as a list of words."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _words(call: ToolCall) -> Iterator[str]:
    """Texts among the arguments, also those of a command that comes as a list."""
    for value in call.arguments.values():
        for one in value[:100] if isinstance(value, list) else [value]:
            if isinstance(one, str):
                yield one[:_MAX_ARGUMENT]
