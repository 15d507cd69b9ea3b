"""Published results on the front page: below our own, told apart, never ranked among them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from benchmark.results.references import Reference, choose_references
from benchmark.results.report.build import build_report
from benchmark.results.store import RunStore
from tests.unit.test_references import RECORD, write_run

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("quiet_page")]
HOSTILE = '<img src=x onerror="window.pwned=1">'


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    """Two agents, both far below the published ones."""
    return RunStore(write_run(tmp_path / "nightly", RECORD, replace(RECORD, agent="second", score=0.05)))


def test_they_stand_below_ours_however_good_they_are(page: Page, store: RunStore, tmp_path: Path) -> None:
    rows = choose_references(["fable", "v4-pro"])
    page.goto(build_report(store, tmp_path / "out", references=rows).as_uri())
    names = page.locator("section:has(#leaderboard) tbody th").all_inner_texts()
    assert [name.split("\n")[0] for name in names] == [
        "codex", "second", "Published elsewhere", "Fable 5 high", "DeepSeek-V4-Pro",
    ]  # fmt: skip
    table = page.locator("section:has(#leaderboard) .reference")
    expect(table).to_contain_text("By another harness and another judge")
    best = table.locator("tr").nth(1)
    assert best.locator("td").all_inner_texts()[:6] == ["65.72", "–", "76.52", "58.61", "66.93", "67.68"]
    expect(best).to_contain_text("2026-07-20 · public GameCraft-Bench board")
    expect(best).to_contain_text("judge not known")
    expect(table.locator("tr").nth(2)).to_contain_text("judged by GPT-5.5")
    assert table.locator(".bar").count() == 0
    columns = "(row) => [...row.cells].reduce((sum, cell) => sum + cell.colSpan, 0)"
    widths = [row.evaluate(columns) for row in page.locator("section:has(#leaderboard) tr").all()]
    assert len(set(widths)) == 1
    ours, theirs = page.locator("tbody th").first, best.locator("th")
    colour = "(element) => getComputedStyle(element).color"
    assert ours.evaluate(colour) != theirs.evaluate(colour)


def test_they_are_in_no_average_filter_or_heat_map(page: Page, store: RunStore, tmp_path: Path) -> None:
    alone = build_report(store, tmp_path / "alone")
    beside = build_report(store, tmp_path / "beside", references=choose_references(["all"]))
    page.goto(beside.as_uri())
    assert page.get_by_label("Agent", exact=True).locator("option").all_inner_texts() == ["all", "codex", "second"]
    assert "Fable" not in page.locator("section:has(#families)").inner_text()
    one, other = (json.loads((index.parent / "summary.json").read_text()) for index in (alone, beside))
    assert len(other.pop("reference")) == 10
    assert one == other
    assert (beside.parent / "tables/reference.csv").read_text().count("\n") == 11
    assert not (alone.parent / "tables/reference.csv").exists()
    assert "Published elsewhere" not in alone.read_text(encoding="utf-8")


def test_a_hostile_row_is_only_text(page: Page, store: RunStore, tmp_path: Path) -> None:
    row = Reference(harness=HOSTILE, model=HOSTILE + "\u202e", date=HOSTILE, judge=HOSTILE, source=HOSTILE, overall=1.0)
    page.goto(build_report(store, tmp_path / "out", references=(row,)).as_uri())
    expect(page.locator(".reference th").nth(1)).to_contain_text(HOSTILE + "[U+202E]")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_does_not_grow_wider_than_the_window(page: Page, store: RunStore, tmp_path: Path, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(build_report(store, tmp_path / "out", references=choose_references(["all"])).as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
