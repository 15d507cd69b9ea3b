"""`python -m benchmark validate --track play`: every target is proven, and no target is a gift.

For each task the policy reaches the target within the budget, and its log repeats to the pixel. On tasks from the
third on, doing nothing and acting at random stay below a fifth of the way.
"""

import json
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any

from benchmark.agents.builtin import NopAgent, OracleAgent
from benchmark.errors import BenchmarkError, UsageError
from benchmark.play.browsers import close_all, shared_browser
from benchmark.play.episode import Setup, play
from benchmark.play.game_page import GamePage
from benchmark.play.goals import Goal
from benchmark.play.package import PlayPackage
from benchmark.play.packages import package_of
from benchmark.play.players import Seat
from benchmark.play.replaying import replay
from benchmark.play.simple_players import RandomAgent, sit_down
from benchmark.play.step_log import PlayStep, StepLog, Summary, summarize
from benchmark.progress import Progress
from benchmark.runtime.workdir import work_folder
from benchmark.tasks import Task

FLOOR = 0.2  # of progress, for who does nothing or anything
FLOOR_FROM = 3  # the first task of which this is asked
SEEDS = (1, 2)


@dataclass(frozen=True)
class Proof:
    """What came of one task."""

    task: str
    problems: tuple[str, ...]
    policy_actions: tuple[int | None, ...] = ()  # by seed; None: not reached
    nop: float = 0.0  # the most of all seeds
    random: float = 0.0
    repeats: bool = False
    seconds: float = 0.0

    @property
    def sound(self) -> bool:
        return not self.problems


def validate(tasks: Sequence[Task], options: Any) -> int:
    """Prints one line per task. 0: all are sound."""
    if options.jobs < 1:
        raise UsageError(f"--jobs: {options.jobs} is not a number above 0")
    width = max(len(task.id) for task in tasks)
    print(f"{'task':{width}}  policy     nop   random  repeats  sound")
    progress, began = Progress(), time.monotonic()
    proofs: list[Proof] = []
    pool = ThreadPoolExecutor(options.jobs)
    try:
        for number, proof in enumerate(pool.map(prove, tasks), 1):
            proofs.append(proof)
            progress.done()
            print("\n".join(_lines(proof, width)), flush=True)
            progress.update(f"{number} of {len(tasks)}", number / len(tasks))
    finally:
        pool.shutdown(cancel_futures=True)
        close_all()
    progress.done()
    sound = sum(proof.sound for proof in proofs)
    print(f"{sound} of {len(proofs)} sound, in {time.monotonic() - began:.0f} s")
    if options.json:
        options.json.write_text(json.dumps([asdict(proof) for proof in proofs], indent=1), encoding="utf-8")
    return 0 if sound == len(proofs) else 1


def prove(task: Task, seeds: Iterable[int] = SEEDS) -> Proof:
    """A package that cannot be read or run is an answer too: the others go on."""
    began = time.monotonic()
    try:
        package, goal = package_of(task)
        proof = _prove(task, package, goal, tuple(seeds))
    except BenchmarkError as error:
        proof = Proof(task.id, (error.message,))
    return Proof(**{**asdict(proof), "seconds": round(time.monotonic() - began, 1)})


def _prove(task: Task, package: PlayPackage, goal: Goal, seeds: tuple[int, ...]) -> Proof:
    problems: list[str] = []
    seeds = (goal.seed,) if goal.seed is not None else seeds
    needed: list[int | None] = []
    most = {"nop": 0.0, "random": 0.0}
    repeats = True
    for seed in seeds:
        steps, summary = played(package, goal, OracleAgent(), seed)
        needed.append(summary.solved_at)
        if summary.solved_at is None:
            problems.append(f"seed {seed}: the policy comes to {summary.progress:.2f}: {summary.ended}")
        # Every frame drawn, where before only those that somebody looked at were: drawing must change nothing.
        if difference := replay(shared_browser(), package.game, goal, seed, steps, draw_all=seed == seeds[0]):
            repeats = False
            problems.append(f"seed {seed}: does not repeat: {difference}")
        for agent in (NopAgent(), RandomAgent()) if goal.number >= FLOOR_FROM else ():
            _, idle = played(package, goal, agent, seed)
            most[agent.name] = max(most[agent.name], idle.progress)
    problems += [
        f"{name} comes to {share:.2f}; below {FLOOR} is wanted" for name, share in most.items() if share >= FLOOR
    ]
    return Proof(
        task=task.id, problems=tuple(problems), policy_actions=tuple(needed), nop=most["nop"], random=most["random"],
        repeats=repeats,
    )  # fmt: skip


def played(package: PlayPackage, goal: Goal, agent: Any, seed: int) -> tuple[tuple[PlayStep, ...], Summary]:
    """One trial outside of any run."""
    browser, game = shared_browser(), package.game
    with ExitStack() as stack:
        folder = stack.enter_context(work_folder("play"))
        page = stack.enter_context(GamePage(browser, game, goal, seed))
        log = StepLog(folder)
        stack.callback(log.close)
        players = {}
        for role in game.roles:
            seat = Seat(
                game=game, goal=goal, role=role, seed=seed, browser=browser, policy=package.policy, folder=folder
            )
            players[role.id] = sit_down(agent, seat)
            stack.callback(players[role.id].close)
        steps = play(page, Setup(game, goal), players, log)
    return steps, summarize(steps, goal.target)


def _lines(proof: Proof, width: int) -> list[str]:
    actions = " ".join(str(one) if one is not None else "–" for one in proof.policy_actions)
    repeats, sound = ("yes" if one else "NO" for one in (proof.repeats, proof.sound))
    first = f"{proof.task:{width}}  {actions:9}  {proof.nop:.2f}  {proof.random:6.2f}  {repeats:7}  {sound}"
    return [first, *(f"    {problem}" for problem in proof.problems)]
