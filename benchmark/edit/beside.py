"""A hidden test of ours: run in an engine of its own, which asks the project's engine through a socket.

The project's process holds questions, never what is expected; what the test's process says is the verdict."""

import json
import secrets
import shutil
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmark.edit.hidden import KitTest
from benchmark.edit.verdict import CheckResult, Mode, Verdict
from benchmark.projects.launch import GameStart, HostScript, game_job
from benchmark.projects.prepare import PreparedProject
from benchmark.projects.runlog import parse_log
from benchmark.runtime.display import virtual_display
from benchmark.runtime.machine import Machine
from benchmark.runtime.pipes import told_once
from benchmark.runtime.processes import Finished, Supervised
from benchmark.runtime.sandbox import Job, Limits, Mount
from benchmark.runtime.tokens import cpu_token
from benchmark.runtime.workdir import hand_over, work_folder
from benchmark.untrusted import UnreadableFileError, parse_json

GODOT = Path(__file__).with_name("godot")
PLAYER = GODOT / "player"
_DRIVER = "driver.gd"
PICTURE = "picture.png"
READY = "ready"  # the tester makes this file, where only it may write, when it can be reached
_TESTER = GODOT / "tester"
_EMPTY_SCENE = '[gd_scene format=3]\n\n[node name="Nothing" type="Node"]\n'
_GRACE_SEC = 5.0  # for the test to notice that the project's engine has ended


