"""Which kind of package a task is."""

from benchmark.edit import imported, package
from benchmark.edit.package import EditPackage
from benchmark.tasks import TASK_FILE, Task


def read_package(task: Task) -> EditPackage:
    """Ours, or one of the public benchmark."""
    if (task.folder / TASK_FILE).is_file():
        return package.read_package(task)
    return imported.read_imported(task)
