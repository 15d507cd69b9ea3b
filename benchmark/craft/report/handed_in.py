"""What agents handed in, for the page of what agents did: builds, traces, demos, and which categories go together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmark.craft.results.correlations import CategoryCorrelations, correlations
from benchmark.craft.results.summary import AgentSummary, summarize
from benchmark.craft.rubric import CATEGORY_NAMES
from benchmark.trials import TrialRecord


@dataclass(frozen=True)
class HandedIn:
    """Best agent first."""

    summaries: tuple[AgentSummary, ...]
    correlations: tuple[CategoryCorrelations, ...]
    letters: Mapping[str, str]


def handed_in(records: Sequence[TrialRecord]) -> HandedIn:
    return HandedIn(summarize(records), correlations(records), CATEGORY_NAMES)
