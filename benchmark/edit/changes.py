"""What an agent changed, as a diff that people read beside the verdict."""

import difflib
from pathlib import Path

from benchmark.projects.project import NOTE
from benchmark.projects.walk import Tally, TooMuchError, walk
from benchmark.trials import one_line
from benchmark.untrusted import UnreadableFileError, open_regular, read_text

MAX_LINES = 2000
_MAX_LINE = 2000  # characters
_MAX_TEXT_BYTES = 1 << 20
_MAX_PAIRS = 4_000_000  # lines of one side × lines of the other, over all files: comparing takes that long
_CHUNK = 1 << 20
_TEXT = {".gd", ".tscn", ".tres", ".godot", ".gdshader", ".gdshaderinc", ".cfg", ".json", ".toml", ".md", ".txt"}
_ENGINE_OWN = {".import", ".uid"}


def changes(start: Path, submission: Path) -> str:
    """Unified diff of the text files, one line for each other file that came, went or changed.

    Of files whose comparison would take long only the line: nothing that an agent leaves holds up its trial.
    """
    lines: list[str] = []
    pairs = 0
    before, after = _files(start), _files(submission)
    for name in sorted(before | after):
        old, new = start / name if name in before else None, submission / name if name in after else None
        if old and new and _equal(old, new):
            continue
        old_lines, new_lines = _lines(old), _lines(new)
        if old_lines is not None and new_lines is not None:
            pairs += len(old_lines) * len(new_lines)
        if old_lines is None or new_lines is None or pairs > _MAX_PAIRS:
            what = "changed" if old and new else "added" if new else "removed"
            lines.append(f"# {one_line(name)}: {what}")
        else:
            lines += difflib.unified_diff(
                old_lines, new_lines, f"start/{one_line(name)}" if old else "/dev/null",
                f"submission/{one_line(name)}" if new else "/dev/null", lineterm="",
            )  # fmt: skip
        if len(lines) > MAX_LINES:
            return "\n".join([*lines[:MAX_LINES], f"# cut off here: more than {MAX_LINES} lines"]) + "\n"
    return "\n".join(lines) + "\n" if lines else ""


def _files(folder: Path) -> set[str]:
    found: set[str] = set()
    try:
        for file in walk(folder, Tally()):
            if file.name != NOTE and Path(file.name).suffix not in _ENGINE_OWN:
                found.add(file.name)
    except TooMuchError:  # then it is not run either, and the verdict says why
        return set()
    return found


def _equal(old: Path, new: Path) -> bool:
    try:
        with open_regular(old) as one, open_regular(new) as other:
            while True:
                ours, theirs = one.read(_CHUNK), other.read(_CHUNK)
                if ours != theirs or not ours:
                    return ours == theirs
    except UnreadableFileError:
        return False


def _lines(path: Path | None) -> list[str] | None:
    """None for what is not shown line by line."""
    if path is None:
        return []
    if path.suffix not in _TEXT:
        return None
    try:
        lines = read_text(path, _MAX_TEXT_BYTES).splitlines()
    except UnreadableFileError:
        return None
    return [line if len(line) <= _MAX_LINE else f"{line[:_MAX_LINE]} …" for line in lines]
