"""The certificate says yes where a page does the same again, and where it does not says from which step on."""

from pathlib import Path

import pytest

from benchmark.errors import UsageError
from benchmark.runtime.stepped.browser import SteppedBrowser
from benchmark.runtime.stepped.certificate import InputStep, certify, parse_script
from benchmark.runtime.stepped.public_games import fetch_public_game, public_game_names
from benchmark.runtime.stepped.site import Site

pytestmark = pytest.mark.browser
SCRIPT = parse_script("key a\nwait 6\nclick 100 100\n")


def test_a_script_is_one_step_a_line() -> None:
    assert parse_script("key a\n\nclick 1 2\nwait 30") == (
        InputStep("key", key="a"), InputStep("click", x=1, y=2), InputStep(frames=30),
    )  # fmt: skip


@pytest.mark.parametrize("line", ["jump", "wait many", "wait 0", "wait 9999999", "click 1", "key"])
def test_a_line_that_is_no_step_is_named(line: str) -> None:
    with pytest.raises(UsageError, match="line 2 of the script"):
        parse_script(f"key a\n{line}")


def test_a_game_that_does_the_same_again_is_certified(stepped: SteppedBrowser, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        "<canvas id=c></canvas><script>window.n = 0;"
        "addEventListener('keydown', () => { n += Math.random() });"
        "const pen = c.getContext('2d');"
        "(function draw() { pen.fillRect(n * 100, Date.now() % 100, 9, 9); requestAnimationFrame(draw) })();"
        "window.gameAPI = { getState: () => ({ n, now: performance.now() }) }</script>"
    )
    certificate = certify(stepped, Site({"/": tmp_path}), SCRIPT)
    assert (certificate.same, certificate.reason, certificate.steps) == (True, "", 4)


def test_the_first_step_that_differs_is_named(stepped: SteppedBrowser, tmp_path: Path) -> None:
    """A worker asks the machine's clock: the one thing here that a page can take it from."""
    (tmp_path / "worker.js").write_text("postMessage(performance.timeOrigin)")
    (tmp_path / "index.html").write_text(
        "<script>window.n = 0; addEventListener('keydown', () => {"
        "new Worker('worker.js').onmessage = (e) => { n = e.data } });"
        "window.gameAPI = { getState: () => ({ n }) }</script>"
    )
    certificate = certify(stepped, Site({"/": tmp_path}), parse_script("wait 12\nwait 12\nkey a\nwait 60\nwait 60"))
    assert not certificate.same
    assert "after step" in certificate.reason or "not there" in certificate.reason
    assert [trouble.kind for trouble in certificate.unsteady] == ["worker"]


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", public_game_names())
def test_public_games_do_the_same_again(stepped: SteppedBrowser, name: str) -> None:
    game = fetch_public_game(name)
    certificate = certify(stepped, game.site, game.script)
    assert certificate.same, certificate.reason
    assert certificate.unsteady == ()
