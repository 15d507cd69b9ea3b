"""What a craft package must be like before it may join the benchmark. Each rule names file and place.

Loading a package asks only for what scoring needs; these rules are for authors.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmark.assets.manifest import ManifestError, read_manifest
from benchmark.authoring import Problem, binaries
from benchmark.craft.audit.cuts import AUDIT_FILE, check_cut
from benchmark.craft.families import FAMILIES
from benchmark.craft.instruction import INSTRUCTION_FILE
from benchmark.craft.rubric import BUILD, CATEGORIES, RUBRIC_FILE, Rubric, RubricError, read_rubric
from benchmark.expressions import ExpressionError
from benchmark.limits import MAX_TEXT_BYTES
from benchmark.projects.solutions import COVERAGE
from benchmark.replay.trace_reader import load_traces
from benchmark.replay.traces import FPS
from benchmark.tasks import DIFFICULTIES, EXAMPLE_FAMILY, TASK_FILE, TaskError, read_task, read_toml
from benchmark.untrusted import UnreadableFileError, read_json, read_utf8

MAX_ITEMS = 24
WORDS = (250, 900)  # of instruction.md
DESCRIPTION_WORDS = (25, 180)  # of a rubric item
SHARED_RUN = 7  # so many words in a row, in specification and rubric, give the rubric away
SECTIONS = ("Core Vision", "What the Player Experiences")
BUILD_COMMAND = "godot --headless --path /workspace/game --quit-after 5"

_AUDIO = re.compile(r"\b(audio|sounds?|music|soundtrack|sfx|jingle|voice[- ]?over|volume slider)\b", re.I)
_IMPLEMENTATION = re.compile(
    r"\b(gdscript|scene tree|autoload|singleton|subclass|node2d|tilemap\w*|characterbody\w*|shader|_process|_ready|"
    r"signals?|nodes?|scripts?|variables?|callbacks?|tween)\b",
    re.I,
)
_SCORING = re.compile(r"\b(rubric|judge|grader|evaluat\w+|evidence|checklist|requirement \w\d|partial credit)\b", re.I)
_LIST = re.compile(r"^\s*([-*+]|\d+[.)])\s+\S", re.M)
_TABLE_OR_CODE = re.compile(r"^\s*(\||```)", re.M)
_GRADES = {
    "1": re.compile(r"\bscore (of )?1(\.0)?\b|\b1(\.0)? (if|when|requires|only)\b", re.I),
    "0.5": re.compile(r"\b0\.5\b"),
    "0": re.compile(r"\bscore (of )?0(\.0)?\b(?!\.)|\b0(\.0)? (if|when)\b", re.I),
}


def check_package(folder: Path) -> tuple[Problem, ...]:
    """All broken rules of a package, in reading order. One from elsewhere need only be usable."""
    problems: list[Problem] = []
    rules: tuple[Callable[[Path], Iterator[Problem]], ...] = (
        _metadata,
        _specification,
        _rubric,
        _leaks,
        _oracle,
        _audit,
    )
    try:
        if read_task(folder).foreign:
            rules = (_has_instruction, _can_score)
    except TaskError:
        pass  # the first rule says what is wrong
    for rule in rules:
        problems += rule(folder)
    return tuple(problems)


def _has_instruction(folder: Path) -> Iterator[Problem]:
    try:
        if not read_utf8(folder / INSTRUCTION_FILE, MAX_TEXT_BYTES).strip():
            yield Problem(INSTRUCTION_FILE, "", "is empty: an agent would not know what to build")
    except UnreadableFileError as error:
        yield Problem(INSTRUCTION_FILE, "", str(error))


def _can_score(folder: Path) -> Iterator[Problem]:
    """Whether the formula gives a number, and lets a good game be told from none."""
    try:
        rubric = read_rubric(folder)
        worst, best = (
            rubric.formula.value({BUILD: corner, **dict.fromkeys(rubric.ids, corner)}) for corner in (0.0, 1.0)
        )
    except RubricError as error:
        yield _from_error(error, folder)
    except ExpressionError as error:
        yield Problem(RUBRIC_FILE, "score_formula", error.message)
    else:
        if best <= worst:
            yield Problem(RUBRIC_FILE, "score_formula", f"gives {best:g} at best and {worst:g} at worst")


def _metadata(folder: Path) -> Iterator[Problem]:
    try:
        task = read_task(folder)
        data = read_toml(folder / TASK_FILE)
    except TaskError as error:
        yield _from_error(error, folder)
        return
    if task.family not in (*FAMILIES, EXAMPLE_FAMILY):
        yield Problem(TASK_FILE, "metadata.family", f"{task.family!r} is not one of {', '.join(FAMILIES)}")
    if folder.parent.name != task.family:
        yield Problem(TASK_FILE, "metadata.family", f"{task.family!r} lies in the folder {folder.parent.name!r}")
    about, metadata = data.get("task", {}), data.get("metadata", {})
    if str(about.get("name", "")).rpartition("/")[2] != f"{task.family}-{task.slug}":
        yield Problem(TASK_FILE, "task.name", f"{about.get('name')!r} must end in '/{task.family}-{task.slug}'")
    if "schema_version" not in data:
        yield Problem(TASK_FILE, "schema_version", "is missing")
    if metadata.get("difficulty") not in DIFFICULTIES:
        yield Problem(TASK_FILE, "metadata.difficulty", f"must be one of {', '.join(DIFFICULTIES)}")
    for table, key in (("task", "description"), ("task", "keywords"), ("metadata", "authors"), ("metadata", "skills")):
        if not data.get(table, {}).get(key):
            yield Problem(TASK_FILE, f"{table}.{key}", "is missing")
    for section in ("agent", "verifier"):
        if "timeout_sec" not in data.get(section, {}):
            yield Problem(TASK_FILE, f"{section}.timeout_sec", "is missing")


def _specification(folder: Path) -> Iterator[Problem]:
    try:
        text = read_utf8(folder / INSTRUCTION_FILE, MAX_TEXT_BYTES)
    except UnreadableFileError as error:
        yield Problem(INSTRUCTION_FILE, "", str(error))
        return
    if not text.startswith("# "):
        yield Problem(INSTRUCTION_FILE, "line 1", "must be the title, '# …'")
    opening = text.partition("\n## ")[0]
    if "/workspace/game" not in opening:
        yield Problem(INSTRUCTION_FILE, "opening", "must say that the game goes to /workspace/game/")
    if len(opening.split()) < 25:
        yield Problem(INSTRUCTION_FILE, "opening", "must name the game and the quality that is expected")
    headings = tuple(re.findall(r"^## (.+?)\s*$", text, re.M))
    if headings != SECTIONS:
        yield Problem(
            INSTRUCTION_FILE, "headings", f"must be exactly {' and '.join(SECTIONS)}; the rest is added when rendered"
        )
    words = len(text.split())
    if not WORDS[0] <= words <= WORDS[1]:
        yield Problem(INSTRUCTION_FILE, "", f"{words} words; {WORDS[0]} to {WORDS[1]} are allowed")
    for pattern, rule in (
        (_LIST, "is a list; a specification is prose, not a checklist"),
        (_TABLE_OR_CODE, "is a table or code; a specification is prose"),
        (_AUDIO, "speaks of sound; replays are silent"),
        (_IMPLEMENTATION, "says how to build it; describe what the player experiences"),
        (_SCORING, "speaks of scoring"),
    ):
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield Problem(INSTRUCTION_FILE, f"line {line}", f"{match.group().strip()!r} {rule}")


def _rubric(folder: Path) -> Iterator[Problem]:
    try:
        rubric = read_rubric(folder)
    except RubricError as error:
        yield _from_error(error, folder)
        return
    data: dict[str, Any] = read_json(folder / RUBRIC_FILE, MAX_TEXT_BYTES)
    if len(rubric.requirements) > MAX_ITEMS:
        yield Problem(RUBRIC_FILE, "requirements", f"{len(rubric.requirements)} items; at most {MAX_ITEMS} are allowed")
    check = data.get("build_check")
    if not isinstance(check, dict) or check.get("id") != BUILD or check.get("cmd") != BUILD_COMMAND:
        yield Problem(RUBRIC_FILE, "build_check", f'must be {{"id": "{BUILD}", "cmd": "{BUILD_COMMAND}"}}')
    yield from _categories(rubric, data.get("categories"))
    yield from _formula(rubric)
    for index, item in enumerate(rubric.requirements):
        where = f"requirements[{index}]"
        if item.category in "VA" and item.agg != "mean":
            yield Problem(RUBRIC_FILE, f"{where}.agg", f"{item.id} must hold throughout: mean, not max")
        words = len(item.description.split())
        if not DESCRIPTION_WORDS[0] <= words <= DESCRIPTION_WORDS[1]:
            allowed = f"{DESCRIPTION_WORDS[0]} to {DESCRIPTION_WORDS[1]}"
            yield Problem(RUBRIC_FILE, f"{where}.description", f"{item.id} has {words} words; {allowed} are allowed")
        for grade, pattern in _GRADES.items():
            if not pattern.search(item.description):
                yield Problem(RUBRIC_FILE, f"{where}.description", f"{item.id} does not say what scores {grade}")
        if match := _AUDIO.search(item.description):
            yield Problem(
                RUBRIC_FILE, f"{where}.description", f"{item.id}: {match.group()!r} cannot be seen in a silent replay"
            )


def _categories(rubric: Rubric, listed: Any) -> Iterator[Problem]:
    """Exactly the four, in order, each with exactly the items of its letter."""
    expected = [
        {"name": name, "items": [item for item in rubric.ids if item[0] == letter]}
        for letter, (name, _) in CATEGORIES.items()
    ]
    for category in expected:
        if not category["items"]:
            yield Problem(RUBRIC_FILE, "categories", f"{category['name']} has no item")
    if listed != expected:
        yield Problem(RUBRIC_FILE, "categories", f"must be {json.dumps(expected, ensure_ascii=False)}")


def _formula(rubric: Rubric) -> Iterator[Problem]:
    if unused := [name for name in (BUILD, *rubric.ids) if name not in rubric.formula.names]:
        yield Problem(RUBRIC_FILE, "score_formula", f"does not use {', '.join(unused)}")
    try:
        for corner in (0.0, 1.0):
            value = rubric.formula.value({BUILD: 1.0, **dict.fromkeys(rubric.ids, corner)})
            if abs(value - corner) > 1e-9:
                yield Problem(RUBRIC_FILE, "score_formula", f"gives {value:g} when every item is {corner:g}")
        if rubric.formula.value({BUILD: 0.0, **dict.fromkeys(rubric.ids, 1.0)}) != 0:
            yield Problem(RUBRIC_FILE, "score_formula", "must be 0 when BUILD is 0")
        for letter, (name, weight) in CATEGORIES.items():
            only = {item: float(item[0] == letter) for item in rubric.ids}
            value = rubric.formula.value({BUILD: 1.0, **only})
            if abs(value - weight) > 1e-9:
                yield Problem(RUBRIC_FILE, "score_formula", f"{name} weighs {value:g}; it must weigh {weight:g}")
    except ExpressionError as error:
        yield Problem(RUBRIC_FILE, "score_formula", error.message)


def _leaks(folder: Path) -> Iterator[Problem]:
    """The specification must not be written in the rubric's words."""
    try:
        rubric = read_rubric(folder)
        words = _words(read_utf8(folder / INSTRUCTION_FILE, MAX_TEXT_BYTES))
    except (RubricError, UnreadableFileError):
        return  # told already
    runs = {tuple(words[start : start + SHARED_RUN]) for start in range(len(words) - SHARED_RUN + 1)}
    for index, item in enumerate(rubric.requirements):
        theirs = _words(item.description)
        for start in range(len(theirs) - SHARED_RUN + 1):
            run = tuple(theirs[start : start + SHARED_RUN])
            if run in runs:
                place = f"requirements[{index}].description"
                yield Problem(RUBRIC_FILE, place, f"{item.id} shares {' '.join(run)!r} with {INSTRUCTION_FILE}")
                break


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower())


