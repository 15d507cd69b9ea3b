"""What people's scores say about the judge's: pure functions from finished reviews to numbers and tables."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from benchmark.craft.families import FAMILIES
from benchmark.craft.results.summary import LETTERS
from benchmark.craft.review.ledger import Review
from benchmark.craft.review.queue import Case
from benchmark.craft.scoring import Scores, aggregate
from benchmark.results.agreement import Gap, Ratings, agreement, alpha, gaps
from benchmark.results.judging import AGREEMENT_COLUMNS, agreement_cells
from benchmark.results.tables import ALL_FAMILIES, Cell, Column, Table

JUDGE = "judge"
PEOPLE = "mean of reviewers"
LISTED_GAPS = 30


@dataclass(frozen=True)
class Judged:
    """A trial that at least one reviewer finished. The mean of the finished reviews is the human score."""

    case: Case
    reviews: dict[str, dict[str, float]]  # reviewer → item → score
    human: Scores
    item_sd: dict[str, float | None]
    overall_sd: float | None

    @property
    def judge_overall(self) -> float:
        return float(self.case.record.score or 0.0)

    @property
    def judge_items(self) -> dict[str, float]:
        return {item: float(self.case.record.items[item]) for item in self.case.rubric.ids}

    @property
    def differences(self) -> dict[str, float]:
        """Judge − human, of each category that the rubric has and of the whole."""
        judge = aggregate(self.case.rubric, 1, [self.judge_items]).categories
        found = {letter: judge[letter] - self.human.categories[letter] for letter in judge}
        return {**found, "overall": self.judge_overall - self.human.score}


def finished_trials(cases: Sequence[Case], reviews: Sequence[Review]) -> tuple[Judged, ...]:
    """Unfinished reviews count nowhere: the items that are open would be those that are hard to judge."""
    found = []
    for case in cases:
        complete = {review.reviewer: case.scores(review) for review in reviews if case.finished(review)}
        if complete:
            found.append(_judged(case, complete))
    return tuple(found)


def _judged(case: Case, reviews: dict[str, dict[str, float]]) -> Judged:
    means = {item: statistics.fmean(one[item] for one in reviews.values()) for item in case.rubric.ids}
    overall = [aggregate(case.rubric, 1, [one]).score for one in reviews.values()]
    return Judged(
        case=case,
        reviews=reviews,
        # a person gives one score per item with all demos at hand: there is nothing to combine
        human=aggregate(case.rubric, 1, [means]),
        item_sd={item: _sd([one[item] for one in reviews.values()]) for item in case.rubric.ids},
        overall_sd=_sd(overall),
    )


def _sd(values: Sequence[float]) -> float | None:
    return statistics.stdev(values) if len(values) > 1 else None


def _judge_ratings(judged: Sequence[Judged]) -> Ratings:
    return _ratings(judged, [one.judge_items for one in judged])


def _human_ratings(judged: Sequence[Judged]) -> Ratings:
    return _ratings(judged, [one.human.items for one in judged])


def _ratings(judged: Sequence[Judged], said: Sequence[Mapping[str, float]]) -> Ratings:
    pairs = zip(judged, said, strict=True)
    return {(one.case.record.id, item): score for one, scores in pairs for item, score in scores.items()}


def largest_gaps(judged: Sequence[Judged], most: int = LISTED_GAPS) -> tuple[Gap, ...]:
    """Items on which the judge and people are furthest apart; equal scores are no gap."""
    return tuple(
        gap for gap in gaps(_judge_ratings(judged), _human_ratings(judged))[:most] if abs(gap.difference) > 1e-9
    )


NameOf = Callable[[Case], str]
_CALIBRATION = (
    Column("family", "Family"),
    Column("trials", "Trials", "count"),
    *(Column(f"delta_{letter}", f"Δ{letter}", "percent") for letter in LETTERS),
    Column("delta_overall", "ΔOverall", "percent"),
    Column("absolute_overall", "|ΔOverall|", "percent"),
)


def calibration_table(judged: Sequence[Judged]) -> Table:
    """Judge − human, mean over trials: one row per family and one for all, as the paper's."""
    order = {family: place for place, family in enumerate(FAMILIES)}
    families = sorted({one.case.record.family for one in judged}, key=lambda name: (order.get(name, len(order)), name))
    groups = {family: [one for one in judged if one.case.record.family == family] for family in families}
    return Table("Judge − human by family", _CALIBRATION, _calibration_rows({**groups, ALL_FAMILIES: judged}))


def agent_table(judged: Sequence[Judged]) -> Table:
    """The same by agent: a judge that favours one of them shows here."""
    agents = sorted({one.case.record.agent for one in judged})
    groups = {agent: [one for one in judged if one.case.record.agent == agent] for agent in agents}
    columns = (Column("agent", "Agent"), *_CALIBRATION[1:])
    return Table("Judge − human by agent", columns, _calibration_rows(groups))


