"""The front page of a report: a section of each track, what there is about the judges, and the list of trials."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmark.results.judging import JUDGE_TABLES
from benchmark.results.report.cards import Card, page_id
from benchmark.results.report.remarks import remarks
from benchmark.results.report.section import Section
from benchmark.results.tables import Table
from benchmark.trials import TrialRecord


@dataclass(frozen=True)
class IndexPage:
    """What its template shows."""

    run: str
    begun: str
    finished: str
    facts: dict[str, str]
    remarks: tuple[str, ...]
    sections: tuple[Section, ...]
    cards: tuple[Card, ...]
    judge_tables: dict[str, Table]
    tables: tuple[str, ...]  # the names of the files
    links: dict[str, str]  # label of a trial → its page

    @property
    def void(self) -> tuple[Card, ...]:
        return tuple(card for card in self.cards if card.outcome == "void")

    @property
    def family_word(self) -> str:
        """What the tracks of this run sort their tasks by."""
        words = dict.fromkeys(section.track.family_word for section in self.sections)
        return " or ".join(words) or "family"

    def choices(self, name: str) -> tuple[str, ...]:
        """What the list of trials can be narrowed down to."""
        of_section = {
            "agent": [agent for section in self.sections for agent in section.agents],
            "family": [family for section in self.sections for family in section.families],
            "outcome": [outcome for section in self.sections for outcome in section.outcomes] + ["void"],
        }
        if name in of_section:
            return tuple(dict.fromkeys(of_section[name]))
        return tuple(sorted({getattr(card.record, name) for card in self.cards}))

    @property
    def filters(self) -> tuple[str, ...]:
        """Track and feedback only where there is a choice."""
        return tuple(
            name
            for name in ("agent", "track", "feedback", "family", "outcome")
            if name not in ("track", "feedback") or len(self.choices(name)) > 1
        )


def index_page(
    run: str,
    settings: Mapping[str, Any],
    records: Sequence[TrialRecord],
    sections: Sequence[Section],
    cards: Sequence[Card],
    tables: Mapping[str, Table],
) -> IndexPage:
    """`records` and `cards` in the order of the trial pages; `tables` by file name."""
    versions = {name: _all(record.versions.get(name, "") for record in records) for name in ("engine", "recorder")}
    facts = {
        "Judge": _all(record.judge for record in records),
        "Engine": versions["engine"],
        "Harness": _all(record.versions.get("harness", "") for record in records) or str(settings.get("harness", "")),
        "Recorder": versions["recorder"],
    }
    return IndexPage(
        run=run,
        begun=str(settings.get("begun", "")) or min((one.started for one in records), default=""),
        finished=max((one.finished for one in records), default=""),
        facts={key: value for key, value in facts.items() if value},
        remarks=tuple(remarks(records)),
        sections=tuple(sections),
        cards=tuple(cards),
        judge_tables={name: table for name, table in tables.items() if name in JUDGE_TABLES},
        tables=tuple(tables),
        links={one.id.label: page_id(one.id) for one in records},
    )


def _all(values: Iterable[str]) -> str:
    return ", ".join(sorted({value for value in values if value}))
