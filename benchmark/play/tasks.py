"""Tasks of a game package, as the suite lists them: one for each rung of its ladder."""

from pathlib import Path

from benchmark.errors import TaskError
from benchmark.play.package import GAME_FILE, PlayPackage, read_package
from benchmark.play.track import GENRES
from benchmark.tasks import UNRATED, Task
from benchmark.untrusted import shown

AGENT_TIMEOUT_SEC = 7200.0
VERIFIER_TIMEOUT_SEC = 300.0


def read_tasks(folder: Path) -> tuple[Task, ...]:
    """`play/<genre>/<game>-<number>-<slug>`. Raises TaskError."""
    package = read_package(folder.resolve() if not folder.is_symlink() else folder)
    if package.game.genre not in GENRES:
        raise TaskError(
            f"{folder / GAME_FILE}: {shown(package.game.genre)} is no genre; a game lies in tasks/play/<genre>/<game>, "
            f"and genres are {', '.join(GENRES)}"
        )
    return tasks_of(package)


def tasks_of(package: PlayPackage) -> tuple[Task, ...]:
    game = package.game
    name = game.id.rpartition("/")[2]
    return tuple(
        Task(
            track="play", family=game.genre, slug=f"{name}-{goal.number}-{goal.slug}", difficulty=UNRATED,
            folder=game.folder, agent_timeout_sec=AGENT_TIMEOUT_SEC, verifier_timeout_sec=VERIFIER_TIMEOUT_SEC,
            description=goal.instruction.splitlines()[0] if goal.instruction else "",
            variant=f"{goal.number}-{goal.slug}", labels={"level": game.level} if game.level else {},
            has_oracle=package.policy is not None, foreign=game.foreign,
        )
        for goal in package.goals
    )  # fmt: skip
