"""The report of runs with edit trials in a real Chromium: alone, and beside built games."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from benchmark.craft.record import GameFacts
from benchmark.results.report.build import build_report
from benchmark.results.report.cards import page_id
from benchmark.results.store import RunStore
from benchmark.trials import TrialRecord
from tests.browser.edit_run import FAILED, IMG, RECORDS, SEEN, edit, write_edit_run

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("quiet_page")]

GAME = TrialRecord(
    task="craft/puzzle/ice-post", agent="codex", attempt=1, family="puzzle", difficulty="easy", outcome="scored",
    judge="offline", proxy=True,
    facts=GameFacts(build=1).to_json(),
    score=0.6, categories={"M": 0.25, "D": 0.5, "V": 0.75, "A": 0.9},
    labels={"feedback": "none"}, finished="2025-01-02T03:04:05+00:00",
)  # fmt: skip


@pytest.fixture(scope="session")
def edits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run that has nothing but edit trials."""
    store = write_edit_run(tmp_path_factory.mktemp("runs") / "edits")
    return build_report(store, tmp_path_factory.mktemp("out") / "r")


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run with both."""
    other = replace(GAME, task="craft/puzzle/two", score=0.2)
    store = write_edit_run(tmp_path_factory.mktemp("runs") / "mixed", (GAME, other))
    return build_report(store, tmp_path_factory.mktemp("out") / "r")


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    """A run of its own, to be damaged."""
    return write_edit_run(tmp_path / "edits")


def open_trial(page: Page, report: Path, record: TrialRecord = FAILED) -> None:
    page.goto((report.parent / "trials" / f"{page_id(record.id)}.html").as_uri())


def section(page: Page, name: str) -> Locator:
    return page.locator(f"section:has(#{name})")


def headings(page: Page) -> list[str]:
    return [heading.inner_text() for heading in page.locator("h2").all()]


def pages_of(report: Path) -> list[Path]:
    return [report, *sorted(report.parent.glob("trials/*.html"))]


def test_a_run_of_edits_is_about_passes_only(page: Page, edits: Path) -> None:
    page.goto(edits.as_uri())
    expected = ["Leaderboard", "Skill, editor, difficulty", "Cost against success", "Void trials", "Trials"]
    assert headings(page) == expected
    expect(page.get_by_text("a proxy")).to_have_count(0)
    expect(page.locator(".page-head")).to_contain_text("4 of 7 tested")
    expect(page.locator(".page-head")).not_to_contain_text("Built")
    row = section(page, "pass-rates").locator("tbody tr").first
    expect(row).to_contain_text("codex")
    expect(row).to_contain_text("75.00")  # 1 of 2 and 2 of 2
    expect(row).to_contain_text("100.00")  # pass@2
    expect(row).to_contain_text("k = 2")
    claude = section(page, "pass-rates").locator("tbody tr", has_text="claude")
    expect(claude).to_contain_text("both")
    expect(claude).to_contain_text("1 of 3")


def test_groups_have_a_cell_for_each_agent(page: Page, edits: Path) -> None:
    page.goto(edits.as_uri())
    skills = section(page, "groups").locator("table.heat").first
    expect(skills.locator("thead th")).to_have_text(
        ["Agent", "2d-graphics1 task", "gameplay1 task", "user-interface1 task"]
    )
    expect(skills.locator("tbody tr").first.locator("td")).to_have_text(["100.00", "50.00", "–"])
    expect(section(page, "groups").locator("caption")).to_have_text(["By skill", "By editor", "By difficulty"])


def test_cost_is_drawn_against_success(page: Page, edits: Path) -> None:
    page.goto(edits.as_uri())
    cost = section(page, "cost")
    expect(cost.locator("circle")).to_have_count(2)
    expect(cost.locator(".key li")).to_have_text(
        ["1 codex, none: 75.00 % at $0.100", "2 claude, both: 50.00 % at $0.267"]
    )
    expect(cost.get_by_text("Not drawn")).to_contain_text("<img src=x")
    first, second = (cost.locator("circle").nth(place).bounding_box() for place in (1, 0))  # the best lies on top
    assert first is not None
    assert second is not None
    assert first["x"] < second["x"]
    assert first["y"] < second["y"]


def test_the_drawing_can_be_read_in_the_dark_on_paper_and_on_a_phone(page: Page, edits: Path) -> None:
    colour = "getComputedStyle(document.querySelector('.point circle')).fill"
    colours = []
    for scheme, media in (("light", "screen"), ("dark", "screen"), ("dark", "print")):
        page.emulate_media(color_scheme=scheme, media=media)  # type: ignore[arg-type]
        page.goto(edits.as_uri())
        colours.append(page.evaluate(colour))
    assert colours == ["rgb(11, 92, 138)", "rgb(124, 192, 234)", "rgb(11, 92, 138)"]
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator(".point .name").first).to_be_hidden()
    expect(page.locator(".key li").first).to_be_visible()
    box = page.locator(".point .place").first.bounding_box()
    assert box is not None
    assert box["height"] >= 11  # letters do not shrink with the drawing


def test_free_agents_are_not_drawn_at_zero(page: Page, tmp_path: Path) -> None:
    store = RunStore(tmp_path / "free")
    store.writing()
    store.append(edit("gameplay/a", "oracle", True, cost_usd=0.0))
    store.close()
    page.goto(build_report(store, tmp_path / "out").as_uri())
    expect(page.get_by_text("No agent of this run reported what it cost")).to_be_visible()
    expect(page.locator("svg.points")).to_have_count(0)
    expect(section(page, "pass-rates").locator("thead")).not_to_contain_text("pass^")  # one attempt each


def test_games_and_edits_stay_apart(page: Page, mixed: Path) -> None:
    page.goto(mixed.as_uri())
    assert headings(page)[:4] == [
        "Leaderboard: games built", "Families", "Leaderboard: changes made", "Skill, editor, difficulty",
    ]  # fmt: skip
    expect(page.get_by_text("The scores of built games are a proxy.")).to_be_visible()
    expect(page.get_by_text("different judges")).to_have_count(0)
    games = section(page, "leaderboard").locator("tbody tr")
    expect(games).to_have_count(1)
    expect(games).to_contain_text("40.00")
    expect(games).to_contain_text("20.00 to 60.00")  # not widened by passes
    expect(section(page, "families")).not_to_contain_text("gameplay")
    expect(section(page, "groups")).not_to_contain_text("puzzle")
    summary = json.loads((mixed.parent / "summary.json").read_text(encoding="utf-8"))
    assert list(summary["agents"][0]["tasks"]) == ["craft/puzzle/ice-post", "craft/puzzle/two"]
    assert [one["agent"] for one in summary["passes"]][:2] == ["codex", "claude"]
    assert all(task.startswith("edit/") for one in summary["passes"] for task in one["tasks"])


def test_only_versions_that_differ_are_pointed_out(page: Page, tmp_path: Path) -> None:
    kits = [edit(f"gameplay/t{kit}", "codex", True, versions={"judge": kit}) for kit in ("old", "new")]
    store = write_edit_run(tmp_path / "runs", (*kits, replace(GAME, versions={"judge": "offline7"})))
    page.goto(build_report(store, tmp_path / "out").as_uri())
    remark = page.get_by_text("different versions of a judge")
    expect(remark).to_contain_text("kit123, new, old.")
    expect(remark).not_to_contain_text("offline7")


def test_every_table_of_a_run_has_its_files(page: Page, mixed: Path, edits: Path) -> None:
    for report in (mixed, edits):
        page.goto(report.as_uri())
        for link in page.locator(".page-foot a").all():
            assert (report.parent / str(link.get_attribute("href"))).is_file()
    assert not (edits.parent / "tables/leaderboard.csv").exists()
    assert (edits.parent / "tables/pass-groups.tex").exists()


def test_trials_are_filtered_by_track_and_feedback(page: Page, mixed: Path) -> None:
    page.goto(mixed.as_uri())
    count = page.locator("output[name=count]")
    expect(count).to_have_text("10 of 10")
    page.get_by_label("Track").select_option("craft")
    expect(count).to_have_text("2 of 10")
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Feedback").select_option("both")
    expect(count).to_have_text("3 of 10")
    page.reload()  # the address remembers
    expect(count).to_have_text("3 of 10")
    page.get_by_label("Feedback").select_option("all")
    page.get_by_label("Outcome").select_option("passed")
    expect(count).to_have_text("4 of 10")
    section(page, "pass-rates").get_by_role("link", name="codex").click()
    expect(count).to_have_text("4 of 10")  # its edits, not its games
    expect(page.get_by_label("Track")).to_have_value("edit")


def test_the_page_of_an_edit_says_what_was_found_and_changed(page: Page, edits: Path) -> None:
    open_trial(page, edits)
    expect(page.locator(".overall-number")).to_have_text("Failed")
    expect(page.get_by_label("Verdict")).to_contain_text("1 of 3")
    rows = section(page, "checks").locator("tbody tr:not(.group)")
    expect(rows.locator(".tag")).to_have_text(["Passed", "Failed", "Failed"])
    expect(rows.nth(1)).to_contain_text("is 1, expected 2")
    changes = section(page, "changes")
    expect(changes.locator("h3 code")).to_have_text(["scripts/alien.gd", f"notes {IMG}.txt"])
    expect(changes.locator("ins")).to_have_count(4)
    expect(changes.locator("del")).to_have_text([f"--- {IMG}"])  # a line of a hunk, not the head of a file
    expect(changes).to_contain_text("art/alien.png")
    expect(section(page, "log").locator("pre")).to_contain_text("Godot Engine")
    expect(section(page, "versions")).to_contain_text("test456")
    assert [dt.inner_text() for dt in section(page, "versions").locator("dl >> nth=1").locator("dt").all()] == [
        "Produce", "Verify", "Together",
    ]  # fmt: skip
    size = page.locator("img.shot").evaluate("(img) => img.decode().then(() => img.naturalWidth)")
    assert size == 1280
    changes.locator("summary").first.click()
    expect(changes.locator("pre").first).to_be_hidden()
    open_trial(page, edits, SEEN)
    expect(page.locator(".page-head")).to_contain_text("both")
    expect(page.get_by_text("the project is as it was given")).to_be_visible()


def test_a_picture_for_people_is_not_taken_for_the_tests(page: Page, tmp_path: Path) -> None:
    store = write_edit_run(tmp_path / "run")
    folder = store.trial_folder(FAILED.id)
    (folder / "picture.png").rename(folder / "scene.png")
    index = build_report(store, tmp_path / "report")
    open_trial(page, index)
    expect(section(page, "picture")).to_contain_text("drawn for this report")
    assert page.locator("img.shot").evaluate("(img) => img.decode().then(() => img.naturalWidth)") == 1280


def test_what_was_asked_is_a_click_away(page: Page, edits: Path) -> None:
    open_trial(page, edits)
    page.get_by_role("link", name="What was asked").click()
    asked = section(page, "asked").locator("pre")
    expect(asked).to_be_hidden()
    section(page, "asked").locator("summary").click()
    expect(asked).to_contain_text("# Light the lamp")


def test_a_void_edit_says_why(page: Page, edits: Path) -> None:
    open_trial(page, edits, RECORDS[6])
    expect(page.get_by_text("This trial is void.")).to_be_visible()
    expect(page.locator(".overall-number")).to_have_count(0)


def test_hostile_strings_of_edits_are_text(page: Page, mixed: Path) -> None:
    for file in pages_of(mixed):
        page.goto(file.as_uri())
        assert page.locator("img[src=x], script:not([id])").count() == 1, file  # our own script
        text = str(page.locator("body").inner_text())
        assert "\u202e" not in text
        assert "\x1b" not in text
    open_trial(page, mixed)
    expect(section(page, "checks")).to_contain_text(f"{IMG}<script>window.pwned=1</script> [U+202E]gnp.exe")
    expect(section(page, "changes")).to_contain_text(f"+{IMG}<script>window.pwned=1</script> [U+202E]gnp.exe")


@pytest.mark.parametrize("width", [360, 768])
def test_no_page_of_edits_scrolls_sideways(page: Page, mixed: Path, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    for file in pages_of(mixed):
        page.goto(file.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, file


def test_headings_of_edit_pages_are_in_order(page: Page, mixed: Path) -> None:
    for file in pages_of(mixed):
        page.goto(file.as_uri())
        levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.tagName[1]))")
        assert levels[0] == 1
        assert all(after - before <= 1 for before, after in pairwise(levels)), (file, levels)
        assert page.locator("img:not([alt])").count() == 0


def cut_short(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:-20])


def other_types(folder: Path) -> None:
    verdict = {"how": 7, "checks": [3, {"name": 1, "ok": "yes"}], "seconds": [1], "reason": None}
    (folder / "verdict.json").write_text(json.dumps(verdict), encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (cut_short("verdict.json"), "verdict.json is damaged."),
        (cut_short("picture.png"), "picture.png is damaged."),
        (cut_short("changes.diff"), ""),
        (lambda folder: (folder / "changes.diff").write_text("+x\n" * 200_000), "changes.diff is long"),
        (other_types, ""),
        (lambda folder: (folder / "verdict.json").unlink(), "The messages of the checks are not known."),
        (lambda folder: (folder / "changes.diff").unlink(), "changes.diff is missing."),
        (lambda folder: (folder / "verdict.json").write_text('{"how": "passed"}'), "is of another try"),
        (shutil.rmtree, "The trial's folder is not there"),
    ],
)  # fmt: skip
def test_what_is_missing_of_an_edit_is_said(
    page: Page, store: RunStore, tmp_path: Path, damage: Callable[[Path], object], said: str
) -> None:
    damage(store.trial_folder(FAILED.id))
    open_trial(page, build_report(store, tmp_path / "out"))
    if said:
        expect(page.get_by_text(said).first).to_be_visible()
    expect(page.locator(".overall-number")).to_have_text("Failed")
