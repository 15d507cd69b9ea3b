"""Qwen Code. Its stream is Claude Code's in smaller pieces; the file of its session has whole steps, and times."""

import json
from typing import Any

from benchmark.agents.adapters.claude_stream import glance_at, stream_of
from benchmark.agents.adapters.draft import Draft
from benchmark.agents.adapters.protocol import Glance, Invocation, Left, Read, Session, Wire, events_in
from benchmark.agents.adapters.session_files import session_files
from benchmark.agents.adapters.values import count, table, tables, text
from benchmark.agents.endings import Row
from benchmark.agents.trajectory import Tokens

_HOME = ".qwen"


class Qwen:
    kind = "qwen"
    version = "1"
    wire: Wire = "chat"
    base_url = "https://dashscope-intl.aliyuncs.com/compatible-mode/v1"
    key_variables = ("DASHSCOPE_API_KEY", "OPENAI_API_KEY")
    model = ""
    resumes = True
    endings = (
        Row("finished", "", exit_codes=(0,), closing=r"^success$"),
        Row("turn limit", "it used all of its turns", exit_codes=(53,)),
        Row(
            "infrastructure", "its calls of the model failed", exit_codes=(1,), trouble=r"^$",
            closing=r"is_error .*\[API Error: (401|402|403|404|408|409|425|429|5\d\d|Connection error)\b",
        ),
    )  # fmt: skip

    def invocation(self, session: Session) -> Invocation:
        home = session.home_outside / _HOME
        home.mkdir(parents=True, exist_ok=True)
        settings: dict[str, Any] = {
            "general": {"enableAutoUpdate": False}, "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
        }  # fmt: skip
        if session.effort:
            settings["model"] = {"generationConfig": {"reasoning": {"effort": session.effort}}}
        if session.mcp:
            server = {"command": session.mcp[0], "args": list(session.mcp[1:]), "env": {}, "trust": True}
            settings["mcpServers"] = {"gamecraft": server}
            # else the model has to search for a tool before it can call it
            settings["tools"] = {"toolSearch": {"enabled": False}}
        (home / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        env = {"OPENAI_API_KEY": session.key, "QWEN_HOME": f"{session.home}/{_HOME}"}
        env |= {"OPENAI_BASE_URL": session.base_url} if session.base_url else {}
        env |= {"QWEN_CODE_SUPPRESS_YOLO_WARNING": "1"}
        turns = ("--max-session-turns", str(session.max_turns)) if session.max_turns else ()
        resume = ("--resume", session.resume) if session.resume else ()
        flags = ("--output-format", "stream-json", "--yolo", "--auth-type", "openai", "--model", session.model)
        return Invocation((*session.program, *flags, *turns, *resume, *session.arguments), env, session.prompt)

    def glance(self, event: dict[str, Any]) -> Glance | None:
        return glance_at(event)

    def read(self, left: Left) -> Read:
        stream = stream_of(left, input_is_whole=True)
        draft, files = Draft(left), session_files(left.home, f"{_HOME}/projects")
        version, total = "", Tokens()
        for line in (line for path in files if path.parent.name == "chats" for line in events_in(path)):
            version = text(line.get("version")) or version
            _read_line(line, draft)
            answered = table(table(line.get("systemPayload")).get("uiEvent"))
            if answered.get("event.name") == "qwen-code.api_response":  # also of its sub-agents
                total += Tokens(
                    prompt=count(answered.get("input_token_count")),
                    completion=count(answered.get("output_token_count")),
                    cached=count(answered.get("cached_content_token_count")),
                    reasoning=count(answered.get("thoughts_token_count")),
                )
        read = draft if draft.tokens.prompt >= stream.draft.tokens.prompt else stream.draft
        notes = () if read is draft else ("the file of its session is not whole: thoughts and times are missing",)
        trajectory = read.trajectory(
            session=stream.session, program_version=version, model=stream.model, total=read.total(total), notes=notes
        )
        return Read(trajectory, stream.closing)


def _read_line(line: dict[str, Any], draft: Draft) -> None:
    kind, time, parts = line.get("type"), line.get("timestamp"), tables(table(line.get("message")).get("parts"))
    if kind == "user":
        said, _ = draft.content(parts)
        if said.strip() != draft.prompt.strip():
            draft.say("user" if line.get("provenance") == "real_user" else "system", said, time)
    elif kind == "assistant":
        step = draft.agent(line.get("uuid"), time, line.get("model"))
        step.tokens = _tokens(table(line.get("usageMetadata")))
        for part in parts:
            (step.reasoning if part.get("thought") is True else step.message).append(text(part.get("text")))
            if call := table(part.get("functionCall")):
                draft.called(step, call.get("name"), call.get("id"), call.get("args"))
    elif kind == "tool_result":
        failed = table(line.get("toolCallResult")).get("status") not in ("success", None)
        for answer in (table(part.get("functionResponse")) for part in parts):
            response = table(answer.get("response"))
            said = text(response.get("output")) or text(response.get("error"))
            seen = [{"text": said}, *tables(answer.get("parts"))]
            draft.answered(answer.get("id"), seen, failed=failed, time=time)


def _tokens(usage: dict[str, Any]) -> Tokens:
    return Tokens(
        prompt=count(usage.get("promptTokenCount")),
        completion=count(usage.get("candidatesTokenCount")),
        cached=count(usage.get("cachedContentTokenCount")),
        reasoning=count(usage.get("thoughtsTokenCount")),
    )
