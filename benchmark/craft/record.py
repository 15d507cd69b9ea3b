"""What a record knows of a game besides its scores: whether it could be built and shown, and its demos."""

from dataclasses import asdict, dataclass
from typing import Any

from benchmark.checked import Fields
from benchmark.trials import TrialRecord


@dataclass(frozen=True)
class DemoRecord:
    """One demo of a trial, for tables; the evidence itself lies in the trial's folder."""

    name: str
    seconds: float
    ended: str
    detail: str = ""
    inputs: int = 0


@dataclass(frozen=True)
class GameFacts:
    """BUILD with its two halves, None where nobody looked; the demos that were shown, and how many could not be."""

    build: int | None = None
    launches: bool | None = None
    has_trace: bool | None = None
    bad_traces: int = 0
    demos: tuple[DemoRecord, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """For the record."""
        return {**asdict(self), "demos": [asdict(demo) for demo in self.demos]}


def facts_of(record: TrialRecord) -> GameFacts:
    """Nothing is known of a void."""
    return _read(Fields(record.facts))


def check_facts(given: Fields, score: float | None) -> None:
    """Raises ValueError for what cannot be true of a game with this score."""
    build = _read(given).build
    if (build is None) != (score is None):
        raise ValueError(f"build: {build} does not go with score: {score}")
    if score and not build:
        raise ValueError(f"score: {score} does not go with build: {build}; what does not build is a scored 0")


def _read(given: Fields) -> GameFacts:
    return GameFacts(
        build=given.whole("build", 0, 1) if given.has("build") else None,
        launches=given.flag("launches") if given.has("launches") else None,
        has_trace=given.flag("has_trace") if given.has("has_trace") else None,
        bad_traces=given.whole("bad_traces", 0, 1 << 31, 0),
        demos=tuple(map(_demo, given.objects("demos"))),
    )


def _demo(given: Fields) -> DemoRecord:
    return DemoRecord(
        name=given.text("name"),
        seconds=given.amount("seconds"),
        ended=given.text("ended"),
        detail=given.text("detail", ""),
        inputs=given.whole("inputs", 0, 1 << 31, 0),
    )
