"""A whole track in one file: an agent guesses a number, and the nearer it is the better."""

import contextlib
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from benchmark.agents.protocol import Agent, Assignment
from benchmark.authoring import Problem
from benchmark.running import Check, Result, Tools, Trial
from benchmark.tasks import TASK_FILE, Task, TaskError, read_toml
from benchmark.tracks import Packages, Track, Trials
from benchmark.trials import Stage, TrialId, TrialRecord
from benchmark.untrusted import UnreadableFileError, read_text
from benchmark.versions import text_digest

ANSWER = "answer.txt"
MAX_ANSWER_BYTES = 100


@dataclass
class GuessTrial(Trial):
    """The agent leaves its guess in `game/answer.txt`."""

    guess: int | None = None

    def produce(self, agent: Agent, tools: Tools) -> None:
        with tools.workspace() as folder:
            game = folder / "game"
            game.mkdir()
            log = self.folder / "agent.log"
            log.touch()
            self.report = agent.work(
                Assignment(
                    task=self.task, workspace=folder, instruction="Guess a number.", timeout_sec=60, log=log,
                    reference=self.hand_in,
                )
            )  # fmt: skip
            (self.folder / ANSWER).unlink(missing_ok=True)  # of an earlier try
            with contextlib.suppress(UnreadableFileError):  # a link, a pipe, too much: no answer
                (self.folder / ANSWER).write_text(read_text(game / ANSWER, MAX_ANSWER_BYTES), encoding="utf-8")

    def hand_in(self, target: Path) -> None:
        shutil.copytree(self.task.folder / "solution", target)

    def score(self, tools: Tools, start: Stage) -> None:
        # Whatever an agent wrote is at worst a scored 0, never void.
        with self.timed(tools, "compare"), contextlib.suppress(ValueError):
            self.guess = int(read_text(self.folder / ANSWER, MAX_ANSWER_BYTES))

    def describe(self, record: TrialRecord, tools: Tools) -> TrialRecord:
        return replace(record, judge="arithmetic")

    def result(self) -> Result:
        wanted = number_of(self.task.folder)
        near = 0.0 if self.guess is None else max(0.0, 1.0 - abs(self.guess - wanted) / 10)
        exact = float(self.guess == wanted)
        return Result(score=near, items={"near": near, "exact": exact}, facts={"guess": self.guess})

    def checks(self) -> tuple[Check, ...]:
        assert self.record is not None
        return checks(self.folder, self.record)


def number_of(folder: Path) -> int:
    number = read_toml(folder / TASK_FILE).get("number")
    if not isinstance(number, int):
        raise TaskError(f"{folder / TASK_FILE}: number: a whole number is needed")
    return number


def lint(folder: Path) -> tuple[Problem, ...]:
    try:
        number_of(folder)
    except TaskError as error:
        return (Problem(TASK_FILE, "number", error.message),)
    return ()


def checks(folder: Path, record: TrialRecord) -> tuple[Check, ...]:
    return tuple(Check(name, score, "as far as it is from the number") for name, score in record.items.items())


def begin(trial: TrialId, task: Task, folder: Path) -> GuessTrial:
    return GuessTrial(trial, task, folder)


def versions(task: Task, solution: bool) -> dict[str, str]:
    return {"rubric": text_digest(str(number_of(task.folder)))}


TRACK = Track(
    name="guess",
    about="numbers guessed",
    families={"numbers": 2},
    packages=Packages(lint=lint),
    trials=Trials(begin=begin, versions=versions, checks=checks, verifier=lambda: ("arithmetic", "1")),
)
