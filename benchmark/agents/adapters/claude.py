"""Claude Code. Its stream tells too few output tokens; its session files tell all."""

import json
import re
from collections.abc import Iterable
from typing import Any

from benchmark.agents.adapters.claude_stream import ClaudeStream, glance_at, stream_of
from benchmark.agents.adapters.protocol import Glance, Invocation, Left, Read, Session, Wire, events_in
from benchmark.agents.adapters.session_files import session_files
from benchmark.agents.adapters.values import count, table, tables, text
from benchmark.agents.endings import Row
from benchmark.agents.trajectory import Tokens

_HOME = ".claude"
_RETRIES = 6  # with growing waits, half a minute in all; its own ten take minutes even where a key is refused
_FAILED = r"\bapi_error is_error "  # what follows is the program's own sentence, up to the endpoint's words
_FAMILIES = ("opus", "sonnet", "haiku", "fable")
_SHORT = re.compile(rf"({'|'.join(_FAMILIES)})-(\d+)\.(\d+)")
_SERVER_TOOLS = "WebSearch,WebFetch"  # they search from the provider's side, past any network policy


class Claude:
    kind = "claude"
    version = "1"
    wire: Wire = "anthropic"
    base_url = "https://api.anthropic.com"
    key_variables = ("ANTHROPIC_API_KEY",)
    model = "claude-opus-4-8"
    resumes = True
    endings = (
        Row("turn limit", "it used all of its turns", closing=r"^error_max_turns\b"),
        Row("budget", "it used all of its money", closing=r"^error_max_budget"),
        Row("refused", "the model refused to go on", closing=r"\brefusal\b"),
        Row("infrastructure", "there is no key", closing=r"\bis_error Not logged in"),
        Row("infrastructure", "the key was refused", closing=rf"{_FAILED}(?:Failed to auth\w+\. )?API Error: 40[13]\b"),
        Row("infrastructure", "the provider is overloaded", closing=rf"{_FAILED}API Error: (?:429|5\d\d)\b"),
        Row("infrastructure", "the provider is overloaded", closing=rf"{_FAILED}API Error: Request rejected \(429\)"),
        Row("infrastructure", "the endpoint cannot be reached", closing=rf"{_FAILED}API Error: Connection "),
        Row("infrastructure", "it refuses to run as root", errors=r"cannot be used with root", answered_at_most=0),
    )  # fmt: skip

    def invocation(self, session: Session) -> Invocation:
        """Standard input is the prompt."""
        model = full_name(session.model)
        command = [*session.program, "-p", "--output-format", "stream-json", "--verbose"]
        command += ["--dangerously-skip-permissions", "--disallowedTools", _SERVER_TOOLS, "--model", model]
        command += ["--effort", session.effort] if session.effort else []
        command += ["--max-turns", str(session.max_turns)] if session.max_turns else []
        command += ["--max-budget-usd", f"{session.max_cost_usd:g}"] if session.max_cost_usd else []
        command += mcp_options(session.mcp)
        command += ["--resume", session.resume] if session.resume else []
        env = {
            "CLAUDE_CONFIG_DIR": f"{session.home}/{_HOME}", "IS_SANDBOX": "1",  # else it refuses to run as root
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_MAX_RETRIES": str(_RETRIES), "ANTHROPIC_API_KEY": session.key,
        }  # fmt: skip
        if model not in _FAMILIES:  # its sub-agents and small errands are the same model's
            env |= {f"ANTHROPIC_DEFAULT_{family.upper()}_MODEL": model for family in _FAMILIES}
            env["CLAUDE_CODE_SUBAGENT_MODEL"] = model
        if session.base_url:
            env["ANTHROPIC_BASE_URL"] = session.base_url
        if session.mcp:
            env["ENABLE_TOOL_SEARCH"] = "false"  # else our tools are not told to the model until it searches for them
        return Invocation((*command, *session.arguments), env, session.prompt)

    def glance(self, event: dict[str, Any]) -> Glance | None:
        return glance_at(event)

    def read(self, left: Left) -> Read:
        stream = stream_of(left)
        unseen = _correct(stream, left)
        told = sum((_told(one) for one in stream.results.values()), Tokens())
        known = stream.draft.tokens + unseen
        notes = [*stream.notes, *(["answers to helpers of helpers are no steps"] if unseen != Tokens() else [])]
        if stream.cut_off and stream.cost_usd is not None:
            notes.append("the cost of what was cut off is not in the cost")
        trajectory = stream.draft.trajectory(
            session=stream.session, program_version=stream.program_version, model=stream.model,
            total=told if told.prompt >= known.prompt else known, cost_usd=stream.cost_usd, notes=notes,
        )  # fmt: skip
        return Read(trajectory, stream.closing)


def full_name(model: str) -> str:
    """`opus-4.7` is `claude-opus-4-7`."""
    return _SHORT.sub(r"claude-\1-\2-\3", model) if _SHORT.fullmatch(model) else model


def mcp_options(command: tuple[str, ...]) -> list[str]:
    """Our server and no other; none without a command."""
    server = {"type": "stdio", "command": command[0], "args": list(command[1:])} if command else {}
    servers = {"mcpServers": {"gamecraft": server} if command else {}}
    return ["--mcp-config", json.dumps(servers), "--strict-mcp-config"] if command else []


def _correct(stream: ClaudeStream, left: Left) -> Tokens:
    """The stream has each usage as it was when the answer began. Answers that it does not tell of are summed up."""
    unseen: dict[str, Tokens] = {}
    for path in session_files(left.home, f"{_HOME}/projects"):
        for event in events_in(path):
            message = table(event.get("message"))
            used = stream.tokens_of(table(message.get("usage"))) if event.get("type") == "assistant" else None
            if used and (step := stream.draft.known(message.get("id"))) is not None:
                step.tokens = used
            elif used:
                unseen[text(message.get("id"))] = used
    stream.settle()
    return sum(unseen.values(), Tokens())


def _told(result: dict[str, Any]) -> Tokens:
    """Of all models, also those of its sub-agents."""
    return sum(map(_model_tokens, _entries(result.get("modelUsage"))), Tokens())


def _entries(usage: object) -> Iterable[dict[str, Any]]:
    return tables(list(table(usage).values()))


def _model_tokens(usage: dict[str, Any]) -> Tokens:
    cached = count(usage.get("cacheReadInputTokens"))
    given = count(usage.get("inputTokens")) + cached + count(usage.get("cacheCreationInputTokens"))
    return Tokens(given, count(usage.get("outputTokens")), cached, count(usage.get("thinkingTokens")))
