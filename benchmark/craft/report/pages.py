"""How games built show themselves in the report: the leaderboard with families, and the page of a trial."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

from benchmark.craft.record import facts_of
from benchmark.craft.report.handed_in import handed_in
from benchmark.craft.report.reading import (
    CraftFiles,
    DemoFiles,
    ItemText,
    JudgementFile,
    read_items,
    read_trial,
)
from benchmark.craft.report.timeline import Timeline, lay_out
from benchmark.craft.results.summary import LETTERS, AgentSummary, Averages, summarize
from benchmark.craft.results.tables import families_in_order
from benchmark.craft.rubric import CATEGORY_NAMES
from benchmark.projects.runlog import EngineMessage
from benchmark.replay.traces import FPS
from benchmark.results.metrics import interval_of
from benchmark.results.references import Reference
from benchmark.results.report.agents_page import BehaviourSection, behaviour_section
from benchmark.results.report.cards import Card, stages_of
from benchmark.results.report.section import Page, Pages, Section, Siblings, named_versions, take
from benchmark.results.statistics import Interval
from benchmark.results.tables import Table
from benchmark.tracks import Track
from benchmark.trials import TrialRecord

MAX_INPUT_ROWS = 400
_STAGES = ("produce", "gate", "replay", "judge", "aggregate")
ENDINGS = {
    "complete": "played to its end", "crash": "the game crashed", "hang": "the game hung", "quit": "the game quit",
    "limit": "the game went over a limit", "tampered": "the game removed the recorder",
}  # fmt: skip


@dataclass(frozen=True)
class ScoreLine:
    """A line of the leaderboard of scores."""

    summary: AgentSummary
    interval: Interval | None
    families: tuple[tuple[str, Averages], ...]


@dataclass(frozen=True)
class Board:
    """The part of the front page."""

    title: str
    standings: tuple[ScoreLine, ...]
    families: tuple[str, ...]
    references: tuple[Reference, ...]
    letters: Mapping[str, str]


@dataclass(frozen=True)
class DemoView:
    """A demo on a trial's page."""

    number: int
    files: DemoFiles
    timeline: Timeline
    media: str  # address of its folder, from the page
    ended: str
    whole: bool
    poster: str | None
    length: float
    events: tuple[tuple[int, str, str], ...]
    more_events: int

    def still(self, file: str) -> str:
        return f"{self.media}/{quote(file)}"

    @property
    def twin(self) -> str | None:
        """The still to lay beside that of the varied run."""
        return next((still.file for still in self.files.stills if still.frame == self.files.varied.frame), None)

    @property
    def facts(self) -> dict[str, int]:
        """For demo.js."""
        return {
            "fps": FPS, "videoFps": self.files.video_fps, "first": self.timeline.first_frame,
            "last": self.files.last_frame, "frames": self.timeline.frames, "every": self.files.still_every,
        }  # fmt: skip


@dataclass(frozen=True)
class ItemRow:
    """An item of the rubric: what each demo got, with reasons, and what came of it."""

    id: str
    agg: str
    description: str
    by_demo: tuple[tuple[str, float | None, str], ...]
    combined: float | None

    @property
    def best_reason(self) -> str:
        """Of the demo that shows the item best."""
        said = [(score if score is not None else -1.0, reason) for _, score, reason in self.by_demo if reason]
        return max(said)[1] if said else ""


@dataclass(frozen=True)
class TrialPage:
    """The page of a trial."""

    run: str
    record: TrialRecord
    title: str
    outcome: str
    files: CraftFiles
    demos: tuple[DemoView, ...]
    groups: tuple[tuple[str, str, float | None, tuple[ItemRow, ...]], ...]
    rubric_remark: str
    numbers: tuple[tuple[str, tuple[float | None, ...]], ...]
    versions: tuple[tuple[str, str], ...]
    stages: tuple[tuple[str, float], ...]
    siblings: tuple[Card, ...]
    previous: Card | None
    following: Card | None

    @property
    def data(self) -> list[dict[str, int]]:
        """What the player script needs to know."""
        return [demo.facts for demo in self.demos]


class CraftPages(Pages):
    """Of games built."""

    templates = Path(__file__).with_name("templates")
    parts = CATEGORY_NAMES
    shows_references = True

    def __init__(self, track: Track) -> None:
        super().__init__(track)
        self._items = cache(read_items)

    def outcome(self, record: TrialRecord) -> str:
        return "build0" if record.scored and not facts_of(record).build else super().outcome(record)

    def section(
        self, records: Sequence[TrialRecord], tables: Mapping[str, Table], references: tuple[Reference, ...], *,
        alone: bool,
    ) -> Section:  # fmt: skip
        standings = tuple(
            ScoreLine(one, interval_of(records, one.agent), tuple(families_in_order(one))) for one in summarize(records)
        )
        families = tuple(dict.fromkeys(family for one in standings for family, _ in one.families))
        title = "Leaderboard" if alone else "Leaderboard: games built"
        built, scored = sum(bool(facts_of(one).build) for one in records), sum(one.scored for one in records)
        return Section(
            track=self.track,
            template="games.html",
            board=Board(
                title=title, standings=standings, families=families, references=references, letters=CATEGORY_NAMES
            ),
            agents=tuple(one.summary.agent for one in standings),
            families=families,
            outcomes=("scored", "build0"),
            facts={"Built": f"{built} of {scored} scored"},
            banner=_proxy_banner(alone) if any(record.proxy for record in records) else None,
        )

    def behaviour(self, agents: Sequence[str], records: Sequence[TrialRecord]) -> BehaviourSection:
        return behaviour_section(self.track, agents, records, template="handed_in.html", own=handed_in(records))

    def page(self, run: str, card: Card, folder: Path | None, siblings: Siblings, media: Path) -> Page:
        record = card.record
        files = read_trial(folder, record)
        for demo in files.demos:
            _take_media(demo, media / demo.name)
        items, remark = self._items(record.task, record.versions.get("rubric", ""))
        address = f"../media/{quote(card.page)}"
        value = TrialPage(
            run=run,
            record=record,
            title=card.title,
            outcome=card.outcome,
            files=files,
            demos=tuple(
                demo_view(number, demo, f"{address}/{quote(demo.name)}") for number, demo in enumerate(files.demos, 1)
            ),
            groups=_groups(record, items, {demo.name: files.judgements.get(demo.name) for demo in files.demos}),
            rubric_remark=remark,
            numbers=_numbers(files),
            versions=named_versions(record),
            stages=stages_of(record, _STAGES),
            siblings=siblings.same_task,
            previous=siblings.previous,
            following=siblings.following,
        )
        names = {"letters": CATEGORY_NAMES, "where_in_time": where_in_time, "fps": FPS, "game": facts_of(record)}
        return Page("craft.html", value, _middle_still(files), names)


