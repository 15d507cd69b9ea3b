"""The rules for game packages, beyond those that reading them enforces: see docs/games.md."""

import re
from collections.abc import Iterator
from pathlib import Path

from benchmark.authoring import Problem
from benchmark.errors import TaskError
from benchmark.limits import MAX_TEXT_BYTES
from benchmark.play.game import PlayGame, Point, Role
from benchmark.play.package import GAME_FILE, POLICY_FILE, TASKS, PlayPackage, read_package
from benchmark.play.track import GENRES
from benchmark.untrusted import UnreadableFileError, read_utf8

TASKS_PER_GAME = 5
MAX_GAME_BYTES = 4 << 20
_KINDS = {
    ".html", ".js", ".css", ".svg", ".png", ".jpg", ".jpeg", ".webp", ".json", ".yaml", ".md", ".txt", ".toml", ".ogg",
    ".wav", ".woff2",
}  # fmt: skip
_ADDRESS = re.compile(r"""(?:https?:)?//[a-z0-9-]+(?:\.[a-z0-9-]+)+""", re.IGNORECASE)
_NAMESPACE = "http://www.w3.org"
# What would make a second run another game, or reach out of the page.
_FORBIDDEN = {
    r"\bMath\s*\.\s*random\b": "chance comes from `random`, which depends on the seed",
    r"\bDate\b": "time is steps",
    r"\bperformance\s*\.\s*now\b": "time is steps",
    r"\b(?:setTimeout|setInterval|requestAnimationFrame)\b": "the base has the loop; count steps",
    r"\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|importScripts|Worker|SharedWorker)\b": "a game is alone",
    r"\b(?:localStorage|sessionStorage|indexedDB|document\s*\.\s*cookie)\b": "every game begins the same way",
    r"\b(?:alert|confirm|prompt)\s*\(": "a dialog stops the game",
    r"\bcrypto\b": "chance comes from `random`, which depends on the seed",
}


def check_package(folder: Path) -> tuple[Problem, ...]:
    """All broken rules of one package."""
    try:
        package = read_package(folder)
    except TaskError as error:
        return (Problem("", "", error.message.replace(f"{folder}/", "", 1)),)
    return (*_layout(package, folder), *_words(package), *_points(package.game), *_files(folder))


def _layout(package: PlayPackage, folder: Path) -> Iterator[Problem]:
    if package.game.genre not in GENRES:
        yield Problem(GAME_FILE, "", f"lies in {package.game.genre!r}, which is not one of {', '.join(GENRES)}")
    if any(word.isdigit() for word in package.game.id.rpartition("/")[2].split("-")[1:]):
        yield Problem("", "", "the folder's name has a number as a word; task ids number the tasks that way")
    if [goal.number for goal in package.goals] != list(range(1, TASKS_PER_GAME + 1)):
        yield Problem(TASKS, "", f"five tasks are needed, numbered 1 to {TASKS_PER_GAME}")
    if package.policy is None:
        yield Problem(POLICY_FILE, "", "is missing: it proves that the targets can be reached")
    easy, hard = package.goals[0], package.goals[-1]
    same = {goal.fields for goal in package.goals}
    if len(same) == 1 and not (easy.target, easy.level or 0) < (hard.target, hard.level or 0):
        yield Problem(TASKS, "", "the last task asks for no more than the first")
    text = _text(folder / "game.js")
    if text is not None and f'"{package.game.id}"' not in text:
        yield Problem("game.js", "id", f"does not say the id {package.game.id!r}")


def _words(package: PlayPackage) -> Iterator[Problem]:
    for goal in package.goals:
        if not goal.instruction:
            yield Problem(f"{TASKS}/{goal.number}-{goal.slug}.yaml", "instruction", "is empty")
    if len(package.game.about) > 120:
        yield Problem(GAME_FILE, "about", f"has {len(package.game.about)} characters; one line of 120 fits on a tile")
    for role in package.game.roles:
        if not role.controls.about:
            yield Problem(GAME_FILE, f"{role.id}.controls.about", "is missing: agents with keyboard and mouse read it")
        if not any(action.binding.verb == "wait" for action in role.actions):
            yield Problem(GAME_FILE, f"{role.id}.actions", "none waits")


def _points(game: PlayGame) -> Iterator[Problem]:
    for role in game.roles:
        for name, point in _all_points(role):
            if not (0 <= point[0] < game.width and 0 <= point[1] < game.height):
                where = f"{role.id}.actions.{name}"
                yield Problem(GAME_FILE, where, f"{point} is outside of the picture, {game.width} by {game.height}")


def _all_points(role: Role) -> Iterator[tuple[str, Point]]:
    for action in role.actions:
        for place in (action.binding.at, action.binding.to):
            if isinstance(place, tuple):
                yield action.id, place
        for parameter in action.parameters:
            for point in parameter.points.values():
                yield action.id, point


def _files(folder: Path) -> Iterator[Problem]:
    size = 0
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        name = path.relative_to(folder).as_posix()
        size += path.stat().st_size
        if path.suffix.lower() not in _KINDS:
            yield Problem(name, "", f"is of a kind that no game needs; allowed are {', '.join(sorted(_KINDS))}")
        if path.suffix.lower() in (".html", ".js", ".css", ".svg"):
            yield from _script(path, name)
    if size > MAX_GAME_BYTES:
        yield Problem("", "", f"has {size >> 10} KiB; a game has at most {MAX_GAME_BYTES >> 20} MiB")


def _script(path: Path, name: str) -> Iterator[Problem]:
    text = _text(path)
    if text is None:
        yield Problem(name, "", "cannot be read as text")
        return
    code = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", text, flags=re.DOTALL) if path.suffix in (".js", ".css") else text
    for address in _ADDRESS.finditer(code):
        if address[0] != _NAMESPACE:
            yield Problem(name, "", f"asks for {address[0]}; a game has no network")
    if path.suffix in (".js", ".html"):
        for pattern, why in _FORBIDDEN.items():
            if found := re.search(pattern, code):
                yield Problem(name, "", f"uses {found[0]}: {why}")


def _text(path: Path) -> str | None:
    try:
        return read_utf8(path, MAX_TEXT_BYTES)
    except UnreadableFileError:
        return None
