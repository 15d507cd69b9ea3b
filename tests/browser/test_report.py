"""The report of a run, opened from the disk in a real Chromium: what it shows, and what it never does."""

import json
import shutil
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from benchmark.cli import main
from benchmark.craft.judging.protocol import DemoJudgement, ItemScore
from benchmark.craft.record import DemoRecord, GameFacts
from benchmark.errors import UsageError
from benchmark.files import write_json
from benchmark.projects.runlog import EngineMessage
from benchmark.replay.counterfactual import (
    VARIED_PICTURE,
    ChangedInput,
    Counterfactual,
    Effect,
    VariedRun,
    write_counterfactual,
)
from benchmark.replay.evidence import Evidence, FrameStatistics, Outcome, RecorderSettings, Still
from benchmark.replay.evidence_files import finish_evidence, input_log
from benchmark.replay.inputs import expand
from benchmark.replay.pictures import VideoWriter
from benchmark.replay.traces import Event, make_trace
from benchmark.results.report.build import build_report
from benchmark.results.report.cards import page_id
from benchmark.results.store import RunStore
from benchmark.runtime.browser import Browser
from benchmark.runtime.machine import find_ffmpeg
from benchmark.trials import TrialRecord
from tests.browser.conftest import require_no_sideways_scrolling

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("quiet_page")]

FRAMES = 90
IMG = '<img src=x onerror="window.pwned=1">'
SCRIPT = "</script><script>window.pwned=1</script><!--"
LONG = "W" * 10_000
BACKWARDS = "safe\u202egnp.exe\x1b[2J\x00"
HOSTILE = f"{IMG} {SCRIPT} {BACKWARDS} \u2028 {LONG}"

RECORD = TrialRecord(
    task="craft/puzzle/ice-post", agent="codex", attempt=1, family="puzzle", difficulty="easy", outcome="scored",
    judge="offline", proxy=True,
    facts=GameFacts(build=1, demos=(DemoRecord("01_first", 3.0, "complete", inputs=4),)).to_json(),
    score=0.6, categories={"M": 0.25, "D": 0.5, "V": 0.75, "A": 0.9},
    items={"M1": 0.25, "D1": 0.5, "V1": 0.75, "A1": 0.9},
    agent_ended="finished", seconds={"produce": 60.0, "gate": 1.0, "replay": 2.0, "judge": 3.0},
    versions={"harness": "0.1.0", "engine": "4.6", "rubric": "abc"}, finished="2025-01-02T03:04:05+00:00",
)  # fmt: skip
NIGHT = replace(RECORD, task="craft/horror/night", family="horror")
EVIL = replace(NIGHT, agent="<img src=x onerror=window.pwned=1>", score=0.3)
AWAY = replace(NIGHT, agent="away", score=0.2)  # its folder is a link
BUILD0 = replace(
    RECORD,
    agent="nop",
    facts=GameFacts(build=0, demos=()).to_json(),
    score=0.0,
    categories=dict.fromkeys("MDVA", 0.0),
    items={},
    reason="no project.godot",
)
VOID = replace(
    RECORD, task="craft/idle/clock", family="idle", outcome="void",
    facts=GameFacts(build=None, demos=()).to_json(),
    score=None, categories={}, items={}, reason=f"judge unreachable {IMG}",
)  # fmt: skip
BEST = replace(RECORD, task="craft/platformer/moss", family="platformer", score=0.9)
RECORDS = (RECORD, EVIL, AWAY, BUILD0, VOID, BEST)

TRACE = make_trace(
    "demo_outputs/01_first.json",
    None,
    FRAMES,
    (
        Event("key_down", 10, keycode="RIGHT"),
        Event("key_up", 30, keycode="RIGHT"),
        Event(type="mouse_click", frame=45, x=100, y=200, button="left"),
        Event("mouse_move", 60, 300, 300),
    ),
)


