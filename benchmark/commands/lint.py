"""`python -m benchmark lint`."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from benchmark.craft.traces import FPS, TraceError, TraceProblem, load_traces, read_trace
from benchmark.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--trace", type=Path, action="append", default=[], metavar="F", help="a trace file to check")
    parser.add_argument("--project", type=Path, action="append", default=[], metavar="DIR", help="check all its traces")
    parser.add_argument("--json", action="store_true", help="machine-readable output")


def run(options: argparse.Namespace) -> int:
    if not options.trace and not options.project:
        raise UsageError("nothing to check", fix="name a file with --trace F or a project with --project DIR")
    problems: list[TraceProblem] = []
    good: list[str] = []
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
        problems += found.problems
        good += [f"{t.name}: ok, {t.duration_frames / FPS:.1f} s, {len(t.events)} events" for t in found.traces]
        good += [f"{name}: ignored, only the first ten count" for name in found.ignored]
        if not found.traces and not found.problems:
            problems.append(TraceProblem(str(project), "demo_outputs", "holds no trace; at least one is needed"))
    if options.json:
        print(json.dumps({"ok": not problems, "problems": [asdict(p) for p in problems]}, indent=1))
    else:
        print("\n".join([*good, *(f"error: {problem}" for problem in problems)]))
    return 1 if problems else 0
