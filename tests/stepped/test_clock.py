"""Each source of time and chance that a page has: it moves with the frames, and only with them."""

import struct
import time

import pytest

from tests.stepped.conftest import OpenPage

pytestmark = pytest.mark.browser
START_MS = 1_767_225_600_000
TWO_FRAMES = bytes.fromhex(  # a GIF: red, then blue, 100 ms each, for ever
    "474946383961010001008000 00ff00000000ff 21ff0b4e45545343415045322e30 0301000000"
    "21f904000a000000 2c00000000010001000002024401 00 21f904000a000000 2c00000000010001000002024c01 00 3b"
)
NOW = "[Date.now(), +new Date(), performance.now(), document.timeline.currentTime, new Event('x').timeStamp]"


def test_time_stands_still_between_frames(open_page: OpenPage) -> None:
    page = open_page("")
    before = page.evaluate(NOW)
    time.sleep(0.2)
    assert page.evaluate(NOW) == before == [START_MS, START_MS, 0, 0, 0]


def test_a_frame_is_a_sixtieth_of_a_second(open_page: OpenPage) -> None:
    page = open_page("")
    page.advance(90)
    assert page.frames == 90
    assert page.evaluate(NOW) == [START_MS + 1500, START_MS + 1500, 1500, 1500, 1500]
    assert page.evaluate("[Date(), performance.timeOrigin]") == [
        "Thu Jan 01 2026 00:00:01 GMT+0000 (Coordinated Universal Time)",
        START_MS,
    ]


def test_all_that_knows_the_date_says_the_same(open_page: OpenPage) -> None:
    page = open_page("")
    page.advance(60)
    said = page.evaluate(
        """[
            new Intl.DateTimeFormat("en", { second: "numeric", year: "numeric" }).format(),
            new Intl.DateTimeFormat("en", { year: "numeric" }).formatToParts().map((part) => part.value).join(""),
            typeof Temporal === "undefined" ? 0 : Temporal.Now.instant().epochMilliseconds,
            new File([], "x").lastModified,
            new (class extends Date {})().getTime(),
            new Date.prototype.constructor().getTime(),
            Object.getPrototypeOf(new Date()) === Date.prototype && new Date() instanceof Date,
        ]"""
    )
    now = START_MS + 1000
    assert "2026" in said[0]
    assert said[1] == "2026"
    assert said[2] in (0, now)
    assert said[3:] == [now, now, now, True]


def test_timers_fire_when_they_are_due_and_in_order(open_page: OpenPage) -> None:
    page = open_page(
        """
        window.log = [];
        const note = (name) => () => log.push([name, performance.now()]);
        setTimeout(note("b"), 20); setTimeout(note("a"), 5); setTimeout(note("c"), 20, 1);
        setTimeout("log.push(['text', performance.now()])", 7);
        const id = setInterval(() => { note("i")(); if (performance.now() > 25) clearInterval(id); }, 10);
        clearTimeout(setTimeout(note("never"), 1));
        """
    )
    page.advance(3)
    assert page.evaluate("log") == [
        ["a", 5], ["text", 7], ["i", 10], ["b", 20], ["c", 20], ["i", 20], ["i", 30],
    ]  # fmt: skip


def test_timers_that_start_timers_are_slowed_as_in_any_browser(open_page: OpenPage) -> None:
    page = open_page(
        "window.log = []; const again = () => { log.push(performance.now()); setTimeout(again, 0) }; again();"
    )
    page.advance(1)
    assert page.evaluate("log") == [0, 0, 0, 0, 0, 0, 4, 8, 12, 16]


def test_an_animation_frame_comes_once_a_frame(open_page: OpenPage) -> None:
    page = open_page(
        "window.log = []; const draw = (now) => { log.push([now, performance.now()]); requestAnimationFrame(draw) };"
        "requestAnimationFrame(draw); cancelAnimationFrame(requestAnimationFrame(() => log.push('never')));"
    )
    page.advance(3)
    assert page.evaluate("log") == [[16.667, 16.667], [33.333, 33.333], [50, 50]]