def write_demo(folder: Path, video: bool = True) -> None:
    """Three seconds of a square that wanders, with everything that a recorder leaves."""
    (folder / "frames").mkdir(parents=True)
    writer = VideoWriter(find_ffmpeg(), folder / "video.mp4", 10) if video else None
    stills = []
    for frame in range(0, FRAMES, 3):
        picture = np.full((480, 854, 3), 60, np.uint8)
        picture[200:280, 50 + frame * 6 : 130 + frame * 6] = (40, 160, 240)
        if writer:
            writer.add(picture)
        if frame % 15 == 0:
            name = f"frames/{frame:05d}.jpg"
            cv2.imwrite(str(folder / name), picture)
            stills.append(Still(frame, frame / 30, name, "p"))
    evidence = Evidence(
        demo=TRACE.name,
        scenario=HOSTILE,
        project_digest="p",
        trace_digest=TRACE.digest,
        engine_version="4.6",
        settings=RecorderSettings(),
        outcome=Outcome("complete", FRAMES),
        window=(0, FRAMES - 1),
        frames=FrameStatistics(FRAMES, FRAMES),
        stills=tuple(stills),
        video=writer.close() if writer else None,
        pixels=(),
        inputs_sent=6,
        inputs_delivered=6,
        messages=(
            EngineMessage(
                severity="error", text=f"Invalid call {HOSTILE}", file=f"res://{IMG}.gd", line=7, frame=42, count=3
            ),
        ),
    )
    inputs = input_log(TRACE, expand(TRACE), dict.fromkeys(range(20), 1))
    finish_evidence(evidence, folder, inputs, [{"frame": 0, "texts": ["Start", HOSTILE]}], "log", {})
    effects = (
        Effect(event=0, type="key_down", frame=10, departed=True, after_frames=2, seen_in="state", already_apart=False),
        Effect(event=1, type="key_up", frame=30, departed=True, after_frames=0, seen_in="state", already_apart=True),
        Effect(
            event=2, type="mouse_click", frame=45, departed=False, after_frames=None, seen_in=None, already_apart=False
        ),
        Effect(
            event=3, type="mouse_move", frame=60, departed=False, after_frames=None, seen_in=None, already_apart=False
        ),
    )
    changed = (
        ChangedInput(event=0, type="key_down", frame=10, change="left out", made_difference=False),
        ChangedInput(event=2, type="mouse_click", frame=45, change="late", made_difference=True),
        ChangedInput(event=3, type="mouse_move", frame=60, change=HOSTILE, made_difference=None),
    )
    varied = VariedRun(inputs=changed, first_departure=47, pictures=3, share=0.25, seen_at=60)
    write_counterfactual(
        folder,
        Counterfactual(
            effects=effects, first_departure=12, apart_share=0.8, mean_distance=0.1, varied=varied, format=2
        ),
    )
    shutil.copyfile(folder / "frames/00000.jpg", folder / VARIED_PICTURE)


def write_trial(folder: Path, demo: Path) -> None:
    shutil.copytree(demo, folder / "evidence/01_first")
    write_json(folder / "evidence/demos.json", [{"name": "01_first", "untouched": "0"}])
    items = {name: ItemScore(score, f"seen {HOSTILE}") for name, score in RECORD.items.items()}
    judgement = DemoJudgement("01_first", items, {"M.response": 0.25, IMG: 1.0})
    write_json(folder / "judgement/01_first.json", asdict(judgement))
    finding = {"reason": "warning", "message": HOSTILE, "where": f"res://{IMG}", "blocks": False}
    write_json(folder / "gate.json", {"build": 1, "findings": [finding], "traces": []})
    write_json(folder / "agent.json", {"ended": "finished", "detail": HOSTILE, "cost_usd": 0.0})
    (folder / "agent.log").write_text("\n".join([*map(str, range(500)), HOSTILE]), encoding="utf-8")
    (folder / "instruction.md").write_text(f"# The ice post\n\n{HOSTILE}\n", encoding="utf-8")


def write_run(folder: Path, demo: Path) -> RunStore:
    store = RunStore(folder)
    store.writing()
    store.describe({"judge": "offline", "harness": "0.1.0"})
    for record in RECORDS:
        store.append(record)
        if record is AWAY:
            store.trial_folder(record.id).symlink_to(demo.parent)
        elif record.facts["demos"]:
            write_trial(store.trial_folder(record.id), demo)
    store.close()
    return store


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "01_first"
    write_demo(folder)
    return folder


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory, demo: Path) -> Path:
    """The report of a run in which every string is hostile."""
    return build_report(
        write_run(tmp_path_factory.mktemp("runs") / "nightly", demo), tmp_path_factory.mktemp("out") / "r"
    )


