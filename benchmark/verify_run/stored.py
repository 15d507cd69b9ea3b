"""Reading a run that came from elsewhere. Nothing in it is believed, and nothing in it leads out of its folder."""

import math
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from benchmark.craft.replay.evidence import Evidence, RecorderSettings, file_hash, read_evidence
from benchmark.craft.replay.writing import content_digest
from benchmark.craft.traces import FPS, MAX_FRAMES
from benchmark.results.report.loose import as_dict, as_list, inside, parsed
from benchmark.results.store import TRIALS_FILE, RunStore
from benchmark.trials import TrialRecord, one_line

_PARTS = ("submission", "evidence", "opinions.json")  # all that is read of a trial
_DAMAGED = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError)
_STILL = re.compile(r"(frames|bare)/\d{1,9}\.jpg")
_FOLDER = re.compile(r"[\w-]+")


class UnreadableError(Exception):
    """One line about what is missing, damaged or not allowed."""


def read_records(store: RunStore) -> tuple[list[TrialRecord], list[str]]:
    """The records of a run, oldest first, and a line about everything that is none."""
    records: list[TrialRecord] = []
    problems: list[str] = []
    path = store.folder / TRIALS_FILE
    if path.is_symlink() or not path.is_file():
        return [], [f"{TRIALS_FILE} is not a regular file"]
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                records.append(_sane(TrialRecord.from_line(line.decode("utf-8"))))
            except _DAMAGED as error:
                problems.append(one_line(f"{TRIALS_FILE}:{number}: not a trial record: {error}", 200))
    return records, problems


def _sane(record: TrialRecord) -> TrialRecord:
    """Of the types that its fields promise, as far as we look at them."""
    numbers = [record.score, *record.items.values(), *record.categories.values()]
    if not all(isinstance(text, str) and text for text in (record.task, record.agent, record.outcome)):
        raise ValueError("task, agent and outcome are texts")
    if not isinstance(record.attempt, int) or record.build not in (None, 0, 1):
        raise ValueError("attempt is a number, build 0 or 1")
    if not all(n is None or (isinstance(n, int | float) and math.isfinite(n)) for n in numbers):
        raise ValueError("scores are numbers")
    if not isinstance(record.reason, str) or not all(isinstance(v, str) for v in record.versions.values()):
        raise ValueError("reason and versions are texts")
    return record


def trial_folder(store: RunStore, record: TrialRecord) -> Path:
    """The folder of a trial, if neither its name nor anything below it that we read leads elsewhere."""
    folder = store.trial_folder(record.id)
    try:
        if folder.is_symlink() or not inside(folder, store.folder / "trials"):
            raise UnreadableError("its folder leads out of the run")
        if not folder.is_dir():
            raise UnreadableError("its folder is missing")
        for path in _entries(folder):
            mode = path.lstat().st_mode
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                raise UnreadableError(one_line(f"{path.relative_to(folder)} is a link or a special file", 200))
    except (OSError, ValueError) as error:  # a name too long or with a zero byte in it
        raise UnreadableError(one_line(f"its folder cannot be read: {error}", 200)) from error
    return folder


def _entries(folder: Path) -> Iterator[Path]:
    for part in _PARTS:
        if os.path.lexists(folder / part):
            yield folder / part
        for parent, folders, files in os.walk(folder / part):
            yield from (Path(parent, name) for name in (*folders, *files))


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
