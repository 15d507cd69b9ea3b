"""`python -m benchmark workspace`."""

import argparse
import shutil
from pathlib import Path

from benchmark.agents.workspace import lay_out_workspace
from benchmark.assets.library import bring
from benchmark.craft.oracle import lay_out_oracle
from benchmark.errors import UsageError
from benchmark.progress import Progress
from benchmark.runtime.machine import find_machine
from benchmark.tasks import find_tasks, read_task


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help="the id of a task (craft/puzzle/…) or the folder of its package")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a folder that does not exist yet")
    parser.add_argument("--oracle", action="store_true", help="put the task's own solution into game/")


def run(options: argparse.Namespace) -> int:
    if options.out.exists():
        raise UsageError(f"--out: {options.out} exists already", fix="name a new folder")
    if Path(options.task).is_dir():
        task = read_task(Path(options.task))
    else:
        tasks = {task.id: task for task in find_tasks()}
        if options.task not in tasks:
            raise UsageError(f"there is no task {options.task!r}", fix=f"one of: {', '.join(tasks)}")
        task = tasks[options.task]
    bring(Progress())
    options.out.mkdir(parents=True)
    if options.oracle:
        lay_out_oracle(task.folder / "solution", options.out / "game")
    else:
        lay_out_workspace(task, options.out, find_machine())
        shutil.rmtree(options.out / "assets")  # an agent's own is mounted; here a link is enough
    print(options.out)
    return 0
