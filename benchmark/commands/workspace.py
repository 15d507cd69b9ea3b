"""`python -m benchmark workspace`."""

import argparse
import shutil
from pathlib import Path

from benchmark.agents.workspace import lay_out_workspace
from benchmark.assets.library import bring
from benchmark.errors import UsageError
from benchmark.progress import Progress
from benchmark.project_trial import ProjectTrial
from benchmark.running import new_trial
from benchmark.runtime.machine import find_machine
from benchmark.tasks import find_tasks, read_task
from benchmark.trials import TrialId


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
    trial = new_trial(TrialId(task.id, "workspace"), task, options.out)
    if not isinstance(trial, ProjectTrial):
        raise UsageError(f"agents of the track {task.track} work on no project, so there is no workspace to show")
    if options.oracle:
        trial.lay_out_reference(find_machine(), options.out / "game")
    else:
        lay_out_workspace(options.out, find_machine(), trial.instruction, trial.lay_out_start)
        shutil.rmtree(options.out / "assets")  # an agent's own is mounted; here a link is enough
    print(options.out)
    return 0
