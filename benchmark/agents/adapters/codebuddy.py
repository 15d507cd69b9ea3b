"""CodeBuddy Code. Flags and stream are Claude Code's, but it counts otherwise, and ends with 0 whatever happened."""

from typing import Any

from benchmark.agents.adapters.claude import SERVER_TOOLS, mcp_options
from benchmark.agents.adapters.claude_stream import glance_at, stream_of
from benchmark.agents.adapters.protocol import Glance, Invocation, Left, Read, Session, Wire, events_in
from benchmark.agents.adapters.session_files import session_files
from benchmark.agents.adapters.values import chat_tokens, table
from benchmark.agents.endings import Row
from benchmark.agents.trajectory import Tokens

_HOME = ".codebuddy"


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
        command = [*session.program, "-p", "--output-format", "stream-json", "-y", "--model", session.model]
        command += ["--disallowedTools", SERVER_TOOLS]
        command += ["--effort", session.effort] if session.effort else []
        command += ["--max-turns", str(session.max_turns)] if session.max_turns else []
        command += mcp_options(session.mcp)
        command += ["--resume", session.resume] if session.resume else []
        env = {
            "CODEBUDDY_CONFIG_DIR": f"{session.home}/{_HOME}", "DISABLE_AUTOUPDATER": "1",
            "CODEBUDDY_API_KEY": session.key,
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
            session=stream.session, program_version=stream.program_version, model=stream.model,
            total=stream.draft.total(total), notes=stream.notes,
        )  # fmt: skip
        return Read(trajectory, stream.closing)
