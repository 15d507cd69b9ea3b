"""OpenHands. Its stream and its folder of events say the same; tokens are in the state beside them."""

import json
from typing import Any

from benchmark.agents.adapters.draft import Draft
from benchmark.agents.adapters.protocol import Glance, Invocation, Left, Read, Session, Wire
from benchmark.agents.adapters.session_files import json_object, session_files
from benchmark.agents.adapters.values import arguments, count, money, table, tables, text
from benchmark.agents.calls import summary_of
from benchmark.agents.endings import Row
from benchmark.agents.trajectory import Tokens, ToolCall

_HOME = ".openhands"
_OF_THE_ENDPOINT = (
    r"^((LLM)?(Authentication|RateLimit|ServiceUnavailable|InternalServer|APIConnection|Timeout)Error|Timeout)$"
)


class OpenHands:
    kind = "openhands"
    version = "1"
    wire: Wire = "chat"
    base_url = "https://api.openai.com/v1"
    key_variables = ("LLM_API_KEY", "OPENAI_API_KEY")
    model = ""
    resumes = True
    # Its exit code is 0 whatever happened.
    endings = (
        Row("finished", "", exit_codes=(0,), closing=r"^finished$"),
        Row("turn limit", "it used all of its turns", closing=r"^MaxIterationsReached$"),
        Row("refused", "it was stuck in a loop", closing=r"^stuck$"),
        Row("infrastructure", "its calls of the model failed", closing=_OF_THE_ENDPOINT, trouble=r"^$"),
        Row("crashed", "its conversation ended with an error", closing=r"Error$|^error$", trouble=r"^$"),
    )

    def invocation(self, session: Session) -> Invocation:
        home = session.home_outside / _HOME
        home.mkdir(parents=True, exist_ok=True)
        name = f"openai/{session.model}"
        if session.mcp:
            server = {"command": session.mcp[0], "args": list(session.mcp[1:]), "env": {}, "transport": "stdio"}
            (home / "mcp.json").write_text(json.dumps({"mcpServers": {"gamecraft": server}}), encoding="utf-8")
        if session.effort:
            (home / "agent_settings.json").write_text(json.dumps(_agent(name, session)), encoding="utf-8")
        env = {
            "LITELLM_LOCAL_MODEL_COST_MAP": "True", "OPENHANDS_SUPPRESS_BANNER": "1", "LLM_MODEL": name,
            "OPENHANDS_PERSISTENCE_DIR": f"{session.home}/{_HOME}", "OPENHANDS_WORK_DIR": session.workspace,
            "LLM_API_KEY": session.key, "TZ": "UTC",
        }  # fmt: skip
        env |= {"LLM_BASE_URL": session.base_url} if session.base_url else {}
        resume = ("--resume", session.resume) if session.resume else ()
        flags = ("--headless", "--json", "--override-with-envs", *resume, f"--task={session.prompt}")
        return Invocation((*session.program, *flags, *session.arguments), env)

    def glance(self, event: dict[str, Any]) -> Glance | None:
        if event.get("source") != "agent":
            return None
        if event.get("kind") == "ActionEvent":
            made = table(event.get("tool_call"))
            call = ToolCall("", text(event.get("tool_name")), arguments(made.get("arguments")))
            return Glance(f"{call.name}: {summary_of(call)}", 1)
        said = _said(event)
        return Glance(f"says: {summary_of(ToolCall('', '', {'text': said}))}", 1) if said else None

    def read(self, left: Left) -> Read:
        files = session_files(left.home, f"{_HOME}/conversations", "/base_state.json")
        # what a sub-agent used stands in its master's state, too
        states = [(path.parent.name, json_object(path)) for path in files if path.parts[-3] == "conversations"]
        used = [table(one) for _, state in states for one in table(_stats(state)).values()]
        tokens = {text(one.get("response_id")): _tokens(one) for use in used for one in tables(use.get("token_usages"))}
        draft, closing = Draft(left), ""
        for event in left.events():
            closing = _read_event(event, draft, tokens) or closing
        session, state = states[-1] if states else ("", {})
        total = sum((_tokens(table(use.get("accumulated_token_usage"))) for use in used), Tokens())
        trajectory = draft.trajectory(
            session=session,
            total=draft.total(total) if states else None,
            cost_usd=sum(money(use.get("accumulated_cost")) or 0 for use in used) or None,
            turns=len(tokens),
            # it saves what it used when it stops by itself, not when it is stopped
            notes=() if tokens else ("its saved state tells no tokens",),
        )
        return Read(trajectory, closing or text(state.get("execution_status")))


def _read_event(event: dict[str, Any], draft: Draft, tokens: dict[str, Tokens]) -> str:
    """Says how it went, if this event does."""
    kind, answer = event.get("kind"), text(event.get("llm_response_id"))
    time = f"{text(event.get('timestamp'))}+00:00"  # without a zone, and it was told that it is there
    if kind == "ConversationErrorEvent":
        return text(event.get("code")) or "error"
    if kind == "AgentErrorEvent":
        draft.answered(event.get("tool_call_id"), event.get("error"), failed=True, time=time)
    elif kind == "ObservationEvent":
        seen = table(event.get("observation"))
        failed = seen.get("is_error") is True or seen.get("exit_code") not in (0, None)
        draft.answered(event.get("tool_call_id"), _parts(seen.get("content")), failed=failed, time=time)
    elif kind == "MessageEvent" and event.get("source") == "user":
        if (said := _said(event)) != draft.prompt:
            draft.say("user", said, time)
    elif kind in ("ActionEvent", "MessageEvent"):
        step = draft.agent(answer, time)  # several calls may come of one answer
        step.tokens = tokens.get(answer)
        step.message.append(_said(event))
        step.reasoning.append(text({**table(event.get("llm_message")), **event}.get("reasoning_content")))
        if kind == "ActionEvent":
            given = table(event.get("tool_call")).get("arguments")
            draft.called(step, event.get("tool_name"), event.get("tool_call_id"), given)
    return ""


def _said(event: dict[str, Any]) -> str:
    parts = tables(event.get("thought")) or tables(table(event.get("llm_message")).get("content"))
    return "\n".join(filter(None, (text(part.get("text")) for part in parts)))


def _parts(content: object) -> list[dict[str, Any]]:
    """Its pictures come several in one part."""
    lists = [urls for part in tables(content) if isinstance(urls := part.get("image_urls"), list)]
    return [*tables(content), *({"type": "image_url", "image_url": one} for urls in lists for one in urls)]


def _stats(state: dict[str, Any]) -> object:
    return table(state.get("stats")).get("usage_to_metrics")


def _tokens(usage: dict[str, Any]) -> Tokens:
    return Tokens(
        prompt=count(usage.get("prompt_tokens")),
        completion=count(usage.get("completion_tokens")),
        cached=count(usage.get("cache_read_tokens")),
        reasoning=count(usage.get("reasoning_tokens")),
    )


def _agent(name: str, session: Session) -> dict[str, Any]:
    """Its own agent, thinking as hard as it is told; tools and the rest it adds when it starts."""
    llm = {"model": name, "api_key": session.key, "reasoning_effort": session.effort}
    llm |= {"base_url": session.base_url} if session.base_url else {}
    condenser = {
        "kind": "LLMSummarizingCondenser", "llm": {**llm, "usage_id": "condenser"}, "max_size": 80, "keep_first": 4,
    }  # fmt: skip
    return {
        "kind": "Agent", "llm": {**llm, "usage_id": "agent"}, "tools": [], "condenser": condenser,
        "system_prompt_kwargs": {"cli_mode": True},
    }  # fmt: skip
