"""`python -m benchmark bench-play`: what playing our games costs, and whether all that was played repeats."""

import argparse
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from benchmark.commands.timed import cpu_sec, time_suite
from benchmark.errors import BenchmarkError, UsageError, complain
from benchmark.play.browsers import close_all, shared_browser
from benchmark.play.game_page import GamePage
from benchmark.play.package import PlayPackage
from benchmark.play.packages import package_of
from benchmark.play.replaying import replay_trial
from benchmark.play.step_log import read_steps
from benchmark.play.timeline import InputEvent, InputTimeline
from benchmark.play.track import TRACK
from benchmark.progress import Progress
from benchmark.results.store import RunStore
from benchmark.runtime.stepped.certificate import busy_cores
from benchmark.tasks import TASKS_ROOT, Task, find_tasks
from benchmark.trials import TrialRecord
from benchmark.verify_run.findings import BAD

_WORKERS = 2
_TRIALS_WANTED = 150  # 10 games, 5 tasks each, three players
_SEC_WANTED = 240
_STEP_FRAMES = 12  # 200 ms of play
_STEP_MS_WANTED = 20
_MOST_SEEDS = 100


@dataclass(frozen=True)
class StoredPlay:
    """One trial of a run, ready to be played again from its log."""

    folder: Path
    record: TrialRecord
    task: Task


@dataclass(frozen=True)
class Repeat:
    """What came of playing it again. No problem: every step had the same state and pixels."""

    play: StoredPlay
    steps: int
    problem: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--verified", type=int, default=100, metavar="N", help="trials played again (default: 100)")
    parser.add_argument("--loaded", type=int, default=20, metavar="N", help="of these under load (default: 20)")
    parser.add_argument("--steps", type=int, default=50, metavar="N", help="steps timed in each game (default: 50)")
    parser.add_argument("--tasks", type=Path, default=TASKS_ROOT, metavar="DIR", help="games (default: our own)")
    parser.add_argument("-k", dest="word", default="", metavar="WORD", help="only tasks whose id contains it")


def run(options: argparse.Namespace) -> int:
    if not 0 <= options.loaded <= options.verified or options.verified < 1 or options.steps < 2:
        raise UsageError("wanted: --verified of 1 or more, --loaded from 0 up to that, --steps of 2 or more")
    found = find_tasks((options.tasks,), complain)
    tasks = {task.id: task for task in found if task.track == TRACK.name and options.word in task.id}
    if not tasks:
        raise UsageError(f"no task of track {TRACK.name} in {options.tasks} contains {options.word!r}")
    try:
        with tempfile.TemporaryDirectory(prefix="bench-play-") as name:
            plays = _time_runs(options, tasks, Path(name))
            same = _print_repeats(plays, options.loaded)
        _print_steps(list(tasks.values()), options.steps)
    finally:
        close_all()
    return 0 if same else 1


def _time_runs(options: argparse.Namespace, tasks: dict[str, Task], runs: Path) -> list[StoredPlay]:
    """Prints how long all players take on the first seed; then more seeds until there is enough to play again."""
    plays: list[StoredPlay] = []
    for seed in count(1):
        players = ("oracle", "nop", "random") if seed == 1 else ("oracle", "random")
        chosen = [part for player in players for part in ("--agent", player)]
        cpu_before = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = time_suite(
            options.tasks, runs, f"seed-{seed}", _WORKERS, "--track", TRACK.name, "--play-seed", str(seed), *chosen,
            "--gate", "play_success >= 0", *(["-k", options.word] if options.word else []),
        )  # fmt: skip
        cpu = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_total = cpu.ru_utime + cpu.ru_stime - cpu_before.ru_utime - cpu_before.ru_stime
        stored = list(_stored(RunStore(runs / f"seed-{seed}"), tasks))
        plays += [one for one in stored if one.record.agent in ("oracle", "random")]
        if seed == 1:
            rate = _TRIALS_WANTED / len(stored)
            print(
                f"{len(tasks)} task(s) × {', '.join(players)} on {_WORKERS} workers: "
                f"{len(stored)} trials in {seconds:.0f} s, CPU {cpu_total:.0f} s\n"
                f"  {_TRIALS_WANTED} trials at this rate: {seconds * rate:.0f} s, "
                f"by CPU {cpu_total * rate / _WORKERS:.0f} s on {_WORKERS} free cores  (wanted: < {_SEC_WANTED} s)",
                flush=True,
            )
        if len(plays) >= options.verified:
            return plays[: options.verified]
        if seed == _MOST_SEEDS:
            raise UsageError(f"--verified: {_MOST_SEEDS} seeds give {len(plays)} trials")
    raise AssertionError


