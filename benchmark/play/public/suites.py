"""Presets and suite files of the public benchmark: which game, which task, which model in which role."""

from dataclasses import dataclass
from pathlib import Path

from benchmark.checked import Fields
from benchmark.errors import UsageError
from benchmark.limits import MAX_YAML_BYTES
from benchmark.play.public.catalogue import GAMES, read_catalogue_game
from benchmark.untrusted import UnreadableFileError, read_yaml, shown

ALL = "all"
_MOST = 100_000


@dataclass(frozen=True)
class Preset:
    """One run: one model per role."""

    game: str
    task: str
    models: tuple[str, ...]
    repeat: int = 1

    def __str__(self) -> str:
        return f"{self.game}+{self.task}+{','.join(self.models)}"


def read_preset(text: str, root: Path) -> Preset:
    """`01_2048+01_05+gpt-5.2`, or with one model for each role: `…+a,b`. Raises UsageError."""
    parts = [part.strip() for part in text.split("+", 2)]
    if len(parts) != 3 or not all(parts):
        raise UsageError(f"{shown(text)} is no preset", fix="<game>+<task>+<model>[,<model for the second role>]")
    game, task, models = parts
    package = read_catalogue_game(root, game)
    if task not in {goal.slug for goal in package.goals}:
        known = ", ".join(goal.slug for goal in package.goals)
        raise UsageError(f"{shown(text)}: {game} has no task {shown(task)}", fix=f"one of {known}")
    return Preset(game, task, _models(models, len(package.game.roles)))


def read_suite(path: Path, root: Path, models: tuple[str, ...]) -> tuple[Preset, ...]:
    """Cases × tasks × models × repeats, in the order of the public runner. `models` is what `all` stands for."""
    try:
        given = Fields.of(read_yaml(path, MAX_YAML_BYTES))
        cases = given.objects("cases")
        found: list[Preset] = []
        for case in cases:
            found += _expanded(case, root, models)
            if len(found) > _MOST:
                raise ValueError(f"comes to more than {_MOST} runs")
    except (UnreadableFileError, ValueError) as error:
        raise UsageError(f"{path}: {error}") from error
    if not found:
        raise UsageError(f"{path}: names no run")
    return tuple(found)


def _expanded(case: Fields, root: Path, models: tuple[str, ...]) -> list[Preset]:
    game = case.text("game").strip()
    if not (root / GAMES / f"{game}.yaml").is_file():
        raise ValueError(f"game: {shown(game)} is not in {GAMES}")
    roles = len(read_catalogue_game(root, game).game.roles)
    named = [one.strip() for one in case.one_or_more_texts("models") if one.strip()]
    teams = [
        team
        for name in named
        for team in ([(one,) * roles for one in models] if name == ALL else [_models(name, roles)])
    ]
    tasks = [one.strip() for one in case.one_or_more_texts("tasks") if one.strip()]
    if not tasks or not teams:
        raise ValueError(f"{game}: tasks and models are needed")
    repeats = range(1, case.whole("repeat", 1, 1000, 1) + 1)
    return [Preset(game, task, team, repeat) for repeat in repeats for task in tasks for team in dict.fromkeys(teams)]


def _models(text: str, roles: int) -> tuple[str, ...]:
    """One for all roles, or one for each."""
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    if len(names) == 1:
        return names * roles
    if len(names) != roles:
        raise UsageError(f"{shown(text)} names {len(names)} models, and the game has {roles} role(s)")
    return names