def test_idle_callbacks_come_after_drawing(open_page: OpenPage) -> None:
    page = open_page(
        "window.log = []; requestIdleCallback((d) => log.push('idle', d.timeRemaining() > 0));"
        "requestAnimationFrame(() => log.push('draw'));"
    )
    page.advance(1)
    assert page.evaluate("log") == ["draw", "idle", True]


def test_promises_settle_between_two_callbacks(open_page: OpenPage) -> None:
    page = open_page(
        """
        window.log = [];
        const chain = async (name) => { for (let i = 0; i < 5; i += 1) { await null; log.push(name + i) } };
        setTimeout(() => { log.push("first"); chain("p") }, 1);
        setTimeout(() => log.push("second"), 1);
        """
    )
    page.advance(1)
    assert page.evaluate("log") == ["first", "p0", "p1", "p2", "p3", "p4", "second"]


@pytest.mark.parametrize(
    "again",
    [
        "const c = new MessageChannel(); c.port1.onmessage = turn; const again = () => c.port2.postMessage(0);",
        "const c = new MessageChannel(); c.port1.addEventListener('message', turn); c.port1.start();"
        "const again = () => c.port2.postMessage(0);",
        "addEventListener('message', turn); const again = () => postMessage(0, '*');",
        "const again = () => scheduler.postTask(turn);",
        "const again = async () => { await scheduler.yield(); turn() };",
    ],
    ids=["onmessage", "port listener", "window", "postTask", "yield"],
)
def test_a_loop_of_messages_goes_by_frames(open_page: OpenPage, again: str) -> None:
    """However fast the machine is, as many turns fit into a frame."""
    page = open_page(f"window.turns = 0; function turn() {{ turns += 1; again() }} {again} again();")
    time.sleep(0.1)
    assert page.evaluate("turns") == 0
    page.advance(1)
    first = page.evaluate("turns")
    page.advance(2)
    assert page.evaluate("turns") == 3 * first > 0


def test_messages_carry_what_was_posted(open_page: OpenPage) -> None:
    page = open_page(
        """
        window.log = [];
        const c = new MessageChannel();
        c.port2.postMessage({ early: [1, 2] });
        c.port1.onmessage = (e) => { log.push(e.data); c.port1.postMessage("back") };
        c.port2.onmessage = (e) => log.push(e.data);
        addEventListener("message", (e) => log.push([e.data, e.source === window, e.origin === location.origin]));
        postMessage("self", "*");
        """
    )
    page.advance(2)
    assert page.evaluate("log") == [["self", True, True], {"early": [1, 2]}, "back"] or page.evaluate("log") == [
        {"early": [1, 2]},
        ["self", True, True],
        "back",
    ]


def test_a_transferred_port_still_works(open_page: OpenPage) -> None:
    page = open_page(
        """
        window.log = [];
        const outer = new MessageChannel(), inner = new MessageChannel();
        outer.port1.onmessage = (e) => { e.ports[0].onmessage = (m) => log.push(m.data) };
        outer.port2.postMessage(0, [inner.port1]);
        inner.port2.postMessage("through");
        """
    )
    page.advance(5)
    assert page.evaluate("log") == ["through"]


def test_chance_comes_from_the_seed(open_page: OpenPage) -> None:
    """Even for a page that brings its own, in strict mode, as a script or as a class."""
    script = """
        "use strict";
        Math.random = () => 0.5;
        crypto.getRandomValues = () => { throw 1 };
        crypto.randomUUID = () => "mine";
        window.drawn = [Math.random(), Math.random(), crypto.randomUUID(),
                        ...crypto.getRandomValues(new Uint8Array(4)), ...crypto.getRandomValues(new Uint32Array(2))];
    """
    one, same, other = (open_page(script, seed=seed).evaluate("drawn") for seed in (5, 5, 6))
    assert one == same
    assert one[0] != one[1]
    assert one[0] != 0.5
    assert len(one[2]) == 36
    assert all(a != b for a, b in zip(one[:3], other[:3], strict=True))


