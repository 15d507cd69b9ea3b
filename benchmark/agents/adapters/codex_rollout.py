"""The file that Codex keeps of a session: what went to the model and came from it. An answer ends with its tokens."""

import re
from collections.abc import Iterable
from typing import Any

from benchmark.agents.adapters.draft import INTERRUPTED, Draft, DraftStep
from benchmark.agents.adapters.values import count, table, tables, text
from benchmark.agents.trajectory import Tokens

_EXITED = re.compile(r"^Process exited with code ([1-9]\d*)$", re.MULTILINE)
# kind of item → where the arguments are
_CALLS = {"function_call": "arguments", "custom_tool_call": "input", "local_shell_call": "action"}


class Rollout:
    """One file. `read` once."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._answer = 0
        self.session = self.program_version = self.model = ""
        self.total = Tokens()

    def read(self, events: Iterable[dict[str, Any]]) -> None:
        prompted = False
        for event in events:
            kind, said = event.get("type"), table(event.get("payload"))
            if kind == "session_meta":
                self.session, self.program_version = text(said.get("id")), text(said.get("cli_version"))
            elif kind == "turn_context":
                self.model = text(said.get("model")) or self.model
            elif kind == "token_usage_record":
                self._step(event).tokens = tokens_of(table(said.get("usage")))
                self.total = tokens_of(table(said.get("thread_token_usage")))
                self._answer += 1
            elif kind == "event_msg" and said.get("type") == "task_started":
                if prompted:
                    self._draft.say("system", INTERRUPTED, event.get("timestamp"))
                prompted = True
            elif kind == "response_item":
                self._item(text(said.get("type")), said, event)

    def _item(self, kind: str, said: dict[str, Any], event: dict[str, Any]) -> None:
        if kind == "message" and said.get("role") == "assistant":
            self._step(event).message.append(self._draft.content(said.get("content"))[0])
        elif kind == "reasoning":
            thoughts = [text(one.get("text")) for one in tables(said.get("summary")) + tables(said.get("content"))]
            self._step(event).reasoning += filter(None, thoughts)
        elif kind in _CALLS:
            name = "__".join(filter(None, (text(said.get("namespace")), text(said.get("name"))))) or kind
            self._draft.called(self._step(event), name, said.get("call_id"), said.get(_CALLS[kind]))
        elif kind.endswith("_call_output"):
            output = said.get("output")
            failed = isinstance(output, str) and _EXITED.search(output[:200]) is not None
            self._draft.answered(said.get("call_id"), output, failed=failed, time=event.get("timestamp"))

    def _step(self, event: dict[str, Any]) -> DraftStep:
        return self._draft.agent(f"{self.session} {self._answer}", event.get("timestamp"), self.model)


def tokens_of(usage: dict[str, Any]) -> Tokens:
    """Of one answer or of all; input includes what was cached, output what was thought."""
    names = ("input_tokens", "output_tokens", "cached_input_tokens", "reasoning_output_tokens")
    return Tokens(*(count(usage.get(name)) for name in names))
