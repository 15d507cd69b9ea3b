"""What the agent of an edit task reads: the task's own text, then what holds for all of them."""

from pathlib import Path

_STANDARD = Path(__file__).with_name("templates") / "standard_sections.md"


def render_instruction(own: str, workspace: str) -> str:
    """`workspace` is where the agent finds itself."""
    return own + "\n\n" + _STANDARD.read_text(encoding="utf-8").format(workspace=workspace)
