"""`python -m benchmark mcp`."""

import argparse
from pathlib import Path

from benchmark.errors import UsageError
from benchmark.play.parsing import INTERFACES
from benchmark.projects.project import PROJECT_FILE
from benchmark.runtime.browser import find_browser
from benchmark.runtime.machine import find_machine
from benchmark.runtime.workdir import work_folder
from benchmark.tasks import TASKS_ROOT, Task, survey_tasks
from benchmark.tracks import all_tracks
from benchmark.workbench.bench import Bench
from benchmark.workbench.requests import COMMANDS

_MAX_SEED = 1 << 32


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", type=Path, default=Path(), metavar="DIR", help="a Godot project (default: here)")
    tracks = [name for name, track in all_tracks().items() if track.workbench]
    parser.add_argument(
        "--track", choices=tracks, default=tracks[0],
        help=f"by whose rules it is checked and replayed (default: {tracks[0]})",
    )  # fmt: skip
    play = parser.add_argument_group("to play a game instead")
    play.add_argument("--play", metavar="TASK", help="a task of games played, by its id or the end of it")
    play.add_argument("--tasks", type=Path, action="append", metavar="DIR", help="with --play: where its package lies")
    play.add_argument("--role", default="", help="with --play: who is played (default: the game's first role)")
    play.add_argument(
        "--interface", choices=INTERFACES, default="semantic", help="with --play: actions by name, or keys and pointer"
    )
    play.add_argument("--seed", type=int, default=1, metavar="N", help="with --play (default: 1)")
    play.add_argument("--show-state", action="store_true", help="with --play: tell the state of the game as well")
    play.add_argument("--log", type=Path, metavar="DIR", help="with --play: keep steps and pictures of each try there")


def run(options: argparse.Namespace) -> int:
    return _project(options) if options.play is None else _play(options)


def _play(options: argparse.Namespace) -> int:
    if not 0 <= options.seed < _MAX_SEED:
        raise UsageError(f"--seed: {options.seed} is outside 0–{_MAX_SEED - 1}")
    find_browser()
    from benchmark.workbench.server import serve_over_stdio  # isort: skip  # first: it says what is missing of MCP
    from benchmark.play.mcp.server import make_game_server
    from benchmark.play.mcp.table import GameTable, seat_at

    task = _task(options.play, options.tasks or [TASKS_ROOT])
    with work_folder("play", on_disk=True) as folder:
        place = seat_at(
            task, role=options.role, interface=options.interface, seed=options.seed, shows_state=options.show_state,
            folder=(options.log or folder).absolute(),
        )  # fmt: skip
        with GameTable(place) as table:
            serve_over_stdio(make_game_server(table))
    return 0


def _task(text: str, folders: list[Path]) -> Task:
    tasks = [task for task in survey_tasks(folders).tasks if task.track == "play"]
    found = [task for task in tasks if task.id == text] or [task for task in tasks if task.id.endswith(f"/{text}")]
    if len(found) == 1:
        return found[0]
    near = ", ".join(task.id for task in tasks if text in task.id)[:300]
    raise UsageError(
        f"--play: {text!r} means {len(found)} tasks",
        fix=f"one of {near}" if near else "`python -m benchmark games --list` says which games there are",
    )


def _project(options: argparse.Namespace) -> int:
    project = options.project.resolve()
    if not (project / PROJECT_FILE).is_file():
        raise UsageError(f"--project: no {PROJECT_FILE} in {project}", fix="name the folder of a Godot project")
    find_machine()  # whoever starts this reads what is missing now, not at the first call
    from benchmark.workbench.server import serve  # brings MCP, which only this command needs

    with work_folder("imports", on_disk=True) as imports:
        serve(Bench(project, options.track, imports), COMMANDS)
    return 0