def test_css_animations_move_with_the_frames(open_page: OpenPage) -> None:
    page = open_page(
        "window.log = []; for (const kind of ['animationstart', 'animationiteration', 'animationend'])"
        " box.addEventListener(kind, (e) => log.push([kind, performance.now()]));",
        """<style>@keyframes go { to { left: 600px } }
           #box { position: absolute; left: 0; width: 9px; height: 9px; animation: go 1s linear 2 }</style>
           <div id=box></div>""",
    )
    where = "parseFloat(getComputedStyle(box).left)"
    page.advance(31)
    first = page.evaluate(where)
    time.sleep(0.3)
    assert page.evaluate(where) == first == pytest.approx(300, abs=11)
    page.advance(30)
    assert page.evaluate(where) == pytest.approx(0, abs=1e-6)
    page.advance(63)
    assert page.evaluate(where) == 0
    kinds = [kind for kind, _ in page.evaluate("log")]
    assert kinds == ["animationstart", "animationiteration", "animationend"]
    assert [when for _, when in page.evaluate("log")] == [pytest.approx(n, abs=40) for n in (17, 1000, 2000)]


def test_transitions_and_web_animations_move_with_the_frames(open_page: OpenPage) -> None:
    page = open_page(
        """
        window.log = [];
        box.addEventListener("transitionend", () => log.push(["transitionend", performance.now()]));
        setTimeout(() => { box.style.left = "600px" }, 100);
        const animation = box.animate([{ top: "0px" }, { top: "600px" }], { duration: 500, fill: "forwards" });
        animation.finished.then(() => log.push(["finished", performance.now()]));
        """,
        "<style>#box { position: absolute; left: 0; transition: left 1s linear }</style><div id=box>x</div>",
    )
    page.advance(15)
    assert page.evaluate("parseFloat(getComputedStyle(box).top)") == pytest.approx(300, abs=25)
    page.advance(22)
    assert page.evaluate("parseFloat(getComputedStyle(box).left)") == pytest.approx(300, abs=25)
    page.advance(40)
    log = page.evaluate("log")
    assert [name for name, _ in log] == ["finished", "transitionend"]
    assert [when for _, when in log] == [pytest.approx(500, abs=40), pytest.approx(1100, abs=60)]


def test_animated_pictures_stay_on_their_first_frame(open_page: OpenPage) -> None:
    page = open_page(
        "",
        '<svg width=700 height=50><rect id=box width=9 height=9><animate attributeName="x" from="0" to="600" dur="1s"/>'
        "</rect></svg><img src=two.gif width=50 height=50>",
        files={"two.gif": TWO_FRAMES},
    )
    page.advance(31)
    assert page.evaluate("document.images[0].naturalWidth") == 1
    first = page.screenshot()
    time.sleep(0.3)
    page.advance(31)
    assert page.screenshot() == first
    assert page.evaluate("box.x.animVal.value") == 0


def test_a_frame_of_its_own_origin_plays_by_the_same_clock(open_page: OpenPage) -> None:
    child = (
        "<script>window.log = []; setInterval(() => log.push(performance.now()), 50); window.born = Date.now()</script>"
    )
    page = open_page(
        "const add = () => document.body.appendChild(document.createElement('iframe'));"
        "setTimeout(() => { add().src = 'child.html' }, 100);"
        "const empty = add();"
        "window.early = empty.contentWindow.Date.now(); window.clock = () => empty.contentWindow.Date.now();",
        files={"child.html": child},
    )
    page.advance(12)
    page.advance(18)
    assert page.evaluate("early") == START_MS
    assert page.evaluate("clock()") == START_MS + 500
    assert page.evaluate("[frames[1].born, frames[1].log.length]") == [START_MS + 200, 6]