def _oracle(folder: Path) -> Iterator[Problem]:
    solution = folder / "solution"
    if not (solution / "project.godot").is_file():
        yield Problem("solution", "", "there is no oracle: a Godot project with its demos is needed")
        return
    yield from binaries(folder)
    try:
        read_manifest(solution)
    except ManifestError as error:
        yield Problem("solution/art.toml", "", error.message)
    traces = load_traces(solution)
    for problem in traces.faults:
        yield Problem(f"solution/{problem.file}", problem.path, problem.message)
    if not traces.traces:
        yield Problem("solution/demo_outputs", "", "holds no trace")
    if traces.traces and all(trace.scenario for trace in traces.traces):
        yield Problem("solution/demo_outputs", "", "one demo must start like a player, without a scenario")
    lengths = {Path(trace.name).stem: trace.duration_frames / FPS for trace in traces.traces}
    yield from _coverage(folder, lengths)


def _coverage(folder: Path, seconds: dict[str, float]) -> Iterator[Problem]:
    """`coverage.toml` says which demo shows which item at which second, for every item."""
    file = f"solution/{COVERAGE}"
    try:
        shows = read_toml(folder / file).get("shows")
        ids = read_rubric(folder).ids
    except RubricError:
        return  # told already
    except TaskError as error:
        yield Problem(file, "", error.message.rpartition(": ")[2])
        return
    if not isinstance(shows, dict):
        yield Problem(file, "shows", 'a table is needed, of M1 = ["01_start@3.5", …]')
        return
    for name in ids:
        if not shows.get(name):
            yield Problem(file, "shows", f"{name} is shown by no demo")
    for name, places in shows.items():
        if name not in ids:
            yield Problem(file, f"shows.{name}", "no such rubric item")
        for place in places if isinstance(places, list) else [places]:
            demo, _, second = str(place).partition("@")
            if demo not in seconds:
                yield Problem(file, f"shows.{name}", f"{place!r}: no such demo")
            elif not re.fullmatch(r"\d+(\.\d+)?", second) or float(second) > seconds[demo]:
                yield Problem(file, f"shows.{name}", f"{place!r}: a second from 0 to {seconds[demo]:g} is needed")


def _audit(folder: Path) -> Iterator[Problem]:
    """`tests/audit.toml` is optional; if it is there, its edits must fit the oracle."""
    if (folder / AUDIT_FILE).is_file():
        try:
            check_cut(folder)
        except TaskError as error:
            yield _from_error(error, folder)


def _from_error(error: TaskError, folder: Path) -> Problem:
    """The message without the part of the path that leads to the package."""
    return Problem("", "", error.message.replace(f"{folder}/", ""))
