"""A game with somebody at it who calls when they like: the usual loop in a thread of its own, which waits for calls."""

import queue
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchmark.errors import BenchmarkError, InfrastructureError, UsageError
from benchmark.files import write_json
from benchmark.play.episode import Setup, play
from benchmark.play.game import Role
from benchmark.play.game_page import GamePage
from benchmark.play.goals import Goal
from benchmark.play.models.wire import call_of
from benchmark.play.package import PlayPackage
from benchmark.play.packages import package_of
from benchmark.play.parsing import ActionCall, Interface
from benchmark.play.players import Player, Proposal, Turn
from benchmark.play.simple_players import NopPlayer
from benchmark.play.step_log import StepLog
from benchmark.runtime.stepped.browser import SteppedBrowser
from benchmark.tasks import Task

PLAY_FILE = "play.json"
MOST_TRIES = 100
_WAIT_SEC = 300.0  # for a step; a page that does not answer ends long before
_SITTING_SEC = 7 * 86_400.0  # a person at a coding agent may go home meanwhile


@dataclass(frozen=True)
class PlaceAtTable:
    """Who plays what, and where the log goes."""

    package: PlayPackage
    goal: Goal
    role: Role
    interface: Interface
    seed: int
    shows_state: bool
    folder: Path


def seat_at(task: Task, *, role: str, interface: Interface, seed: int, shows_state: bool, folder: Path) -> PlaceAtTable:
    """Raises TaskError and UsageError."""
    package, goal = package_of(task)
    if package.game.fault:
        raise UsageError(f"{package.game.id}: {package.game.fault}")
    roles = {one.id: one for one in package.game.roles}
    if role and role not in roles:
        raise UsageError(f"--role: {role!r} is not in {package.game.id}", fix=f"one of {', '.join(roles)}")
    return PlaceAtTable(
        package=package, goal=goal, role=roles[role] if role else package.game.roles[0], interface=interface,
        seed=seed, shows_state=shows_state, folder=folder,
    )  # fmt: skip


@dataclass(frozen=True)
class TableView:
    """What is told after a call. `over` says why nothing more can be done in this try; empty: it goes on."""

    picture: bytes | None
    steps_left: int
    episode: int
    refused: str = ""
    over: str = ""
    state: Mapping[str, Any] | None = None


@dataclass
class _CalledPlayer:
    """Shows each turn, and takes what comes next for its proposal."""

    interface: Interface
    sees_state: bool
    turns: "queue.Queue[Turn | TableView | BaseException]"
    answers: "queue.Queue[Proposal | Literal['leave']]"
    looks: bool = True
    identity: Mapping[str, str] = field(default_factory=dict)

    def propose(self, turn: Turn) -> Proposal:
        self.turns.put(turn)
        answer = self.answers.get()
        if answer == "leave":
            return Proposal((), stops="began again")
        return answer

    def close(self) -> None:
        pass


class GameTable:
    """A context manager. Calls may come from any thread, one at a time."""

    def __init__(self, place: PlaceAtTable) -> None:
        self.place = place
        self._lock = threading.Lock()
        self._try = 0
        self._thread: threading.Thread | None = None
        self._turns: queue.Queue[Turn | TableView | BaseException] = queue.Queue()
        self._answers: queue.Queue[Proposal | Literal["leave"]] = queue.Queue()
        self._view: TableView | None = None

    def __enter__(self) -> "GameTable":
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._leave()

    def look(self) -> TableView:
        """The game as it stands; begins it if nobody has."""
        with self._lock:
            return self._now()

    def act(self, name: str, arguments: Mapping[str, Any]) -> TableView:
        """One action. What cannot be done costs one and says why."""
        with self._lock:
            if self._now().over:
                return self._now()
            proposal = Proposal((call_of(name, dict(arguments)),), self.place.interface)
            return self._answer(proposal)

    def wait(self, frames: int) -> TableView:
        """One action in which nothing is done, in both interfaces alike."""
        with self._lock:
            if self._now().over:
                return self._now()
            return self._answer(Proposal((ActionCall("wait", {"frames": frames}),), "computer"))

    def reset(self) -> TableView:
        """The same task from its beginning, as a try of its own."""
        with self._lock:
            self._leave()
            return self._now()

    def _now(self) -> TableView:
        if self._view is None:
            self._begin()
            self._view = self._next()
        return self._view

    def _answer(self, proposal: Proposal) -> TableView:
        self._answers.put(proposal)
        self._view = self._next()
        return self._view

    def _next(self) -> TableView:
        try:
            found = self._turns.get(timeout=_WAIT_SEC)
        except queue.Empty:
            raise InfrastructureError("the game did not answer", fix="call reset") from None
        if isinstance(found, BaseException):
            self._view = None
            self._thread = None
            if isinstance(found, BenchmarkError):
                raise found
            raise InfrastructureError(f"the game failed: {type(found).__name__}: {found}") from found
        if isinstance(found, TableView):
            return found
        return TableView(found.picture, found.steps_left, found.episode, found.refused, state=found.state)

    def _begin(self) -> None:
        if self._try >= MOST_TRIES:
            raise UsageError(f"{MOST_TRIES} tries were begun; that is the most", fix="start the server again")
        self._try += 1
        self._turns, self._answers = queue.Queue(), queue.Queue()
        self._thread = threading.Thread(target=self._play, args=[self._try, self._turns, self._answers], daemon=True)
        self._thread.start()

    def _leave(self) -> None:
        if self._thread is not None:
            self._answers.put("leave")
            self._thread.join(_WAIT_SEC)
        self._thread = None
        self._view = None

    def _play(
        self, number: int, turns: "queue.Queue[Turn | TableView | BaseException]",
        answers: "queue.Queue[Proposal | Literal['leave']]",
    ) -> None:  # fmt: skip
        """In the thread of the try: the browser belongs to the thread that started it."""
        place = self.place
        game, goal = place.package.game, place.goal
        folder = place.folder / f"try-{number}"
        seed = place.seed if goal.seed is None else goal.seed
        try:
            folder.mkdir(parents=True, exist_ok=True)
            own = _CalledPlayer(place.interface, place.shows_state, turns, answers)
            players: dict[str, Player] = {one.id: own if one is place.role else NopPlayer() for one in game.roles}
            with SteppedBrowser() as browser, GamePage(browser, game, goal, seed) as page:
                log = StepLog(folder)
                try:
                    steps = play(page, Setup(game, goal, limit_sec=_SITTING_SEC), players, log)
                finally:
                    log.close()
                said = {"game": game.id, "goal": asdict(goal), "seed": seed, "mode": "paused", "role": place.role.id}
                write_json(folder / PLAY_FILE, {**said, "browser": browser.browser.version})
            last = steps[-1]
            picture = (folder / last.picture).read_bytes() if last.picture else None
            left = goal.actions - last.number
            turns.put(TableView(picture, left, last.episode, over=f"{last.signal}, after {last.number} actions"))
        except BaseException as error:  # handed on to whoever called
            turns.put(error)