def test_time_goes_on_over_a_reload(open_page: OpenPage) -> None:
    page = open_page(
        "sessionStorage.n = 1 + Number(sessionStorage.n ?? 0); window.born = [Date.now(), performance.now()];"
        "window.drawn = Math.random();"
    )
    page.advance(60)
    first = page.evaluate("drawn")
    page.reload()
    assert page.frames == 60
    assert page.evaluate("[born, sessionStorage.n]") == [[START_MS + 1000, 0], "2"]
    assert page.evaluate("drawn") != first


def test_a_page_that_reloads_itself_goes_on_in_the_same_frame(open_page: OpenPage) -> None:
    script = (
        "window.born = Date.now();"
        "if (!sessionStorage.n) setTimeout(() => { sessionStorage.n = 1; location.reload() }, 95)"
    )
    for _ in range(3):
        page = open_page(script)
        page.advance(30)
        assert page.frames == 30
        assert page.evaluate("[Date.now(), born, performance.now() < 500]") == [START_MS + 500, START_MS + 100, True]


def test_a_file_arrives_after_the_frames_in_which_it_was_asked_for(open_page: OpenPage) -> None:
    page = open_page(
        """
        window.log = [];
        setTimeout(async () => {
            const text = await (await fetch("data.json")).json();
            log.push([text.a, performance.now()]);
        }, 20);
        """,
        files={"data.json": '{"a": 1}'},
    )
    page.advance(12)
    assert page.evaluate("log") == [[1, 200]]


def test_an_image_of_its_own_data_is_there_before_the_next_frame(open_page: OpenPage) -> None:
    dot = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    page = open_page(
        f"""
        window.log = [];
        setTimeout(() => {{ const i = new Image(); i.onload = () => log.push(performance.now()); i.src = "{dot}" }}, 5);
        setTimeout(() => document.createElement("canvas").toBlob((b) => log.push(performance.now())), 5);
        const digest = () => crypto.subtle.digest("SHA-256", new Uint8Array(9));
        setTimeout(async () => {{ await digest(); log.push(performance.now()) }}, 5);
        """
    )
    page.advance(3)
    assert page.evaluate("log.length") == 3
    assert all(when <= 17 for when in page.evaluate("log"))


def test_a_call_lets_frames_pass_until_its_value_is_there(open_page: OpenPage) -> None:
    page = open_page("window.wait = (ms) => new Promise((done) => setTimeout(() => done({ after: ms }), ms));")
    assert page.call("(ms) => wait(ms)", 500) == {"after": 500}
    assert 30 <= page.frames <= 36


def test_a_drawing_in_three_dimensions_stays_for_the_picture(open_page: OpenPage) -> None:
    page = open_page(
        "const gl = c.getContext('webgl');requestAnimationFrame(() => { gl.clearColor(1, 0, 0, 1); gl.clear(16384) });",
        "<style>body { margin: 0 }</style><canvas id=c width=100 height=100></canvas>",
    )
    page.advance(3)
    pixel = "() => { const p = new Uint8Array(4); gl.readPixels(5, 5, 1, 1, 6408, 5121, p); return [...p] }"
    assert page.evaluate(pixel) == [255, 0, 0, 255]


def wave(seconds: float) -> bytes:
    """A WAV of silence."""
    data = bytes(int(8000 * seconds))
    return (
        b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
        + b"data" + struct.pack("<I", len(data)) + data
    )  # fmt: skip


def test_sound_ends_when_the_frames_have_passed(open_page: OpenPage) -> None:
    page = open_page(
        """
        window.log = [];
        const sound = new Audio("half.wav");
        for (const kind of ["play", "ended"]) sound.addEventListener(kind, () => log.push([kind, performance.now()]));
        sound.addEventListener("canplaythrough", () => { window.ready = true; sound.play() });
        """,
        files={"half.wav": wave(0.5)},
    )
    assert page.evaluate("ready") is True
    page.advance(12)
    time.sleep(0.3)
    assert page.evaluate("[sound.paused, Math.round(sound.currentTime * 1000)]") == [False, 200]
    page.advance(30)
    assert page.evaluate("log") == [["play", 0], ["ended", 500]]


