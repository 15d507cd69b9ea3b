"""The full instruction of a task: its own text, then the sections that are the same for every task."""

from pathlib import Path

from benchmark.tasks import Task, TaskError

INSTRUCTION_FILE = "instruction.md"
WORKSPACE = "/workspace"
_STANDARD = Path(__file__).with_name("templates") / "standard_sections.md"


def read_instruction(task: Task) -> str:
    """The task's own text, as it stands in the package."""
    path = task.folder / INSTRUCTION_FILE
    try:
        return path.read_text(encoding="utf-8").strip()
    except FileNotFoundError as error:
        raise TaskError(f"{path}: there is no such file") from error
    except UnicodeDecodeError as error:
        raise TaskError(f"{path}: not UTF-8 text: {error}") from error


def render_instruction(task: Task, workspace: str = WORKSPACE) -> str:
    """What the agent reads. `workspace` is where it finds itself, if not at /workspace."""
    own = read_instruction(task).replace(WORKSPACE, workspace)
    if task.foreign:  # complete as it stands
        return own + "\n"
    return own + "\n\n" + _STANDARD.read_text(encoding="utf-8").format(workspace=workspace)