def _calibration_rows(groups: Mapping[str, Sequence[Judged]]) -> tuple[tuple[Cell, ...], ...]:
    rows: list[tuple[Cell, ...]] = []
    for name, members in groups.items():
        if not members:
            continue
        found = [one.differences for one in members]
        means = []
        for key in (*LETTERS, "overall"):
            values = [one[key] for one in found if key in one]
            means.append(statistics.fmean(values) if values else None)
        absolute = statistics.fmean(abs(one["overall"]) for one in found)
        rows.append((name, len(members), *means, absolute))
    return tuple(rows)


_TRIALS = (
    Column("trial", "Trial"),
    Column("family", "Family"),
    Column("reviewers", "Reviewers", "count"),
    Column("judge", "Judge", "percent"),
    Column("human", "Human", "percent"),
    Column("human_sd", "± sd", "percent"),
    Column("difference", "Judge − human", "percent"),
    *(Column(f"human_{letter}", f"Human {letter}", "percent") for letter in LETTERS),
)


def trial_table(judged: Sequence[Judged], name_of: NameOf) -> Table:
    """Overall of people and of the judge, trial by trial."""
    rows: list[tuple[Cell, ...]] = [
        (
            name_of(one.case), one.case.record.family, len(one.reviews), one.judge_overall, one.human.score,
            one.overall_sd, one.judge_overall - one.human.score,
            *(one.human.categories.get(letter) for letter in LETTERS),
        )
        for one in judged
    ]  # fmt: skip
    return Table("Human scores by trial", _TRIALS, tuple(rows))


_ITEMS = (
    Column("trial", "Trial"),
    Column("item", "Item"),
    Column("reviewers", "Reviewers", "count"),
    Column("judge", "Judge", "number"),
    Column("human", "Human", "number"),
    Column("human_sd", "± sd", "number"),
    Column("difference", "Judge − human", "number"),
)


def item_table(judged: Sequence[Judged], name_of: NameOf) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in judged:
        for item, human in one.human.items.items():
            said = one.judge_items[item]
            rows.append((name_of(one.case), item, len(one.reviews), said, human, one.item_sd[item], said - human))
    return Table("Human scores by item", _ITEMS, tuple(rows))


_AGREEMENT = (
    Column("one", "Rater"),
    Column("other", "Other rater"),
    *AGREEMENT_COLUMNS,
    Column("alpha", "Alpha", "number"),
)


def agreement_table(judged: Sequence[Judged]) -> Table:
    """The judge with each reviewer and with their mean, the reviewers with each other, and all reviewers at once."""
    reviewers = sorted({name for one in judged for name in one.reviews})
    people = {name: _ratings(judged, [one.reviews.get(name, {}) for one in judged]) for name in reviewers}
    judge = _judge_ratings(judged)
    rows = [_agreement_row(JUDGE, judge, name, ratings) for name, ratings in people.items()]
    if len(reviewers) > 1:
        rows.append(_agreement_row(JUDGE, judge, PEOPLE, _human_ratings(judged)))
        pairs = [(one, other, agreement(people[one], people[other])) for one, other in combinations(reviewers, 2)]
        rows += [_agreement_row(one, people[one], other, people[other]) for one, other, found in pairs if found.items]
        shared = sum(len(one.case.rubric.ids) for one in judged if len(one.reviews) > 1)
        together = alpha(list(people.values()))
        rows.append(("all reviewers", "each other", shared, None, None, None, None, None, None, together))
    return Table("Agreement", _AGREEMENT, tuple(rows))


def _agreement_row(one: str, ratings: Ratings, other: str, others: Ratings) -> tuple[Cell, ...]:
    shared = ratings.keys() & others.keys()
    both = [{key: rater[key] for key in shared} for rater in (ratings, others)]
    return (one, other, *agreement_cells(agreement(ratings, others)), alpha(both))


_GAPS = (
    Column("trial", "Trial"),
    Column("item", "Item"),
    Column("judge", "Judge", "number"),
    Column("human", "Human", "number"),
    Column("difference", "Judge − human", "number"),
    Column("evidence", "Evidence"),
)


def gap_table(judged: Sequence[Judged], name_of: NameOf, evidence_of: NameOf) -> Table:
    cases = {one.case.record.id: one.case for one in judged}
    rows = tuple(
        (name_of(cases[gap.trial]), gap.item, gap.one, gap.other, gap.difference, evidence_of(cases[gap.trial]))
        for gap in largest_gaps(judged)
    )
    return Table("Largest gaps between judge and people", _GAPS, rows)


_SCORES = (
    Column("trial", "Trial"),
    Column("item", "Item"),
    Column("reviewer", "Reviewer"),
    Column("score", "Score", "number"),
    Column("finished", "Trial finished"),
    Column("note", "Note"),
)


def score_table(cases: Sequence[Case], reviews: Sequence[Review]) -> Table:
    """Every score and note as it was given, of unfinished trials too. A row without item is about the whole trial."""
    rows: list[tuple[Cell, ...]] = []
    for case in cases:
        for review in reviews:
            marks, done = case.marks(review), case.finished(review)
            for item in (*case.rubric.ids, None):
                mark = marks.get(item)
                if mark is not None and (mark.score is not None or mark.note):
                    rows.append((case.label, item or "", review.reviewer, mark.score, done, mark.note))
    return Table("Scores and notes of reviewers", _SCORES, tuple(rows))
