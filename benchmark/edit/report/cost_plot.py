"""Cost against pass@1: which agents are drawn, and which have nothing to draw."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmark.edit.results.passrates import PassSummary
from benchmark.results.report.plot import Dot, Plot, dollars, lay_out_plot


@dataclass(frozen=True)
class CostPlot:
    """`left_out` have no cost or no pass rate: at 0 they would look better than anybody."""

    drawing: Plot
    left_out: tuple[PassSummary, ...]


def label_of(summary: PassSummary) -> str:
    """Who a point is."""
    return summary.agent if summary.feedback == "none" else f"{summary.agent}, {summary.feedback}"


def lay_out_costs(summaries: Sequence[PassSummary]) -> CostPlot:
    """`summaries` best first."""
    several = len({one.feedback for one in summaries}) > 1
    dots = [
        _dot(rank, one, several) for rank, one in enumerate(summaries, 1) if one.rates.tasks and one.cost_per_trial > 0
    ]
    left_out = tuple(one for one in summaries if not one.rates.tasks or one.cost_per_trial <= 0)
    return CostPlot(lay_out_plot(dots, dollars), left_out)


def _dot(rank: int, one: PassSummary, several: bool) -> Dot:
    interval, passed = one.rates.interval_1, one.rates.pass_1 or 0.0
    found = f"{passed * 100:.2f} %"
    return Dot(
        number=rank,
        title=f"{one.agent}, {one.feedback}: {found}, ${one.cost_per_trial:.3f}",
        x=one.cost_per_trial,
        y=passed,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        name=label_of(one),
        key=f"{one.agent}{f', {one.feedback}' if several else ''}: {found} at ${one.cost_per_trial:.3f}",
    )
