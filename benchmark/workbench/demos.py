"""Recorded demos as an answer: one sheet of pictures with what was pressed, and in words what the inputs caused."""

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from benchmark.projects.prepare import PreparedProject
from benchmark.projects.project import TRACE_FOLDER
from benchmark.replay.counterfactual import Counterfactual, compare, compare_varied, watched_alike, with_fingerprints
from benchmark.replay.evidence import Evidence, RecorderSettings
from benchmark.replay.inputs import Input, expand
from benchmark.replay.recordings import folder_names, record_fresh
from benchmark.replay.take_order import TakeOrder
from benchmark.replay.trace_reader import load_traces, take_trace
from benchmark.replay.traces import FPS, Trace, make_trace
from benchmark.replay.varied import vary
from benchmark.runtime.machine import Machine
from benchmark.runtime.tokens import core_count, cpu_token
from benchmark.runtime.workdir import work_folder
from benchmark.workbench.answers import FAILED, OK, Answer
from benchmark.workbench.look import ready, told
from benchmark.workbench.requests import ReplayRequest
from benchmark.workbench.sheet import Cell, SheetRow, draw_sheet

_MANY, _FEW = 6, 5  # pictures in a row: of several demos one row each, of a single one all it has
_IDLE_SEC = 5.0
_SAID_INPUTS = 6


@dataclass(frozen=True)
class Played:
    """A recorded demo, and what its inputs caused."""

    evidence: Evidence
    folder: Path
    trace: Trace
    effect: Counterfactual | None


def replay_project(project: Path, machine: Machine, imports: Path, request: ReplayRequest) -> Answer:
    """Of a project that needs no demos of its own: without inputs unless some are sent along."""
    idle = not request.demo and request.trace is None
    traces = (_idle(request.seconds or _IDLE_SEC),) if idle else chosen(project, request)
    if isinstance(traces, Answer):
        return traces
    prepared = ready(project, machine, imports)
    return prepared if isinstance(prepared, Answer) else play(prepared, traces, machine, video=request.video)


def chosen(project: Path, request: ReplayRequest) -> tuple[Trace, ...] | Answer:
    """The traces that a request is about, or what is wrong with them."""
    if request.seconds is not None:
        return (_idle(request.seconds),)
    if request.trace is not None:
        with work_folder("trace") as work:
            (work / "trace.json").write_text(request.trace, encoding="utf-8", errors="replace")
            reading = take_trace(work / "trace.json", name="trace.json")
        return (reading.trace,) if reading.trace else Answer(f"error: {reading.problem}", FAILED)
    found = load_traces(project)
    traces = found.traces
    if request.demo:
        wanted = Path(request.demo).stem
        traces = tuple(trace for trace in traces if Path(trace.name).stem == wanted)
    if traces:
        return traces
    names = ", ".join(Path(trace.name).name for trace in found.traces) or "none"
    problems = "".join(f"\nerror: {problem}" for problem in found.problems)
    what = f"no demo {request.demo!r} that" if request.demo else "no demo that"
    return Answer(f"there is {what} can be replayed in {TRACE_FOLDER}/; those that can: {names}{problems}", FAILED)


def _idle(seconds: float) -> Trace:
    return make_trace("no-inputs.json", None, max(1, round(seconds * FPS)), ())


def play(prepared: PreparedProject, traces: tuple[Trace, ...], machine: Machine, *, video: bool) -> Answer:
    """Record past the cache, as the verifier does, each demo also with nobody at the controls; a video only of one."""
    settings = with_fingerprints(RecorderSettings(video_fps=10 if video and len(traces) == 1 else 0))
    with work_folder("replay", on_disk=True) as work, ThreadPoolExecutor(min(core_count(), len(traces))) as pool:
        # the threads live as long as their sandboxes
        runs = [
            pool.submit(_play_one, prepared, trace, settings, machine, work / name)
            for trace, name in zip(traces, folder_names(traces), strict=True)
        ]
        played = [run.result() for run in runs]
        columns = _FEW if len(played) == 1 else _MANY
        sheet = draw_sheet([_row(one, 0 if len(played) == 1 else _MANY) for one in played], columns)
        film = played[0].evidence.video
        data = (played[0].folder / film.file).read_bytes() if film else None
    text = "\n".join(_said(one) for one in played)
    if video and len(traces) > 1:
        text += "\na video is made of one demo at a time: name it with --demo"
    code = OK if all(one.evidence.outcome.complete for one in played) else FAILED
    return Answer(text, code, sheet, data)


