"""Kimi Code. Its stream has no tokens and no end; the file of its session has all, one record per line."""

import json
from pathlib import Path
from typing import Any

from benchmark.agents.adapters.draft import Draft
from benchmark.agents.adapters.protocol import Glance, Invocation, Left, Read, Session, Wire, events_in
from benchmark.agents.adapters.session_files import session_files
from benchmark.agents.adapters.values import arguments, count, since_1970, table, tables, text
from benchmark.agents.calls import summary_of
from benchmark.agents.endings import Row
from benchmark.agents.trajectory import Tokens, ToolCall

_HOME = ".kimi-code"
_MAIN = "agents/main/wire.jsonl"
_CONTEXT_TOKENS = 262_144  # of its own models; a smaller one fails on what is too long, and the session shrinks it
_OF_A_STEP = ("step.begin", "step.end", "content.part", "tool.call")
# Its last words. What its tools print comes before them on the same stream, so only the very end is believed.
_FAILED = r"error: failed to run prompt: %s[^\n]*\n(See log:[^\n]*\n)?\Z"


class Kimi:
    kind = "kimi"
    version = "1"
    wire: Wire = "chat"
    base_url = "https://api.moonshot.ai/v1"
    key_variables = ("MOONSHOT_API_KEY", "KIMI_API_KEY", "KIMI_MODEL_API_KEY")
    model = ""
    resumes = True
    endings = (
        Row("finished", "", exit_codes=(0,), closing=r"^ended$"),
        Row("turn limit", "it used all of its turns", exit_codes=(1,), errors=_FAILED % r"loop\.max_steps_exceeded"),
        Row(
            "infrastructure", "its calls of the model failed", exit_codes=(1,), trouble=r"^$",
            errors=_FAILED % r"provider\.(auth_error|rate_limit|connection_error)",
        ),
    )  # fmt: skip

    def invocation(self, session: Session) -> Invocation:
        home = session.home_outside / _HOME
        home.mkdir(parents=True, exist_ok=True)
        if session.mcp:
            server = {"command": session.mcp[0], "args": list(session.mcp[1:]), "env": {}}
            (home / "mcp.json").write_text(json.dumps({"mcpServers": {"gamecraft": server}}), encoding="utf-8")
        env = {
            "KIMI_CODE_HOME": f"{session.home}/{_HOME}", "KIMI_DISABLE_TELEMETRY": "1",
            "KIMI_CODE_NO_AUTO_UPDATE": "1", "KIMI_MODEL_NAME": session.model, "KIMI_MODEL_API_KEY": session.key,
            "KIMI_MODEL_PROVIDER_TYPE": "kimi", "KIMI_MODEL_MAX_CONTEXT_SIZE": str(_CONTEXT_TOKENS),
        }  # fmt: skip
        env |= {"KIMI_MODEL_BASE_URL": session.base_url} if session.base_url else {}
        if session.effort:
            env |= {"KIMI_MODEL_CAPABILITIES": "image_in,thinking", "KIMI_MODEL_THINKING_EFFORT": session.effort}
        if session.max_turns:
            env["KIMI_LOOP_MAX_STEPS_PER_TURN"] = str(session.max_turns)
        resume = (f"--session={session.resume}",) if session.resume else ()
        # It does not read its standard input.
        prompt = (f"--prompt={session.prompt}", "--output-format", "stream-json")
        return Invocation((*session.program, *resume, *prompt, *session.arguments), env)

    def glance(self, event: dict[str, Any]) -> Glance | None:
        if event.get("role") != "assistant":
            return None
        for call in tables(event.get("tool_calls")):
            function = table(call.get("function"))
            made = ToolCall("", text(function.get("name")), arguments(function.get("arguments")))
            return Glance(f"{made.name}: {summary_of(made)}", 1)
        said = summary_of(ToolCall("", "", {"text": text(event.get("content"))}))
        return Glance(f"says: {said}", 1) if said else None

    def read(self, left: Left) -> Read:
        session = version = closing = ""
        for event in left.events():
            closing = "ended" if event.get("type") == "session.resume_hint" else ""
            session = text(event.get("session_id")) or session
            version = text(event.get("version")) or version
        draft, total, files = Draft(left), Tokens(), session_files(left.home, f"{_HOME}/sessions", "/wire.jsonl")
        for path in files:
            main = path.as_posix().endswith(_MAIN)
            if main and not session:  # it was stopped before it said so
                session = path.parents[2].name
            total += _read_session(path, draft, main)
        notes = () if files else ("the file of its session cannot be read",)
        trajectory = draft.trajectory(session=session, program_version=version, total=total, notes=notes)
        return Read(trajectory, closing)


def _read_session(path: Path, draft: Draft, main: bool) -> Tokens:
    """All its tokens, also of calls that made no step, as when it shortens what came before; steps of the main one."""
    total = Tokens()
    for record in events_in(path):
        kind, time = record.get("type"), since_1970(record.get("time"))
        message = table(record.get("message"))
        if kind == "usage.record":
            total += _tokens(table(record.get("usage")))
        elif kind == "context.append_message" and main and message.get("role") == "user":
            own = table(message.get("origin")).get("kind") == "user"  # else the program's reminders
            said, _ = draft.content(message.get("content"))
            if not own or said != draft.prompt:
                draft.say("user" if own else "system", said, time)
        elif kind == "context.append_loop_event" and main:
            _read_event(table(record.get("event")), time, draft)
    return total


def _read_event(event: dict[str, Any], time: str, draft: Draft) -> None:
    kind, part, result = event.get("type"), table(event.get("part")), table(event.get("result"))
    step = draft.agent(event.get("stepUuid") or event.get("uuid"), time) if kind in _OF_A_STEP else None
    if kind == "tool.result":
        failed = result.get("isError") is True
        draft.answered(event.get("toolCallId"), result.get("output"), failed=failed, time=time)
    elif step and kind == "content.part":
        step.time = time
        step.message.append(text(part.get("text")))
        step.reasoning.append(text(part.get("think")))
    elif step and kind == "tool.call":
        step.time = time
        draft.called(step, event.get("name"), event.get("toolCallId"), event.get("args"))
    elif step and kind == "step.end":
        step.tokens = _tokens(table(event.get("usage")))


def _tokens(usage: dict[str, Any]) -> Tokens:
    cached = count(usage.get("inputCacheRead"))
    prompt = count(usage.get("inputOther")) + cached + count(usage.get("inputCacheCreation"))
    return Tokens(prompt=prompt, completion=count(usage.get("output")), cached=cached)