@dataclass
class Heard:
    """Reads what the test's engine prints. Lines of the test begin with a word that only the two of us know."""

    word: str = field(default_factory=lambda: secrets.token_hex(16))
    lines: list[dict[str, Any]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def __call__(self, line: bytes) -> bool:
        if not line.startswith(self.word.encode() + b" "):
            return not line.strip()
        try:
            said = dict(parse_json(line.partition(b" ")[2]))
        except (UnreadableFileError, TypeError, ValueError) as error:  # it may quote the project
            said = {"kind": "lost", "what": f"what the test said {error}"}
        self.lines.append(said)
        if said["kind"] in ("end", "lost", "broken"):
            self.over.set()
        return True

    def has(self, kind: str) -> bool:
        return any(line["kind"] == kind for line in self.lines)

    @property
    def lost(self) -> str:
        """Why the test could not go on, empty if it did."""
        return next((line["what"] for line in self.lines if line["kind"] == "lost"), "")


def run_beside(
    prepared: PreparedProject, test: KitTest, machine: Machine, mode: Mode, limit_sec: float, picture: Path | None
) -> Verdict:
    """Both engines from start to end, and the verdict."""
    heard = Heard()
    limits = Limits(wall_sec=limit_sec, cpu_sec=round(limit_sec * 2))
    with ExitStack() as stack:
        work = stack.enter_context(work_folder("verify"))
        channel, out = Mount("channel", work / "channel", "write"), Mount("out", work / "out", "write")
        for mount in (channel, out):
            mount.host.mkdir()
            hand_over(mount.host)
        display = stack.enter_context(virtual_display(machine)) if mode.display else None
        place = machine.sandbox.place
        told = json.dumps(
            {
                "word": heard.word, "test": test.source, "parameters": test.parameters, "methods": test.methods,
                "channel": place(channel), "picture": f"{place(out)}/{PICTURE}" if picture is not None else "",
            }
        ).encode()  # fmt: skip
        stdin = stack.enter_context(told_once(told))
        player = replace(_player(prepared, machine, mode, limits, work), display=display)
        with (
            cpu_token(),
            machine.sandbox.start(_tester(machine, limits, work, (channel, out)), heard, stdin=stdin) as asking,
            machine.sandbox.start(player) as answering,
        ):
            _wait(asking, answering, heard)
            test_end, project_end = asking.stop(), answering.stop()
        was_ready = (channel.host / READY).exists()
        if picture is not None and (out.host / PICTURE).is_file():
            shutil.copyfile(out.host / PICTURE, picture)
    found = _judged(test, heard, test_end, project_end, was_ready=was_ready)
    log = project_end.text + (f"--- the test ---\n{test_end.text}" if parse_log(test_end.text) else "")
    return replace(found, log=log, seconds={"test": round(project_end.wall_sec, 3)})


def _tester(machine: Machine, limits: Limits, work: Path, mounts: tuple[Mount, ...]) -> Job:
    """A plain engine with no code of the project."""
    test = Mount("tester", _TESTER)
    home = work / "home"
    home.mkdir()
    hand_over(home)
    return Job(
        machine.engine.program,
        ("--path", machine.sandbox.place(test), "--headless", "--audio-driver", "Dummy", "--script", "main.gd"),
        (test, *mounts),
        env={"GODOT_SILENCE_ROOT_WARNING": "1"},
        limits=limits,
        home=home,
    )


def _player(prepared: PreparedProject, machine: Machine, mode: Mode, limits: Limits, work: Path) -> Job:
    """The project, with our script that answers."""
    harness = work / "harness"
    shutil.copytree(PLAYER, harness)
    (harness / "nothing.tscn").write_text(_EMPTY_SCENE, encoding="utf-8")
    scene = f"{machine.sandbox.place(Mount('harness', harness))}/nothing.tscn"
    channel = Mount("channel", work / "channel")
    start = GameStart(arguments=(*mode.arguments, scene), limits=limits, extra=(channel,))
    return game_job(machine, prepared, HostScript(harness, _DRIVER), start)


def _wait(asking: Supervised, answering: Supervised, heard: Heard) -> None:
    """Until the test has ended, or one of the engines."""
    stopped, gone = threading.Event(), threading.Event()

    def watch() -> None:
        answering.wait(until=stopped.is_set)
        if not heard.has("begin"):  # nobody will ever answer
            heard.over.set()
        gone.wait(_GRACE_SEC)
        heard.over.set()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    asking.wait(until=heard.over.is_set)
    stopped.set()
    gone.set()
    watcher.join()


def _judged(test: KitTest, heard: Heard, test_end: Finished, project_end: Finished, *, was_ready: bool) -> Verdict:
    """Every check that the test's source promises must have been made and hold, and the test must have ended."""
    if heard.has("broken"):
        return Verdict("broken test", f"the test does not compile: {first_error(test_end)}", settled=False)
    ended = heard.has("end")
    why = _broken_off(heard, test_end) if ended else _cut_short(heard, test_end, project_end)
    made = _made(heard)
    whys = {line["test"]: f"the test broke off before it: {line['what']}" for line in heard.lines if "test" in line}
    missing = [
        CheckResult(name, False, f"not reached: {whys.get(test.function_of(name), why)}")
        for name in test.checks
        if name not in made
    ]
    order = {name: place for place, name in enumerate(test.checks)}
    checks = tuple(sorted([*made.values(), *missing], key=lambda one: order.get(one.name, len(order))))
    failures = [f"{one.name}: {one.message}" for one in checks if not one.ok]
    if not ended:
        # Where the test's engine was ready and still is there, it was the project that never came.
        waited = was_ready and test_end.ending != "exited"
        ours = not heard.has("begin") and project_end.ending == "stopped" and not waited
        return Verdict("no verdict" if ours else "failed", why, checks, settled=bool(heard.lost))
    if failures or not checks:
        return Verdict("failed", "; ".join(failures[:3]) or "the test makes no check", checks)
    return Verdict("passed", "", checks)


def _made(heard: Heard) -> dict[str, CheckResult]:
    """By name; a check made several times holds if it held every time."""
    made: dict[str, CheckResult] = {}
    current = ""
    for line in heard.lines:
        if line["kind"] == "test":
            current = line["name"]
        elif line["kind"] == "check" and (line["name"] not in made or made[line["name"]].ok):
            made[line["name"]] = CheckResult(line["name"], line["ok"], line["message"], current)
    return made


def _broken_off(heard: Heard, test_end: Finished) -> str:
    """Why a test that came to its end did not make all its checks."""
    said = next((line["what"] for line in heard.lines if line["kind"] == "broke off"), "") or first_error(test_end)
    return f"the test broke off before it: {said}" if said else "an earlier check did not hold"


def _cut_short(heard: Heard, test_end: Finished, project_end: Finished) -> str:
    """Why a test did not come to its end."""
    for end in (project_end, test_end):
        if end.ending == "wall time":
            return f"the project did not get through the test in {end.wall_sec:.0f} s"
    if project_end.ending not in ("exited", "stopped"):
        return f"the engine {project_end.describe()}"
    if project_end.ending == "exited" and project_end.exit_code not in (0, 1):
        return f"the engine crashed ({project_end.describe()})"
    if heard.lost and project_end.ending == "stopped":
        return heard.lost
    if project_end.ending == "stopped":
        return f"the test's own engine {test_end.describe()}"
    return f"the project quit before the test was over: {first_error(project_end) or 'no error was printed'}"


def first_error(finished: Finished) -> str:
    """Of what an engine printed, empty if there was none."""
    errors = [message for message in parse_log(finished.text) if message.severity == "error"]
    return str(errors[0]) if errors else ""
