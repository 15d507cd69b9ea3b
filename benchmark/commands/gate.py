"""`python -m benchmark gate`."""

import argparse
import json
from pathlib import Path

from benchmark.errors import UsageError
from benchmark.replay.build_gate import check_build
from benchmark.runtime.machine import find_machine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", type=Path, help="folder of the Godot project")
    parser.add_argument("--godot", metavar="PATH", help="engine to use (also: $GODOT)")
    parser.add_argument("--json", action="store_true", help="machine-readable output")


def run(options: argparse.Namespace) -> int:
    if not options.project.is_dir():
        raise UsageError(f"{options.project} is not a folder")
    report = check_build(options.project, find_machine(options.godot))
    if options.json:
        print(json.dumps(report.to_json(), indent=1))
    else:
        for finding in report.findings:
            print(f"{'BLOCKS' if finding.blocks else 'note  '}  {finding.reason:18}  {finding}")
        print(f"BUILD = {report.build}, {len(report.traces.traces)} valid trace(s)")
    return 0 if report.build else 1
