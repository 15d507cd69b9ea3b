"""A program whose behaviour a test writes as a shell script: what an agent in it could do, without any model's help."""

from typing import Any

from benchmark.agents.adapters.protocol import Glance, Invocation, Left, Read, Session, Wire
from benchmark.agents.endings import Row
from benchmark.agents.trajectory import Step, Trajectory

KIND = f"{__name__}:Shell"
# What its scripts may call: one question to its model, of which the answer is printed.
ASK = """
ask() {
    tools='[{"function": {"name": "bash"}}]'
    curl -sS -m 60 "$BASE/chat/completions" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
        -d "{\\"model\\": \\"${1:-scripted}\\", \\"messages\\": [], \\"tools\\": $tools}"
}
"""


class Shell:
    kind = "shell"
    version = "1"
    wire: Wire = "chat"
    base_url = ""
    key_variables = ("SHELL_PROGRAM_KEY",)
    model = "scripted"
    resumes = True
    endings = (Row("refused", "it said that it refuses", closing=r"^refused$"),)

    def invocation(self, session: Session) -> Invocation:
        (session.home_outside / "settings").write_text(session.prompt)
        env = {"BASE": session.base_url, "KEY": session.key, "RESUMED": session.resume}
        return Invocation((*session.program, "-c", ASK + session.arguments[0]), env, session.prompt)

    def glance(self, event: dict[str, Any]) -> Glance | None:
        return Glance(str(event.get("did", "")), 1)

    def read(self, left: Left) -> Read:
        events = list(left.events())
        steps = tuple(Step("agent", str(event.get("did"))) for event in events)
        closing = str(events[-1].get("closing", "")) if events else ""
        return Read(Trajectory(steps, session="session-1", program_version="9"), closing)
