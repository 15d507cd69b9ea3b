"""The page of what agents did in a run: a part for each track, with what only the track knows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmark.results.averages import by_agent
from benchmark.results.behaviour import COST, Behaviour, behaviour_of
from benchmark.results.report.cards import page_id
from benchmark.results.report.plot import Dot, Plot, dollars, lay_out_plot, plain_number
from benchmark.results.report.session_drawing import BarPart, shares
from benchmark.results.tables import Table
from benchmark.trials import TrialRecord

if TYPE_CHECKING:
    from benchmark.tracks import Track

MAX_DOTS = 1_000  # of trials in a drawing


@dataclass(frozen=True)
class AgentLine:
    """An agent. `mix` is drawn against the agent that calls most."""

    number: int
    behaviour: Behaviour
    mix: tuple[BarPart, ...]


@dataclass(frozen=True)
class BehaviourSection:
    """A track's part of the page; `template` shows `own`, if it has anything of its own."""

    track: "Track"
    lines: tuple[AgentLine, ...]
    kinds: tuple[str, ...]
    calls: Plot
    costs: Plot
    left_out: tuple[str, ...]  # agents without a cost
    success: str  # what is drawn upwards
    template: str
    own: Any


@dataclass(frozen=True)
class AgentsPage:
    """What its template shows."""

    run: str
    sections: tuple[BehaviourSection, ...]
    tables: Mapping[str, Table]
    links: Mapping[str, str]


def behaviour_section(
    track: "Track", agents: Sequence[str], records: Sequence[TrialRecord], *, template: str = "", own: Any = None
) -> BehaviourSection:
    """`agents` best first."""
    found = by_agent(records)
    all_of_it = [behaviour_of(agent, found[agent]) for agent in dict.fromkeys(agents) if agent in found]
    most = max((one.means.get("tool_calls", 0.0) for one in all_of_it), default=0.0)
    lines = tuple(AgentLine(number, one, shares(one.kinds, most)) for number, one in enumerate(all_of_it, 1))
    metrics = track.metrics(track)
    values = {agent: metrics.gate_values(found[agent]).get(metrics.mean_name) for agent in found}
    costs = [_cost_dot(line, value) for line in lines if (value := values[line.behaviour.agent]) is not None]
    return BehaviourSection(
        track=track,
        lines=lines,
        kinds=tuple(dict.fromkeys(kind for line in lines for kind, _ in line.behaviour.kinds)),
        calls=lay_out_plot(_call_dots(lines, found), plain_number),
        costs=lay_out_plot([dot for dot in costs if dot is not None], dollars),
        left_out=tuple(line.behaviour.agent for line in lines if not line.behaviour.means.get(COST)),
        success="pass@1" if track.pass_or_fail else "Score",
        template=template,
        own=own,
    )


def _cost_dot(line: AgentLine, value: float) -> Dot | None:
    one = line.behaviour
    cost = one.means.get(COST)
    if not cost:
        return None
    said = f"{one.agent}: {value * 100:.2f} % at ${cost:.3f}"
    return Dot(number=line.number, title=said, x=cost, y=value, name=one.agent, key=said)


def _call_dots(lines: Sequence[AgentLine], found: Mapping[str, Sequence[TrialRecord]]) -> list[Dot]:
    """One for each trial."""
    dots = []
    for line in lines:
        for record in found[line.behaviour.agent]:
            if record.scored and "tool_calls" in record.activity:
                calls, score = record.activity["tool_calls"], record.score or 0.0
                title = f"{record.id.label}: {score * 100:.2f} % with {calls:.0f} calls"
                dots.append(Dot(line.number, title, calls, score, link=f"trials/{page_id(record.id)}.html"))
    return dots[:MAX_DOTS]
