"""From a task in the list of the suite to its package: ours, or a public one."""

from benchmark.errors import TaskError
from benchmark.play.goals import Goal
from benchmark.play.package import GAME_FILE, PlayPackage, read_package
from benchmark.play.public.catalogue import read_public_package
from benchmark.tasks import Task


def package_of(task: Task) -> tuple[PlayPackage, Goal]:
    """Raises TaskError."""
    if not (task.folder / GAME_FILE).is_file():
        return read_public_package(task)
    package = read_package(task.folder)
    for goal in package.goals:
        if task.variant == f"{goal.number}-{goal.slug}":
            return package, goal
    raise TaskError(f"{task.folder}: there is no task {task.variant} any more")
