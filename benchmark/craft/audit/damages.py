"""The known damages: what each does to a project, and which categories it must, may and must not bring down."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmark.craft.audit.cuts import apply_cut
from benchmark.craft.audit.flatten import flatten_images
from benchmark.craft.rubric import CATEGORIES
from benchmark.projects.project import PROJECT_FILE
from benchmark.tasks import Task

_SCRIPTS = Path(__file__).with_name("godot")
_AUTOLOAD = "AuditDamage"
_COPY = "audit_damage.gd"
_POLLED_KEYS = re.compile(r"\bInput\.is_(physical_)?(key|mouse_button)(_label)?_pressed\([^()]*\)")
_POLLED_POINTER = re.compile(r"(\bget_viewport\(\)\.|\bget_window\(\)\.)?\bget_(global_|local_)?mouse_position\(\)")
_OWN_THEME = re.compile(r"^theme/(custom|custom_font)\s*=.*\n?", re.M)


@dataclass(frozen=True)
class Damage:
    """`must` and `may` are letters of categories. A sham changes the files and not the game: nothing may fall.

    `apply` gets the task and the folder of its oracle, laid out. A damage without it hands in another task's oracle.
    """

    name: str
    description: str
    must: str
    may: str = ""
    apply: Callable[[Task, Path], None] | None = None
    sham: bool = False

    @property
    def must_not(self) -> str:
        """The categories that have to stay."""
        return "".join(letter for letter in CATEGORIES if letter not in self.must + self.may)


def add_autoload(project: Path, script: str) -> None:
    """Have one of our scripts run in the project from its first frame on."""
    (project / _COPY).write_bytes((_SCRIPTS / script).read_bytes())
    settings = project / PROJECT_FILE
    text = settings.read_text(encoding="utf-8")
    # A second section of that name adds to the first.
    settings.write_text(f'{text.rstrip()}\n\n[autoload]\n\n{_AUTOLOAD}="*res://{_COPY}"\n', encoding="utf-8")


def _edit_scripts(project: Path, edit: Callable[[str], str]) -> None:
    for path in sorted(project.rglob("*.gd")):
        before = path.read_text(encoding="utf-8")
        if (after := edit(before)) != before:
            path.write_text(after, encoding="utf-8")


def _deaf(task: Task, project: Path) -> None:
    _edit_scripts(project, lambda text: _POLLED_POINTER.sub("Vector2.ZERO", _POLLED_KEYS.sub("false", text)))
    add_autoload(project, "deaf.gd")


def _bare_theme(task: Task, project: Path) -> None:
    settings = project / PROJECT_FILE
    settings.write_text(_OWN_THEME.sub("", settings.read_text(encoding="utf-8")), encoding="utf-8")
    add_autoload(project, "bare_theme.gd")


def _repacked(task: Task, project: Path) -> None:
    _edit_scripts(project, lambda text: f"{text.rstrip()}\n\n\n# Packed again.\n")
    notes = project / "notes"
    notes.mkdir(exist_ok=True)
    (notes / "packing.txt").write_text("This file is not part of the game.\n", encoding="utf-8")


def _running(script: str) -> Callable[[Task, Path], None]:
    return lambda task, project: add_autoload(project, script)


DAMAGES = (
    Damage("untouched", "the oracle as it is", "", apply=lambda task, project: None, sham=True),
    Damage("repacked", "other bytes, the same game: comments and a note", "", apply=_repacked, sham=True),
    Damage(name="deaf", description="no input reaches the game", must="M", may="DVA", apply=_deaf),
    Damage(
        name="frozen",
        description="everything stands still after two seconds",
        must="MD",
        may="VA",
        apply=_running("frozen.gd"),
    ),
    Damage(
        name="plain",
        description="every image is a rectangle in its mean colour",
        must="A",
        may="",
        apply=flatten_images,
    ),
    Damage(
        name="no-hud",
        description="labels, bars and their panels are not drawn",
        must="V",
        may="",
        apply=_running("no_hud.gd"),
    ),
    Damage(
        name="cut", description="one level, one kind of thing: as the package says", must="D", may="", apply=apply_cut
    ),
    Damage(
        name="blank", description="a black sheet before everything", must="MDVA", may="", apply=_running("blank.gd")
    ),
    Damage(name="bare-theme", description="controls as the engine made them", must="A", may="V", apply=_bare_theme),
    Damage("wrong-genre", "the oracle of another task", "MD", "VA"),
)
BY_NAME = {damage.name: damage for damage in DAMAGES}
