"""The public catalogue as it is: `catalog/games/*.yaml`, `catalog/tasks/<game>/*.yaml`, and game folders.

`pytest --tasks <checkout>` finds its tasks. A game that is named there and whose folder is not in the checkout cannot
be played; it is told once, and holds up no other. Two things are ours and not theirs: solved means that the target was
reached, and no action lasts longer than three seconds.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from benchmark.checked import Fields
from benchmark.errors import TaskError
from benchmark.limits import MAX_TOML_BYTES, MAX_YAML_BYTES
from benchmark.package_paths import check_tree
from benchmark.play.game import FPS, MAX_ACTION_FRAMES, Controls, PlayGame, PointerUse, Role
from benchmark.play.goals import DEFAULT_ACTIONS, MAX_SECONDS, Goal
from benchmark.play.keys import key_of, keys_of
from benchmark.play.package import PlayPackage
from benchmark.play.public.bindings import read_action
from benchmark.play.tasks import AGENT_TIMEOUT_SEC, VERIFIER_TIMEOUT_SEC
from benchmark.tasks import UNRATED, UNSORTED, Task
from benchmark.untrusted import UnreadableFileError, read_toml, read_yaml, shown

GAMES, TASKS = "catalog/games", "catalog/tasks"
_FOLDERS = ("games/benchmark", "games")  # where game folders may lie
NOT_HERE = "its folder is not in this checkout"
_ID = re.compile(r"(\d{2,3})[_-]([a-z0-9]+(?:-[a-z0-9]+)*)")
_TASK_ID = re.compile(r"\d{1,3}_(\d{1,3})")
_FACTS = Path(__file__).with_name("games.toml")
_ALL_POINTER: tuple[PointerUse, ...] = ("click", "drag", "move", "scroll")


def is_catalogue(root: Path) -> bool:
    return (root / GAMES).is_dir() and (root / TASKS).is_dir()


def find_tasks(root: Path, broken: list[TaskError]) -> tuple[Task, ...] | None:
    """All tasks that can be played from this checkout; None if it is none."""
    if not is_catalogue(root):
        return None
    root = root.absolute()
    tasks: list[Task] = []
    missing: list[str] = []
    for path in sorted((root / GAMES).glob("*.yaml")):
        try:
            package = read_catalogue_game(root, path.stem)
        except TaskError as error:
            broken.append(error)
            continue
        if package.game.fault == NOT_HERE:
            missing.append(path.stem)
        elif package.game.fault:
            broken.append(TaskError(f"{path}: {package.game.fault}"))
        if package.game.fault:
            continue
        tasks += [_task(root, package.game, goal) for goal in package.goals]
    if missing:
        some = ", ".join(missing[:3]) + (", …" if len(missing) > 3 else "")
        fix = f"put their folders into {root / _FOLDERS[0]}"
        broken.append(TaskError(f"{root / GAMES}: {len(missing)} games are named and not there: {some}", fix=fix))
    return tuple(tasks)


def read_public_package(task: Task) -> tuple[PlayPackage, Goal]:
    """Of a task from `find_tasks`. Raises TaskError."""
    game_id, _, task_id = task.variant.partition("/")
    package = read_catalogue_game(task.folder, game_id)
    for goal in package.goals:
        if goal.slug == task_id:
            return package, goal
    raise TaskError(f"{task.folder / TASKS / game_id}: there is no task {task_id} any more")


def read_catalogue_game(root: Path, game_id: str) -> PlayPackage:
    """One game with its tasks. Raises TaskError with file and key; a game that is not there has a `fault`."""
    if not _ID.fullmatch(game_id):
        raise TaskError(f"{root / GAMES}: {shown(game_id)} is no id of a game: 01_name is")
    path = root / GAMES / f"{game_id}.yaml"
    game = _read(path, lambda given: _game(given, root, game_id))
    tasks = sorted((root / TASKS / game_id).glob("*.yaml")) if (root / TASKS / game_id).is_dir() else []
    return PlayPackage(game, tuple(_read(one, _goal) for one in tasks))


def _read(path: Path, read: Any) -> Any:
    try:
        return read(Fields.of(read_yaml(path, MAX_YAML_BYTES)))
    except (UnreadableFileError, ValueError) as error:
        raise TaskError(f"{path}: {error}") from error


def _task(root: Path, game: PlayGame, goal: Goal) -> Task:
    name = game.id.rpartition("/")[2].replace("_", "-")
    return Task(
        track="play", family=game.genre, slug=f"{name}-{goal.number}", difficulty=UNRATED, folder=root,
        agent_timeout_sec=AGENT_TIMEOUT_SEC, verifier_timeout_sec=VERIFIER_TIMEOUT_SEC,
        description=goal.instruction.splitlines()[0] if goal.instruction else "",
        variant=f"{game.entry_id}/{goal.slug}", labels={"level": game.level} if game.level else {}, has_oracle=False,
        foreign=True,
    )  # fmt: skip


def _game(given: Fields, root: Path, game_id: str) -> PlayGame:
    number = int(game_id[:2])
    roles = tuple(_role(one) for one in given.objects("game_roles"))
    if not roles:
        raise ValueError("game_roles: at least one is needed")
    folder = next((root / one / game_id for one in _FOLDERS if (root / one / game_id).is_dir()), None)
    fault = ""
    if given.has("url"):
        fault = f"is played at {shown(given.raw('url'))}; games have no network here"
    elif folder is None:
        fault = NOT_HERE
    elif given.measure("speed_multiplier", 1.0) != 1.0:
        fault = f"speed_multiplier: {given.raw('speed_multiplier')!r} is not supported; 1.0 is"
    if folder is not None:
        check_tree(folder)
    genre = _fact("genre", number)
    return PlayGame(
        id=f"{genre}/{game_id}", entry_id=game_id, title=given.text("game_name"), genre=genre,
        level=_fact("level", number, ""), about="", rules=given.text("game_rules").strip(), folder=folder or root,
        roles=roles, width=given.whole("width", 320, 1920, 1280), height=given.whole("height", 240, 1200, 720),
        foreign=True, fault=fault,
    )  # fmt: skip


@cache
def _facts() -> Mapping[str, Mapping[str, list[int]]]:
    return read_toml(_FACTS, MAX_TOML_BYTES)


def _fact(kind: str, number: int, default: str = UNSORTED) -> str:
    return next((name for name, numbers in _facts()[kind].items() if number in numbers), default)


def _role(given: Fields) -> Role:
    prompt = Fields.of(given.raw("prompt") or {}, "prompt.")
    controls = _controls(Fields.of(given.raw("computer_use_controls") or {}, "computer_use_controls."), prompt)
    actions = tuple(read_action(one, controls) for one in given.objects("semantic_controls"))
    return Role(
        id=given.text("name"), about=prompt.text("role_section", "").strip(), controls=controls, actions=actions
    )  # fmt: skip


def _controls(given: Fields, prompt: Fields) -> Controls:
    keys = keys_of(given.one_or_more_texts("allowed_keys"), "allowed_keys")
    durations = given.raw("key_durations") or {}
    per_key = Fields.of(durations, "key_durations.")
    return Controls(
        keys=keys,
        any_key=not keys,  # an empty list allows every key there
        pointer=_ALL_POINTER if given.flag("allow_clicks", True) else ("move",),
        hold_frames=frames(given.measure("hold_duration", 0.2, low=0)),
        key_frames={key_of(str(key)) or str(key): frames(per_key.measure(key, low=0)) for key in durations},
        about=prompt.text("computer_use_controls_section", "").strip(),
    )


def frames(seconds: float) -> int:
    """At least one, and no more than an action may take."""
    return max(1, min(MAX_ACTION_FRAMES, round(seconds * FPS)))


def _goal(given: Fields) -> Goal:
    """Of either schema: start and target beside `evaluator_config`, or inside of it."""
    task_id = given.text("task_id")
    number = _TASK_ID.fullmatch(task_id)
    if not number:
        raise ValueError(f"task_id: {shown(task_id)} is not like 01_05")
    config = Fields.of(given.raw("evaluator_config") or {}, "evaluator_config.")
    if given.text("evaluator_id", "noop") != "game_api_metric":
        raise ValueError(f"evaluator_id: {shown(given.raw('evaluator_id'))} is not known; game_api_metric is")
    summed = config.one_or_more_texts("aggregate_score_fields")
    target = _first_number(("task_target_score_field", "task_target_score", "target_score"), given, config)
    if target is None:
        raise ValueError("task_target_score_field is missing: nothing says when the task is solved")
    start = _first_number(("task_start_score_field", "task_start_score", "start_score"), given, config)
    scored = config.text("target_scoring_field", "") or config.text("score_field", "")
    if not (summed or scored):
        raise ValueError("evaluator_config.score_field is missing")
    return Goal(
        number=int(number[1]), slug=task_id, instruction=given.text("task_prompt").strip(),
        fields=summed or (scored,), target=target, start=start or 0.0, suffix=_suffix(given),
        end_field=config.text("end_field", "") if config.has("end_field") else "",
        end_value=True if config.raw("end_value") is None else config.raw("end_value"),
        on_fail="reset" if given.flag("continue_on_fail", True) else "stop",
        watch=config.one_or_more_texts("metrics_fields"),
        actions=given.whole("max_steps", 1, 10_000, DEFAULT_ACTIONS), seconds=MAX_SECONDS,
        public_status=config.text("terminal_status", "") if config.has("terminal_status") else "",
        real_time=not given.flag("pause_during_inference", True),
    )  # fmt: skip


def _first_number(keys: tuple[str, ...], *places: Fields) -> float | None:
    return next((place.measure(key) for place in places for key in keys if place.has(key)), None)


def _suffix(given: Fields) -> str:
    suffix = given.text("game_url_suffix", "").strip() if given.has("game_url_suffix") else ""
    if len(suffix) > 200 or not suffix.isprintable() or " " in suffix:
        raise ValueError(f"game_url_suffix: {shown(suffix)} is no query and no fragment")
    return suffix
