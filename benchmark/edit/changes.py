"""What an agent changed, as a diff that people read beside the verdict."""

import difflib
import filecmp
from pathlib import Path

MAX_LINES = 2000
_TEXT = {".gd", ".tscn", ".tres", ".godot", ".gdshader", ".gdshaderinc", ".cfg", ".json", ".toml", ".md", ".txt"}
_ENGINE_OWN = {".import", ".uid"}


def changes(start: Path, submission: Path) -> str:
    """Unified diff of the text files, one line for each other file that came, went or changed."""
    lines: list[str] = []
    for name in sorted(_files(start) | _files(submission)):
        old, new = start / name, submission / name
        if old.exists() and new.exists() and filecmp.cmp(old, new, shallow=False):
            continue
        if Path(name).suffix in _TEXT:
            lines += difflib.unified_diff(
                _lines(old), _lines(new), f"start/{name}" if old.exists() else "/dev/null",
                f"submission/{name}" if new.exists() else "/dev/null", lineterm="",
            )  # fmt: skip
        else:
            what = "changed" if old.exists() and new.exists() else "added" if new.exists() else "removed"
            lines.append(f"# {name}: {what}")
        if len(lines) > MAX_LINES:
            return "\n".join([*lines[:MAX_LINES], f"# cut off here: more than {MAX_LINES} lines"]) + "\n"
    return "\n".join(lines) + "\n" if lines else ""


def _files(folder: Path) -> set[str]:
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {path.as_posix() for path in found if path.parts[0] != ".godot" and path.suffix not in _ENGINE_OWN}


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []
