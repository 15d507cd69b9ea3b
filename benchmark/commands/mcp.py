"""`python -m benchmark mcp`."""

import argparse
from pathlib import Path

from benchmark.errors import UsageError
from benchmark.projects.project import PROJECT_FILE
from benchmark.runtime.machine import find_machine
from benchmark.runtime.workdir import work_folder
from benchmark.tracks import all_tracks
from benchmark.workbench.bench import Bench
from benchmark.workbench.requests import COMMANDS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", type=Path, default=Path(), metavar="DIR", help="a Godot project (default: here)")
    tracks = [name for name, track in all_tracks().items() if track.workbench]
    parser.add_argument(
        "--track", choices=tracks, default=tracks[0],
        help=f"by whose rules it is checked and replayed (default: {tracks[0]})",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    project = options.project.resolve()
    if not (project / PROJECT_FILE).is_file():
        raise UsageError(f"--project: no {PROJECT_FILE} in {project}", fix="name the folder of a Godot project")
    find_machine()  # whoever starts this reads what is missing now, not at the first call
    from benchmark.workbench.server import serve  # brings MCP, which only this command needs

    with work_folder("imports", on_disk=True) as imports:
        serve(Bench(project, options.track, imports), COMMANDS)
    return 0
