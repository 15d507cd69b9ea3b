"""`python -m benchmark games`: a person plays, in an ordinary browser."""

import http.client
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from benchmark.play.gallery.server import GalleryServer, host_of
from benchmark.play.package import PlayPackage

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def gallery(duo_game: PlayPackage, steps_game: PlayPackage) -> Iterator[GalleryServer]:
    with GalleryServer((duo_game.game, steps_game.game)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_tile_leads_to_a_game_that_can_be_played(gallery: GalleryServer, page: "Page", duo_game: PlayPackage) -> None:
    page.goto(gallery.address)
    assert page.locator(".tile b").all_inner_texts() == ["Tiny Steps", "Tiny Duo"]
    page.locator(".tile", has_text="Tiny Duo").click()
    page.wait_for_function("window.gameAPI && gameAPI.getState().status === 'menu'")
    assert page.url.startswith(f"http://{host_of(duo_game.game)}.localhost:")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.wait_for_function("gameAPI.getState().status === 'playing'")
    assert page.evaluate("gameAPI.getState().game_state.level") == 3
    page.keyboard.down("a")
    page.wait_for_function("gameAPI.getState().game_state.left > 10")


@pytest.mark.attack("a page elsewhere asks the games server by another name, or for files beside a game", "403, 404")
def test_only_this_machine_and_only_the_games_folders_are_served(gallery: GalleryServer, duo_game: PlayPackage) -> None:
    def status(path: str, host: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", gallery.server_address[1], timeout=20)
        connection.putrequest("GET", path, skip_host=True)
        connection.putheader("Host", host)
        connection.endheaders()
        return connection.getresponse().status

    name = f"{host_of(duo_game.game)}.localhost"
    assert status("/", "localhost") == 200
    assert status("/game.js", name) == 200
    assert status("/base/game.js", name) == 200
    assert status("/", "evil.test") == 403
    assert status("/", "localhost.evil.test") == 403
    assert status("/../game.yaml", name) == 404
    assert status("/%2e%2e/%2e%2e/conftest.py", name) == 404
    assert status("/", "other.localhost") == 404
