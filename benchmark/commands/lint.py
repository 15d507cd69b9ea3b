"""`python -m benchmark lint`."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from benchmark.authoring import Problem, check_package
from benchmark.errors import UsageError
from benchmark.replay.trace_reader import load_traces, read_trace
from benchmark.replay.traces import FPS, TraceError, TraceProblem
from benchmark.tasks import TASK_FILE, TASKS_ROOT, TaskError, own_markers, package_folders


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", type=Path, nargs="*", metavar="PATH", help="task packages, or folders of them (default: all of ours)"
    )
    parser.add_argument("--trace", type=Path, action="append", default=[], metavar="F", help="a trace file to check")
    parser.add_argument("--project", type=Path, action="append", default=[], metavar="DIR", help="check all its traces")
    parser.add_argument("--json", action="store_true", help="machine-readable output")


def run(options: argparse.Namespace) -> int:
    good: list[str] = []
    problems: list[dict[str, object]] = []
    lines: list[str] = []
    if options.path or not (options.trace or options.project):
        broken: list[TaskError] = []
        for folder in _packages(options.path or [TASKS_ROOT], broken):
            found = check_package(folder)
            problems += [{"package": str(folder), **asdict(problem)} for problem in found]
            lines += [f"{folder}: {problem}" for problem in found]
            if not found:
                good.append(f"{folder}: ok")
        problems += [{"package": "", **asdict(Problem("", "", error.message))} for error in broken]
        lines += [error.message for error in broken]
    for problem in _check_traces(options, good):
        problems.append(asdict(problem))
        lines.append(str(problem))
    if options.json:
        print(json.dumps({"ok": not problems, "problems": problems}, indent=1))
    else:
        print("\n".join([*good, *(f"error: {line}" for line in lines)]))
    return 1 if problems else 0


def _packages(paths: list[Path], broken: list[TaskError]) -> list[Path]:
    folders = []
    for path in paths:
        if not path.is_dir():
            raise UsageError(f"{path} is not a folder", fix="name a task package or a folder that holds some")
        below = list(package_folders(path, broken=broken))
        if not below and not broken:
            raise UsageError(
                f"{path} holds no task package (a folder with a {' or a '.join((TASK_FILE, *own_markers()))})"
            )
        folders += below
    return folders


def _check_traces(options: argparse.Namespace, good: list[str]) -> list[TraceProblem]:
    problems: list[TraceProblem] = []
    for path in options.trace:
        try:
            trace = read_trace(path, name=str(path))
            good.append(f"{path}: ok, {trace.duration_frames / FPS:.1f} s, {len(trace.events)} events")
        except TraceError as error:
            problems.append(error.problem)
    for project in options.project:
        if not project.is_dir():
            raise UsageError(f"--project: {project} is not a folder")
        found = load_traces(project)
        problems += found.faults
        good += [f"{t.name}: ok, {t.duration_frames / FPS:.1f} s, {len(t.events)} events" for t in found.clean]
        good += [f"{name}: ignored, only the first ten count" for name in found.ignored]
        if not found.readings:
            problems.append(TraceProblem(str(project), "demo_outputs", "holds no trace; at least one is needed"))
    return problems
