"""A game of ours on disk: `game.yaml`, what the browser gets, `policy.js`, and `tasks/<number>-<name>.yaml`.

docs/games.md describes each key. Everything here raises TaskError with file and key; nothing is started.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.bundled import bundled
from benchmark.checked import Fields
from benchmark.errors import TaskError
from benchmark.limits import MAX_YAML_BYTES
from benchmark.package_paths import check_tree, inside
from benchmark.play.game import POINTER_USES, Controls, Grid, PlayGame, PointerUse, Role
from benchmark.play.goals import DEFAULT_ACTIONS, DEFAULT_SECONDS, MAX_SECONDS, Goal
from benchmark.play.keys import key_of, keys_of
from benchmark.play.semantic_actions import read_actions
from benchmark.untrusted import UnreadableFileError, read_yaml, shown

GAME_FILE, POLICY_FILE, TASKS = "game.yaml", "policy.js", "tasks"
LEVELS = ("L1", "L2", "L3", "L4", "L5")
MAX_ACTIONS = 2000
_GAME_KEYS = ("name", "level", "about", "size", "rules", "settle_frames", "turns", "grids", "roles", "entry")
_TASK_KEYS = (
    "instruction", "score", "sum", "start", "target", "level", "seed", "url", "end", "on_fail", "watch", "actions",
    "seconds",
)  # fmt: skip
_TASK_NAME = re.compile(r"(\d{1,3})-([a-z0-9]+(?:-[a-z0-9]+)*)\.yaml")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_FIELD = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_0-9]\w*)*")
_SUFFIX = re.compile(r"[?#&][\x21-\x7e]{1,200}")


@dataclass(frozen=True)
class PlayPackage:
    """A game and its ladder of tasks."""

    game: PlayGame
    goals: tuple[Goal, ...]
    policy: Path | None = None

    def goal(self, number: int) -> Goal:
        return next(one for one in self.goals if one.number == number)


def base_folder() -> Path:
    """What games of ours share, served at /base/."""
    return bundled("tasks/play/base")


def read_package(folder: Path) -> PlayPackage:
    """The whole of a package. Raises TaskError."""
    check_tree(folder)
    game = _in_file(folder / GAME_FILE, lambda given: _game(given, folder))
    paths = sorted((folder / TASKS).glob("*.yaml")) if (folder / TASKS).is_dir() else []
    goals = sorted((_goal_file(path) for path in paths), key=lambda goal: goal.number)
    if not goals:
        raise TaskError(f"{folder / TASKS}: holds no task", fix=f"add {TASKS}/1-<name>.yaml")
    if len({goal.number for goal in goals}) < len(goals):
        raise TaskError(f"{folder / TASKS}: two tasks have the same number")
    policy = folder / POLICY_FILE
    return PlayPackage(game, tuple(goals), policy if policy.is_file() else None)


def _in_file(path: Path, read: Any) -> Any:
    try:
        return read(Fields.of(read_yaml(path, MAX_YAML_BYTES)))
    except UnreadableFileError as error:
        raise TaskError(f"{path}: {error}") from error
    except ValueError as error:
        raise TaskError(f"{path}: {error}") from error


def _game(given: Fields, folder: Path) -> PlayGame:
    given.refuse_others(_GAME_KEYS)
    size = Fields.of(given.raw("size") or {}, "size.")
    size.refuse_others(("width", "height"))
    grids = {name: _grid(one) for name, one in given.named_objects("grids").items()}
    roles = tuple(_role(one, grids) for one in given.objects("roles"))
    if not roles:
        raise ValueError("roles: at least one is needed")
    if len({role.id for role in roles}) < len(roles):
        raise ValueError("roles: two have the same id")
    entry = given.text("entry", "index.html")
    if not inside(folder, entry, f"{folder / GAME_FILE}: entry").is_file():
        raise ValueError(f"entry: {entry} is not there")
    return PlayGame(
        id=f"{folder.parent.name}/{folder.name}",
        title=given.text("name"),
        genre=folder.parent.name,
        level=f"L{given.whole('level', 1, 5)}",
        about=given.text("about"),
        rules=given.text("rules").strip(),
        folder=folder,
        roles=roles,
        turns=given.choice("turns", ("together", "in turn")) if given.has("turns") else "together",
        base=base_folder(),
        entry=entry,
        width=size.whole("width", 320, 1920, 1280),
        height=size.whole("height", 240, 1200, 720),
        settle_frames=given.whole("settle_frames", 0, 120, 0),
    )


def _grid(given: Fields) -> Grid:
    given.refuse_others(("left", "top", "cell_width", "cell_height", "columns", "rows"))
    return Grid(
        left=given.measure("left"), top=given.measure("top"), cell_width=given.measure("cell_width", low=1),
        cell_height=given.measure("cell_height", low=1), columns=given.whole("columns", 1, 100),
        rows=given.whole("rows", 1, 100),
    )  # fmt: skip


def _role(given: Fields, grids: Mapping[str, Grid]) -> Role:
    given.refuse_others(("id", "about", "controls", "actions"))
    name = given.text("id")
    if not _NAME.fullmatch(name):
        raise ValueError(f"roles: {shown(name)} must be a word of small letters, digits and _")
    controls = _controls(Fields.of(given.raw("controls"), f"{name}.controls."))
    return Role(
        id=name, about=given.text("about").strip(), controls=controls,
        actions=read_actions(given.objects("actions"), controls, grids, name),
    )  # fmt: skip


def _controls(given: Fields) -> Controls:
    given.refuse_others(("keys", "pointer", "hold_frames", "key_frames", "about"))
    where = "controls.keys"
    pointer: list[PointerUse] = []
    for use in given.one_or_more_texts("pointer"):
        if use not in POINTER_USES:
            raise ValueError(f"controls.pointer: {shown(use)} is not one of {', '.join(POINTER_USES)}")
        pointer.append(next(one for one in POINTER_USES if one == use))
    frames = Fields.of(given.raw("key_frames") or {}, "controls.key_frames.")
    return Controls(
        keys=keys_of(given.one_or_more_texts("keys"), where),
        pointer=tuple(pointer),
        hold_frames=given.whole("hold_frames", 1, 180, 12),
        key_frames={key_of(str(key)) or str(key): frames.whole(key, 1, 180) for key in given.raw("key_frames") or {}},
        about=given.text("about", "").strip(),
    )


def _goal_file(path: Path) -> Goal:
    name = _TASK_NAME.fullmatch(path.name)
    if not name:
        raise TaskError(f"{path}: its name must be <number>-<words-with-hyphens>.yaml")
    goal: Goal = _in_file(path, lambda given: _goal(given, int(name[1]), name[2]))
    return goal


def _goal(given: Fields, number: int, slug: str) -> Goal:
    given.refuse_others(_TASK_KEYS)
    fields = given.one_or_more_texts("sum") if given.has("sum") else (given.text("score"),)
    end = Fields.of(given.raw("end") or {}, "end.")
    end.refuse_others(("field", "value"))
    for one in (*fields, *given.one_or_more_texts("watch"), *([end.text("field")] if given.has("end") else ())):
        if not _FIELD.fullmatch(one):
            raise ValueError(f"{shown(one)} is no field of a state: words with dots between, as game_state.score")
    goal = Goal(
        number=number, slug=slug, instruction=given.text("instruction").strip(), fields=fields,
        target=given.measure("target"), start=given.measure("start", 0.0),
        level=given.whole("level", 1, 1000) if given.has("level") else None,
        seed=given.whole("seed", 0, (1 << 32) - 1) if given.has("seed") else None,
        suffix=given.text("url", ""), end_field=end.text("field", ""), end_value=_plain(end.raw("value")),
        on_fail=given.choice("on_fail", ("reset", "stop")) if given.has("on_fail") else "reset",
        watch=given.one_or_more_texts("watch"), actions=given.whole("actions", 1, MAX_ACTIONS, DEFAULT_ACTIONS),
        seconds=given.measure("seconds", DEFAULT_SECONDS, low=1),
    )  # fmt: skip
    if goal.target <= goal.start:
        raise ValueError(f"target: {goal.target:g} is not above start: {goal.start:g}")
    if goal.seconds > MAX_SECONDS:
        raise ValueError(f"seconds: {goal.seconds:g} is more than {MAX_SECONDS:g}")
    if goal.suffix and not _SUFFIX.fullmatch(goal.suffix):
        raise ValueError(f"url: {shown(goal.suffix)} must begin with ? or # and hold no blank")
    return goal


def _plain(value: Any) -> Any:
    if value is None:
        return True
    if not isinstance(value, bool | int | float | str):
        raise ValueError(f"end.value: {shown(value)} is not a text, a number, true or false")
    return value
