"""Codex. It keeps a file of each session with the tokens of every answer; its stream has only their sum."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmark.agents.adapters.codex_rollout import Rollout, tokens_of
from benchmark.agents.adapters.draft import Draft
from benchmark.agents.adapters.protocol import Glance, Invocation, Left, Read, Session, Wire, events_in
from benchmark.agents.adapters.session_files import session_files
from benchmark.agents.adapters.values import table, text
from benchmark.agents.calls import summary_of
from benchmark.agents.endings import Row
from benchmark.agents.trajectory import Tokens, ToolCall

_HOME = ".codex"
_SETTINGS = Path(__file__).with_name("settings") / "codex.toml"
_STATUS = r"^turn\.failed (?:unexpected status|exceeded retry limit, last status:)"
_CUT = r"^turn\.failed stream disconnected before completion: "
# of what the stream shows: kinds of items that are calls of a tool, and what tells most of them
_ITEMS = {"command_execution": "command", "mcp_tool_call": "tool", "file_change": "changes", "web_search": "query"}


class Codex:
    kind = "codex"
    version = "1"
    wire: Wire = "responses"
    base_url = "https://api.openai.com/v1"
    key_variables = ("CODEX_API_KEY", "OPENAI_API_KEY")
    model = "gpt-5.5"
    resumes = True
    endings = (
        Row("infrastructure", "the key was refused", closing=rf"{_STATUS} 40[13]\b"),
        Row("infrastructure", "the provider is overloaded", closing=rf"{_STATUS} (?:429|5\d\d)\b"),
        Row("infrastructure", "the provider is overloaded", closing=r"^turn\.failed .{0,20}experiencing high demand"),
        # the same words with another end are about an answer that became too long
        Row("infrastructure", "the endpoint cut its answer off", closing=rf"{_CUT}(?:Transport|idle|stream closed)"),
    )

    def invocation(self, session: Session) -> Invocation:
        """Standard input is the prompt; while it is open nothing begins."""
        folder = session.home_outside / _HOME
        folder.mkdir(exist_ok=True)
        shutil.copyfile(_SETTINGS, folder / "config.toml")
        begin = ["exec", "resume", session.resume] if session.resume else ["exec"]
        command = [*session.program, *begin, "--json", "--skip-git-repo-check"]
        command += ["--dangerously-bypass-approvals-and-sandbox", "--model", session.model]
        settings: dict[str, Any] = {"model_providers.endpoint.base_url": session.base_url or self.base_url}
        if session.effort:
            settings["model_reasoning_effort"] = session.effort
        if session.mcp:
            server, prefix = session.mcp, "mcp_servers.gamecraft"
            settings |= {f"{prefix}.command": server[0], f"{prefix}.args": list(server[1:]), f"{prefix}.required": True}
            settings[f"{prefix}.tool_timeout_sec"] = 300
        for name, value in settings.items():
            command += ["-c", f"{name}={json.dumps(value, ensure_ascii=False)}"]  # which TOML reads the same
        env = {"CODEX_HOME": f"{session.home}/{_HOME}", "CODEX_API_KEY": session.key}
        return Invocation((*command, *session.arguments, "-"), env, session.prompt)

    def glance(self, event: dict[str, Any]) -> Glance | None:
        item = table(event.get("item"))
        kind = text(item.get("type"))
        if event.get("type") == "item.started" and kind in _ITEMS:
            return Glance(f"{kind}: {summary_of(ToolCall('', kind, {'command': item.get(_ITEMS[kind])}))}", 1)
        if event.get("type") == "item.completed" and kind == "agent_message":
            return Glance(f"says: {summary_of(ToolCall('', '', {'text': text(item.get('text'))}))}")
        return None

    def read(self, left: Left) -> Read:
        heard = _Heard(left.events())
        draft = Draft(left)
        rollouts = session_files(left.home, f"{_HOME}/sessions")
        files = [Rollout(draft) for path in rollouts]
        for file, path in zip(files, rollouts, strict=True):
            file.read(events_in(path))
        notes = [] if files else ["there is no file of the session: what its stream tells is all"]
        if not files:
            heard.fill(draft)
        main = next((file for file in files if file.session == heard.session), files[0] if files else Rollout(draft))
        # the stream's sum goes on over all starts, and is of the session itself, without those that it began
        told = max(heard.total, main.total, key=lambda one: one.prompt)
        total = sum((file.total for file in files if file is not main), told)
        trajectory = draft.trajectory(
            session=heard.session or main.session, program_version=main.program_version, model=main.model,
            total=draft.total(total), notes=notes,
        )  # fmt: skip
        return Read(trajectory, heard.closing)


class _Heard:
    """What its standard output says."""

    def __init__(self, events: Iterable[dict[str, Any]]) -> None:
        self.session, self.closing = "", ""
        self.total = Tokens()
        self._items: list[dict[str, Any]] = []
        for event in events:
            kind = event.get("type")
            if kind == "thread.started":
                self.session, self.closing = text(event.get("thread_id")), ""
            elif kind == "turn.completed":
                self.total, self.closing = tokens_of(table(event.get("usage"))), "turn.completed"
            elif kind == "turn.failed":
                self.closing = f"turn.failed {text(table(event.get('error')).get('message'))}"
            elif kind == "item.completed":
                self._items.append(table(event.get("item")))

    def fill(self, draft: Draft) -> None:
        """Steps as far as items tell them."""
        for item in self._items:
            kind, call = text(item.get("type")), item.get("id")
            if kind == "agent_message":
                draft.agent().message.append(text(item.get("text")))
            elif kind in _ITEMS:
                given = item.get("arguments") or {_ITEMS[kind]: item.get(_ITEMS[kind])}
                draft.called(draft.agent(), text(item.get("tool")) or kind, call, given)
                output = item.get("aggregated_output") or table(item.get("result")).get("content")
                draft.answered(call, output, failed=item.get("status") == "failed")
