"""A game of a run from elsewhere, looked at again: gate, demos and score, each compared with what the run says."""

import math
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from benchmark.craft.judging.opinions import read_opinions
from benchmark.craft.record import facts_of
from benchmark.craft.rubric import Rubric, read_rubric
from benchmark.craft.trial import weigh
from benchmark.errors import BenchmarkError
from benchmark.replay.build_gate import BuildReport, check_build
from benchmark.replay.certify import side_by_side
from benchmark.replay.evidence import Evidence, RecorderSettings, file_hash, read_evidence
from benchmark.replay.evidence_files import content_digest
from benchmark.replay.likeness import compare
from benchmark.replay.recordings import record_fresh
from benchmark.replay.take_order import TakeOrder
from benchmark.replay.traces import FPS, MAX_FRAMES, MAX_TRACES
from benchmark.results.report.damaged import as_dict, as_list, inside, parsed
from benchmark.runtime.tokens import core_count, cpu_token
from benchmark.runtime.workdir import work_folder
from benchmark.tasks import Task
from benchmark.trials import TrialRecord, one_line
from benchmark.verify_run.findings import Finding, Status, VerifyTools
from benchmark.verify_run.stored import UnreadableError

_DAMAGED = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError)
_STILL = re.compile(r"(frames|bare)/\d{1,9}\.jpg")
_FOLDER = re.compile(r"[\w-]+")


def verify(folder: Path, record: TrialRecord, task: Task | None, bench: VerifyTools) -> Iterator[Finding]:
    rubric = read_rubric(task.folder) if task else None
    gate = check_build(folder / "submission", bench.machine, rubric.max_demos if rubric else MAX_TRACES)
    built = facts_of(record).build
    if gate.build != built or not gate.build:
        blockers = one_line("; ".join(str(finding) for finding in gate.findings if finding.blocks), 200)
        same = gate.build == built
        detail = f"BUILD {gate.build} {'again' if same else 'here'}{f' ({blockers})' if blockers else ''}"
        yield Finding("gate", "identical" if same else "different", detail)
        return
    findings, shown = _demos(folder, gate, bench)
    yield from findings
    missing = [trace.name for trace in gate.traces.traces if trace.name not in shown]
    if missing and rubric and all(finding.status != "unreadable" for finding in findings):
        yield Finding("demos", "different", one_line(f"no evidence of {', '.join(missing)}", 300))
    yield _score(folder, record, rubric)


def _demos(folder: Path, gate: BuildReport, bench: VerifyTools) -> tuple[list[Finding], set[str]]:
    """What came of each demo, and of which traces there is evidence."""
    folders = demo_folders(folder)
    workers = max(1, min(bench.jobs or core_count(), len(folders)))

    def one(place: Path) -> tuple[Finding, str]:
        try:
            return _demo(place, gate, bench)
        except UnreadableError as error:
            return Finding(place.name, "unreadable", str(error)), ""
        except BenchmarkError as error:
            return Finding(place.name, "unreadable", one_line(f"could not be replayed here: {error.message}")), ""
        finally:
            bench.on_done(place.name)

    with ThreadPoolExecutor(workers) as pool:  # as in `replay`: a sandbox dies with the thread that started it
        results = list(pool.map(one, folders))
    return [finding for finding, _ in results], {name for _, name in results}


def _demo(place: Path, gate: BuildReport, bench: VerifyTools) -> tuple[Finding, str]:
    stored, fault = read_demo(place)
    trace = next((trace for trace in gate.traces.traces if trace.name == stored.demo), None)
    if trace is None or gate.prepared is None:
        raise UnreadableError(one_line(f"the submission has no trace {stored.demo!r}", 200))
    if stored.settings.recorder == "x11":
        return Finding(place.name, "not replayed", "filmed in real time, which never repeats itself"), stored.demo
    with work_folder("verify", on_disk=True) as out:
        with cpu_token():
            now = record_fresh(gate.prepared, TakeOrder(trace, stored.settings), bench.machine, out, 1)
        likeness = compare(stored, now, place, out)
        data = {**asdict(likeness), "made_with": _made_with(stored), "here": _made_with(now)}
        status: Status = "different" if fault else likeness.degree
        detail = "; ".join(part for part in (fault, likeness.describe(), *_other_versions(stored, now)) if part)
        if status == "different":
            target = bench.pictures / place.parents[1].name / f"{place.name}.png"
            target.parent.mkdir(parents=True, exist_ok=True)
            first = likeness.still if likeness.still is not None else likeness.frame
            if side_by_side((stored, place), (now, out), first, target, ("recorded", "here")):
                data["picture"] = str(target)
                detail += f"; see {target}"
    return Finding(place.name, status, detail, data), stored.demo


def _made_with(evidence: Evidence) -> dict[str, Any]:
    """What a picture may depend on besides the game."""
    return {"engine": evidence.engine_version, "project": evidence.project_digest, **evidence.pinned}


def _other_versions(stored: Evidence, now: Evidence) -> Iterator[str]:
    one, two = _made_with(stored), _made_with(now)
    for key in dict.fromkeys((*one, *two)):
        if one.get(key) != two.get(key):
            yield one_line(f"{key} was {one.get(key)}, is {two.get(key)} here", 240)


