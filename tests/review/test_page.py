"""Judging in a real Chromium, by keyboard alone: from the first page to the exported table, through crashes."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Page, Route, expect

from benchmark.craft.review.ledger import Ledger
from benchmark.craft.review.web import Response
from benchmark.results.store import RunStore
from tests.review.sample_run import AGENTS, ITEMS, JUDGE_SCORES, TASKS, record
from tests.review.serving import serving

# a test takes seconds; one that waits for what never comes is not to keep others waiting for minutes
pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

KEYS = {0.0: "0", 0.25: "2", 0.5: "5", 0.75: "7", 1.0: "1"}


class Server:
    """The command, as a user starts it."""

    def __init__(self, store: RunStore, cache: Path, *options: str) -> None:
        place = [str(store.folder), "--tasks", str(TASKS), "--no-browser"]
        self._command = [sys.executable, "-m", "benchmark", "review", *place, *options]
        self._environment = {**os.environ, "GAMECRAFT_CACHE": str(cache), "PYTHONUNBUFFERED": "1"}
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self._environment,
            # a shell starts what runs in the background deaf to Ctrl-C, and these tests may run there
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            if match := re.search(r"open (http://\S+)", line):
                self.url = match[1]
                return
        raise AssertionError(said)

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def interrupt(self) -> str:
        self.process.send_signal(signal.SIGINT)
        return str(self.process.communicate(timeout=20)[0])


@contextmanager
def running(store: RunStore, cache: Path, *options: str) -> Iterator[Server]:
    server = Server(store, cache, *options)
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture
def server(store: RunStore, tmp_path: Path) -> Iterator[Server]:
    with running(store, tmp_path / "cache") as found:
        yield found


@pytest.fixture
def trouble(page: Page) -> list[str]:
    """What the browser complains of."""
    found: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            found.append(message.text)

    page.on("console", on_console)
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def begin(page: Page, url: str, name: str) -> None:
    page.goto(url)
    page.keyboard.type(name)
    press(page, "Enter")
    expect(page.locator(".item.current")).to_be_focused()


def saved(page: Page) -> None:
    expect(page.locator("#status")).to_have_attribute("data-state", "saved")


def results_shown(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("Judge and people")
    page.wait_for_load_state()  # a key that is pressed before the page's script runs is lost


def agent_here(page: Page) -> str:
    return str(page.locator("h1").inner_text()).rpartition(", ")[2]


def marks(store: RunStore, reviewer: str, agent: str) -> dict[str, float | None]:
    found = Ledger(store.folder).read(reviewer).changes
    return {one.item or "": one.score for one in found if one.trial == record(agent).id.label}


def test_from_the_first_page_to_the_exported_table_by_keyboard_alone(
    page: Page, server: Server, store: RunStore, trouble: list[str], tmp_path: Path
) -> None:
    begin(page, server.url, "ann")
    first, first_url = agent_here(page), page.url
    expect(page.locator("#items-done")).to_have_text("0 of 6")

    # scores, fine steps, a score that is taken back
    press(page, "5", "+", "ArrowDown", "1", "-", "-", "j", "7", "u")
    saved(page)
    assert marks(store, "ann", first) == {"M1": 0.55, "M2": 0.9, "D1": None}
    press(page, "n")
    page.keyboard.type("looks 5 times, 1 lamp")  # keys are text now
    press(page, "Escape")
    expect(page.locator("#D1")).to_be_focused()
    saved(page)
    assert Ledger(store.folder).read("ann").changes[-1].note == "looks 5 times, 1 lamp"
    press(page, "v")
    expect(page.locator("#status")).to_contain_text("when all items have one of yours")

    page.reload()
    expect(page.locator("#D1")).to_be_focused()  # the first item without a score
    expect(page.locator("#M2 .chip")).to_have_text("0.90")
    expect(page.locator("[data-note=D1]")).to_have_value("looks 5 times, 1 lamp")

    server.kill()
    press(page, "2", "j", "0")
    expect(page.get_by_text("The server does not answer. 2 change(s) are kept")).to_be_visible()
    press(page, "Enter")  # going on is no way to lose them
    expect(page.locator("#V1 .chip")).to_have_text("0.00")
    assert len(marks(store, "ann", first)) == 3
    trouble.clear()  # the browser reports requests that nobody answered
    server.start()
    expect(page.locator("#trouble")).to_be_hidden(timeout=10_000)
    saved(page)
    assert marks(store, "ann", first) == {"M1": 0.55, "M2": 0.9, "D1": 0.25, "V1": 0.0}
    trouble.clear()

    press(page, "o")
    expect(page.locator("#V2")).to_be_focused()
    press(page, "1", "o", "1")
    expect(page.locator("#items-done")).to_have_text("6 of 6")
    press(page, "v")
    expect(page.locator("#A1 .verdict")).to_contain_text(f"{JUDGE_SCORES[first]['A1']:.2f}")
    press(page, "t")
    page.keyboard.type("a toy")
    press(page, "Escape", "Enter")  # at once: what is still on its way is waited for
    expect(page).not_to_have_url(first_url)
    expect(page.locator(".item.current")).to_be_focused()
    second = agent_here(page)
    assert {first, second} == set(AGENTS)
    expect(page.locator("#trials-done")).to_have_text("1 of 2")
    for item in ITEMS:  # just what the judge said
        press(page, KEYS[JUDGE_SCORES[second][item]], "ArrowDown")
    expect(page.locator("#time-left")).to_have_text("none")
    press(page, "Enter")

    results_shown(page)
    expect(page.locator("header")).to_contain_text("2 of 2 trials finished by ann")
    expect(page.locator(".gaps")).not_to_contain_text(second)
    press(page, "e")
    expect(page.locator("#status")).to_contain_text("files are in the run’s folder reviews/export")
    with (store.folder / "reviews/export/items.csv").open(encoding="utf-8", newline="") as handle:
        rows = {(row["trial"], row["item"]): float(row["human"]) for row in csv.DictReader(handle)}
    assert rows[record(first).id.label, "M1"] == 0.55
    assert {item: rows[record(second).id.label, item] for item in ITEMS} == JUDGE_SCORES[second]
    notes = (store.folder / "reviews/export/scores.csv").read_text(encoding="utf-8")
    assert "a toy" in notes
    page.goto((store.folder / "reviews/export/review.html").as_uri())
    expect(page.locator("caption", has_text="Judge − human by family")).to_be_visible()
    evidence = page.locator(".gaps a", has_text="evidence").first.get_attribute("href")
    assert (store.folder / "reviews/export" / str(evidence)).is_dir()
    assert trouble == []

    said = server.interrupt()
    assert f"scores are in {store.folder / 'reviews'}" in said
    assert "--export" in said
    assert server.process.returncode == 0


def test_what_is_on_its_way_is_waited_for(page: Page, server: Server) -> None:
    begin(page, server.url, "ann")
    held: list[Route] = []
    slow = True
    page.route("**/marks", lambda route: held.append(route) if slow else route.continue_())
    for _ in ITEMS:
        press(page, "5", "ArrowDown")
    expect(page.locator("#status")).to_have_attribute("data-state", "saving")
    press(page, "v")  # the server does not know yet that all items are scored
    slow = False
    held[0].continue_()
    expect(page.locator("#A1 .verdict")).to_be_visible()


def test_two_reviewers_at_once_are_kept_apart_and_compared(page: Page, server: Server, store: RunStore) -> None:
    browser = page.context.browser
    assert browser is not None
    other = browser.new_context().new_page()
    begin(page, server.url, "ann")
    begin(other, server.url, "bob")
    for _ in range(2):
        for item in ITEMS:
            press(page, "1", "ArrowDown")
            press(other, "5", "ArrowDown")
            expect(page.locator(f"#{item} .chip")).to_have_text("1.00")
        for one in (page, other):
            saved(one)
            press(one, "Enter")
            expect(one.locator("#items-done", has_text="6 of 6")).to_have_count(0)
    for agent in AGENTS:
        assert set(marks(store, "ann", agent).values()) == {1.0}
        assert set(marks(store, "bob", agent).values()) == {0.5}
    page.reload()
    rows = page.locator("tr", has_text="ann")
    expect(rows.filter(has_text="bob").locator("td").nth(2)).to_have_text("0.50")  # ann − bob
    expect(page.locator("tr", has_text="all reviewers")).to_be_visible()
    other.context.close()


def test_blind_nothing_that_reaches_the_browser_names_an_agent(page: Page, store: RunStore, trouble: list[str]) -> None:
    heard: list[tuple[str, Response]] = []
    # overheard at the server: a browser forgets an answer as soon as it goes to another page
    with serving(store, blind=True, overheard=lambda path, answer: heard.append((path, answer))) as client:
        begin(page, client.server.url, "ann")
        for _ in AGENTS:
            here = page.url
            press(page, "s", "Escape", "l", "Escape", "?", "Escape", " ", " ")
            for _ in ITEMS:
                press(page, "7", "ArrowDown")
            saved(page)
            press(page, "v")
            expect(page.locator("#A1 .verdict")).to_contain_text("[agent] shows A1")
            for agent in AGENTS:
                assert agent not in page.content()
                assert agent not in page.title()
            press(page, "Enter")
            expect(page).not_to_have_url(here)
        results_shown(page)
        press(page, "e")
        expect(page.locator("#status")).to_contain_text("reviews/export")
    assert any(path.startswith("media/") for path, _ in heard)
    assert len(heard) > 20
    for path, answer in heard:
        said = answer.body + json.dumps(answer.headers).encode() + (answer.file.read_bytes() if answer.file else b"")
        for agent in AGENTS:
            assert agent not in path
            assert agent.encode() not in said.lower(), path
    assert set(marks(store, "ann", AGENTS[0])) == set(ITEMS)  # the file does know
    assert trouble == []


def test_the_command_can_be_blind(page: Page, store: RunStore, tmp_path: Path) -> None:
    with running(store, tmp_path / "cache", "--blind", "--reviewer", "ann") as server:
        page.goto(server.url)  # who is named is not asked
        expect(page.get_by_role("heading", level=1)).to_have_text("Tiny Switch, trial 1")


def test_the_film_is_stepped_sought_and_played(page: Page, server: Server) -> None:
    begin(page, server.url, "ann")
    where = page.locator(".demo:visible .where")
    press(page, "ArrowRight")
    expect(where).to_have_text("1.0 s, frame 30")
    expect(page.locator(".keys kbd")).to_have_text(["RIGHT"])  # held from frame 20 to 50
    press(page, ".", ".")
    expect(where).to_have_text("1.2 s, frame 36")
    press(page, ",")
    expect(where).to_have_text("1.1 s, frame 33")
    press(page, "ArrowRight", "ArrowRight")
    expect(where).to_have_text("3.1 s, frame 93")
    expect(page.locator(".keys kbd")).to_have_count(0)
    expect(page.locator(".pointer")).to_be_visible()
    screen, pointer = page.locator("video").bounding_box(), page.locator(".pointer").bounding_box()
    assert screen is not None
    assert pointer is not None
    assert pointer["x"] + pointer["width"] / 2 == pytest.approx(screen["x"] + screen["width"] / 2, abs=2)
    assert pointer["y"] + pointer["height"] / 2 == pytest.approx(screen["y"] + screen["height"] / 2, abs=2)
    press(page, "Home")
    expect(where).to_have_text("0.0 s, frame 0")
    press(page, " ")
    expect(where).to_have_text(re.compile(r"^[1-9]\.\d s|^0\.[2-9] s"))
    press(page, " ")
    expect(page.locator("video")).to_have_js_property("paused", True)
    expect(page.locator("#M1 .chip")).to_have_text("–")  # none of these keys is a score


def test_without_a_film_the_stills_play(page: Page, server: Server, store: RunStore) -> None:
    for film in store.folder.glob("trials/*/evidence/*/video.mp4"):
        film.unlink()
    page.clock.install(time=0)  # the test's own clock: a slow machine misses no still
    begin(page, server.url, "ann")
    page.clock.pause_at(3_600_000)
    picture = page.locator(".demo:visible .picture")
    press(page, "Home", ".")
    expect(picture).to_have_attribute("src", re.compile(r"frames/00015\.jpg$"))
    press(page, " ")
    page.clock.run_for(1000)
    expect(picture).to_have_attribute("src", re.compile(r"frames/00045\.jpg$"))
    press(page, " ")
    page.clock.run_for(5000)
    expect(picture).to_have_attribute("src", re.compile(r"frames/00045\.jpg$"))


def test_a_page_that_was_closed_goes_on_where_it_stopped(page: Page, server: Server, store: RunStore) -> None:
    begin(page, server.url, "ann")
    press(page, "1", "j", "5")
    saved(page)
    server.kill()
    server.start()
    browser = page.context.browser
    assert browser is not None
    page.close()
    again = browser.new_context().new_page()
    again.goto(server.url)
    expect(again.get_by_text("ann: 0 of 2 trials finished")).to_be_visible()
    again.keyboard.type("ann")
    press(again, "Enter")
    expect(again.locator("#D1")).to_be_focused()
    expect(again.locator("#items-done")).to_have_text("2 of 6")
    again.context.close()


def test_unsent_changes_survive_a_closed_tab(page: Page, server: Server, store: RunStore) -> None:
    begin(page, server.url, "ann")
    first = agent_here(page)
    server.kill()
    press(page, "1")
    expect(page.get_by_text("The server does not answer")).to_be_visible()
    context = page.context
    page.close()
    server.start()
    again = context.new_page()
    begin(again, server.url, "ann")
    saved(again)
    assert marks(store, "ann", first) == {"M1": 1.0}


@pytest.mark.parametrize("width", [1280, 1024, 600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_overlaps_or_is_cut_off(page: Page, server: Server, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    begin(page, server.url, "ann")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width >= 1000:  # all of the queue is in view at once
        assert page.evaluate("document.documentElement.scrollHeight") <= 800
        for selector in (".desk-foot button", ".desk-head button", ".roll", "video"):
            for one in page.locator(selector).all():
                box = one.bounding_box()
                if box is not None:
                    assert box["y"] + box["height"] <= 800, selector
    expect(page.locator(".item.current .scale")).to_be_in_viewport()
    back = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert back == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 28)"}[scheme]


def test_the_page_can_be_used_without_seeing_it(page: Page, server: Server) -> None:
    begin(page, server.url, "ann")
    levels = page.evaluate("[...document.querySelectorAll('main h1, h1, main h2')].map((h) => Number(h.tagName[1]))")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    unnamed = "[...document.querySelectorAll('input, textarea')].filter((one) => !one.labels.length).length"
    assert page.evaluate(unnamed) == 0
    press(page, "5")
    expect(page.locator("#M1")).to_have_attribute("aria-label", "M1, score 0.50")
    expect(page.get_by_role("status")).to_contain_text("M1: 0.50")
    seen: set[str] = set()
    for _ in range(60):  # every stop of the tabulator shows where it is
        press(page, "Tab")
        shown = page.evaluate(
            """() => {
                const one = document.activeElement, box = one.getBoundingClientRect();
                const style = getComputedStyle(one);
                return one === document.body || (box.width > 0 && style.outlineStyle !== "none");
            }"""
        )
        where = page.evaluate("document.activeElement.outerHTML.slice(0, 80)")
        assert shown, where
        seen.add(where)
    for what in ('data-key="s"', "data-show", "data-step", 'class="roll', 'data-score="0.5"', "<textarea"):
        assert any(what in where for where in seen), what
