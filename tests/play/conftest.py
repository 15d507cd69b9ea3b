"""Games that are small and quick, in a browser of their own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmark.play.episode import Setup, play
from benchmark.play.game_page import GamePage
from benchmark.play.package import PlayPackage, read_package
from benchmark.play.players import Player
from benchmark.play.step_log import PlayStep, StepLog
from benchmark.runtime.browser import Browser
from benchmark.runtime.stepped.browser import SteppedBrowser
from tests.play.playing import Played

GAMES = Path(__file__).parent / "games"


@pytest.fixture(scope="session")
def stepped(browser_program: Browser) -> Iterator[SteppedBrowser]:
    with SteppedBrowser(browser_program) as running:
        yield running


@pytest.fixture(scope="session")
def steps_game() -> PlayPackage:
    return read_package(GAMES / "arcade/tiny-steps")


@pytest.fixture(scope="session")
def duo_game() -> PlayPackage:
    return read_package(GAMES / "simulation/tiny-duo")


@pytest.fixture
def played(stepped: SteppedBrowser, tmp_path: Path) -> Callable[..., Played]:
    """`played(setup, players)` plays one trial and keeps its log in a folder."""

    def go(setup: Setup, players: dict[str, Player], seed: int = 1, browser: SteppedBrowser | None = None) -> Played:
        folder = tmp_path / f"trial-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        with GamePage(browser or stepped, setup.game, setup.goal, seed) as page:
            log = StepLog(folder)
            try:
                steps: tuple[PlayStep, ...] = play(page, setup, players, log)
            finally:
                log.close()
            return Played(steps, folder, page.troubles)

    return go