def test_an_audio_context_goes_by_the_frames(open_page: OpenPage) -> None:
    page = open_page(
        """
        window.log = [];
        window.audio = new AudioContext();
        const source = audio.createBufferSource();
        source.buffer = audio.createBuffer(1, 22050, 44100);
        source.onended = () => log.push(["buffer", Math.round(audio.currentTime * 1000)]);
        source.start();
        const tone = audio.createOscillator();
        tone.onended = () => log.push(["tone", Math.round(audio.currentTime * 1000)]);
        tone.start(); tone.stop(0.2);
        """
    )
    page.advance(12)
    time.sleep(0.2)
    assert page.evaluate("[audio.state, Math.round(audio.currentTime * 1000)]") == ["running", 200]
    page.advance(30)
    assert page.evaluate("log") == [["tone", 200], ["buffer", 500]]
    page.call("audio.suspend()")
    stopped = page.evaluate("audio.currentTime")
    page.advance(10)
    assert page.evaluate("audio.currentTime") == stopped


def test_observers_of_layout_report_in_the_next_frame(open_page: OpenPage) -> None:
    page = open_page(
        """
        window.log = [];
        new ResizeObserver((all) => log.push(["size", all[0].contentRect.width, performance.now()])).observe(box);
        new IntersectionObserver((all) => log.push(["seen", all[0].isIntersecting, performance.now()])).observe(box);
        setTimeout(() => { box.style.width = "50px"; box.style.marginTop = "5000px" }, 30);
        """,
        "<div id=box style='width: 20px; height: 20px'></div>",
    )
    page.advance(6)
    assert sorted(page.evaluate("log")) == [["seen", True, 0], ["size", 20, 0]]
    page.advance(1)
    assert sorted(page.evaluate("log.slice(2)")) == [["seen", False, 100], ["size", 50, 100]]


def test_a_wheel_has_scrolled_before_the_next_frame(open_page: OpenPage) -> None:
    page = open_page(
        "window.log = []; addEventListener('wheel', (e) => log.push(e.deltaY));"
        "addEventListener('scroll', () => log.push('s'))",
        "<div style='height: 5000px'></div>",
    )
    page.mouse_move(100, 100)
    page.wheel(0, 300)
    page.advance(1)
    assert page.evaluate("[scrollY, log]") == [300, [300, "s"]]


@pytest.mark.parametrize(
    "listen",
    [
        "box.addEventListener('transitionend', end)",
        "box.ontransitionend = end",
        "addEventListener('transitionend', end)",
    ],
)
def test_the_end_of_a_transition_comes_in_its_frame(open_page: OpenPage, listen: str) -> None:
    page = open_page(
        f"const end = () => {{ window.at = performance.now() }}; {listen};"
        "setTimeout(() => { box.style.left = '600px' }, 100);",
        "<style>#box { position: absolute; left: 0; transition: left 0.2s linear }</style><div id=box>x</div>",
    )
    page.advance(60)
    assert page.evaluate("at") == pytest.approx(300, abs=40)


def test_what_input_begins_stands_still_until_the_next_frame(open_page: OpenPage) -> None:
    page = open_page(
        "addEventListener('keydown', () => { box.style.left = '600px' });window.at = () => getComputedStyle(box).left;",
        "<style>#box { position: absolute; left: 0; top: 100px; transition: left 1s linear, top 1s linear }"
        "#box:hover { top: 700px }</style><div id=box>some words</div>",
    )
    page.advance(3)
    page.key_down("a")
    first = page.screenshot()
    time.sleep(0.4)
    assert page.screenshot() == first
    assert page.evaluate("at()") == "0px"
    page.advance(31)
    assert page.evaluate("parseFloat(at())") == pytest.approx(300, abs=11)
    page.mouse_move(310, 110)
    first = page.screenshot()
    time.sleep(0.4)
    assert page.screenshot() == first
