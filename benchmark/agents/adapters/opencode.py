"""opencode. Its stream tells each step with its tokens; what sub-agents used is in its database only."""

import json
from pathlib import Path
from typing import Any

from benchmark.agents.adapters.database import answers
from benchmark.agents.adapters.draft import Draft, DraftStep
from benchmark.agents.adapters.protocol import Glance, Invocation, Left, Read, Session, Wire
from benchmark.agents.adapters.session_files import session_files
from benchmark.agents.adapters.values import count, money, since_1970, table, tables, text
from benchmark.agents.calls import summary_of
from benchmark.agents.endings import Row
from benchmark.agents.trajectory import Tokens, ToolCall

_PROVIDER = "endpoint"
_DATA = ".local/share/opencode"
# Without them it never shortens a session, and asks for as much as the model gives.
_LIMITS = {"context": 200_000, "output": 32_000}
# Without a word it keeps pictures from a model that it does not know.
_SEES = {"input": ["text", "image"], "output": ["text"]}
_OF_ALL_SESSIONS = """
    SELECT sum(tokens_input) AS input, sum(tokens_output) AS output, sum(tokens_reasoning) AS reasoning,
           sum(tokens_cache_read) AS read, sum(tokens_cache_write) AS write, sum(cost) AS cost FROM session
"""


class OpenCode:
    kind = "opencode"
    version = "1"
    wire: Wire = "chat"
    base_url = "https://api.openai.com/v1"
    key_variables = ("OPENAI_API_KEY",)
    model = ""
    resumes = True
    endings = (
        Row("finished", "", exit_codes=(0,), closing=r"^stop$"),
        Row("refused", "the model's provider filtered the answer", exit_codes=(0,), closing=r"^content-filter$"),
        Row(
            "infrastructure", "its calls of the model failed", exit_codes=(1,), trouble=r"^$",
            closing=r"^APIError: (status (401|402|403|404|408|409|425|429|5\d\d)$|Cannot connect)",
        ),
    )  # fmt: skip

    def invocation(self, session: Session) -> Invocation:
        model = {"limit": _LIMITS, "modalities": _SEES, "attachment": True, "reasoning": bool(session.effort)}
        options = {"apiKey": session.key} | ({"baseURL": session.base_url} if session.base_url else {})
        known = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {session.model: model}}
        name = f"{_PROVIDER}/{session.model}"
        settings: dict[str, Any] = {
            "provider": {_PROVIDER: known}, "enabled_providers": [_PROVIDER], "model": name, "small_model": name,
            "permission": "allow", "share": "disabled", "autoupdate": False,
        }  # fmt: skip
        if session.max_turns:
            settings["agent"] = {"build": {"steps": session.max_turns}}
        if session.mcp:
            settings["mcp"] = {"gamecraft": {"type": "local", "command": list(session.mcp), "enabled": True}}
        env = {
            "OPENCODE_CONFIG_CONTENT": json.dumps(settings), "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1", "OPENCODE_DISABLE_SHARE": "1",
        }  # fmt: skip
        for variable, folder in (
            ("CONFIG", ".config"),
            ("DATA", ".local/share"),
            ("STATE", ".local/state"),
            ("CACHE", ".cache"),
        ):
            env[f"XDG_{variable}_HOME"] = f"{session.home}/{folder}"
        effort = ("--variant", session.effort) if session.effort else ()
        # A session without a title asks the model for one.
        begin = ("--session", session.resume) if session.resume else ("--title", "benchmark")
        options_of_run = ("--format", "json", "--model", name, "--auto", "--thinking", *effort, *begin)
        return Invocation((*session.program, "run", *options_of_run, *session.arguments), env, session.prompt)

    def glance(self, event: dict[str, Any]) -> Glance | None:
        part = table(event.get("part"))
        if event.get("type") == "tool_use":
            call = ToolCall("", text(part.get("tool")), table(table(part.get("state")).get("input")))
            return Glance(f"{call.name}: {summary_of(call)}")
        if event.get("type") == "text":
            return Glance(f"says: {summary_of(ToolCall('', '', {'text': text(part.get('text'))}))}")
        return Glance(turns=1) if event.get("type") == "step_finish" else None

    def read(self, left: Left) -> Read:
        draft, session, closing, turns = Draft(left), "", "", 0
        for event in left.events():
            kind, part = event.get("type"), table(event.get("part"))
            session = text(event.get("sessionID")) or session
            if kind == "error":
                closing = _failure(table(event.get("error")))
            elif kind in ("step_start", "text", "reasoning", "tool_use", "step_finish"):
                step = draft.agent(part.get("messageID"), since_1970(event.get("timestamp")))
                _read_part(part, step, draft)
                if kind == "step_finish":
                    closing, turns = text(part.get("reason")), turns + 1
        whole = _of_all_sessions(left.home)
        trajectory = draft.trajectory(
            session=session,
            total=draft.total(_tokens({**whole, "cache": whole}) if whole else None),
            cost_usd=money(whole.get("cost")) or None,
            turns=turns,
            notes=() if whole else ("its database cannot be read: what sub-agents used is missing",),
        )
        return Read(trajectory, closing)


def _read_part(part: dict[str, Any], step: DraftStep, draft: Draft) -> None:
    kind, state, said = part.get("type"), table(part.get("state")), text(part.get("text"))
    time = table(part.get("time") or state.get("time"))
    if kind == "text":
        step.message.append(said)
    elif kind == "reasoning":
        step.reasoning.append(said)
    elif kind == "tool":
        if not step.calls:
            step.time = since_1970(time.get("start"))  # the events themselves are told later
        draft.called(step, part.get("tool"), part.get("callID"), state.get("input"))
        error, ended = state.get("status") == "error", since_1970(time.get("end"))
        failed = error or table(state.get("metadata")).get("exit") not in (0, None)
        seen = [{"type": "image_url", "image_url": one.get("url")} for one in tables(state.get("attachments"))]
        told = [{"text": state.get("error" if error else "output")}, *seen]
        draft.answered(part.get("callID"), told, failed=failed, time=ended)
    elif kind == "step-finish":
        step.tokens, step.cost_usd = _tokens(table(part.get("tokens"))), money(part.get("cost")) or None


def _of_all_sessions(home: Path) -> dict[str, Any]:
    found = [row for path in session_files(home, _DATA, "/opencode.db") for row in answers(path, _OF_ALL_SESSIONS)]
    return found[0] if found and found[0].get("input") is not None else {}


def _tokens(tokens: dict[str, Any]) -> Tokens:
    """Its input is without what was cached, its output without thoughts."""
    cache, thought = table(tokens.get("cache")), count(tokens.get("reasoning"))
    cached = count(cache.get("read"))
    return Tokens(
        prompt=count(tokens.get("input")) + cached + count(cache.get("write")),
        completion=count(tokens.get("output")) + thought,
        cached=cached,
        reasoning=thought,
    )


def _failure(error: dict[str, Any]) -> str:
    data = table(error.get("data"))
    status = count(data.get("statusCode"))
    return f"{text(error.get('name'))}: {f'status {status}' if status else text(data.get('message'))}"
