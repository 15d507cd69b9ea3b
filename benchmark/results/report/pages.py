"""What the pages say: values for the templates, made from records and files. Nothing here writes to disk."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from benchmark.craft.rubric import CATEGORIES
from benchmark.craft.traces import FPS
from benchmark.projects.runlog import EngineMessage
from benchmark.results.judging import JUDGE_TABLES
from benchmark.results.passrates import PassStanding, feedback_of, group_values
from benchmark.results.references import Reference
from benchmark.results.report.passes import PassBoard, pass_board
from benchmark.results.report.reading import DemoFiles, ItemText, JudgementFile, TrialFiles
from benchmark.results.report.timeline import Timeline, lay_out
from benchmark.results.statistics import Interval
from benchmark.results.summary import LETTERS, AgentSummary, Averages, counted, summarize
from benchmark.results.tables import Table, families_in_order, overall_interval
from benchmark.tasks import EXAMPLE_FAMILY
from benchmark.trials import TrialId, TrialRecord

CATEGORY_NAMES = {letter: name for letter, (name, _) in CATEGORIES.items()}
MAX_INPUT_ROWS = 400
_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,149}")
_STAGES = ("produce", "gate", "replay", "judge", "aggregate")
# what a hash or version in a record belongs to
VERSION_NAMES = {
    "harness": "Harness", "engine": "Engine", "agent": "Agent", "judge": "Judge", "rubric": "Rubric hash",
    "instruction": "Instruction hash", "recorder": "Recorder", "project": "Submission hash",
    "start": "Start project hash", "solution": "Solution hash",
}  # fmt: skip
ENDINGS = {
    "complete": "played to its end", "crash": "the game crashed", "hang": "the game hung", "quit": "the game quit",
    "limit": "the game went over a limit", "tampered": "the game removed the recorder",
}  # fmt: skip


def page_id(trial: TrialId) -> str:
    """The trial's name in files and links; a name that is no plain file name gets its hash."""
    name = trial.folder
    if _SAFE.fullmatch(name):
        return name
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name).lstrip("._-")[:100] or "trial"
    return f"{plain}-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:8]}"


def title_of(task: str) -> str:
    """`craft/platformer/lantern-keeper` → `Lantern Keeper`."""
    return task.rpartition("/")[2].replace("-", " ").title() or task


def outcome_of(record: TrialRecord) -> str:
    """`scored`, `build0` or `void`; `passed`, `failed` or `void` where there is a test."""
    if not record.scored:
        return "void"
    if record.passes_or_fails:
        return "passed" if record.score == 1 else "failed"
    return "scored" if record.build else "build0"


@dataclass(frozen=True)
class Card:
    """A trial in the list."""

    record: TrialRecord
    page: str
    title: str
    outcome: str
    thumbnail: str | None  # below `media/`

    @property
    def feedback(self) -> str:
        return feedback_of(self.record)

    @property
    def held(self) -> tuple[bool, ...]:
        """Each check of an edit trial, in order."""
        return tuple(bool(score) for score in self.record.items.values())


def card_of(record: TrialRecord, thumbnail: str | None = None) -> Card:
    return Card(record, page_id(record.id), title_of(record.task), outcome_of(record), thumbnail)


@dataclass(frozen=True)
class Standing:
    """A line of the leaderboard of scores."""

    summary: AgentSummary
    interval: Interval | None
    families: tuple[tuple[str, Averages], ...]


@dataclass(frozen=True)
class IndexPage:
    """The front page."""

    run: str
    begun: str
    finished: str
    facts: dict[str, str]
    remarks: tuple[str, ...]
    proxy: bool
    judges: tuple[str, ...]
    standings: tuple[Standing, ...]
    families: tuple[str, ...]
    passes: PassBoard | None
    cards: tuple[Card, ...]
    void: tuple[Card, ...]
    total: int
    built: int
    games: int  # that have a score
    judge_tables: dict[str, Table]
    pass_table: Table | None
    tables: tuple[str, ...]  # the names of the files
    links: dict[str, str]  # label of a trial → its page
    references: tuple[Reference, ...] = ()

    @property
    def mixed(self) -> bool:
        """Whether there are trials with scores and trials that pass or fail."""
        return bool(self.standings) and self.passes is not None

    def choices(self, name: str) -> tuple[str, ...]:
        """What the list of trials can be narrowed down to."""
        if name == "agent":
            ranked = [one.summary.agent for one in self.standings]
            ranked += [one.summary.agent for one in self.passes.standings] if self.passes else []
            return tuple(dict.fromkeys(ranked))
        if name == "family":
            edits = [card.record for card in self.cards if card.record.passes_or_fails]
            return (*self.families, *group_values(edits, "skill"))
        if name == "outcome":
            scores = ("scored", "build0") if self.standings else ()
            return (*scores, *(("passed", "failed") if self.passes else ()), "void")
        return tuple(sorted({card.feedback if name == "feedback" else card.record.track for card in self.cards}))

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
    passes: Sequence[PassStanding],
    tables: Mapping[str, Table],
    thumbnails: Mapping[TrialId, str],
) -> IndexPage:
    """`records` in the order of the trial pages; `passes` and `tables` (by file name) as made from them."""
    standings = tuple(
        Standing(one, overall_interval(records, one.agent), tuple(families_in_order(one))) for one in summarize(records)
    )
    cards = tuple(card_of(one, thumbnails.get(one.id)) for one in records)
    games = [record for record in records if not record.passes_or_fails]
    families: dict[str, None] = {}
    for standing in standings:
        families |= dict.fromkeys(family for family, _ in standing.families)
    facts = {
        "Judge": _all(record.judge for record in records),
        "Engine": _all(record.versions.get("engine", "") for record in records),
        "Harness": _all(record.versions.get("harness", "") for record in records) or str(settings.get("harness", "")),
        "Recorder": _all(record.versions.get("recorder", "") for record in records),
    }
    return IndexPage(
        run, str(settings.get("begun", "")) or min((r.started for r in records), default=""),
        max((r.finished for r in records), default=""), {key: value for key, value in facts.items() if value},
        tuple(_remarks(records)), any(record.proxy for record in records),
        tuple(sorted({record.judge for record in records if record.judge})), standings, tuple(families),
        pass_board(records, passes), cards, tuple(card for card in cards if card.outcome == "void"), len(records),
        sum(bool(record.build) for record in games), sum(record.scored for record in games),
        {name: table for name, table in tables.items() if name in JUDGE_TABLES}, tables.get("pass-groups"),
        tuple(tables),
        {record.id.label: page_id(record.id) for record in records},
    )  # fmt: skip


