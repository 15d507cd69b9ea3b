"""What agents did, in a real Chromium: the session on a trial's page, and the page of all of them."""

import csv
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from benchmark.results.report.build import build_report
from benchmark.results.report.cards import page_id
from benchmark.results.report.trajectory_reader import TRAJECTORY
from benchmark.trials import TrialRecord
from tests.browser.agent_run import LONG, SILENT, UNTIMED, write_agent_run
from tests.browser.conftest import require_no_sideways_scrolling

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("quiet_page")]


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = write_agent_run(tmp_path_factory.mktemp("runs") / "agents")
    return build_report(store, tmp_path_factory.mktemp("out") / "r")


def file_of(report: Path, record: TrialRecord = LONG) -> Path:
    return report.parent / "trials" / f"{page_id(record.id)}.html"


def open_trial(page: Page, report: Path, record: TrialRecord = LONG) -> None:
    page.goto(file_of(report, record).as_uri())


def open_agents(page: Page, report: Path) -> None:
    page.goto((report.parent / "agents.html").as_uri())


def widths_of(drawing: Locator) -> list[float]:
    return [float(str(one.get_attribute("width")).rstrip("%")) for one in drawing.locator("rect").all()]


def pages_of(report: Path) -> list[Path]:
    return [report, report.parent / "agents.html", file_of(report), file_of(report, UNTIMED)]


def test_a_session_says_where_its_time_went(page: Page, report: Path) -> None:
    open_trial(page, report)
    session = page.locator(".session")
    expect(session.locator(".facts").first).to_contain_text("500")
    times = session.locator("ul.kinds").nth(0)
    expect(times).to_contain_text("waiting for the model")
    expect(times).to_contain_text("shell")
    shares = [
        float(str(one.get_attribute("width")).rstrip("%"))
        for one in session.locator(".shares").nth(0).locator("rect").all()
    ]
    assert sum(shares) == pytest.approx(100, abs=0.1)
    calls = session.locator("ul.kinds").nth(1).locator("b").all_inner_texts()
    assert sum(map(int, calls)) == 498
    assert page.locator(".moments g rect").count() == 499 + 498  # each message that was waited for, each call
    ends = "(all) => all.map((r) => [r.x, r.width].map((length) => length.baseVal.valueInSpecifiedUnits))"
    assert all(0 <= x <= x + width <= 100.01 for x, width in page.locator(".moments g rect").evaluate_all(ends))


def test_without_times_the_drawing_goes_by_steps_and_says_so(page: Page, report: Path) -> None:
    open_trial(page, report, UNTIMED)
    expect(page.get_by_text("The trajectory has no times")).to_be_visible()
    expect(page.get_by_role("heading", name="Where the time went")).to_have_count(0)
    assert page.locator(".moments g rect").count() == 19 + 18


def test_an_agent_without_a_trajectory_has_no_session(page: Page, report: Path) -> None:
    open_trial(page, report, SILENT)
    expect(page.locator(".session")).to_have_count(0)
    expect(page.locator("section:has(#agent)")).to_be_visible()


def test_steps_are_folded_filtered_and_reached_by_links(page: Page, report: Path) -> None:
    open_trial(page, report)
    steps = page.locator(".all-steps")
    expect(page.locator("#step-1")).to_be_hidden()
    steps.locator("summary").first.press("Enter")
    expect(page.locator("#step-1")).to_contain_text("Build the game")
    reading = steps.get_by_label("reading")
    reading.press("Space")
    shown = page.locator(".step:visible").count()
    expect(steps.locator("output")).to_have_text(f"{shown} of 500")
    assert shown == page.locator(".step[data-tags~=read]").count()
    assert shown < 500
    steps.get_by_label("with a failed call").check()
    assert (
        page.locator(".step:visible").count()
        == page.locator(".step[data-tags~=read], .step[data-tags~=failed]").count()
    )
    steps.get_by_role("button", name="All", exact=True).click()
    expect(steps.locator("output")).to_have_text("")
    assert page.locator(".step:visible").count() == 500
    steps.get_by_label("planning").check()
    other = str(page.locator(".step[data-tags~=shell]").nth(20).get_attribute("id"))
    page.evaluate("(id) => { location.hash = id; }", other)  # a link leads to what is filtered out
    expect(page.locator(f"#{other}")).to_be_in_viewport()
    open_trial(page, report)
    mark = page.locator(".moments g.k-shell rect").nth(30)
    mark.click(force=True)
    expect(page.locator(f"#step-{mark.get_attribute('data-step')}")).to_be_in_viewport()


