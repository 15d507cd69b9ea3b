"""How games played show themselves in the report: the leaderboards, and each trial as a strip of steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from benchmark.play.facts import PlayFacts, facts_of
from benchmark.play.report.board import play_board
from benchmark.play.report.strip import StepShown, read_strip
from benchmark.play.results.success import standings
from benchmark.results.references import Reference
from benchmark.results.report.agent_files import NO_FOLDER, AgentFiles, read_agent
from benchmark.results.report.cards import VERSION_NAMES, Card, page_id, stages_of
from benchmark.results.report.section import Page, Pages, Section, Siblings, TrialFiles, named_versions, take
from benchmark.results.tables import Table
from benchmark.trials import TrialRecord

_VERSIONS = VERSION_NAMES | {"start": "Game hash", "rubric": "Target hash", "solution": "Policy hash"}
_PLAIN_TABLES = ("play-invalid", "play-spending", "play-groups")
_HIGH, _WIDE = 100, 600  # of the drawing of progress


@dataclass(frozen=True)
class PlayPage:
    """The page of a play trial. A step's picture has the address `addresses[number]`."""

    run: str
    record: TrialRecord
    title: str
    outcome: str
    files: TrialFiles
    facts: PlayFacts | None
    steps: tuple[StepShown, ...]
    addresses: Mapping[int, str]
    versions: tuple[tuple[str, str], ...]
    stages: tuple[tuple[str, float], ...]
    siblings: tuple[Card, ...]
    previous: Card | None
    following: Card | None

    @property
    def curve(self) -> str:
        """Progress over steps, as the points of a line."""
        last = max(1, len(self.steps) - 1)
        points = [(place * _WIDE / last, _HIGH - one.progress * _HIGH) for place, one in enumerate(self.steps)]
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


class PlayPages(Pages):
    """Of games played."""

    templates = Path(__file__).with_name("templates")

    def section(
        self, records: Sequence[TrialRecord], tables: Mapping[str, Table], references: tuple[Reference, ...], *,
        alone: bool,
    ) -> Section:  # fmt: skip
        board = play_board(records)
        solved = sum(bool((facts := facts_of(record)) and facts.solved) for record in records)
        return Section(
            track=self.track,
            template="play_board.html",
            board={
                "play": board, "title": "Leaderboard" if alone else "Leaderboard: games played",
                "tables": {name: tables[name] for name in _PLAIN_TABLES if name in tables},
                "links": {one.id.label: page_id(one.id) for one in records},
            },
            agents=tuple(dict.fromkeys(one.agent for one in standings(records))),
            families=tuple(sorted({record.family for record in records})),
            outcomes=("scored",),
            facts={"Solved": f"{solved} of {sum(one.scored for one in records)} played"},
            best="farthest first",
            worst="least far first",
        )  # fmt: skip

    def page(self, run: str, card: Card, folder: Path | None, siblings: Siblings, media: Path) -> Page:
        record = card.record
        problems: list[str] = []
        agent = AgentFiles()
        steps: tuple[StepShown, ...] = ()
        if folder is None or not folder.is_dir():
            problems.append(NO_FOLDER)
        else:
            agent = read_agent(folder, [])  # a player leaves neither log nor report
            if record.scored or (folder / "steps.jsonl").exists():  # a void trial may never have begun
                steps = read_strip(folder, problems)
        addresses = {}
        for step in steps:
            if step.picture is not None:
                take(step.picture, media / step.picture.name)
                addresses[step.number] = f"../media/{quote(card.page)}/{step.picture.name}"
        value = PlayPage(
            run=run, record=record, title=card.title, outcome=card.outcome,
            files=TrialFiles(tuple(problems), agent), facts=facts_of(record), steps=steps, addresses=addresses,
            versions=tuple((name, value) for name, value in named_versions(record, _VERSIONS) if value),
            stages=stages_of(record, ("produce", "reference", "verify", "aggregate")), siblings=siblings.same_task,
            previous=siblings.previous, following=siblings.following,
        )  # fmt: skip
        pictures = [step.picture for step in steps if step.picture is not None]
        return Page("play.html", value, pictures[-1] if pictures else None)
