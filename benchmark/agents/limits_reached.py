"""How a session ended: a limit that the program does not know of, one that stopped it, or the table of its adapter.

An outage is never a score. Without one good answer of its model an agent has done nothing; and one whose endpoint was
gone at the end of its time was not slow.
"""

from collections.abc import Iterable
from typing import Literal

from benchmark.agents.endings import Ending, Row, SessionFacts, decide
from benchmark.agents.gateway.ledger import CallLedger
from benchmark.runtime.processes import Finished

Stop = Literal["turn limit", "budget", "outage"]
_HOPELESS = ("401", "402", "403", "404")  # waiting does not mend these
_HOPELESS_SEC = 30.0
_MOST_LOST = 0.1  # of an agent's time may go to an outage at its end


def stop_of(ledger: CallLedger, outage_sec: float) -> Stop | None:
    """Why a session must be stopped now. Cheap: asked many times a second."""
    if ledger.over is not None:
        return ledger.over
    patience = min(_HOPELESS_SEC, outage_sec) if ledger.trouble in _HOPELESS else outage_sec
    return "outage" if ledger.trouble and ledger.trouble_sec() >= patience else None


def ending_of(
    stop: Stop | None, ledger: CallLedger, finished: Finished, wall_sec: float, facts: SessionFacts, rows: Iterable[Row]
) -> tuple[Ending, str]:
    """In this order: why we stopped it, the limit that it ran into, and what the table of its adapter says."""
    if stop == "outage":
        return "infrastructure", f"{_why(ledger)}, for {ledger.trouble_sec():.0f} s"
    if stop == "turn limit":
        return stop, f"stopped after {ledger.answered} calls of its model"
    if stop == "budget":
        return stop, f"stopped at ${ledger.cost_usd or 0.0:.2f}"
    if finished.ending == "wall time":
        if facts.gateway and not ledger.answered:
            return "infrastructure", f"{_why(ledger)} before its time was up"
        if ledger.trouble and ledger.trouble_sec() > wall_sec * _MOST_LOST:
            return "infrastructure", f"{_why(ledger)} when its time was up, for {ledger.trouble_sec():.0f} s"
        return "time limit", f"stopped after {finished.wall_sec:.0f} s"
    if finished.ending != "exited":
        return "resource limit", finished.describe()
    ended, reason = decide(rows, facts)
    if ended == "finished" and not reason:
        reason = f"in {finished.wall_sec:.0f} s"
    if ended == "infrastructure" and facts.gateway:
        reason = f"{reason} ({_why(ledger)})" if not ledger.answered or ledger.trouble else reason
    return ended, reason


def _why(ledger: CallLedger) -> str:
    if not ledger.trouble:
        return "its program never got an answer of its model" if ledger.calls else "its program never asked its model"
    said = ledger.trouble
    return f"its model's endpoint answered HTTP {said}" if said.isdecimal() else f"its model's endpoint: {said}"