@pytest.fixture
def store(tmp_path: Path, demo: Path) -> RunStore:
    """A run of its own, to be damaged."""
    return write_run(tmp_path / "nightly", demo)


def trial_file(report: Path, record: TrialRecord) -> Path:
    return report.parent / "trials" / f"{page_id(record.id)}.html"


def open_trial(page: Page, report: Path, record: TrialRecord = RECORD) -> None:
    page.goto(trial_file(report, record).as_uri())


def pages_of(report: Path) -> list[Path]:
    return [report, *sorted(report.parent.glob("trials/*.html"))]


def shown_tasks(page: Page) -> list[str]:
    return [str(card.get_attribute("data-agent")) for card in page.locator(".card:visible").all()]


def test_the_front_page_says_what_the_numbers_are(page: Page, report: Path) -> None:
    page.goto(report.as_uri())
    expect(page.get_by_role("heading", level=1)).to_have_text("nightly")
    expect(page.get_by_text("These scores are a proxy.")).to_be_visible()
    expect(page.get_by_text("1 of 6 trials are void.")).to_be_visible()
    row = page.locator("table.numbers tbody tr").first
    expect(row).to_contain_text("codex")
    expect(row).to_contain_text("75.00")  # (0.6 + 0.9) / 2; the void counts nowhere
    expect(row).to_contain_text("2 of 3")
    expect(page.locator("section:has(#void) tbody tr")).to_contain_text("judge unreachable")


def test_trials_can_be_searched_and_filtered(page: Page, report: Path) -> None:
    page.goto(report.as_uri())
    expect(page.locator("output[name=count]")).to_have_text("6 of 6")
    page.get_by_label("Search").fill("ICE codex")
    assert shown_tasks(page) == ["codex"]
    page.get_by_label("Search").fill("nothing like this")
    expect(page.get_by_text("No trial matches.")).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("output[name=count]")).to_have_text("6 of 6")
    page.get_by_label("Outcome").select_option("build 0")
    assert shown_tasks(page) == ["nop"]
    page.get_by_label("Outcome").select_option("all")
    page.get_by_label("Family", exact=True).select_option("horror")
    page.get_by_label("Agent", exact=True).select_option(EVIL.agent)
    assert shown_tasks(page) == [EVIL.agent]


def test_trials_can_be_sorted_and_a_void_is_never_the_worst(page: Page, report: Path) -> None:
    page.goto(report.as_uri())
    scores = "[...document.querySelectorAll('.card')].map((card) => Number(card.dataset.score))"
    page.get_by_label("Sort by").select_option("best score")
    assert page.evaluate(scores) == [0.9, 0.6, 0.3, 0.2, 0.0, -1]
    page.get_by_label("Sort by").select_option("lowest score")
    assert page.evaluate(scores) == [0.0, 0.2, 0.3, 0.6, 0.9, -1]
    before = [page.locator(".card").first.get_attribute("data-agent")]
    page.reload()  # the address remembers
    assert [page.locator(".card").first.get_attribute("data-agent")] == before == ["nop"]


def test_a_name_in_a_table_leads_to_its_trials(page: Page, report: Path) -> None:
    page.goto(report.as_uri())
    page.locator("table.numbers").get_by_role("link", name="nop").click()
    expect(page.locator("output[name=count]")).to_have_text("1 of 6")
    page.locator(".card:visible a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ice Post")
    expect(page.get_by_text("BUILD is 0, so the score is 0.")).to_be_visible()
    page.go_back()
    expect(page.locator("output[name=count]")).to_have_text("1 of 6")


def can_play(page: Page) -> bool:
    return bool(page.evaluate("document.createElement('video').canPlayType('video/mp4; codecs=\"avc1.64001f\"')"))


def at_time(page: Page, seconds: float) -> None:
    """Seeking takes a moment."""
    page.locator("video").evaluate(
        """(video, wanted) => new Promise((done, fail) => {
            const there = () => Math.abs(video.currentTime - wanted) < 0.01 && !video.seeking;
            const look = () => (there() ? done() : setTimeout(look, 20));
            setTimeout(() => fail(new Error(`at ${video.currentTime}, not ${wanted}`)), 5000);
            look();
        })""",
        seconds,
    )


