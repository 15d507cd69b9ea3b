"""How an agent's session ended, decided by rows of a table. Exit codes lie, and so does what an agent prints.

What counts, in this order: the limit that stopped it; the rows of its adapter; the rows that hold for every program.
A row is believed only in what the agent cannot bring about itself: the program's own closing event, its exit code, and
what the gateway saw of the model's endpoint.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Ending = Literal[
    "finished", "time limit", "turn limit", "budget", "resource limit", "refused", "crashed", "infrastructure"
]
START_FAILURES = (126, 127)  # of a shell: it cannot be run, it is not there


@dataclass(frozen=True)
class SessionFacts:
    """What is known when the program is gone."""

    exit_code: int
    seconds: float
    closing: str = ""  # the program's own last word on how it went, from its adapter; empty: it said nothing
    errors: str = ""  # the end of its standard error: for rows about the program before it asked a model
    trouble: str = ""  # the last call of the model, if it failed: "401", "429", "500", "unreachable", "cut", "stalled"
    answered: int = 0  # calls of the model that came to a good end
    gateway: bool = True  # whether the model was reached through ours, so that the two above are known


@dataclass(frozen=True)
class Row:
    """All that is named must be true. `closing`, `errors` and `trouble` are searched as regular expressions."""

    ending: Ending
    reason: str
    exit_codes: tuple[int, ...] = ()
    closing: str = ""
    errors: str = ""
    trouble: str = ""
    within_sec: float = 0.0
    answered_at_most: int | None = None

    def fits(self, evidence: SessionFacts) -> bool:
        return (
            (not self.exit_codes or evidence.exit_code in self.exit_codes)
            and all(
                re.search(pattern, text)
                for pattern, text in (
                    (self.closing, evidence.closing), (self.errors, evidence.errors), (self.trouble, evidence.trouble),
                )
                if pattern
            )
            and (not self.within_sec or evidence.seconds <= self.within_sec)
            and (self.answered_at_most is None or (evidence.gateway and evidence.answered <= self.answered_at_most))
        )  # fmt: skip


# For every program, after its adapter's own rows.
COMMON = (
    Row("infrastructure", "the program did not start", exit_codes=START_FAILURES, within_sec=10, answered_at_most=0),
    Row("infrastructure", "the key was refused", trouble=r"^40[13]$"),
    Row("infrastructure", "the account has no credit", trouble=r"^402$"),
    Row("infrastructure", "the endpoint does not know this model or address", trouble=r"^404$"),
    Row("infrastructure", "the provider is overloaded", trouble=r"^(408|409|425|429|5\d\d)$"),
    Row("infrastructure", "the endpoint cannot be reached", trouble=r"^unreachable$"),
    Row("infrastructure", "the endpoint cut its answer off", trouble=r"^cut$"),
    Row("infrastructure", "the endpoint did not answer", trouble=r"^stalled$"),
    Row("infrastructure", "no call of the model succeeded", answered_at_most=0),
)


def decide(rows: Iterable[Row], evidence: SessionFacts) -> tuple[Ending, str]:
    """The first row that fits; without one, the exit code tells whether it finished or crashed.

    Once a model has answered, an agent is at work, and what its program says may be its doing: an outage is believed
    only if the gateway saw one.
    """
    at_work = evidence.gateway and evidence.answered > 0 and not evidence.trouble
    for row in (*rows, *COMMON):
        if row.fits(evidence) and not (row.ending == "infrastructure" and at_work):
            return row.ending, row.reason
    return ("finished", "") if evidence.exit_code == 0 else ("crashed", f"exit code {evidence.exit_code}")
