"""What a trial left in its folder, read without trust: what is missing or damaged becomes a remark, never a failure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark.craft.record import facts_of
from benchmark.craft.rubric import RubricError, read_rubric
from benchmark.projects.runlog import EngineMessage
from benchmark.replay.counterfactual import FILE as COUNTERFACTUAL_FILE
from benchmark.replay.counterfactual import VARIED_PICTURE
from benchmark.replay.traces import FPS, MAX_FRAMES, MAX_REPLAYED_FRAMES
from benchmark.results.report.agent_files import NO_FOLDER, AgentFiles, read_agent
from benchmark.results.report.damaged import (
    as_dict,
    as_list,
    as_number,
    as_shown,
    as_text,
    as_whole,
    is_whole_jpeg,
    is_whole_mp4,
    json_lines,
    json_object,
    parsed,
    tail,
)
from benchmark.tasks import TASKS_ROOT
from benchmark.trials import TrialRecord

_MAX_TEXTS = 200
_MAX_CHANGED = 20
_DEMO = re.compile(r"[\w-]{1,200}")
_STILL = re.compile(r"frames/(\d{1,6})\.jpg", re.ASCII)
_TASK = re.compile(r"[a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+")


@dataclass(frozen=True)
class ShownStill:
    """A picture that is there and whole."""

    frame: int
    file: str


@dataclass(frozen=True)
class ShownInput:
    """One low-level input; `control` is the key's name, `left`, `right`, or empty for a motion."""

    event: int
    type: str
    kind: str
    control: str
    frame: int
    pressed: bool
    echo: bool
    delivered: bool
    x: int | None = None
    y: int | None = None


@dataclass(frozen=True)
class EffectOfInput:
    """What the untouched run tells of one event."""

    departed: bool
    after_frames: int | None
    already_apart: bool


@dataclass(frozen=True)
class VariedFiles:
    """The demo played a little differently: in words, and where there is one the picture that differs most."""

    words: str = ""
    inputs: tuple[tuple[int, str, str], ...] = ()  # frame, what was changed, what came of it
    frame: int = 0
    picture: Path | None = None


@dataclass(frozen=True)
class DemoFiles:
    """One demo as far as it can be shown. Frames count from the start of the demo, 30 a second."""

    name: str
    folder: Path
    problems: tuple[str, ...]
    first_frame: int
    last_frame: int
    still_every: int
    stills: tuple[ShownStill, ...]
    video: Path | None
    video_fps: int
    ended: str
    detail: str
    scenario: str
    facts: dict[str, str]
    messages: tuple[EngineMessage, ...]
    inputs: tuple[ShownInput, ...]
    effects: dict[int, EffectOfInput]
    first_departure: int | None
    apart: str
    varied: VariedFiles
    texts: tuple[tuple[int, str], ...]
    log_tail: str


@dataclass(frozen=True)
class Said:
    """A judge on one item of one demo."""

    score: float | None
    reason: str


@dataclass(frozen=True)
class JudgementFile:
    """`judgement/<demo>.json`."""

    items: dict[str, Said] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class CraftFiles:
    """Everything of a trial that its page shows besides the record."""

    problems: tuple[str, ...]
    demos: tuple[DemoFiles, ...]
    judgements: dict[str, JudgementFile]
    findings: tuple[dict[str, Any], ...]
    agent: AgentFiles


def read_trial(folder: Path | None, record: TrialRecord) -> CraftFiles:
    """All that is there. `folder` is None where the trial's name leads out of the run."""
    if folder is None or not folder.is_dir():
        return CraftFiles(problems=(NO_FOLDER,), demos=(), judgements={}, findings=(), agent=AgentFiles())
    problems: list[str] = []
    gate = json_object(folder / "gate.json", problems)
    names = _demo_names(folder, record, problems)
    demos = tuple(_demo(folder / "evidence" / name, name) for name in names)
    if record.scored and facts_of(record).build and not demos:
        problems.append("There is no evidence, though the trial was scored.")
    judgements = {}
    for name in names:
        # a void trial may never have come to its judge
        found = _judgement(folder / "judgement" / f"{name}.json", problems, needed=record.scored)
        if found is not None:
            judgements[name] = found
    findings = tuple(one for one in as_list(gate.get("findings")) if isinstance(one, dict))
    agent = read_agent(folder, problems)
    return CraftFiles(problems=tuple(problems), demos=demos, judgements=judgements, findings=findings, agent=agent)


