"""The verify stage: run the hidden test inside the engine, inside the submission, and believe only what is signed."""

import base64
import contextlib
import hashlib
import hmac
import json
import os
import re
import secrets
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from benchmark.edit.hidden import FAILED, PASSED, HiddenTest, ImportedTest, KitTest
from benchmark.files import write_json
from benchmark.paths import cache_root
from benchmark.projects import settings
from benchmark.projects.launch import game_job
from benchmark.projects.prepare import VERSION as PREPARE_VERSION
from benchmark.projects.prepare import PreparedProject, prepare
from benchmark.projects.project import PROJECT_FILE, SubmittedProject, scan_project
from benchmark.projects.runlog import parse_log
from benchmark.runtime.display import virtual_display
from benchmark.runtime.machine import Machine
from benchmark.runtime.processes import Finished
from benchmark.runtime.sandbox import Limits, Mount
from benchmark.runtime.tokens import cpu_token
from benchmark.runtime.workdir import hand_over, work_folder

_GODOT = Path(__file__).with_name("godot")
_RUNNER = "runner.gd"
_STAND_IN = b"extends Node\n"
_EMPTY_SCENE = '[gd_scene format=3]\n\n[node name="Nothing" type="Node"]\n'
_PICTURE = "picture.png"
_LINE = re.compile(rb"@([0-9a-f]{64}) (\{.*\})\s*")
_LINGER_SEC = 2.0  # an imported test that printed one word may still print the other
DEFAULT_SEC = 60.0

# Where a run ended so, another run may end otherwise: it is not remembered.
_NOT_REMEMBERED = ("no verdict", "broken test")

How = Literal["passed", "failed", "no verdict", "broken test"]


@dataclass(frozen=True)
class Mode:
    """How the test's engine runs. Exact time is fast; some imported tests only work in real time."""

    display: bool = False
    real_time: bool = False

    def __str__(self) -> str:
        return f"{'display' if self.display else 'headless'}{', real time' if self.real_time else ''}"


@dataclass(frozen=True)
class CheckResult:
    """One named assertion of the test."""

    name: str
    ok: bool
    message: str = ""
    test: str = ""


@dataclass(frozen=True)
class Verdict:
    """What came of a run of the test. Only `passed` is a pass; `how` says why the others are none."""

    how: How
    reason: str = ""
    checks: tuple[CheckResult, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    log: str = ""
    project_digest: str = ""

    @property
    def passed(self) -> bool:
        return self.how == "passed"


def verify(
    submission: Path, test: HiddenTest, machine: Machine, mode: Mode, limit_sec: float = DEFAULT_SEC,
    picture: Path | None = None,
) -> Verdict:  # fmt: skip
    """Run the test against a submission, which is not modified. A picture of the scene is kept where one is drawn."""
    project = scan_project(submission)
    problem = _problem(project)
    if problem:
        return _nothing(test, Verdict("failed", problem, project_digest=project.digest))
    with ExitStack() as stack:
        if isinstance(test, ImportedTest):
            work = stack.enter_context(work_folder("edit", on_disk=True))
            project = _laid_over(project, test, work / "project")
        began = time.monotonic()
        prepared = prepare(project, machine)
        seconds = {"import": round(time.monotonic() - began, 3)}
        if prepared.problem:
            return _nothing(test, Verdict("failed", prepared.problem, seconds=seconds, project_digest=project.digest))
        verdict = _run(prepared, test, machine, mode, limit_sec, picture)
    return replace(verdict, project_digest=project.digest, seconds={**seconds, **verdict.seconds})


def kit_digest() -> str:
    """Changes whenever the same test could come to another verdict."""
    total = hashlib.sha256()
    for path in sorted(_GODOT.glob("*.gd")):
        total.update(path.read_bytes())
    return total.hexdigest()


def verify_once(
    submission: Path, test: HiddenTest, machine: Machine, mode: Mode, limit_sec: float = DEFAULT_SEC,
    picture: Path | None = None, *, fresh: bool = False,
) -> Verdict:  # fmt: skip
    """What the test said of this very submission before, or says now."""
    parts = [
        scan_project(submission).digest, asdict(test, dict_factory=_plain), str(mode), machine.engine.version,
        kit_digest(), limit_sec, PREPARE_VERSION,
    ]  # fmt: skip
    key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:40]
    folder = cache_root() / "verdicts" / key
    if not fresh:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            data = json.loads((folder / "verdict.json").read_text(encoding="utf-8"))
            if picture is not None and (folder / _PICTURE).exists():
                shutil.copyfile(folder / _PICTURE, picture)
            return Verdict(**{**data, "checks": tuple(CheckResult(**check) for check in data["checks"])})
    verdict = verify(submission, test, machine, mode, limit_sec, picture)
    if verdict.how not in _NOT_REMEMBERED:
        folder.mkdir(parents=True, exist_ok=True)
        if picture is not None and picture.exists():
            shutil.copyfile(picture, folder / _PICTURE)
        write_json(folder / "verdict.json", asdict(verdict))
    return verdict


