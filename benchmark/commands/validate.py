"""`python -m benchmark validate`."""

import argparse
from pathlib import Path

from benchmark.assets.library import bring
from benchmark.edit.package import read_package
from benchmark.edit.soundness import validate
from benchmark.runtime.machine import find_machine
from benchmark.tasks import TASKS_ROOT, find_tasks


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", type=Path, nargs="*", metavar="PATH", help="packages, or folders of them")
    parser.add_argument(
        "--track", choices=("edit",), default="edit", help="the track (only edit tasks have such tests)"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="also what each attempt failed")


def run(options: argparse.Namespace) -> int:
    bring()
    machine = find_machine()
    tasks = [task for task in find_tasks(options.path or (TASKS_ROOT,)) if task.track == options.track]
    bad = 0
    for task in tasks:
        package = read_package(task)
        siblings = ((other.slug, read_package(other)) for other in tasks
                    if other.folder == task.folder and other.id != task.id)  # fmt: skip
        found = validate(package, machine, siblings)
        seconds = sum(one.verdict.seconds.get("test", 0.0) for one in found.tryings)
        print(
            f"{'sound  ' if found.sound else 'UNSOUND'} {task.id}  ({found.mode}, {seconds:.1f} s, {len(found.tryings)} tried)"
        )
        for one in found.tryings:
            if one.problem:
                print(f"    {one.what}: {one.problem}")
            if options.verbose:
                print(
                    f"    {one.what}: {one.verdict.how}: "
                    + "; ".join(f"{c.name}: {c.message}" for c in one.verdict.checks if not c.ok)
                )
        bad += not found.sound
    print(f"{len(tasks) - bad} of {len(tasks)} sound")
    return 1 if bad else 0