def _stored(store: RunStore, tasks: dict[str, Task]) -> Iterator[StoredPlay]:
    for trial, record in sorted(store.latest().items()):
        if not record.scored:
            raise BenchmarkError(f"{trial.label} is void: {record.reason}")
        yield StoredPlay(store.trial_folder(trial), record, tasks[record.task])


def _print_repeats(plays: Sequence[StoredPlay], loaded: int) -> bool:
    """Prints each that differs. Those under load are spread over all that was played."""
    under_load = plays[:: max(1, len(plays) // loaded)][:loaded] if loaded else []
    idle = [one for one in plays if one not in under_load]
    same = True
    for name, chosen in (("with two busy processes per core", under_load), ("with nothing else of ours running", idle)):
        if not chosen:
            continue
        began = time.monotonic()
        with busy_cores(chosen is under_load):
            repeats = repeat_all(chosen)
        wrong = [one for one in repeats if one.problem]
        steps = sum(one.steps for one in repeats)
        print(
            f"{len(repeats)} trial(s) played again {name}: {steps} steps, {len(wrong)} differ; "
            f"{time.monotonic() - began:.0f} s",
            flush=True,
        )
        same = same and not wrong
    return same


def repeat_all(plays: Sequence[StoredPlay]) -> list[Repeat]:
    progress, done = Progress(), count(1)

    def one(play: StoredPlay) -> Repeat:
        repeat = repeat_play(play)
        progress.update(play.record.task, next(done) / len(plays))
        if repeat.problem:
            print(f"  {play.record.id.label}: {repeat.problem}", flush=True)
        return repeat

    with ThreadPoolExecutor(_WORKERS) as pool:
        repeats = list(pool.map(one, plays))
    progress.done()
    return repeats


def repeat_play(play: StoredPlay) -> Repeat:
    steps = len(read_steps(play.folder))
    wrong = [str(one.detail) for one in replay_trial(play.folder, play.record, play.task) if one.status in BAD]
    return Repeat(play, steps, "; ".join(wrong))


def _print_steps(tasks: Sequence[Task], steps: int) -> None:
    print(f"a step of {_STEP_FRAMES} frames, median of {steps}, CPU of all processes  (wanted: ≤ {_STEP_MS_WANTED} ms)")
    print("| game | frames | state and digest of the picture | JPEG |\n|---|---|---|---|")
    packages = {task.folder: package_of(task)[0] for task in tasks}
    for package in packages.values():
        print(f"| {package.game.id} | {' | '.join(_step_costs(package, steps))} |", flush=True)


def _step_costs(package: PlayPackage, steps: int) -> list[str]:
    """Of the game's first role, with one of its keys held."""
    game, goal = package.game, package.goals[0]
    keys = game.roles[0].controls.keys[:1]
    held = (InputEvent(0, "key_down", keys[0]), InputEvent(_STEP_FRAMES, "key_up", keys[0])) if keys else ()
    plan = InputTimeline(_STEP_FRAMES, held)
    with GamePage(shared_browser(), game, goal, 1) as page:
        page.begin()
        acts: tuple[Callable[[], object], ...] = (lambda: page.perform(plan), page.see, page.look)
        wall: list[list[float]] = [[] for _ in acts]
        cpu = [0.0 for _ in acts]
        for _ in range(steps):
            for number, act in enumerate(acts):
                cpu_before, began = cpu_sec(), time.monotonic()
                act()
                wall[number].append((time.monotonic() - began) * 1000)
                cpu[number] += (cpu_sec() - cpu_before) * 1000
    return [f"{statistics.median(one):.1f} ms, CPU {used / steps:.1f}" for one, used in zip(wall, cpu, strict=True)]