def _plain(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A test as JSON: files by their hash."""
    return {
        key: {name: hashlib.sha256(data).hexdigest() for name, data in value.items()} if key == "files" else value
        for key, value in pairs
    }


def _problem(project: SubmittedProject) -> str:
    if project.problem:
        return f"the project has {project.problem}"
    if not project.has(PROJECT_FILE):
        return f"no {PROJECT_FILE} in the project folder"
    # Their place would be taken in the runner too, before it could look. It looks for all other classes itself.
    needed = set(re.findall(r"\b[A-Z]\w+", (_GODOT / _RUNNER).read_text(encoding="utf-8")))
    for entry in settings.entries((project.folder / PROJECT_FILE).read_text("utf-8", "replace")):
        name = entry.base_path.removeprefix("autoload/")
        if name != entry.base_path and name in needed:
            return f"{PROJECT_FILE}: the autoload {name} has the name of an engine class"
    return ""


def _nothing(test: HiddenTest, verdict: Verdict) -> Verdict:
    """No check was reached: each of them says why."""
    if isinstance(test, ImportedTest):
        return verdict
    checks = tuple(CheckResult(name, False, f"not reached: {verdict.reason}") for name in test.checks)
    return replace(verdict, checks=checks)


def _laid_over(project: SubmittedProject, test: ImportedTest, target: Path) -> SubmittedProject:
    """A copy of the submission with the task's own test files, whatever it has in their place."""
    for name in project.files:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(project.folder / name, target / name)
    for name, data in test.files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(_STAND_IN if name == test.path else data)
    return scan_project(target)


@contextmanager
def _pipe(data: bytes) -> Iterator[int]:
    """A file descriptor that gives these bytes once. A file could be opened and read again."""
    reader, writer = os.pipe()

    def feed() -> None:
        try:
            with os.fdopen(writer, "wb") as handle:
                handle.write(data)
        except BrokenPipeError:
            pass

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    try:
        yield reader
    finally:
        os.close(reader)
        feeder.join(timeout=5)


class _Listener:
    """Reads the output of the engine and keeps what the test said; a game's own words are only log."""

    def __init__(self, key: bytes, passed: str, failed: str) -> None:
        self._key = key
        self._words = {passed.encode(): True, failed.encode(): False}
        self.lines: list[dict[str, Any]] = []
        self.words: list[tuple[bool, str]] = []
        self.ended = threading.Event()

    def __call__(self, line: bytes) -> bool:
        for word, passed in self._words.items():
            if word in line:
                text = line.partition(word)[2].decode("utf-8", errors="replace").strip(" :\n")
                self.words.append((passed, text))
                self.ended.set()
        match = _LINE.fullmatch(line)
        if match is None:
            return False
        expected = hmac.new(self._key, match[2], hashlib.sha256).hexdigest()
        if not hmac.compare_digest(expected, match[1].decode()):
            return False
        said = json.loads(match[2])
        if said["n"] == len(self.lines):  # a line that was held back and said again does not count
            self.lines.append(said)
        if said["kind"] == "end":
            self.ended.set()
        return True

    def has(self, kind: str) -> bool:
        return any(line["kind"] == kind for line in self.lines)

    @property
    def tampered(self) -> str:
        return next((line["what"] for line in self.lines if line["kind"] == "tampered"), "")


def _run(
    prepared: PreparedProject, test: HiddenTest, machine: Machine, mode: Mode, limit_sec: float, picture: Path | None
) -> Verdict:
    key = secrets.token_bytes(32)
    passed, failed = (f"{word}_{secrets.token_hex(12)}" for word in (PASSED, FAILED))
    listener = _Listener(key, passed, failed)
    with ExitStack() as stack:
        work = stack.enter_context(work_folder("verify"))
        harness = work / "harness"
        harness.mkdir()
        (harness / _RUNNER).write_bytes((_GODOT / _RUNNER).read_bytes())
        (harness / "nothing.tscn").write_text(_EMPTY_SCENE, encoding="utf-8")
        out = Mount("out", work / "out", "write")
        out.host.mkdir()
        hand_over(out.host)
        display = stack.enter_context(virtual_display(machine)) if mode.display else None
        told = _told(test, key, passed, failed)
        told["picture"] = f"{machine.sandbox.place(out)}/{_PICTURE}" if picture is not None else ""
        payload = json.dumps(told).encode()
        stdin = stack.enter_context(_pipe(f"{len(payload):<16}".encode() + payload))
        scene = f"res://{test.scene}" if isinstance(test, ImportedTest) else "harness/nothing.tscn"
        job = game_job(
            machine, prepared, harness, _RUNNER, (*_arguments(mode), _place(machine, harness, scene)),
            Limits(wall_sec=limit_sec, cpu_sec=round(limit_sec * 2)), extra=(out, _no_proc(work)),
        )  # fmt: skip
        job = replace(job, display=display)
        with cpu_token(), machine.sandbox.start(job, listener, stdin=stdin) as engine:
            if not engine.wait(until=listener.ended.is_set) and isinstance(test, ImportedTest):
                lingered = threading.Event()
                timer = threading.Timer(_LINGER_SEC, lingered.set)
                timer.start()
                engine.wait(until=lingered.is_set)
                timer.cancel()
            finished = engine.stop()
        if picture is not None and (out.host / _PICTURE).is_file() and not (out.host / _PICTURE).is_symlink():
            shutil.copyfile(out.host / _PICTURE, picture)
    verdict = _imported_verdict if isinstance(test, ImportedTest) else _kit_verdict
    found = verdict(test, listener, finished)  # type: ignore[arg-type]
    return replace(found, log=finished.text, seconds={"test": round(finished.wall_sec, 3)})


def _no_proc(work: Path) -> Mount:
    """In place of /proc, by which a program reads and writes its own memory, and with it the test and the key."""
    folder = work / "proc"
    (folder / "self").mkdir(parents=True)
    (folder / "self/exe").symlink_to("/usr/bin/godot")  # all that the engine asks for
    return Mount("proc", folder)


def _told(test: HiddenTest, key: bytes, passed: str, failed: str) -> dict[str, Any]:
    told: dict[str, Any] = {"kind": test.kind, "key": base64.b64encode(key).decode()}
    told |= {name: (_GODOT / f"{name}.gd").read_text(encoding="utf-8") for name in ("kit", "watch")}
    if isinstance(test, ImportedTest):
        return {**told, "test": test.with_words(passed, failed), "path": f"res://{test.path}"}
    return {**told, "test": test.source, "parameters": test.parameters}


def _arguments(mode: Mode) -> tuple[str, ...]:
    time = () if mode.real_time else ("--fixed-fps", "60")
    if not mode.display:
        return ("--headless", *time)
    drawing = ("--display-driver", "x11", "--rendering-driver", "opengl3", "--resolution", "1280x720")
    return (*drawing, "--position", "0,0", "--disable-vsync", *time)


def _place(machine: Machine, harness: Path, scene: str) -> str:
    if scene.startswith("res://"):
        return scene
    return f"{machine.sandbox.place(Mount('harness', harness))}/nothing.tscn"


def _kit_verdict(test: KitTest, heard: _Listener, finished: Finished) -> Verdict:
    """Every check that the test's source promises must have been made and hold, and the test must have ended."""
    ended = heard.has("end")
    tampered = heard.tampered
    made = _made(heard)
    why = _why_not_reached(finished, ended)
    missing = [CheckResult(name, False, f"not reached: {why}") for name in test.checks if name not in made]
    order = {name: place for place, name in enumerate(test.checks)}
    checks = tuple(sorted([*made.values(), *missing], key=lambda one: order.get(one.name, len(order))))
    failures = [f"{one.name}: {one.message}" for one in checks if not one.ok]
    if heard.has("broken"):
        return Verdict("broken test", f"the test does not compile: {_first_error(finished)}", checks)
    if tampered:
        return Verdict("failed", tampered, checks)
    if failures:
        return Verdict("failed" if ended else "no verdict", "; ".join(failures[:3]), checks)
    if not ended or not checks:
        return Verdict("no verdict", why, checks)
    return Verdict("passed", "", checks)


def _made(heard: _Listener) -> dict[str, CheckResult]:
    """By name; a check made several times holds if it held every time."""
    made: dict[str, CheckResult] = {}
    current = ""
    for line in heard.lines:
        if line["kind"] == "test":
            current = line["name"]
        elif line["kind"] == "check" and (line["name"] not in made or made[line["name"]].ok):
            made[line["name"]] = CheckResult(line["name"], line["ok"], line["message"], current)
    return made


def _why_not_reached(finished: Finished, ended: bool) -> str:
    if ended:
        error = _first_error(finished)
        return f"the test broke off before it: {error}" if error else "an earlier check did not hold"
    if finished.ending == "wall time":
        return f"the project did not get through the test in {finished.wall_sec:.0f} s"
    if finished.ending != "exited":
        return f"the engine {finished.describe()}"
    if finished.exit_code not in (0, 1):
        return f"the engine crashed ({finished.describe()})"
    return f"the project quit before the test was over: {_first_error(finished) or 'no error was printed'}"


def _first_error(finished: Finished) -> str:
    errors = [message for message in parse_log(finished.text) if message.severity == "error"]
    return str(errors[0]) if errors else ""


def _imported_verdict(test: ImportedTest, heard: _Listener, finished: Finished) -> Verdict:
    """The first word decides, as in the public benchmark; but a good one that is taken back says nothing."""
    said = {passed for passed, _ in heard.words}
    if heard.tampered:
        return Verdict("failed", heard.tampered)
    if heard.has("broken"):
        return Verdict("broken test", f"the test does not compile: {_first_error(finished)}")
    if said == {True, False} and heard.words[0][0]:
        return Verdict("no verdict", "the test printed both words, the good one first")
    if said and (not heard.has("begin") or (finished.ending == "exited" and not heard.has("end"))):
        return Verdict("failed", "a word of the test was printed, but not by the test in its place")
    if not said:
        ended = finished.ending == "wall time"
        why = f"it printed no verdict in {finished.wall_sec:.0f} s" if ended else _why_not_reached(finished, False)
        return Verdict("no verdict", why)
    passed, text = heard.words[0]
    check = CheckResult("validation", passed, "" if passed else text or "no reason given")
    return Verdict("passed" if passed else "failed", "" if passed else check.message, (check,))