def test_a_still_seeks_the_film_and_keys_step_it(page: Page, report: Path, browser_program: Browser) -> None:
    open_trial(page, report)
    if not can_play(page):  # a Chromium of the machine's own may lack H.264; the one we fetch has it
        assert not browser_program.source.startswith("archive")
        expect(page.get_by_text("The film cannot be played here")).to_be_visible()
        return
    page.locator(".strip a").nth(3).click()  # frame 45 of 30 a second, in a film of 10 a second
    at_time(page, 1.55)
    expect(page.locator(".where")).to_have_text("1.5 s, frame 45")
    expect(page.locator(".strip a[aria-current]")).to_have_attribute("data-frame", "45")
    page.keyboard.press(".")
    at_time(page, 1.65)
    expect(page.locator(".where")).to_have_text("1.6 s, frame 48")
    page.keyboard.press(",")
    page.keyboard.press(",")
    at_time(page, 1.45)
    expect(page.locator(".strip a[aria-current]")).to_have_attribute("data-frame", "30")
    page.get_by_role("button", name="Frame on").click()
    at_time(page, 1.55)
    for _ in range(40):
        page.keyboard.press(",")
    at_time(page, 0.05)


def test_inputs_are_marked_on_their_time(page: Page, report: Path) -> None:
    open_trial(page, report)
    expect(page.locator(".lane-names li")).to_have_text(["RIGHT", "left click", "pointer"])
    held = page.locator("rect.mark.caused").first
    assert held.get_attribute("x") == "11.11%"  # frame 10 of 90
    assert float(str(held.get_attribute("width")).rstrip("%")) == pytest.approx(20 / 90 * 100, abs=0.1)
    expect(held.locator("title")).to_contain_text("departs from the untouched run 2 frame(s) later")
    expect(page.locator("circle.mark.none").first.locator("title")).to_contain_text("left click at 100, 200")
    departure = page.locator("line.departure").first.get_attribute("x1")
    assert float(str(departure).rstrip("%")) == pytest.approx(13.333, abs=0.01)
    expect(page.locator(".strip li.departs a")).to_have_attribute("data-frame", "0")
    box = page.locator(".track").bounding_box()
    assert box is not None
    for link in page.locator(".strip a").all():  # a still stands where its time is
        place = link.bounding_box()
        assert place is not None
        expected = box["x"] + box["width"] * int(str(link.get_attribute("data-frame"))) / FRAMES
        assert place["x"] == pytest.approx(expected, abs=2)


def test_what_changed_inputs_made_is_said_and_shown(page: Page, report: Path) -> None:
    open_trial(page, report)
    demo = page.locator("section.demo").first
    expect(demo.locator(".about")).to_contain_text("1 of 2 changed inputs made a difference; 25% of what")
    part = demo.locator("details", has_text="Played a little differently")
    part.locator("summary").click()
    expect(part.locator("tbody tr").nth(0)).to_contain_text("key down left out")
    expect(part.locator("tbody tr").nth(1)).to_contain_text("made a difference")
    expect(part.locator("tbody tr").nth(2)).to_contain_text("the runs had parted before")
    for picture in part.locator("img").all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_be_visible()
        page.wait_for_function("(one) => one.complete && one.naturalWidth === 854", arg=picture.element_handle())
    expect(part.locator("figcaption").first).to_have_text("As it was played, at 2.0 s")


def test_scores_reasons_findings_and_versions_are_there(page: Page, report: Path) -> None:
    open_trial(page, report)
    items = page.locator("table.items")
    expect(items.locator("tr", has_text="M1").locator(".chip")).to_have_text(["0.25", "0.25"])
    expect(items).to_contain_text("seen <img")
    expect(page.get_by_text("res://<img").first).to_be_attached()
    expect(page.locator("section:has(#versions)")).to_contain_text("4.6")
    log = page.locator("section:has(#agent) pre")
    assert "\n499\n" in str(log.text_content())
    assert "\n300\n" not in str(log.text_content())  # the last 200 lines only
    expect(page.locator("nav a[rel=prev], nav a[rel=next]").first).to_be_visible()


