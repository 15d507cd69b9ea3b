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

from benchmark.checked import Fields
from benchmark.limits import MAX_TEXT_BYTES
from benchmark.package_paths import inside
from benchmark.projects.project import TRACE_FOLDER
from benchmark.tasks import Task, TaskError, checking, read_toml
from benchmark.untrusted import UnreadableFileError, read_utf8

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
    with checking(path):
        table = Fields.of(read_toml(path).get("cut"), "cut.")
        edits = [_edit(edit, package, f"{path}: cut.edit[{index}]") for index, edit in enumerate(table.objects("edit"))]
        demos = table.text_list("demos") if table.has("demos") else None
        description = table.words("description")
    if demos == ():
        raise TaskError(f"{path}: cut.demos: names of demos are needed")
    if not edits and demos is None:
        raise TaskError(f"{path}: cut: neither edits nor demos: nothing would be cut")
    return Cut(description, tuple(edits), demos)


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


def _edit(fields: Fields, package: Path, where: str) -> Edit:
    file = fields.words("file")
    inside(package / "solution", file, f"{where}.file")
    return Edit(file, fields.words("find"), fields.text("replace"))