@dataclass(frozen=True)
class ItemText:
    """An item of the rubric as its package has it."""

    agg: str
    description: str


def read_items(task: str, digest: str, root: Path = TASKS_ROOT) -> tuple[dict[str, ItemText], str]:
    """The rubric's texts by id, and what has to be said about them."""
    if not _TASK.fullmatch(task) or not (root / task).is_dir():
        return {}, "The task's package is not on this machine, so the rubric's texts are not shown."
    try:
        rubric = read_rubric(root / task)
    except RubricError as error:
        return {}, f"The rubric cannot be read: {error.message}"
    items = {item.id: ItemText(item.agg, item.description) for item in rubric.requirements}
    changed = digest and not rubric.digest.startswith(digest)
    return items, "The rubric has changed since this trial: its texts are of today's version." if changed else ""


def _demo_names(folder: Path, record: TrialRecord, problems: list[str]) -> list[str]:
    """From the index, the record and the folders themselves: each of them may be lost."""
    evidence = folder / "evidence"
    index = parsed(evidence / "demos.json")
    if evidence.is_dir() and not isinstance(index, list):
        problems.append("evidence/demos.json is missing or damaged: demos are listed by folder.")
    listed = [row.get("name") for row in as_list(index) if isinstance(row, dict)]
    listed += [demo.name for demo in facts_of(record).demos]
    if evidence.is_dir():
        listed += sorted(path.name for path in evidence.iterdir() if path.is_dir())
    names = [name for name in dict.fromkeys(listed) if isinstance(name, str)]
    usable = [name for name in names if _DEMO.fullmatch(name)]
    if len(usable) < len(names):
        problems.append(f"{len(names) - len(usable)} demo(s) have names that no folder of ours has; they are left out.")
    return usable


def _demo(folder: Path, name: str) -> DemoFiles:
    problems: list[str] = []
    data: dict[str, Any] = {}
    if folder.is_dir():
        data = json_object(folder / "evidence.json", problems)
    else:
        problems.append(f"The evidence folder of {name} is not there.")
    settings, outcome, video = (as_dict(data.get(key)) for key in ("settings", "outcome", "video"))
    counts = as_dict(data.get("frames"))
    every = as_whole(settings.get("still_every_frames"), 15, 1, MAX_FRAMES)
    stills = _stills(folder, data, problems)
    first, last = _window(data.get("window"), stills, every)
    file = folder / "video.mp4"
    whole = is_whole_mp4(file)
    if video and not whole:
        problems.append("video.mp4 is missing or cut short; the stills are shown instead.")
    inputs = _inputs(folder / "inputs.jsonl", problems) if data else ()
    effects, departure, apart = _counterfactual(folder / COUNTERFACTUAL_FILE, problems)
    ended = as_text(outcome.get("kind"))
    facts = {
        "Frames played": f"{as_shown(counts.get('played'))} of {as_shown(counts.get('expected'))}",
        "Frames dropped": as_shown(counts.get("dropped")) if counts.get("dropped") else "",
        "Frames captured twice": as_shown(counts.get("duplicated")) if counts.get("duplicated") else "",
        "Inputs delivered": f"{as_shown(data.get('inputs_delivered'))} of {as_shown(data.get('inputs_sent'))}",
        "Recorder": as_text(settings.get("recorder")),
        "Random seed": as_shown(settings.get("seed")),
        "Engine": as_text(data.get("engine_version")),
        "Graphics": as_text(as_dict(data.get("pinned")).get("adapter")),
        "Trace": as_text(data.get("demo")),
        "Trace hash": as_text(data.get("trace_digest"))[:16],
        "Evidence hash": as_text(data.get("digest"))[:16],
    }
    return DemoFiles(
        name=name,
        folder=folder,
        problems=tuple(problems),
        first_frame=first,
        last_frame=last,
        still_every=every,
        stills=stills,
        video=file if whole else None,
        video_fps=as_whole(video.get("fps"), 10, 1, FPS),
        ended=ended,
        detail=as_text(outcome.get("detail")),
        scenario=as_text(data.get("scenario")),
        facts={key: value for key, value in facts.items() if value} if data else {},
        messages=tuple(_messages(data.get("messages"))),
        inputs=inputs,
        effects=effects,
        first_departure=departure,
        apart=apart,
        varied=_varied(folder),
        texts=_texts(folder / "state.jsonl"),
        log_tail=tail(folder / "engine.log", 60) if ended != "complete" else "",
    )


