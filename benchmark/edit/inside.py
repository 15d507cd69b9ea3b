"""A hidden test of the public benchmark: a node of the project, which prints one of two words and quits.

It runs in the project's own process, because it was written so: weaker than a test beside the project (beside.py)."""

import base64
import hashlib
import hmac
import json
import re
import secrets
import shutil
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from benchmark.edit.beside import GODOT, first_error
from benchmark.edit.hidden import FAILED, PASSED, ImportedTest
from benchmark.edit.verdict import CheckResult, Mode, Verdict
from benchmark.projects.launch import GameStart, HostScript, game_job, no_proc
from benchmark.projects.prepare import PreparedProject
from benchmark.runtime.display import virtual_display
from benchmark.runtime.machine import Machine
from benchmark.runtime.pipes import told_once
from benchmark.runtime.processes import Finished
from benchmark.runtime.sandbox import Limits
from benchmark.runtime.tokens import cpu_token
from benchmark.runtime.workdir import work_folder

RUNNER = GODOT / "imported.gd"
_LINE = re.compile(rb"@([0-9a-f]{64}) (\{.*\})\s*")
_LINGER_SEC = 2.0  # a test that printed one word may still print the other


@dataclass
class OutputReader:
    """Reads the output of the engine: the two words of this run, and what our runner signed."""

    key: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    passed: str = field(default_factory=lambda: f"{PASSED}_{secrets.token_hex(12)}")
    failed: str = field(default_factory=lambda: f"{FAILED}_{secrets.token_hex(12)}")
    lines: list[dict[str, Any]] = field(default_factory=list)
    words: list[tuple[bool, str]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def __call__(self, line: bytes) -> bool:
        for word, passed in ((self.passed, True), (self.failed, False)):
            if word.encode() in line:
                text = line.partition(word.encode())[2].decode("utf-8", errors="replace").strip(" :\n")
                self.words.append((passed, text))
                self.ended.set()
        match = _LINE.fullmatch(line)
        if match is None:
            return False
        expected = hmac.new(self.key, match[2], hashlib.sha256).hexdigest()
        if not hmac.compare_digest(expected, match[1].decode()):
            return False
        try:
            said = json.loads(match[2], object_pairs_hook=_unambiguous)
        except (ValueError, RecursionError):  # it may quote the project
            return True
        if said.get("n") == len(self.lines):  # a line that was held back and said again does not count
            self.lines.append(said)
        if said.get("kind") == "end":
            self.ended.set()
        return True

    def has(self, kind: str) -> bool:
        return any(line["kind"] == kind for line in self.lines)

    @property
    def tampered(self) -> str:
        return next((line["what"] for line in self.lines if line["kind"] == "tampered"), "")


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A line that names a key twice could mean two things: nobody of ours writes one."""
    found = dict(pairs)
    return found if len(found) == len(pairs) else {"n": -1, "kind": "ambiguous"}


def run_inside(
    prepared: PreparedProject, test: ImportedTest, machine: Machine, mode: Mode, limit_sec: float
) -> Verdict:  # fmt: skip
    """The engine from start to end, and the verdict."""
    listener = OutputReader()
    with ExitStack() as stack:
        work = stack.enter_context(work_folder("verify"))
        harness = work / "harness"
        harness.mkdir()
        shutil.copyfile(RUNNER, harness / RUNNER.name)
        told = json.dumps(
            {
                "key": base64.b64encode(listener.key).decode(), "path": f"res://{test.path}",
                "test": test.with_words(listener.passed, listener.failed),
            }
        ).encode()  # fmt: skip
        stdin = stack.enter_context(told_once(told))
        start = GameStart(
            arguments=(*mode.arguments, f"res://{test.scene}"),
            limits=Limits(wall_sec=limit_sec, cpu_sec=round(limit_sec * 2)),
            extra=(no_proc(work),),
        )
        job = game_job(machine, prepared, HostScript(harness, RUNNER.name, first=True), start)
        job = replace(job, display=stack.enter_context(virtual_display(machine)) if mode.display else None)
        with cpu_token(), machine.sandbox.start(job, listener, stdin=stdin) as engine:
            if not engine.wait(until=listener.ended.is_set):
                lingered = threading.Event()
                timer = threading.Timer(_LINGER_SEC, lingered.set)
                timer.start()
                engine.wait(until=lingered.is_set)
                timer.cancel()
            finished = engine.stop()
    found = _judged(listener, finished)
    return replace(found, log=finished.text, seconds={"test": round(finished.wall_sec, 3)})


def _judged(heard: OutputReader, finished: Finished) -> Verdict:
    """The first word decides, as in the public benchmark; but a good one that is taken back says nothing."""
    said = {passed for passed, _ in heard.words}
    if heard.tampered:
        return Verdict("failed", heard.tampered)
    if heard.has("broken"):
        return Verdict("broken test", f"the test does not compile: {first_error(finished)}", settled=False)
    if said == {True, False} and heard.words[0][0]:
        return Verdict("no verdict", "the test printed both words, the good one first", settled=False)
    if said and (not heard.has("begin") or (finished.ending == "exited" and not heard.has("end"))):
        return Verdict("failed", "a word of the test was printed, but not by the test in its place")
    if not said:
        return Verdict("no verdict", _why_no_word(finished), settled=False)
    passed, text = heard.words[0]
    check = CheckResult("validation", passed, "" if passed else text or "no reason given")
    return Verdict("passed" if passed else "failed", "" if passed else check.message, (check,))


def _why_no_word(finished: Finished) -> str:
    if finished.ending == "wall time":
        return f"it printed no verdict in {finished.wall_sec:.0f} s"
    if finished.ending != "exited":
        return f"the engine {finished.describe()}"
    if finished.exit_code not in (0, 1):
        return f"the engine crashed ({finished.describe()})"
    return f"the project quit before the test was over: {first_error(finished) or 'no error was printed'}"
