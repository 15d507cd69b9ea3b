"""The report of a run with play trials in a real Chromium."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from benchmark.results.report.build import build_report
from benchmark.results.report.cards import page_id
from benchmark.results.store import RunStore
from benchmark.trials import TrialRecord
from tests.browser.conftest import require_no_sideways_scrolling
from tests.browser.play_run import SOLVED, TRIALS, VOID, write_play_run

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("quiet_page")]


@pytest.fixture(scope="session")
def plays(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = write_play_run(tmp_path_factory.mktemp("runs") / "plays")
    return build_report(store, tmp_path_factory.mktemp("out") / "r")


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    """A run of its own, to be damaged."""
    return write_play_run(tmp_path / "plays")


def file_of(report: Path, record: TrialRecord) -> Path:
    return report.parent / "trials" / f"{page_id(record.id)}.html"


def steps_shown(page: Page) -> Locator:
    return page.locator(".played-steps > li:visible")


def test_the_board_ranks_by_progress_within_each_interface(page: Page, plays: Path) -> None:
    page.goto(plays.as_uri())
    board = page.locator("section:has(#play-board)")
    expect(board.locator("tr.group")).to_contain_text(
        ["Interface: computer", "Interface: semantic", "Nothing but void trials"]
    )
    ranked = [" ".join(text.split()) for text in board.locator("tbody tr:not(.group) th").all_inner_texts()]
    assert ranked[:4] == ["1 gpt-x-computer", "1 gpt-x-semantic", "2 random", "gone"]
    semantic = board.locator("tr", has_text="gpt-x-semantic")
    expect(semantic).to_contain_text("70.00")  # PG: (1 + 0.4) / 2
    expect(semantic).to_contain_text("50.00")  # SR
    elsewhere = board.locator("tbody.reference")
    expect(elsewhere).to_contain_text("Published elsewhere")
    for who, success, progress in (
        ("Novice human", 55.3, 64.1),
        ("Expert human", 77.1, 82.6),
        ("Best agent", 21.2, 41.9),
    ):
        row = elsewhere.locator("tr", has_text=who)
        expect(row).to_contain_text(f"{success:.2f}")
        expect(row).to_contain_text(f"{progress:.2f}")
    assert elsewhere.locator(".rank").count() == 0


def test_groups_invalid_actions_and_cost_have_their_tables(page: Page, plays: Path) -> None:
    page.goto(plays.as_uri())
    groups = page.locator("section:has(#play-groups)")
    expect(groups.locator("caption")).to_have_text(["By genre", "By level", "By game"])
    expect(groups.locator("table").nth(1).locator("thead th")).to_contain_text(["Agent", "L1", "L4"])
    invalid = page.locator("section:has(#table-play-invalid)").locator("tr", has_text="gpt-x-computer")
    expect(invalid.locator("td")).to_have_text(["computer", "paused", "12", "0", "1", "8.33"])
    spending = page.locator("section:has(#table-play-spending)").locator("tr", has_text="gpt-x-computer")
    cells = ["computer", "paused", "2", "12", "1000.00", "25.00", "1.25", "0.02", "0.17"]
    assert spending.locator("td").all_inner_texts()[:9] == cells
    expect(spending).to_contain_text("2026-11-01")


def test_a_trial_is_a_strip_of_steps_with_a_slider(page: Page, plays: Path) -> None:
    page.goto(file_of(plays, SOLVED).as_uri())
    expect(page.locator(".overall")).to_contain_text("100.00PG; the target was reached at action 6")
    slider = page.get_by_role("slider", name="Step")
    expect(slider).to_have_attribute("max", "6")
    expect(steps_shown(page)).to_have_count(1)
    expect(steps_shown(page)).to_contain_text("At the start")
    page.get_by_role("button", name="Next step").click()
    expect(steps_shown(page)).to_contain_text("Step 1")
    expect(steps_shown(page)).to_contain_text("I go on. </script><img src=x")
    expect(steps_shown(page)).to_contain_text("press key ArrowRight for 20 frames")
    expect(steps_shown(page)).to_contain_text("PG 20.00")
    slider.fill("2")
    expect(steps_shown(page)).to_contain_text("out of space")
    page.locator(".played-strip a").nth(5).click()
    expect(slider).to_have_value("5")
    shown = steps_shown(page).locator("img")
    expect(shown).to_have_js_property("naturalWidth", 1280)
    slider.press("End")
    expect(steps_shown(page)).to_contain_text("target reached")
    page.get_by_label("all at once").check()
    expect(steps_shown(page)).to_have_count(7)


def test_a_link_to_a_step_opens_it(page: Page, plays: Path) -> None:
    page.goto(f"{file_of(plays, SOLVED).as_uri()}#step-4")
    expect(steps_shown(page)).to_contain_text("Step 4")


def test_pages_fit_narrow_windows_and_a_void_trial_says_why(page: Page, plays: Path) -> None:
    files = [plays, *(file_of(plays, record) for record, _ in TRIALS[:3])]
    require_no_sideways_scrolling(page, files, 360)
    page.goto(file_of(plays, VOID).as_uri())
    expect(page.locator(".banner-bad")).to_contain_text("the model could not be asked </script><img")


def test_damaged_logs_and_pictures_are_said_and_not_followed(page: Page, store: RunStore, tmp_path: Path) -> None:
    folders = [store.trial_folder(record.id) for record, _ in TRIALS]
    (folders[0] / "steps.jsonl").write_text("{]\n")
    (folders[1] / "pictures/0003.jpg").write_bytes(b"<svg onload=window.pwned=1>")
    lines = (folders[2] / "steps.jsonl").read_text()
    (folders[2] / "steps.jsonl").write_text(lines.replace("pictures/0001.jpg", "../../../secret.jpg"))
    shutil.rmtree(folders[3])
    report = build_report(store, tmp_path / "out")
    said = ["steps is missing or damaged", "1 of its pictures cannot be shown", None, "folder is not there"]
    for (record, _), text in zip(TRIALS, said, strict=False):
        page.goto(file_of(report, record).as_uri())
        if text:
            expect(page.locator(".banner-warn")).to_contain_text(text)
    page.goto(file_of(report, TRIALS[2][0]).as_uri())
    assert "secret" not in page.content()