def _stills(folder: Path, data: dict[str, Any], problems: list[str]) -> tuple[ShownStill, ...]:
    """Those the evidence names, or, without it, those in the folder; only whole pictures."""
    if data:
        named = [as_text(as_dict(still).get("file")) for still in as_list(data.get("stills"))]
    else:
        named = sorted(f"frames/{path.name}" for path in folder.glob("frames/*.jpg"))
    found = []
    for name in dict.fromkeys(named):
        match = _STILL.fullmatch(name)
        if match and is_whole_jpeg(folder / name):
            found.append(ShownStill(int(match[1]), name))
    if len(found) < len(named):
        problems.append(f"{len(named) - len(found)} of {len(named)} stills are missing or damaged.")
    elif data and not named:
        problems.append("The evidence holds no stills.")
    return tuple(sorted(found, key=lambda still: still.frame))


def _window(value: Any, stills: tuple[ShownStill, ...], every: int) -> tuple[int, int]:
    pair = as_list(value)
    if len(pair) == 2 and all(isinstance(edge, int) for edge in pair) and 0 <= pair[0] <= pair[1] < 100_000:
        return pair[0], min(pair[1], pair[0] + 10 * MAX_FRAMES)
    return (stills[0].frame, stills[-1].frame + every - 1) if stills else (0, 0)


def _inputs(path: Path, problems: list[str]) -> tuple[ShownInput, ...]:
    found: list[ShownInput] = []
    broken = 0
    if not path.is_file():
        problems.append("inputs.jsonl is missing: no input can be marked.")
    for row in json_lines(path):
        frame = row.get("frame") if row else None
        if row is None or not isinstance(frame, int):
            broken += 1
            continue
        kind = as_text(row.get("kind"))
        control = as_text(row.get("keycode")) or as_text(row.get("button"))
        x, y = row.get("x"), row.get("y")
        found.append(
            ShownInput(
                event=as_whole(row.get("event"), -1, 0, 1 << 20),
                type=as_text(row.get("type")),
                kind=kind,
                control=control,
                frame=frame,
                pressed=row.get("pressed") is True,
                echo=row.get("echo") is True,
                delivered=row.get("delivered_frame") is not None,
                x=x if isinstance(x, int) else None,
                y=y if isinstance(y, int) else None,
            )
        )
    if broken:
        problems.append(f"{broken} line(s) of inputs.jsonl cannot be read.")
    return tuple(found)


