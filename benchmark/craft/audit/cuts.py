"""`cut`: what is left of a game when its content is taken away. Only a task's author can say, in `tests/audit.toml`.

The file lies beside the rubric, where agents never see it:

    [cut]
    description = "one night, one wave"
    demos = ["01_title"]               # those that stay; all if left out
    [[cut.edit]]
    file = "scripts/main.gd"           # in solution/
    find = "…"                         # at least once in the file
    replace = "…"
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.limits import MAX_TEXT_BYTES
from benchmark.package_paths import inside
from benchmark.projects.project import TRACE_FOLDER
from benchmark.tasks import Task, TaskError, read_toml
from benchmark.untrusted import UnreadableFileError, read_utf8, shown

AUDIT_FILE = "tests/audit.toml"


@dataclass(frozen=True)
class Edit:
    """All places where `find` stands become `replace`."""

    file: str
    find: str
    replace: str


@dataclass(frozen=True)
class Cut:
    """What a package says. `demos` are the stems of those that stay; None: all."""

    description: str
    edits: tuple[Edit, ...]
    demos: tuple[str, ...] | None = None


class NoCutError(TaskError):
    """The package does not say how to cut it."""


def read_cut(package: Path) -> Cut:
    """The cut of a package, checked for form. Raises NoCutError where there is none."""
    path = package / AUDIT_FILE
    if not path.is_file():
        raise NoCutError(
            f"{path}: there is no such file", fix="say in [cut] what is left of the game without its content"
        )
    data = read_toml(path)
    table = data.get("cut")
    if not isinstance(table, dict):
        raise TaskError(f"{path}: cut: a table is needed, not {shown(table)}")
    edits = table.get("edit", [])
    if not isinstance(edits, list):
        raise TaskError(f"{path}: cut.edit: a list of tables is needed, [[cut.edit]]")
    demos = table.get("demos")
    if demos is not None and not (isinstance(demos, list) and demos and all(isinstance(name, str) for name in demos)):
        raise TaskError(f"{path}: cut.demos: names of demos are needed, not {shown(demos)}")
    if not edits and demos is None:
        raise TaskError(f"{path}: cut: neither edits nor demos: nothing would be cut")
    return Cut(
        _text(table, "description", f"{path}: cut"),
        tuple(_edit(edit, package, f"{path}: cut.edit[{index}]") for index, edit in enumerate(edits)),
        tuple(demos) if demos is not None else None,
    )


def check_cut(package: Path) -> None:
    """Would the cut fit the package's own oracle? For the linter; raises TaskError with the place if not."""
    _edited(read_cut(package), package, package / "solution")


def apply_cut(task: Task, project: Path) -> None:
    """Cut the oracle that lies in `project`."""
    texts, unwanted = _edited(read_cut(task.folder), task.folder, project)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    for path in unwanted:
        path.unlink()


def _edited(cut: Cut, package: Path, project: Path) -> tuple[dict[Path, str], list[Path]]:
    """The new texts of the files that change, and the demos that go."""
    texts: dict[Path, str] = {}
    for index, edit in enumerate(cut.edits):
        where = f"{package / AUDIT_FILE}: cut.edit[{index}]"
        path = inside(project, edit.file, f"{where}.file")
        if not path.is_file():
            raise TaskError(f"{where}.file: the oracle has no {edit.file}")
        text = texts.get(path) or _script(path, f"{where}.file")
        if edit.find not in text:
            raise TaskError(f"{where}.find: {edit.find[:60]!r} is not in {edit.file}", fix="copy it from the oracle")
        texts[path] = text.replace(edit.find, edit.replace)
    unwanted: list[Path] = []
    if cut.demos is not None:
        found = {path.stem: path for path in (project / TRACE_FOLDER).glob("*.json")}
        for name in cut.demos:
            if name not in found:
                where = f"{package / AUDIT_FILE}: cut.demos"
                raise TaskError(
                    f"{where}: {name!r} is no demo of the oracle", fix=f"one of: {', '.join(sorted(found))}"
                )
        unwanted = [path for name, path in found.items() if name not in cut.demos]
    return texts, unwanted


def _script(path: Path, where: str) -> str:
    try:
        return read_utf8(path, MAX_TEXT_BYTES)
    except UnreadableFileError as error:
        raise TaskError(f"{where}: {path.name} {error}") from error


def _edit(data: Any, package: Path, where: str) -> Edit:
    if not isinstance(data, dict):
        raise TaskError(f"{where}: a table is needed, not {shown(data)}")
    file = _text(data, "file", where)
    inside(package / "solution", file, f"{where}.file")
    replace = data.get("replace")
    if not isinstance(replace, str):
        raise TaskError(f"{where}.replace: a text is needed, not {shown(replace)}")
    return Edit(file, _text(data, "find", where), replace)


def _text(data: dict[str, Any], key: str, where: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value.strip():
        raise TaskError(f"{where}.{key}: a text is needed, not {shown(value)}")
    return value