def _score(folder: Path, record: TrialRecord, rubric: Rubric | None) -> Finding:
    """From the judgements that lie in the run; no judge is asked."""
    if rubric is None:
        return Finding("score", "not replayed", f"the task {one_line(record.task, 100)} is not here")
    asked = record.versions.get("rubric", "")
    if asked and asked != rubric.digest[:16]:
        return Finding("score", "not replayed", one_line(f"the rubric here is {rubric.digest[:16]}, not {asked}", 200))
    try:
        opinions = read_opinions(folder)
        weighed, chosen = weigh(rubric, opinions)
    except BenchmarkError as error:
        return Finding("score", "unreadable", one_line(error.message, 200))
    scores = weighed[chosen]
    wrong = [] if _close(scores.score, record.score) else ["score"]
    for name, mine, theirs in (
        ("categories", scores.categories, record.categories), ("items", scores.items, record.items),
    ):  # fmt: skip
        if mine.keys() != theirs.keys() or not all(_close(mine[key], theirs[key]) for key in mine):
            wrong.append(name)
    if opinions[0].judge != record.judge:
        wrong.append("judge")
    shown = [place.name for place in demo_folders(folder)]
    if any(sorted(demo.demo for demo in opinion.demos) != sorted(shown) for opinion in opinions):
        wrong.append("demos judged")
    data = {"recorded": record.score, "here": scores.score, "wrong": wrong}
    if wrong:
        detail = f"{scores.score:.4f} from the judgements, recorded is {record.score}; not the same: {', '.join(wrong)}"
        return Finding("score", "different", detail, data)
    return Finding("score", "identical", f"{scores.score:.4f} again from {len(opinions)} opinion(s)", data)


def _close(one: float, two: float | None) -> bool:
    return two is not None and math.isclose(one, two, abs_tol=1e-9)


def demo_folders(folder: Path) -> list[Path]:
    """The evidence folders of a trial, in the order of its demos."""
    rows = as_list(parsed(folder / "evidence/demos.json"))
    names = [row.get("name") if isinstance(row, dict) else None for row in rows]
    if not names:
        raise UnreadableError("evidence/demos.json is missing or damaged")
    for name in names:
        if not isinstance(name, str) or not _FOLDER.fullmatch(name):
            raise UnreadableError(one_line(f"evidence/demos.json: {name!r} is not the name of a demo", 200))
    return [folder / "evidence" / str(name) for name in dict.fromkeys(names)]


def read_demo(folder: Path) -> tuple[Evidence, str]:
    """Evidence whose every field may be used, and what is wrong with it as a document; raises UnreadableError."""
    data = parsed(folder / "evidence.json")
    if not isinstance(data, dict):
        raise UnreadableError("evidence.json is missing or damaged")
    known = {field.name for field in fields(RecorderSettings)}
    if unknown := sorted({*as_dict(data.get("settings"))} - known):
        raise UnreadableError(one_line(f"settings.{unknown[0]} is of another version of the harness", 200))
    try:
        evidence = read_evidence(folder)
        _check(evidence)
        if content_digest(data) != evidence.digest:
            return evidence, "evidence.json was changed after the recording: its digest is not that of its content"
        for name, digest in evidence.files.items():
            path = folder / name
            if not inside(path, folder) or not path.is_file() or file_hash(path) != digest:
                return evidence, one_line(f"{name} is not the file that was recorded", 200)
    except _DAMAGED as error:
        raise UnreadableError(one_line(f"evidence.json: {error}", 200)) from error
    return evidence, ""


def _check(evidence: Evidence) -> None:
    """Raises ValueError or TypeError for what would trip us later."""
    _check_settings(evidence.settings)
    texts: list[Any] = [evidence.demo, evidence.engine_version, evidence.digest, evidence.outcome.kind]
    texts += [*evidence.files, *evidence.files.values(), *(digest for _, digest in evidence.pixels)]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("names and hashes are texts")
    frames = [*(frame for frame, _ in evidence.pixels), *(still.frame for still in evidence.stills)]
    if not all(isinstance(frame, int) for frame in [*frames, evidence.outcome.frame]):
        raise ValueError("frames are whole numbers")
    if not all(_STILL.fullmatch(name) for still in evidence.stills for name in (still.file, still.measured)):
        raise ValueError("a still lies in frames/ or, without the pointer, in bare/")
    if not isinstance(evidence.pinned, dict):
        raise ValueError("pinned is an object")


def _check_settings(settings: RecorderSettings) -> None:
    for field in fields(settings):
        value, default = getattr(settings, field.name), field.default
        if type(value) is not type(default):
            raise ValueError(f"settings.{field.name}: {value!r} is not of the kind of {default!r}")
    if settings.recorder not in ("engine", "x11"):
        raise ValueError(f"settings.recorder: {settings.recorder!r} is not engine or x11")
    if settings.video_fps and (settings.video_fps < 0 or FPS % settings.video_fps):
        raise ValueError(f"settings.video_fps: {settings.video_fps} does not divide {FPS}")
    if not 1 <= settings.still_every_frames <= MAX_FRAMES or not 1 <= settings.window_frames <= MAX_FRAMES:
        raise ValueError(f"settings: stills and window are counted in 1 to {MAX_FRAMES} frames")
    if not 1 <= settings.still_quality <= 100 or not 0 <= settings.seed < 1 << 62:
        raise ValueError("settings: the quality of stills is 1 to 100, the seed a positive number")