def test_long_output_is_cut_and_can_be_shown_whole(page: Page, report: Path) -> None:
    open_trial(page, report)
    page.locator(".all-steps > summary").click()
    output = page.locator(".output:has(.more)").first
    expect(output.locator("pre.brief")).to_contain_text("line 5")
    expect(output.locator("pre.brief")).not_to_contain_text("line 6")
    output.locator("summary").click()
    expect(output.locator(".more pre")).to_contain_text("line 39")
    expect(output.locator("pre.brief")).to_be_hidden()
    thought = page.locator("details.more", has_text="Reasoning").first
    expect(thought.locator("pre")).to_be_hidden()
    page.get_by_role("button", name="Unfold all").click()
    expect(thought.locator("pre")).to_contain_text("Lower the gravity")
    page.get_by_role("button", name="Fold all").click()
    expect(thought.locator("pre")).to_be_hidden()


def test_a_picture_opens_large_and_the_keyboard_goes_on(page: Page, report: Path) -> None:
    open_trial(page, report)
    first = page.locator(".seen .picture-link").first
    first.focus()
    page.keyboard.press("Enter")
    viewer = page.get_by_role("dialog")
    expect(viewer).to_be_visible()
    expect(viewer.locator("p")).to_contain_text("1 of ")
    page.wait_for_function("document.querySelector('.viewer img').naturalWidth === 640")
    before = viewer.locator("img").get_attribute("src")
    page.keyboard.press("ArrowRight")
    expect(viewer.locator("p")).to_contain_text("2 of ")
    assert viewer.locator("img").get_attribute("src") != before
    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()
    expect(first).to_be_focused()


