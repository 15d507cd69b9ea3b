"""mini-swe-agent: a shell and nothing else. It prints for people; all that counts is in the one file that it saves."""

from typing import Any

from benchmark.agents.adapters.draft import Draft
from benchmark.agents.adapters.protocol import Glance, Invocation, Left, Read, Session, Wire
from benchmark.agents.adapters.session_files import json_object
from benchmark.agents.adapters.values import chat_tokens, count, money, since_1970, table, tables, text
from benchmark.agents.endings import Row

_SAVED = "mini-swe-agent.traj.json"  # in its home, after each step
_OF_THE_ENDPOINT = (
    r"^(AuthenticationError|PermissionDeniedError|NotFoundError|RateLimitError|APIConnectionError|Timeout"
    r"|InternalServerError|ServiceUnavailableError|BadGatewayError|APIError)$"
)


class MiniSwe:
    kind = "mini"
    version = "1"
    wire: Wire = "chat"
    base_url = "https://api.openai.com/v1"
    key_variables = ("OPENAI_API_KEY",)
    model = ""
    resumes = False
    endings = (
        Row("finished", "", exit_codes=(0,), closing=r"^Submitted$"),
        Row("turn limit", "it used all of its turns", closing=r"^LimitsExceeded$"),
        Row("refused", "the model called no tool, three times in a row", closing=r"^RepeatedFormatError$"),
        Row(
            "infrastructure", "its calls of the model failed", exit_codes=(1,), closing=_OF_THE_ENDPOINT, trouble=r"^$"
        ),
    )

    def invocation(self, session: Session) -> Invocation:
        # Its class without a person at the keyboard: the other asks for a new limit when one is reached.
        settings: dict[str, Any] = {"agent.step_limit": session.max_turns or 0, "agent.cost_limit": 0}
        settings |= {"model.model_kwargs.api_base": session.base_url} if session.base_url else {}
        # Past litellm, which drops the parameter for models that it does not know.
        settings |= {"model.model_kwargs.extra_body.reasoning_effort": session.effort} if session.effort else {}
        configuration = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
        return Invocation(
            (
                *session.program, "--model", f"openai/{session.model}", f"--task={session.prompt}", "--yolo",
                "--exit-immediately", "--agent-class", "default", "--output", f"{session.home}/{_SAVED}",
                "-c", "mini", *configuration, *session.arguments,
            ),
            {
                "OPENAI_API_KEY": session.key, "MSWEA_CONFIGURED": "true", "MSWEA_SILENT_STARTUP": "1",
                "MSWEA_COST_TRACKING": "ignore_errors", "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            },
        )  # fmt: skip

    def glance(self, event: dict[str, Any]) -> Glance | None:
        return None

    def read(self, left: Left) -> Read:
        draft, saved = Draft(left), json_object(left.home / _SAVED)
        info, model = table(saved.get("info")), ""
        for number, message in enumerate(tables(saved.get("messages"))):
            extra, role, content = table(message.get("extra")), message.get("role"), message.get("content")
            time = since_1970(extra.get("timestamp"))
            if role == "assistant":
                model = text(table(extra.get("response")).get("model")) or model
                _answer(draft, message, extra, time)
            elif role == "tool":
                failed = extra.get("returncode") not in (0, None)
                draft.answered(message.get("tool_call_id"), content, failed=failed, time=time)
            elif role == "system" or (role == "user" and number > 1):  # the second is the prompt, in a frame
                draft.say("system" if role == "system" else "user", draft.content(content)[0], time)
        stats = table(info.get("model_stats"))
        trajectory = draft.trajectory(
            program_version=text(info.get("mini_version")),
            model=model,
            cost_usd=money(stats.get("instance_cost")) or None,  # 0 where it knows no price
            turns=count(stats.get("api_calls")),
            notes=() if saved else (f"{_SAVED} cannot be read",),
        )
        return Read(trajectory, text(info.get("exit_status")))


def _answer(draft: Draft, message: dict[str, Any], extra: dict[str, Any], time: str) -> None:
    response = table(extra.get("response"))
    step = draft.agent(time=time, model=response.get("model"))
    step.message.append(draft.content(message.get("content"))[0])
    step.reasoning.append(text(message.get("reasoning_content")))
    step.cost_usd = money(extra.get("cost")) or None
    step.tokens = chat_tokens(table(response.get("usage")))
    for call in tables(message.get("tool_calls")):
        function = table(call.get("function"))
        draft.called(step, function.get("name"), call.get("id"), function.get("arguments"))