def _play_one(
    prepared: PreparedProject, trace: Trace, settings: RecorderSettings, machine: Machine, folder: Path
) -> Played:
    evidence = _record(prepared, trace, settings, machine, folder / "played")
    if not trace.events or not evidence.outcome.complete:
        return Played(evidence, folder / "played", trace, None)
    quiet = replace(settings, video_fps=0, still_every_frames=FPS, pointer=False)
    alone = _record(prepared, trace.without_inputs(), quiet, machine, folder / "alone")
    effect = compare(trace, evidence, alone, folder / "played", folder / "alone")
    if variation := vary(trace, prepared.digest, evidence.window):
        alike = watched_alike(settings)
        varied = _record(prepared, variation.trace, alike, machine, folder / "varied", variation.window)
        found = compare_varied(variation, evidence, varied, folder / "played", folder / "varied")
        effect = replace(effect, varied=found)
    return Played(evidence, folder / "played", trace, effect)


def _record(
    prepared: PreparedProject, trace: Trace, settings: RecorderSettings, machine: Machine, folder: Path,
    window: tuple[int, int] | None = None,
) -> Evidence:  # fmt: skip
    folder.mkdir(parents=True)
    with cpu_token():
        return record_fresh(prepared, TakeOrder(trace, settings, window), machine, folder, 1)


def _row(played: Played, most: int) -> SheetRow:
    stills = played.evidence.stills
    if most and len(stills) > most:
        stills = tuple(stills[round(place * (len(stills) - 1) / (most - 1))] for place in range(most))
    inputs, since, cells = expand(played.trace), 0, []
    for still in stills:
        pressed = [one for one in inputs if since <= one.frame <= still.frame]
        cells.append(Cell(played.folder / still.file, f"{still.time_sec:.1f} s", _pressed(pressed)))
        since = still.frame + 1
    scenario = f", scenario {played.trace.scenario}" if played.trace.scenario else ""
    title = f"{Path(played.trace.name).name}{scenario}: {played.trace.duration_frames / FPS:.1f} s, {_ended(played)}"
    return SheetRow(title, tuple(cells))


def _pressed(inputs: Iterable[Input]) -> str:
    """What went down since the picture before, each with how often."""
    counts = Counter(_name(one) for one in inputs if one.pressed and not one.echo)
    names = [name if count == 1 else f"{name} x{count}" for name, count in counts.items()]
    return " ".join(names[:_SAID_INPUTS]) + (" ..." if len(names) > _SAID_INPUTS else "")


def _name(one: Input) -> str:
    return one.keycode if one.kind == "key" else f"{one.button} {one.x},{one.y}"


def _ended(played: Played) -> str:
    outcome = played.evidence.outcome
    return "complete" if outcome.complete else f"{outcome.kind} at frame {outcome.frame} ({outcome.detail})"


def _said(played: Played) -> str:
    evidence = played.evidence
    lines = [
        f"{Path(played.trace.name).name}: {_ended(played)}; "
        f"{evidence.frames.played} of {evidence.frames.expected} frames; "
        f"{evidence.inputs_delivered} of {evidence.inputs_sent} inputs delivered"
    ]
    if played.effect is not None:
        lines.append(f"  {_caused(played.effect)}")
    lines += [f"  {line}" for line in told(evidence.messages).splitlines() if evidence.messages]
    return "\n".join(lines)


def _caused(effect: Counterfactual) -> str:
    """In the verifier's words: against the same game left alone, and against the demo played a little differently."""
    if not effect.effects:
        return "it has no inputs"
    answered = sum(one.departed for one in effect.effects)
    return f"inputs followed by a change: {answered} of {len(effect.effects)}; {effect.describe()}"
