"""What a game is to the track: its rules, its roles, and what each of them may do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Point = tuple[float, float]
Button = Literal["left", "right", "middle"]
BUTTONS: tuple[Button, ...] = ("left", "right", "middle")
PointerUse = Literal["click", "drag", "move", "scroll"]
POINTER_USES: tuple[PointerUse, ...] = ("click", "drag", "move", "scroll")
FPS = 60
MAX_ACTION_FRAMES = 180  # three seconds of play: no action takes longer, whichever interface it came through
CLICK_FRAMES = 4  # how long a button is down


@dataclass(frozen=True)
class Grid:
    """Cells that an action can name: a1 is the one at the top left, columns are letters, rows are numbers."""

    left: float
    top: float
    cell_width: float
    cell_height: float
    columns: int
    rows: int

    def cells(self) -> dict[str, Point]:
        """The middle of each cell, by its name."""
        return {
            f"{column_name(column)}{row + 1}": (
                self.left + (column + 0.5) * self.cell_width,
                self.top + (row + 0.5) * self.cell_height,
            )
            for row in range(self.rows)
            for column in range(self.columns)
        }


def column_name(column: int) -> str:
    """a to z, then aa, ab, …: as in a spreadsheet."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("a") + rest) + name
    return name


@dataclass(frozen=True)
class Parameter:
    """What an action wants to be told. Exactly one of the four kinds."""

    name: str
    does: str
    points: Mapping[str, Point] = field(default_factory=dict)  # a cell of a grid, or a place with a name
    letters: int = 0  # a text of at most so many letters
    low: int = 0  # a whole number from low to high
    high: int = 0
    words: tuple[str, ...] = ()  # one of these keys

    @property
    def kind(self) -> Literal["point", "text", "number", "key"]:
        if self.points:
            return "point"
        if self.letters:
            return "text"
        return "key" if self.words else "number"


Place = Point | str  # a point, or the name of the parameter that gives it


@dataclass(frozen=True)
class Binding:
    """What an action does with keys and pointer. `verb` says which of the fields count."""

    verb: Literal["wait", "hold", "click", "drag", "move", "scroll", "type"]
    frames: int | str = 1  # how long it lasts, or the parameter that says so
    keys: tuple[str, ...] = ()
    key_from: str = ""  # the parameter that names the key
    at: Place | None = None
    to: Place | None = None
    button: Button = "left"
    delta: Point = (0.0, 0.0)
    text: str = ""  # typed as it is
    text_from: str = ""  # the parameter that gives the text
    enter: bool = False  # whether Enter follows the text


@dataclass(frozen=True)
class SemanticAction:
    """Something a role can do, by name: what agents of the semantic interface choose from."""

    id: str
    does: str
    binding: Binding
    parameters: tuple[Parameter, ...] = ()


@dataclass(frozen=True)
class Controls:
    """Which keys and which uses of the pointer are legal for a role. What is not named is not allowed."""

    keys: tuple[str, ...] = ()
    any_key: bool = False  # public games only: there an empty list means that
    pointer: tuple[PointerUse, ...] = ()
    hold_frames: int = 12
    key_frames: Mapping[str, int] = field(default_factory=dict)  # where a key has a time of its own
    about: str = ""  # for the prompt of the low-level interface

    def allows(self, key: str) -> bool:
        return self.any_key or key in self.keys


@dataclass(frozen=True)
class Role:
    """Who is played."""

    id: str
    about: str
    controls: Controls
    actions: tuple[SemanticAction, ...]

    def action(self, name: str) -> SemanticAction | None:
        return next((one for one in self.actions if one.id == name), None)


@dataclass(frozen=True)
class PlayGame:
    """A game with all that an agent is told of it. `folder` is served at the root, `base` at /base/."""

    id: str  # <genre>/<name of the folder>
    title: str
    genre: str
    level: str  # L1 to L5
    about: str
    rules: str
    folder: Path
    roles: tuple[Role, ...]
    turns: Literal["together", "in turn"] = "together"  # where there is more than one role
    base: Path | None = None
    entry: str = "index.html"
    entry_id: str = ""  # of a public game: its name in the catalogue
    width: int = 1280
    height: int = 720
    settle_frames: int = 0  # that pass after every action, before the picture is taken
    foreign: bool = False
    fault: str = ""  # of a public game that cannot be run, and why