def _counterfactual(path: Path, problems: list[str]) -> tuple[dict[int, EffectOfInput], int | None, str]:
    """Effects by event, the frame of first departure, and both in words."""
    if not path.exists():  # only some judges ask for it
        return {}, None, ""
    data = json_object(path, problems)
    effects = {}
    for row in as_list(data.get("effects")):
        if isinstance(row, dict) and isinstance(row.get("event"), int):
            after = row.get("after_frames")
            effects[row["event"]] = EffectOfInput(
                row.get("departed") is True, after if isinstance(after, int) else None, row.get("already_apart") is True
            )
    first = data.get("first_departure")
    departure = first if isinstance(first, int) and not isinstance(first, bool) else None
    share, distance = as_number(data.get("apart_share")), as_number(data.get("mean_distance"))
    if not effects:
        return effects, departure, ""
    if departure is None:
        return effects, None, "No input changed anything: the game went on as it does when nobody plays."
    words = f"The game departs from the untouched run at {departure / FPS:.1f} s (frame {departure})."
    if share is not None and distance is not None:
        words += f" {share:.0%} of the pictures differ, by {distance:.1%} on average."
    return effects, departure, words


def _varied(folder: Path) -> VariedFiles:
    """Older evidence has none, and a demo in which no input could be changed."""
    data = as_dict(as_dict(parsed(folder / COUNTERFACTUAL_FILE)).get("varied"))
    rows = [row for row in as_list(data.get("inputs")) if isinstance(row, dict)]
    share = as_number(data.get("share"))
    if not rows or share is None:
        return VariedFiles()
    verdicts = [row.get("made_difference") for row in rows]
    judged = sum(verdict is not None for verdict in verdicts)
    words = (
        f"Played again with some inputs left out or late: {sum(verdict is True for verdict in verdicts)} of {judged} "
        f"changed inputs made a difference; {share:.0%} of what the demo changes on the screen came out otherwise."
    )
    frame = as_whole(data.get("seen_at"), 0, 0, MAX_REPLAYED_FRAMES)
    picture = folder / VARIED_PICTURE
    return VariedFiles(
        words, tuple(_changed(row) for row in rows[:_MAX_CHANGED]), frame, picture if is_whole_jpeg(picture) else None
    )


def _changed(row: dict[str, Any]) -> tuple[int, str, str]:
    verdict = row.get("made_difference")
    came = "made a difference" if verdict is True else "made none" if verdict is False else "the runs had parted before"
    what = f"{as_text(row.get('type')).replace('_', ' ')} {as_text(row.get('change'))}"
    return as_whole(row.get("frame"), 0, 0, MAX_REPLAYED_FRAMES), what, came


def _texts(path: Path) -> tuple[tuple[int, str], ...]:
    """What the game wrote on the screen, each wording where it was first seen."""
    seen: dict[str, int] = {}
    for row in json_lines(path):
        if row is None:
            continue
        frame = as_whole(row.get("frame"), 0, 0, 100_000)
        for text in as_list(row.get("texts")):
            if isinstance(text, str) and text not in seen and text.strip():
                seen[text] = frame
        if len(seen) >= _MAX_TEXTS:
            break
    return tuple((frame, text.strip()[:500]) for text, frame in seen.items())[:_MAX_TEXTS]


def _messages(value: Any) -> Iterator[EngineMessage]:
    for row in as_list(value):
        if not isinstance(row, dict):
            continue
        line, frame = row.get("line"), row.get("frame")
        yield EngineMessage(
            severity="warning" if row.get("severity") == "warning" else "error", text=as_text(row.get("text")),
            file=as_text(row.get("file")) or None, line=line if isinstance(line, int) else None,
            frame=frame if isinstance(frame, int) else None, count=as_whole(row.get("count"), 1, 1, 1 << 40),
        )  # fmt: skip


def _judgement(path: Path, problems: list[str], *, needed: bool) -> JudgementFile | None:
    if not needed and not path.exists():
        return None
    data = json_object(path, problems)
    if not data:
        return None
    items = {}
    for name, item in as_dict(data.get("items")).items():
        said = as_dict(item)
        items[str(name)] = Said(as_number(said.get("score")), as_text(said.get("reason")))
    numbers = {str(name): as_number(value) for name, value in as_dict(data.get("numbers")).items()}
    return JudgementFile(items, {name: value for name, value in numbers.items() if value is not None})
