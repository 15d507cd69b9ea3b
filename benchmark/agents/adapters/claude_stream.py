"""The stream of events that Claude Code prints, and others after it: init, assistant, user, result."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from benchmark.agents.adapters.draft import INTERRUPTED, Draft, DraftStep
from benchmark.agents.adapters.protocol import Glance, Left
from benchmark.agents.adapters.values import count, moment, money, table, tables, text
from benchmark.agents.calls import summary_of
from benchmark.agents.trajectory import Tokens, ToolCall


@dataclass
class ClaudeStream:
    """What a whole stream says. `input_is_whole`: whether the program counts cached tokens as input, too."""

    draft: Draft
    input_is_whole: bool = False
    session: str = ""
    program_version: str = ""
    model: str = ""
    result: dict[str, Any] = field(default_factory=dict)  # of the last start
    results: dict[str, dict[str, Any]] = field(default_factory=dict)  # the last of each session
    cut_off: int = 0  # starts that came to no result, before the last
    retries: int = 0
    _thinking: DraftStep | None = None
    _socket: str = ""  # one per process
    _before: str = ""  # the subtype of the event before

    def read(self, events: Iterable[dict[str, Any]]) -> None:
        for event in events:
            kind = event.get("type")
            if kind == "system":
                self._system(event)
            elif kind == "assistant":
                self._assistant(table(event.get("message")), event)
            elif kind == "user":
                self._user(table(event.get("message")), event)
            elif kind == "result":
                self.result = self.results[text(event.get("session_id"))] = event
            self._before = text(event.get("subtype"))

    def settle(self) -> None:
        """Once tokens are known: what cost none, where others did or all failed, the program wrote itself."""
        told = self.draft.tokens != Tokens() or self.result.get("is_error") is True
        for step in self.draft.steps:
            if told and step.source == "agent" and not (step.calls or step.tokens):
                step.source = "system"

    def tokens_of(self, usage: dict[str, Any]) -> Tokens | None:
        cached, written = count(usage.get("cache_read_input_tokens")), count(usage.get("cache_creation_input_tokens"))
        given = count(usage.get("input_tokens")) + (0 if self.input_is_whole else cached + written)
        found = Tokens(given, count(usage.get("output_tokens")), cached, _thoughts(usage))
        return found if found != Tokens() else None

    @property
    def cost_usd(self) -> float | None:
        """What the program says; it goes on counting where a session is gone on with."""
        known = [cost for one in self.results.values() if (cost := money(one.get("total_cost_usd"))) is not None]
        return sum(known) if known else None

    @property
    def notes(self) -> list[str]:
        found = [f"{self.retries} calls of the model were tried again"] if self.retries else []
        return found + ([f"{self.cut_off} earlier starts were cut off"] if self.cut_off else [])

    @property
    def closing(self) -> str:
        """The program's last word on how it went; what the model said last is none of it."""
        if not self.result:
            return ""
        said = [text(self.result.get("subtype")), text(self.result.get("terminal_reason"))]
        if self.result.get("is_error") is True:
            error = self.result.get("error")
            said += ["is_error", text(self.result.get("result")), text(error) or text(table(error).get("message"))]
            errors = self.result.get("errors")
            said += [text(one) for one in errors] if isinstance(errors, list) else []
        return " ".join(filter(None, said))

    def _system(self, event: dict[str, Any]) -> None:
        if event.get("subtype") == "init":
            if self.session and not self._is_the_same_process(event):
                self.cut_off += not self.result
                self.result = {}
                self.draft.say("system", INTERRUPTED)
            self.session = text(event.get("session_id"))
            self._socket = text(event.get("messaging_socket_path"))
            self.program_version = text(event.get("claude_code_version")) or self.program_version
            self.model = text(event.get("model")) or self.model
        elif event.get("subtype") == "api_retry":
            self.retries += 1

    def _is_the_same_process(self, event: dict[str, Any]) -> bool:
        """It begins anew when work that it had put into the background is done, too. Process ids come again."""
        same = bool(self._socket) and self._socket == event.get("messaging_socket_path")
        return same and self._before.startswith(("task_", "background_tasks"))

    def _assistant(self, message: dict[str, Any], event: dict[str, Any]) -> None:
        step = self._step(message, event)
        self.model = self.model or text(message.get("model"))
        for block in tables(message.get("content")):
            kind = block.get("type")
            if kind == "text" and (said := text(block.get("text"))):
                step.message.append(said)
            elif kind == "thinking" and (thought := text(block.get("thinking"))):
                step.reasoning.append(thought)
            elif kind == "tool_use":
                self.draft.called(step, block.get("name"), block.get("id"), block.get("input"))
        # it comes with each piece of a message; the last that says anything is right
        step.tokens = self.tokens_of(table(message.get("usage"))) or step.tokens
        bare = step.reasoning and not (step.message or step.calls or step.tokens)
        self._thinking = step if bare else None

    def _step(self, message: dict[str, Any], event: dict[str, Any]) -> DraftStep:
        """Some programs give a thought another id than the answer that it belongs to."""
        time = moment(event.get("timestamp")) or moment(event.get("__timestamp"))
        if self._thinking is not None:
            return self.draft.again(message.get("id"), self._thinking)
        return self.draft.agent(message.get("id"), time, message.get("model"))

    def _user(self, message: dict[str, Any], event: dict[str, Any]) -> None:
        time = moment(event.get("timestamp")) or moment(event.get("__timestamp"))
        for block in tables(message.get("content")):
            if block.get("type") == "tool_result":
                raw = table(table(block.get("_meta")).get("rawResponse"))
                failed = block.get("is_error") is True or raw.get("is_error") is True
                self.draft.answered(block.get("tool_use_id"), _content(block.get("content")), failed=failed, time=time)


def glance_at(event: dict[str, Any]) -> Glance | None:
    """Of an event that tells of a new answer: what it calls or says, and that it is another turn."""
    if event.get("type") != "assistant":
        return None
    for block in tables(table(event.get("message")).get("content")):
        if block.get("type") == "tool_use":
            name = text(block.get("name"))
            return Glance(f"{name}: {summary_of(ToolCall('', name, table(block.get('input'))))}", 1)
        if block.get("type") == "text" and (said := text(block.get("text"))):
            return Glance(f"says: {summary_of(ToolCall('', '', {'text': said}))}")
    return None


def stream_of(left: Left, *, input_is_whole: bool = False) -> ClaudeStream:
    stream = ClaudeStream(Draft(left), input_is_whole)
    stream.read(left.events())
    return stream


def _thoughts(usage: dict[str, Any]) -> int:
    return count(table(usage.get("output_tokens_details")).get("thinking_tokens"))


def _content(content: object) -> object:
    """A result. CodeBuddy writes a list of texts and pictures as JSON in one text."""
    blocks = tables(content)
    inner = text(blocks[0].get("text")) if len(blocks) == 1 else ""
    if not inner.startswith('[{"type":"'):
        return content
    try:
        found = json.loads(inner)
    except (ValueError, RecursionError):
        return content
    kinds = [one.get("type") for one in tables(found)]
    return found if len(kinds) == len(found) and set(kinds) <= {"text", "image", "image_url"} else content