def test_a_page_of_500_steps_opens_within_a_second(page: Page, report: Path) -> None:
    """Of a processor's time: whoever else uses the machine does not count."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    took = []
    for _ in range(3):
        before = spent()
        open_trial(page, report)
        page.locator(".all-steps > summary").click()
        expect(page.locator("#step-2")).to_be_visible()
        took.append(spent() - before)
    assert min(took) < 1, took


def test_the_page_of_agents_holds_numbers_drawings_and_correlations(page: Page, report: Path) -> None:
    page.goto(report.as_uri())
    page.get_by_role("link", name="What agents did").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What agents did")
    games = page.locator("section:has(#did-craft) tbody tr")
    expect(games).to_have_count(3)
    silent = games.filter(has_text="mine")
    expect(silent).to_contain_text("0 of 1 trials tell")
    with (report.parent / "tables/activity.csv").open(encoding="utf-8") as file:
        rows = {(row["track"], row["agent"]): row for row in csv.DictReader(file)}
    codex = rows["craft", "codex"]
    row = games.filter(has_text="codex")
    expect(row.locator(".big")).to_have_text(f"{float(codex['tool_calls']):,.1f}")
    most = max(float(row["tool_calls"]) for row in rows.values() if row["tool_calls"])
    assert sum(widths_of(row.locator(".shares"))) == pytest.approx(100 * float(codex["tool_calls"]) / most, abs=0.1)
    assert page.locator("section:has(#calls-craft) .point").count() == 10
    key = page.locator("section:has(#calls-craft) .key li").filter(has_text="codex")
    expect(key).to_contain_text(f"r = {float(codex['calls_score_correlation']):.2f}, n = 5")
    expect(page.locator("section:has(#costs-craft)")).to_contain_text("they reported no cost: mine.")
    expect(page.locator("#handed-in")).to_be_visible()
    matrix = page.locator("section:has(#together) table").first
    expect(matrix.locator("tbody tr")).to_have_count(4)
    expect(matrix.locator("tbody tr").first.locator("td").first).to_have_text("1.00")
    edits = page.locator("section:has(#did-edit) tbody tr")
    expect(edits).to_have_count(1)
    expect(page.locator("section:has(#calls-edit)")).to_contain_text("too few or too equal")


def test_every_number_of_the_page_is_in_a_file(page: Page, report: Path) -> None:
    open_agents(page, report)
    links = page.locator("section:has(#numbers) a")
    assert links.count() == 8  # two tables, four kinds of files
    for link in links.all():
        assert (report.parent / str(link.get_attribute("href"))).read_text(encoding="utf-8")
    point = page.locator("section:has(#calls-craft) .point a").first
    assert (report.parent / str(point.get_attribute("href"))).is_file()


def test_who_the_agent_was_and_what_it_was_refused(page: Page, report: Path) -> None:
    open_trial(page, report)
    agent = page.locator("section:has(#agent)")
    expect(agent.locator("dl.rows")).to_contain_text("Model asked for")
    expect(agent.get_by_text("not the one asked for")).to_be_visible()
    expect(agent.get_by_text("Refused by the network policy: 1")).to_be_visible()
    agent.locator("summary", has_text="Refused").click()
    expect(agent.locator("tbody tr")).to_contain_text("github.com:443 <b>x</b>")
    open_trial(page, report, UNTIMED)
    expect(page.get_by_text("not the one asked for")).to_have_count(0)


def test_hostile_words_of_agents_are_text(page: Page, report: Path) -> None:
    for file in pages_of(report):
        page.goto(file.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert page.locator("img[src=x], script:not([id])").count() == 1, file  # our own script
        text = str(page.locator("body").inner_text())
        assert "\u202e" not in text
        assert "\x1b" not in text
    open_trial(page, report)
    expect(page.locator("#step-1")).to_contain_text(
        '</script></title><img src=x onerror="window.pwned=1"> [U+202E]gnp.exe'
    )


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_no_page_of_agents_scrolls_sideways(page: Page, report: Path, width: int) -> None:
    require_no_sideways_scrolling(page, pages_of(report), width)


def test_pages_of_agents_are_named_in_order(page: Page, report: Path) -> None:
    for file in pages_of(report):
        page.goto(file.as_uri())
        levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.tagName[1]))")
        assert levels[0] == 1
        assert all(after - before <= 1 for before, after in pairwise(levels)), (file, levels)
        assert page.locator("img:not([alt])").count() == 0
        unnamed = "[...document.querySelectorAll('input, select')].filter((field) => !field.labels.length).length"
        assert page.evaluate(unnamed) == 0


def test_steps_can_be_read_without_scripts(page: Page, report: Path) -> None:
    browser = page.context.browser
    assert browser is not None
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(file_of(report).as_uri())
    expect(plain.locator(".step-filters")).to_be_hidden()
    plain.locator(".all-steps > summary").click()
    expect(plain.locator("#step-2")).to_be_visible()
    assert str(plain.locator(".seen .picture-link").first.get_attribute("href")).endswith(".png")
    context.close()


def test_a_damaged_trajectory_says_so_and_the_page_is_there(page: Page, tmp_path: Path) -> None:
    store = write_agent_run(tmp_path / "run")
    path = store.trial_folder(UNTIMED.id) / TRAJECTORY
    path.write_bytes(path.read_bytes()[:-20])
    for picture in store.trial_folder(LONG.id).glob("trajectory/*.png"):
        picture.unlink()
    report = build_report(store, tmp_path / "out")
    open_trial(page, report, UNTIMED)
    expect(page.get_by_text("trajectory.json is not JSON")).to_be_visible()
    open_trial(page, report)
    expect(page.get_by_text("picture(s) that it names are not there")).to_be_visible()
