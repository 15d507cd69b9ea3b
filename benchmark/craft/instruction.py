"""The full instruction of a task: its own text, then the sections that are the same for every task."""

from pathlib import Path

from benchmark.limits import MAX_TEXT_BYTES
from benchmark.tasks import Task, TaskError
from benchmark.untrusted import UnreadableFileError, read_utf8

INSTRUCTION_FILE = "instruction.md"
WORKSPACE = "/workspace"
_STANDARD = Path(__file__).with_name("templates") / "standard_sections.md"


def read_instruction(task: Task) -> str:
    """The task's own text, as it stands in the package."""
    path = task.folder / INSTRUCTION_FILE
    try:
        return read_utf8(path, MAX_TEXT_BYTES).strip()
    except UnreadableFileError as error:
        raise TaskError(f"{path}: {error}") from error


def render_instruction(task: Task, workspace: str = WORKSPACE) -> str:
    """What the agent reads. `workspace` is where it finds itself, if not at /workspace."""
    own = read_instruction(task).replace(WORKSPACE, workspace)
    if task.foreign:  # complete as it stands
        return own + "\n"
    return own + "\n\n" + _STANDARD.read_text(encoding="utf-8").format(workspace=workspace)