def _proxy_banner(alone: bool) -> tuple[str, str]:
    return (
        "These scores are a proxy." if alone else "The scores of built games are a proxy.",
        "They were computed from pixels, the state log and the untouched run by the offline judge. They are good for "
        "finding regressions, and are not comparable with a published leaderboard.",
    )


def _take_media(demo: DemoFiles, target: Path) -> None:
    for still in demo.stills:
        take(demo.folder / still.file, target / still.file)
    if demo.varied.picture is not None:
        take(demo.varied.picture, target / demo.varied.picture.name)
    if demo.video is not None:
        take(demo.video, target / demo.video.name)


def _middle_still(files: CraftFiles) -> Path | None:
    """Of the first demo that has any."""
    demo = next((demo for demo in files.demos if demo.stills), None)
    return demo.folder / demo.stills[len(demo.stills) // 2].file if demo else None


def demo_view(number: int, demo: DemoFiles, media: str) -> DemoView:
    """`media` is the address of its pictures, from the page."""
    middle = demo.stills[len(demo.stills) // 2].file if demo.stills else None
    ended = ENDINGS.get(demo.ended, demo.ended or "not known how it ended")
    events = _events(demo)
    return DemoView(
        number=number, files=demo, timeline=lay_out(demo), media=media, ended=ended, whole=demo.ended == "complete",
        poster=f"{media}/{quote(middle)}" if middle else None, length=(demo.last_frame - demo.first_frame + 1) / FPS,
        events=tuple(events[:MAX_INPUT_ROWS]), more_events=max(0, len(events) - MAX_INPUT_ROWS),
    )  # fmt: skip


def _events(demo: DemoFiles) -> list[tuple[int, str, str]]:
    """Frame, wording, effect of each event of the trace that became an input."""
    rows = []
    done: set[int] = set()
    for item in demo.inputs:
        if item.event in done or item.echo:
            continue
        done.add(item.event)
        where = f" at {item.x}, {item.y}" if item.kind != "key" else ""
        what = f"{item.type.replace('_', ' ')} {item.control}".strip() + where
        effect = demo.effects.get(item.event)
        if not item.delivered:
            said = "never reached the game"
        elif effect is None:
            said = ""
        elif not effect.departed:
            said = "no departure"
        else:
            said = "apart before" if effect.already_apart else f"departs after {effect.after_frames or 0} frame(s)"
        rows.append((item.frame, what, said))
    return rows


def _groups(
    record: TrialRecord, texts: Mapping[str, ItemText], judgements: Mapping[str, JudgementFile | None]
) -> tuple[tuple[str, str, float | None, tuple[ItemRow, ...]], ...]:
    """Items by category. Ids come from the record, the judge and the package: any of them may be lost."""
    known = dict.fromkeys([*texts, *record.items])
    for found in judgements.values():
        known |= dict.fromkeys(found.items if found else ())
    groups = []
    for letter in LETTERS:
        rows = []
        for item in sorted((one for one in known if one[:1] == letter), key=_natural):
            by_demo = []
            for demo, judgement in judgements.items():
                said = judgement.items.get(item) if judgement else None
                by_demo.append((demo, said.score if said else None, said.reason if said else ""))
            text = texts.get(item, ItemText("", ""))
            rows.append(
                ItemRow(
                    id=item,
                    agg=text.agg,
                    description=text.description,
                    by_demo=tuple(by_demo),
                    combined=record.items.get(item),
                )
            )
        if rows:
            groups.append((letter, CATEGORY_NAMES[letter], record.categories.get(letter), tuple(rows)))
    return tuple(groups)


def _natural(item: str) -> tuple[int, str]:
    digits = item[1:]
    return (int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else 1 << 30, item)


def _numbers(files: CraftFiles) -> tuple[tuple[str, tuple[float | None, ...]], ...]:
    found = [files.judgements.get(demo.name) for demo in files.demos]
    names: dict[str, None] = {}
    for judgement in found:
        names |= dict.fromkeys(judgement.numbers if judgement else ())
    return tuple((name, tuple(one.numbers.get(name) if one else None for one in found)) for name in names)


def where_in_time(message: EngineMessage) -> str:
    """When the engine said it."""
    if message.frame is None:
        return ""
    return "before the first frame" if message.frame < 0 else f"{message.frame / FPS:.1f} s (frame {message.frame})"
