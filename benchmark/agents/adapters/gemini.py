"""Gemini CLI. The file of its session has what the stream lacks: thoughts, and the tokens of every answer."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmark.agents.adapters.draft import Draft
from benchmark.agents.adapters.gemini_sessions import fill
from benchmark.agents.adapters.protocol import Glance, Invocation, Left, Read, Session, Wire, events_in
from benchmark.agents.adapters.session_files import session_files
from benchmark.agents.adapters.values import count, table, text
from benchmark.agents.calls import summary_of
from benchmark.agents.endings import Row
from benchmark.agents.trajectory import Tokens, ToolCall

_HOME = ".gemini"
_STATUS = r'^error \w+ \[API Error: \{"error":\{"code":'
_SETTINGS = Path(__file__).with_name("settings") / "gemini.json"


class Gemini:
    kind = "gemini"
    version = "1"
    wire: Wire = "gemini"
    base_url = "https://generativelanguage.googleapis.com"
    key_variables = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    model = "gemini-3.1-pro-preview"
    resumes = True
    endings = (
        Row("turn limit", "it used all of its turns", closing=r"^error FatalTurnLimitedError\b"),
        Row("infrastructure", "the key was refused", closing=rf"{_STATUS}40[13]\b"),
        Row("infrastructure", "the provider is overloaded", closing=rf"{_STATUS}(?:429|5\d\d)\b"),
        Row(
            "infrastructure",
            "the endpoint cut its answer off",
            closing=r"^error \w+ \[API Error: Incomplete JSON segment",
        ),
        Row("infrastructure", "it cannot log in", exit_codes=(41,), answered_at_most=0),
    )

    def invocation(self, session: Session) -> Invocation:
        """Standard input is the prompt. Effort exists only as an alias of a model."""
        settings = json.loads(_SETTINGS.read_text(encoding="utf-8"))
        model = session.model
        if session.effort:
            model = f"with-effort-{session.effort}"
            thinking = {"includeThoughts": True, "thinkingLevel": session.effort.upper()}
            config = {"model": session.model, "generateContentConfig": {"thinkingConfig": thinking}}
            settings["modelConfigs"] = {"customAliases": {model: {"modelConfig": config}}}
        if session.max_turns:
            settings["model"] = {"maxSessionTurns": session.max_turns}
        if session.mcp:
            server = {"command": session.mcp[0], "args": list(session.mcp[1:]), "trust": True, "timeout": 300_000}
            settings["mcpServers"] = {"gamecraft": server}
        folder = session.home_outside / _HOME
        folder.mkdir(exist_ok=True)
        (folder / "settings.json").write_text(json.dumps(settings, indent=1), encoding="utf-8")
        command = [*session.program, "--output-format", "stream-json", "--yolo", "--model", model]
        command += ["--resume", session.resume] if session.resume else []
        env = {"GEMINI_CLI_HOME": session.home, "GEMINI_API_KEY": session.key, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
        if session.base_url:
            env["GOOGLE_GEMINI_BASE_URL"] = session.base_url
        return Invocation((*command, *session.arguments), env, session.prompt)

    def glance(self, event: dict[str, Any]) -> Glance | None:
        if event.get("type") == "tool_use":
            name = text(event.get("tool_name"))
            return Glance(f"{name}: {summary_of(ToolCall('', name, table(event.get('parameters'))))}", 1)
        if event.get("type") == "message" and event.get("role") == "assistant" and text(event.get("content")).strip():
            return Glance(f"says: {summary_of(ToolCall('', '', {'text': text(event.get('content'))}))}")
        return None

    def read(self, left: Left) -> Read:
        draft = Draft(left)
        heard = _Heard(left.events())
        # those of its helpers, which are called otherwise, come after its own
        files = sorted(session_files(left.home, f"{_HOME}/tmp"), key=lambda path: not path.name.startswith("session-"))
        answered = fill(draft, (event for path in files for event in events_in(path)))
        notes = [] if answered else ["no file of the session has an answer: what the stream tells is all"]
        if not answered:
            heard.fill(draft)
        trajectory = draft.trajectory(
            session=heard.session, model=answered or heard.model, total=draft.total(heard.total), notes=notes
        )
        return Read(trajectory, heard.closing)


class _Heard:
    """What its standard output says. Its sums are those of one start."""

    def __init__(self, events: Iterable[dict[str, Any]]) -> None:
        self.session = self.model = self.closing = ""
        self.total = Tokens()
        self._events: list[dict[str, Any]] = []
        for event in events:
            kind = event.get("type")
            if kind == "init":
                self.session, self.model, self.closing = text(event.get("session_id")), text(event.get("model")), ""
            elif kind == "result":
                stats, error = table(event.get("stats")), table(event.get("error"))
                given, cached = count(stats.get("input_tokens")), count(stats.get("cached"))
                whole = max(count(stats.get("total_tokens")) - given, count(stats.get("output_tokens")))
                self.total += Tokens(given, whole, cached, whole - count(stats.get("output_tokens")))
                said = (text(event.get("status")), text(error.get("type")), text(error.get("message")))
                self.closing = " ".join(filter(None, said))
            else:
                self._events.append(event)

    def fill(self, draft: Draft) -> None:
        """Steps as far as the stream tells them: a message and the calls after it are one."""
        step = None
        for event in self._events:
            kind = event.get("type")
            if kind == "tool_result":
                draft.answered(event.get("tool_id"), event.get("output"), failed=event.get("status") != "success",
                               time=event.get("timestamp"))  # fmt: skip
                step = None
            elif kind == "tool_use" or (kind == "message" and event.get("role") == "assistant"):
                step = step or draft.agent(time=event.get("timestamp"), model=self.model)
                if kind == "tool_use":
                    draft.called(step, event.get("tool_name"), event.get("tool_id"), event.get("parameters"))
                else:
                    step.message.append(text(event.get("content")))