def test_hostile_strings_are_shown_as_text(page: Page, report: Path) -> None:
    for file in pages_of(report):
        page.goto(file.as_uri())
        assert page.locator("img[src=x], script:not([id])").count() == 1, file  # our own script
        text = str(page.locator("body").inner_text())
        assert "\u202e" not in text
        assert "\x1b" not in text
    open_trial(page, report)
    expect(page.locator("section:has(#gate) td.text").first).to_contain_text(f"{IMG} {SCRIPT} safe[U+202E]gnp.exe")
    assert page.evaluate("document.querySelectorAll('.demo').length") == 1


def test_no_page_may_reach_the_network(page: Page, report: Path) -> None:
    page.goto(report.as_uri())
    policy = str(page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content"))
    assert policy.startswith("default-src 'none'")
    for word in ("http", "*", "unsafe", "connect-src"):
        assert word not in policy


@pytest.mark.parametrize("width", [360, 768])
def test_no_page_scrolls_sideways(page: Page, report: Path, width: int) -> None:
    require_no_sideways_scrolling(page, pages_of(report), width)


def test_print_has_no_controls_and_a_white_page(page: Page, report: Path) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(report.as_uri())
    expect(page.locator(".filters")).to_be_hidden()
    open_trial(page, report)
    for selector in (".controls", "nav >> nth=0", "video"):
        expect(page.locator(selector)).to_be_hidden()
    expect(page.locator(".strip img").first).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('.demo')).breakBefore") == "page"


def test_dark_and_light_follow_the_reader(page: Page, report: Path) -> None:
    colours = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(report.as_uri())
        colours.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert colours == ["rgb(255, 255, 255)", "rgb(20, 24, 28)"]


def test_pages_can_be_read_without_scripts(page: Page, report: Path) -> None:
    browser = page.context.browser
    assert browser is not None
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(report.as_uri())
    expect(plain.locator(".filters")).to_be_hidden()
    expect(plain.locator(".card")).to_have_count(6)
    open_trial(plain, report)
    expect(plain.locator("video")).to_be_visible()
    expect(plain.locator(".strip img").first).to_be_visible()
    expect(plain.locator(".controls")).to_be_hidden()
    context.close()


def test_headings_pictures_and_fields_are_named_in_order(page: Page, report: Path) -> None:
    for file in pages_of(report):
        page.goto(file.as_uri())
        levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.tagName[1]))")
        assert levels[0] == 1
        assert all(after - before <= 1 for before, after in pairwise(levels)), (file, levels)
        assert page.locator("img:not([alt])").count() == 0
        unnamed = "[...document.querySelectorAll('input, select')].filter((field) => !field.labels.length).length"
        assert page.evaluate(unnamed) == 0


def test_a_film_that_does_not_play_gives_way_to_stills(page: Page, store: RunStore, tmp_path: Path) -> None:
    boxes = [(b"ftyp", b"isom" * 4), (b"moov", b"\0" * 40), (b"mdat", b"\7" * 400)]
    film = b"".join((len(body) + 8).to_bytes(4, "big") + name + body for name, body in boxes)
    (store.trial_folder(RECORD.id) / "evidence/01_first/video.mp4").write_bytes(film)
    open_trial(page, build_report(store, tmp_path / "out"))
    expect(page.get_by_text("The film cannot be played here")).to_be_visible()
    page.locator(".strip a").nth(2).click()
    assert str(page.locator(".picture").get_attribute("src")).endswith("frames/00030.jpg")
    page.keyboard.press(".")
    assert str(page.locator(".picture").get_attribute("src")).endswith("frames/00045.jpg")


