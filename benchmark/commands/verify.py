"""`python -m benchmark verify`: takes the options of the public verifier and writes what it writes.

Exit codes: 0 scored (1 if the score is below a --pass-threshold that was given), 2 wrong use, 3 void.
"""

import argparse
import os
import sys
import traceback
from dataclasses import replace
from pathlib import Path

from benchmark.craft.authoring import BUILD_COMMAND
from benchmark.craft.harbor.folder import clear
from benchmark.craft.harbor.judge import choose_judge
from benchmark.craft.harbor.outputs import write_verdict
from benchmark.craft.harbor.run import Request, Reward, verify
from benchmark.craft.rubric import Rubric, read_rubric_file
from benchmark.errors import BenchmarkError, UsageError
from benchmark.progress import Progress
from benchmark.replay.evidence import STILL_HEIGHT, STILL_WIDTH
from benchmark.replay.traces import FPS, HEIGHT, MAX_REPLAYED_FRAMES, WIDTH
from benchmark.runtime.machine import find_machine
from benchmark.trials import one_line

VOID = 3
BELOW_THRESHOLD = 1
ENGINE_VARIABLE = "GAMECRAFT_BENCH_GODOT_BIN"
SHORTEST_INTERVAL_SEC = 0.1  # of the public verifier too
MAX_DEMOS = 100
# Options of the public verifier whose values are given here: another one would be another game or another picture.
_FIXED = {
    "fps": (FPS, "replays run at this rate"),
    "width": (WIDTH, "traces are in pixels of this window"),
    "height": (HEIGHT, "traces are in pixels of this window"),
    "record-width": (STILL_WIDTH, "films and stills have this size"),
    "record-height": (STILL_HEIGHT, "films and stills have this size"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", type=Path, required=True, metavar="DIR", help="the Godot project")
    parser.add_argument("--rubric", type=Path, required=True, metavar="FILE", help="the rubric, a JSON file")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="reward, breakdown, logs, demos")
    parser.add_argument(
        "--judge", metavar="JUDGE",
        help="openai, openai:MODEL, kimi, offline or recorded:FILE (default: $GAMECRAFT_BENCH_JUDGE, or openai)",
    )  # fmt: skip
    parser.add_argument("--judge-model", metavar="MODEL", help="default: $GAMECRAFT_BENCH_JUDGE_MODEL, or the judge's")
    parser.add_argument(
        "--frame-interval-seconds", type=float, default=0.5, metavar="SEC", help="between stills (default: 0.5)"
    )
    parser.add_argument(
        "--max-demo-seconds", type=float, metavar="SEC",
        help="longer demos are sampled from a window of this length; 0: never (default: the rubric's, or 20)",
    )  # fmt: skip
    parser.add_argument("--max-demos", type=int, metavar="N", help="first N traces (default: the rubric's, or 10)")
    parser.add_argument("--pass-threshold", type=float, metavar="X", help="exit with 1 if the reward is below X")
    parser.add_argument("--fresh", action="store_true", help="record and judge even what is in the cache")
    parser.add_argument("--godot", metavar="PATH", help=f"engine to use (also: ${ENGINE_VARIABLE}, $GODOT)")
    for name, (value, reason) in _FIXED.items():
        parser.add_argument(f"--{name}", type=int, default=value, metavar="N", help=f"{value} and no other: {reason}")


def run(options: argparse.Namespace) -> int:
    try:
        verdict = _verify(options)
    except UsageError:
        raise
    except (BenchmarkError, OSError, MemoryError) as error:
        print(f"error: void, there is no reward: {error or type(error).__name__}", file=sys.stderr)
        return VOID
    except Exception:  # a bug of ours must not look like a score below the threshold
        traceback.print_exc()
        print("error: void, there is no reward: a bug of the harness", file=sys.stderr)
        return VOID
    _print(verdict)
    below = options.pass_threshold is not None and verdict.scores.score < options.pass_threshold
    return BELOW_THRESHOLD if below else 0


def _verify(options: argparse.Namespace) -> Reward:
    clear(options.output)
    _check(options)
    rubric = _rubric(options)
    interval = max(1, round(options.frame_interval_seconds * FPS))
    judge = choose_judge(options.judge, options.judge_model, os.environ)
    progress = Progress()
    request = Request(
        project=options.project.absolute(), rubric=rubric, output=options.output.resolve(),
        still_every_frames=interval, fresh=options.fresh, notes=_notes(options, rubric, interval),
    )  # fmt: skip
    for note in request.notes:
        progress.say(f"note: {note}")
    if judge.proxy:
        progress.say(f"warning: {judge.name} gives a proxy, not a judgement; breakdown.json says so too")
    machine = find_machine(options.godot or os.environ.get(ENGINE_VARIABLE) or None)
    if not machine.sandbox.confined:
        progress.say("warning: no sandbox on this machine; the game runs with your own rights (see doctor)")
    verdict = verify(request, machine, judge, progress)
    write_verdict(verdict)
    return verdict


def _check(options: argparse.Namespace) -> None:
    for name, (value, reason) in _FIXED.items():
        if (given := getattr(options, name.replace("-", "_"))) != value:
            raise UsageError(f"--{name}: {given} is not possible, only {value}: {reason}", fix="leave it away")
    # An agent that left nothing gets its 0; a path that leads nowhere is a mistake of the caller.
    if not options.project.parent.is_dir():
        raise UsageError(f"--project: {options.project.parent} is not a folder")
    if options.output.resolve().is_relative_to(options.project.resolve()):
        raise UsageError(f"--output: {options.output} lies in the project", fix="name a folder elsewhere")
    if not options.frame_interval_seconds >= SHORTEST_INTERVAL_SEC:
        raise UsageError(f"--frame-interval-seconds: {options.frame_interval_seconds} is less than 0.1")
    if options.pass_threshold is not None and not 0 <= options.pass_threshold <= 1:
        raise UsageError(f"--pass-threshold: {options.pass_threshold} is outside 0–1")


def _rubric(options: argparse.Namespace) -> Rubric:
    """With what the options put in place of its own limits."""
    rubric = read_rubric_file(options.rubric)
    if options.max_demos is not None:
        if not 1 <= options.max_demos <= MAX_DEMOS:
            raise UsageError(f"--max-demos: {options.max_demos} is outside 1–{MAX_DEMOS}")
        rubric = replace(rubric, max_demos=options.max_demos)
    if options.max_demo_seconds is not None:
        longest = MAX_REPLAYED_FRAMES / FPS
        seconds = options.max_demo_seconds or longest
        if not 1 / FPS <= seconds <= longest:
            raise UsageError(f"--max-demo-seconds: {options.max_demo_seconds} is outside 0–{longest:g}")
        rubric = replace(rubric, max_demo_seconds=seconds)
    return rubric


def _notes(options: argparse.Namespace, rubric: Rubric, interval: int) -> tuple[str, ...]:
    notes = []
    if abs(interval / FPS - options.frame_interval_seconds) > 1e-6:
        asked = f"--frame-interval-seconds {options.frame_interval_seconds:g}"
        notes.append(f"{asked} is not a whole number of frames; a still every {interval} frames")
    if rubric.build_command not in ("", BUILD_COMMAND):
        notes.append(f"the rubric's build command is not run, our own gate is asked: {one_line(rubric.build_command)}")
    if options.project.is_symlink():
        notes.append(f"{options.project} is a symbolic link; links in a submission are not followed")
    return tuple(notes)


def _print(verdict: Reward) -> None:
    gate, scores = verdict.gate, verdict.scores
    print(f"reward    {scores.score:.6f}{'  (proxy)' if verdict.opinion.proxy else ''}")
    print(f"BUILD     {scores.build} (launches: {gate.launches}, has a trace: {gate.has_trace})")
    print(f"demos     {len(verdict.demos)}")
    for error in verdict.errors:
        print(f"  ! {one_line(error)}")
    for item in verdict.request.rubric.requirements:
        said = ", ".join(f"{demo.demo}={demo.items[item.id].score:.2f}" for demo in verdict.opinion.demos)
        print(f"  {item.id:<5} {scores.items[item.id]:.2f}  {item.agg:4}  {said or '-'}")
    print(f"written to {verdict.request.output}")