def _remarks(records: Sequence[TrialRecord]) -> list[str]:
    """What a reader must know before comparing numbers."""
    remarks = []
    example = [record for record in records if record.family == EXAMPLE_FAMILY]
    counts = {record.id for record in counted(records)}
    if any(record.id in counts for record in example):
        others = len(example) < len(records)
        remarks.append(
            f"{'Of the games that get a score, only' if others else 'Only'} the example task was run. "
            "It is for trying things out and counts in no benchmark result."
        )
    elif example:
        remarks.append("The example task is listed but not part of the averages.")
    judges = {(record.track, record.judge, record.proxy) for record in records if record.scored}
    if len(judges) > len({track for track, _, _ in judges}):
        remarks.append("Trials of this run were scored by different judges; compare only scores of the same judge.")
    for name, what in (("engine", "engines"), ("harness", "versions of the harness"), ("judge", "versions of a judge")):
        by_judge: dict[str, set[str]] = {}
        for record in records:
            if record.versions.get(name):
                by_judge.setdefault(record.judge if name == "judge" else "", set()).add(record.versions[name])
        found = [version for versions in by_judge.values() if len(versions) > 1 for version in sorted(versions)]
        if found:
            remarks.append(f"Trials of this run were made with different {what}: {', '.join(found)}.")
    return remarks


def _all(values: Any) -> str:
    return ", ".join(sorted({value for value in values if value}))


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
    files: TrialFiles
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


def trial_page(
    run: str,
    record: TrialRecord,
    files: TrialFiles,
    rubric: tuple[dict[str, ItemText], str],
    siblings: Sequence[Card],
    neighbours: tuple[Card | None, Card | None],
) -> TrialPage:
    items, remark = rubric
    media = f"../media/{quote(page_id(record.id))}"
    demos = tuple(demo_view(number, demo, f"{media}/{quote(demo.name)}") for number, demo in enumerate(files.demos, 1))
    return TrialPage(
        run, record, title_of(record.task), outcome_of(record), files, demos,
        _groups(record, items, {demo.name: files.judgements.get(demo.name) for demo in files.demos}),
        remark, _numbers(files), tuple((VERSION_NAMES.get(key, key), value) for key, value in record.versions.items()),
        stages_of(record, _STAGES), tuple(siblings), *neighbours,
    )  # fmt: skip


def stages_of(record: TrialRecord, order: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """How long each took, in the order in which they come."""
    ordered = {name: record.seconds[name] for name in order if name in record.seconds}
    return tuple((ordered | record.seconds).items())


def demo_view(number: int, demo: DemoFiles, media: str) -> DemoView:
    """`media` is the address of its pictures, from the page."""
    middle = demo.stills[len(demo.stills) // 2].file if demo.stills else None
    ended = ENDINGS.get(demo.ended, demo.ended or "not known how it ended")
    events = _events(demo)
    return DemoView(
        number, demo, lay_out(demo), media, ended, demo.ended == "complete",
        f"{media}/{quote(middle)}" if middle else None, (demo.last_frame - demo.first_frame + 1) / FPS,
        tuple(events[:MAX_INPUT_ROWS]), max(0, len(events) - MAX_INPUT_ROWS),
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
            rows.append(ItemRow(item, text.agg, text.description, tuple(by_demo), record.items.get(item)))
        if rows:
            groups.append((letter, CATEGORY_NAMES[letter], record.categories.get(letter), tuple(rows)))
    return tuple(groups)


def _natural(item: str) -> tuple[int, str]:
    digits = item[1:]
    return (int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else 1 << 30, item)


def _numbers(files: TrialFiles) -> tuple[tuple[str, tuple[float | None, ...]], ...]:
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


def context(page: object) -> dict[str, Any]:
    """The names a template may use."""
    return {"page": page, "letters": CATEGORY_NAMES, "where_in_time": where_in_time, "fps": FPS}
