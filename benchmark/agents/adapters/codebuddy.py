"""CodeBuddy Code. Flags and stream are Claude Code's, but it counts otherwise, and ends with 0 whatever happened."""

import json
from typing import Any

from benchmark.agents.adapters.claude import mcp_options
from benchmark.agents.adapters.claude_stream import glance_at, stream_of
from benchmark.agents.adapters.protocol import Glance, Invocation, Left, Read, Session, Wire, events_in
from benchmark.agents.adapters.session_files import session_files
from benchmark.agents.adapters.values import chat_tokens, table
from benchmark.agents.endings import Row
from benchmark.agents.trajectory import Tokens

_HOME = ".codebuddy"
_MCP_WAIT_MS = 12_000  # with any MCP server it always waits so long before it begins; its own 30 s are a waste


class CodeBuddy:
    kind = "codebuddy"
    version = "1"
    wire: Wire = "chat"
    base_url = ""  # its own service speaks more than this protocol: a profile says which endpoint is meant
    key_variables = ("CODEBUDDY_API_KEY", "OPENAI_API_KEY")
    model = ""
    resumes = True
    endings = (
        Row("turn limit", "it used all of its turns", closing=r"^error_during_execution is_error Max turns \("),
        Row("infrastructure", "the key was refused", closing=r"^error_during_execution is_error 40[13]\b"),
        Row("infrastructure", "the provider is overloaded", closing=r"^error_during_execution is_error (429|5\d\d)\b"),
        Row("crashed", "it says that it failed", closing=r"\bis_error\b"),
    )

    def invocation(self, session: Session) -> Invocation:
        """Standard input is the prompt; one given as a word would be sent twice."""
        folder = session.home_outside / _HOME
        folder.mkdir(exist_ok=True)
        settings = {"autoUpdates": False, "deferToolLoading": False, "alwaysThinkingEnabled": bool(session.effort)}
        (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        if session.base_url:
            # of a model that it does not know it believes that it neither sees pictures nor thinks
            model = {
                "id": session.model, "name": session.model, "vendor": "OpenAI", "apiKey": session.key,
                "url": f"{session.base_url}/chat/completions", "supportsToolCall": True, "supportsImages": True,
                "supportsReasoning": bool(session.effort),
            }  # fmt: skip
            (folder / "models.json").write_text(json.dumps({"models": [model]}), encoding="utf-8")
        command = [*session.program, "-p", "--output-format", "stream-json", "-y", "--model", session.model]
        command += ["--effort", session.effort] if session.effort else []
        command += ["--max-turns", str(session.max_turns)] if session.max_turns else []
        command += mcp_options(session.mcp)
        command += ["--resume", session.resume] if session.resume else []
        env = {
            "CODEBUDDY_CONFIG_DIR": f"{session.home}/{_HOME}", "DISABLE_AUTOUPDATER": "1",
            "CODEBUDDY_API_KEY": session.key, "MCP_TIMEOUT": str(_MCP_WAIT_MS),
        }  # fmt: skip
        if session.base_url:
            env["CODEBUDDY_BASE_URL"] = session.base_url
        return Invocation((*command, *session.arguments), env, session.prompt)

    def glance(self, event: dict[str, Any]) -> Glance | None:
        return glance_at(event)

    def read(self, left: Left) -> Read:
        """Its cost is always 0, which is no price. Its usage is that of the whole session, over all starts."""
        stream = stream_of(left, input_is_whole=True)
        for path in session_files(left.home, f"{_HOME}/projects"):
            for event in events_in(path):
                usage = table(table(event.get("providerData")).get("rawUsage"))
                if usage and (step := stream.draft.known(event.get("id"))) is not None:
                    step.tokens = chat_tokens(usage)
        stream.settle()
        told = [stream.tokens_of(table(one.get("usage"))) for one in stream.results.values()]
        total = sum(filter(None, told), Tokens())
        trajectory = stream.draft.trajectory(
            session=stream.session, program_version=stream.program_version,
            model=stream.model.removeprefix("custom-local:"),
            total=stream.draft.total(total), notes=stream.notes,
        )  # fmt: skip
        return Read(trajectory, stream.closing)