def damage_evidence_json(demo: Path) -> None:
    text = (demo / "evidence.json").read_text(encoding="utf-8")
    (demo / "evidence.json").write_text(text[: len(text) // 2], encoding="utf-8")


def damage_types(demo: Path) -> None:
    data = json.loads((demo / "evidence.json").read_text(encoding="utf-8"))
    changed = dict.fromkeys(data, 7) | {"stills": [{"file": "../../../gate.json"}, 3], "window": ["a", None]}
    (demo / "evidence.json").write_text(json.dumps(changed), encoding="utf-8")


def cut_pictures(demo: Path) -> None:
    for name in ("frames/00030.jpg", "video.mp4"):
        (demo / name).write_bytes((demo / name).read_bytes()[:-50])
    (demo / "frames/00045.jpg").unlink()


def cut_logs(demo: Path) -> None:
    (demo / "inputs.jsonl").write_text('{"frame": "x"}\n[1]\n{"fra', encoding="utf-8")
    (demo / "counterfactual.json").write_text("[]", encoding="utf-8")
    (demo / "state.jsonl").write_bytes(b"\xff\xfe\x00\n{}\n")
    (demo.parents[1] / "judgement/01_first.json").write_text('{"items": {"M1": {"score": NaN}}}', encoding="utf-8")
    (demo.parents[1] / "gate.json").write_text('{"findings": [1, {}]}', encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (damage_evidence_json, "evidence.json is damaged."),
        (damage_types, "2 of 2 stills are missing or damaged."),
        (cut_pictures, "2 of 6 stills are missing or damaged."),
        (cut_pictures, "video.mp4 is missing or cut short"),
        (cut_logs, "3 line(s) of inputs.jsonl cannot be read."),
        (cut_logs, "counterfactual.json is damaged."),
        (lambda demo: (demo / "inputs.jsonl").unlink(), "inputs.jsonl is missing"),
        (lambda demo: (demo.parent / "demos.json").unlink(), "demos.json is missing or damaged"),
        (shutil.rmtree, "The evidence folder of 01_first is not there."),
        (lambda demo: shutil.rmtree(demo.parents[1]), "The trial's folder is not there"),
        (lambda demo: shutil.rmtree(demo.parents[1] / "judgement"), "judgement/01_first.json is missing."),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_and_the_rest_is_shown(
    page: Page, store: RunStore, tmp_path: Path, damage: object, said: str
) -> None:
    assert callable(damage)
    damage(store.trial_folder(RECORD.id) / "evidence/01_first")
    out = build_report(store, tmp_path / "out")
    open_trial(page, out)
    expect(page.get_by_text(said, exact=False).first).to_be_visible()
    expect(page.locator(".overall-number")).to_have_text("60.00")
    open_trial(page, out, BEST)
    expect(page.locator(".strip a")).to_have_count(6)


def test_a_trial_that_points_out_of_its_run_is_not_followed(page: Page, report: Path) -> None:
    open_trial(page, report, AWAY)
    expect(page.get_by_text("The trial's folder is not there")).to_be_visible()


def test_pictures_are_linked_not_copied_and_the_report_can_move(page: Page, store: RunStore, tmp_path: Path) -> None:
    out = build_report(store, tmp_path / "out")
    media = out.parent / "media" / page_id(RECORD.id) / "01_first/video.mp4"
    assert media.stat().st_nlink == 2
    moved = shutil.copytree(out.parent, tmp_path / "elsewhere with ü")
    shutil.rmtree(store.folder)
    open_trial(page, moved / "index.html")
    page.locator(".strip img").first.scroll_into_view_if_needed()
    page.wait_for_load_state()
    assert page.locator(".strip img").first.evaluate("(img) => img.decode().then(() => img.naturalWidth)") == 854


def test_a_report_replaces_a_report_and_nothing_else(store: RunStore, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build_report(store, out)
    (out / "old").touch()
    build_report(store, out)
    assert not (out / "old").exists()
    assert [path.name for path in tmp_path.glob("out*")] == ["out"]
    foreign = tmp_path / "mine"
    foreign.mkdir()
    (foreign / "thesis.txt").touch()
    with pytest.raises(UsageError, match="is not a report"):
        build_report(store, foreign)
    assert [path.name for path in foreign.iterdir()] == ["thesis.txt"]


def test_the_command_writes_beside_the_trials_and_names_the_page(
    page: Page, store: RunStore, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(store.folder), "-q"]) == 0
    index = Path(capsys.readouterr().out.strip())
    assert index == store.folder / "report/index.html"
    page.goto(index.as_uri())
    expect(page.locator(".card")).to_have_count(6)
    for link in page.locator(".page-foot a").all():
        assert (index.parent / str(link.get_attribute("href"))).is_file()


def test_an_empty_run_has_a_page(page: Page, tmp_path: Path) -> None:
    page.goto(build_report(RunStore(tmp_path / "empty"), tmp_path / "out").as_uri())
    expect(page.get_by_text("No trial of this run has finished yet.")).to_be_visible()
