"""The files that Gemini CLI keeps of its sessions.

A record is written again whenever it grows. The file of a session that was gone on with begins with the old ones.
"""

from collections.abc import Iterable
from typing import Any

from benchmark.agents.adapters.draft import Draft
from benchmark.agents.adapters.values import count, table, tables, text
from benchmark.agents.trajectory import Tokens

_EXITED = "Command exited with code: "


def fill(draft: Draft, events: Iterable[dict[str, Any]]) -> str:
    """Steps from the records; says which model answered last, or nothing if none did."""
    model, seen, own = "", set(), True
    for event in events:
        if "sessionId" in event and "kind" in event:  # the head of a file
            own = event["kind"] == "main"
        for record in [event, *tables(table(event.get("$set")).get("messages"))]:
            kind, key = record.get("type"), text(record.get("id"))
            if kind == "gemini":
                model = text(record.get("model")) or model
                _answer(draft, record, key)
            elif kind == "user" and own and model and key not in seen:
                said = "\n".join(text(one.get("text")) for one in tables(record.get("content")) if "text" in one)
                if said:
                    draft.say("user", said, record.get("timestamp"))
            seen.add(key)
    return model


def _answer(draft: Draft, record: dict[str, Any], key: str) -> None:
    tokens = table(record.get("tokens"))
    if not tokens and draft.known(key) is not None:
        return  # a session that is gone on with tells the answers before it again, with less of each
    step = draft.agent(key, record.get("timestamp"), record.get("model"))
    step.message = [draft.content(record.get("content"))[0]]
    step.reasoning = [text(one.get("description")) for one in tables(record.get("thoughts"))]
    if tokens:
        thoughts = count(tokens.get("thoughts"))
        given = count(tokens.get("input")) + count(tokens.get("tool"))
        step.tokens = Tokens(given, count(tokens.get("output")) + thoughts, count(tokens.get("cached")), thoughts)
    for call in tables(record.get("toolCalls")):
        draft.called(step, call.get("name"), call.get("id"), call.get("args"))
        if call.get("result") is not None:
            failed = call.get("status") != "success" or text(call.get("resultDisplay")).startswith(_EXITED)
            draft.answered(call.get("id"), _parts(call.get("result")), failed=failed, time=call.get("timestamp"))


def _parts(result: object) -> list[dict[str, Any]]:
    """What the model was given: texts, with pictures beside them."""
    found = []
    for part in tables(result):
        response = table(table(part.get("functionResponse")).get("response"))
        found.append({"text": text(response.get("output")) or text(response.get("error"))} if response else part)
    return found
