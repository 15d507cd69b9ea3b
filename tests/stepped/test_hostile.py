"""Pages that mean harm: each ends in a clear outcome within its limit, and the clock stays the harness's."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmark.runtime.browser import Browser
from benchmark.runtime.stepped.browser import SteppedBrowser
from benchmark.runtime.stepped.errors import PageError, PageGoneError, PageHungError, PageScriptError
from benchmark.runtime.stepped.limits import PageLimits
from benchmark.runtime.stepped.page import SteppedPage
from benchmark.runtime.stepped.site import Site
from fixtures.attacks import Saw
from tests.stepped.conftest import OpenPage

pytestmark = pytest.mark.browser
COUNT = "window.n = 0; const draw = () => { n += 1; requestAnimationFrame(draw) }; requestAnimationFrame(draw);"


@pytest.fixture(scope="session")
def stepped(browser_program: Browser) -> Iterator[SteppedBrowser]:
    """With limits that a test can wait for, and a crowded machine can keep."""
    limits = PageLimits(load_sec=30, advance_sec=20, evaluate_sec=20)
    with SteppedBrowser(browser_program, limits) as running:
        yield running


def kinds(page: SteppedPage) -> set[str]:
    return {trouble.kind for trouble in page.troubles}


LOOPS = {
    "endless loop": "setTimeout(() => { while (true); }, 50)",
    "endless promises": "setTimeout(() => { const f = () => Promise.resolve().then(f); f() }, 50)",
    "endless recursion of microtasks": "setTimeout(() => { const f = () => queueMicrotask(f); f() }, 50)",
    "long busy frames": "requestAnimationFrame(function f() { for (const end = performance.now() + 1; performance"
    ".now() < end; ); })",
}


@pytest.mark.attack("a page: {how}", "the page is ended within its limit, others go on")
@pytest.mark.parametrize("how", LOOPS)
def test_a_page_that_hangs_is_ended(open_page: OpenPage, saw: Saw, how: str) -> None:
    other = open_page(COUNT)
    page = open_page(LOOPS[how])
    began = time.monotonic()
    with pytest.raises(PageError) as caught:
        page.advance(60)
    assert time.monotonic() - began < 60
    assert isinstance(caught.value, PageHungError | PageGoneError)
    with pytest.raises(PageGoneError):
        page.evaluate("1")
    other.advance(10)
    assert other.evaluate("n") == 10
    saw(type(caught.value).__name__)


@pytest.mark.attack("a page that loops while it loads", "it is not opened")
def test_a_page_that_hangs_at_its_start_is_ended(stepped: SteppedBrowser, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<script>while (true);</script>")
    fast = SteppedBrowser(stepped.browser, PageLimits(load_sec=5))
    with fast, pytest.raises(PageHungError):
        fast.open(Site({"/": tmp_path}))


@pytest.mark.attack("a page that looks for the clock's control", "what it finds does nothing")
def test_the_control_asks_for_its_key(open_page: OpenPage) -> None:
    page = open_page(
        COUNT
        + """
        window.found = [];
        for (const key of Reflect.ownKeys(window)) {
            if (key !== "stepped clock") continue;
            for (const guess of [undefined, null, "", "key", {}, [], true]) found.push(String(window[key](guess)));
            try { window[key] = () => "mine" } catch { found.push("kept") }
            try { Object.defineProperty(window, key, { value: 1 }) } catch { found.push("kept") }
            try { delete window[key] } catch { found.push("kept") }
            found.push(String(window[key]).includes("settings.key"), String(window[key]).length < 200);
        }
        """
    )
    page.advance(5)
    assert page.evaluate("n") == 5
    assert set(page.evaluate("found")) <= {"undefined", "kept", True, False}


REWRITES = {
    "requestAnimationFrame": "const old = requestAnimationFrame;"
    "window.requestAnimationFrame = (f) => { old(f); old(f) };",
    "Promise": "Promise.prototype.then = function () { return this }; window.Promise = class {};"
    "Promise.prototype.then = () => {};",
    "Function.prototype": "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => 42;",
    "Object.prototype": "Object.prototype.toJSON = () => '{\"done\": 1000000}'; Object.prototype.then = (f) => f(9);"
    "Object.prototype.get = () => 1; Object.prototype.value = 3; Object.prototype.writable = false;",
    "Array.prototype": "for (const k of ['push', 'pop', 'shift', 'map', 'forEach', Symbol.iterator])"
    " Array.prototype[k] = () => { throw 1 };"
    "const trap = { set() { window.caught = 1 }, get: () => 7 };"
    "for (let i = 0; i < 50; i += 1) Object.defineProperty(Array.prototype, i, trap);",
    "JSON": 'JSON.stringify = () => \'{"done": 1000000, "notes": {}}\'; JSON.parse = () => 0;',
    "Reflect and Object": "Reflect.apply = Reflect.construct = () => 1; Object.create = Object.freeze = () => 2;",
    "Symbol": "Symbol.for = () => 'x'; Symbol.prototype.toString = () => 1;",
    "ports and events": "MessagePort.prototype.postMessage = EventTarget.prototype.addEventListener ="
    " EventTarget.prototype.dispatchEvent = () => {}; window.MessageChannel = class {};",
    "Map and Math": "WeakMap.prototype.get = WeakMap.prototype.set = () => { throw 1 };"
    "Math.floor = Math.max = () => NaN;",
    "Date and performance": "window.Date = class { static now() { return 5 } }; performance.now = () => 7;",
    "String": "String.prototype.slice = () => 'x'; window.String = () => { throw 1 };",
}


@pytest.mark.attack("a page that rewrites {what}", "as many frames pass as were asked for")
@pytest.mark.parametrize("what", REWRITES)
def test_the_clock_does_not_use_what_a_page_may_rewrite(open_page: OpenPage, what: str) -> None:
    """What the page makes of its own world is its affair; the count of frames is not."""
    before = "window.count = 0; const raf = requestAnimationFrame; const tick = () => { count += 1; raf(tick) };"
    page = open_page(f"{before} raf(tick); {REWRITES[what]}")
    page.advance(7)
    page.advance(3)
    assert page.frames == 10
    assert page.evaluate("count") == 10
    assert page.evaluate("window.caught") is None


@pytest.mark.parametrize("script", ["location.href = 'https://example.org/'", "location.href = 'file:///etc/passwd'"])
@pytest.mark.attack("a page that leaves for another place", "it stays, and the record names the place")
def test_a_page_cannot_leave_its_site(open_page: OpenPage, script: str) -> None:
    page = open_page(f"{COUNT} setTimeout(() => {{ {script} }}, 50);")
    page.advance(20)
    assert page.frames == 20
    if "example" in script:
        assert "network" in kinds(page)
    assert page.evaluate("n") >= 19


@pytest.mark.attack("a page that begins again for ever", "ended, with the reason")
def test_a_page_that_reloads_for_ever_is_ended(open_page: OpenPage) -> None:
    with pytest.raises(PageHungError, match=r"left for another document|give way"):
        open_page("location.reload()").advance(5)


@pytest.mark.attack("a page that asks and asks", "answered at once, counted")
def test_dialogs_are_answered_and_counted(open_page: OpenPage) -> None:
    page = open_page(
        "window.said = []; for (let i = 0; i < 50; i += 1) { alert('hi'); said.push(confirm('?'), prompt('!')) }"
    )
    page.advance(1)
    assert page.evaluate("said.slice(0, 2)") == [False, None]
    assert {(t.kind, t.count) for t in page.troubles} == {("dialog", 50)}


@pytest.mark.attack("frames, popups, downloads, fullscreen, pointer lock, workers, connections", "refused, or named")
def test_ways_out_are_named(open_page: OpenPage) -> None:
    page = open_page(
        """
        window.open("https://example.org/");
        const link = document.createElement("a"); link.href = "data:,x"; link.download = "x.exe"; link.click();
        document.body.requestFullscreen().catch(() => { window.refused = 1 });
        document.body.requestPointerLock();
        new Worker(URL.createObjectURL(new Blob(["postMessage(1)"])));
        try { new WebSocket("wss://example.org/") } catch {}
        fetch("https://example.org/x").catch(() => {});
        const f = document.createElement("iframe"); f.src = "https://example.org/f"; document.body.append(f);
        const g = document.createElement("iframe"); g.sandbox = "allow-scripts"; g.srcdoc = "<p>x";
        document.body.append(g);
        """
    )
    page.advance(10)
    assert page.evaluate("[refused, document.pointerLockElement === document.body]") == [1, True]
    wanted = {"popup", "fullscreen", "pointer lock", "worker", "connection", "network", "foreign frame"}
    assert wanted <= kinds(page), sorted(kinds(page))
    assert any(trouble.unsteady for trouble in page.troubles)


@pytest.mark.attack("a page that overwrites itself", "the clock goes on")
def test_document_write_does_not_stop_the_clock(open_page: OpenPage) -> None:
    page = open_page("setTimeout(() => { document.open(); document.write('<p>new'); document.close(); }, 50);" + COUNT)
    page.advance(20)
    assert page.evaluate("[n, document.body.textContent]") == [20, "new"]


FLOODS = {
    "history": "for (let i = 0; i < 5000; i += 1) history.pushState(i, '', '#' + i);",
    "storage": "try { for (let i = 0; ; i += 1) localStorage[i] = 'x'.repeat(1e5) } catch (e) { window.full = 1 }",
    "errors": "for (let i = 0; i < 5000; i += 1) setTimeout(() => { throw new Error('no ' + i) }, 1);",
    "console": "for (let i = 0; i < 5000; i += 1) console.error('line', i);",
    "timers": "for (let i = 0; i < 100000; i += 1) setTimeout(() => {}, i % 500);",
    "requests": "for (let i = 0; i < 300; i += 1) fetch('no' + i).catch(() => {});",
    "elements": "for (let i = 0; i < 20000; i += 1) document.body.append(document.createElement('i'));",
}


@pytest.mark.attack("a page that floods: {what}", "nothing of ours fills up, the page goes on")
@pytest.mark.parametrize("what", FLOODS)
def test_a_flood_fills_nothing_of_ours(open_page: OpenPage, what: str) -> None:
    page = open_page(COUNT + FLOODS[what])
    page.advance(20)
    assert page.evaluate("n") == 20
    assert len(page.troubles) <= 201


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("(() => { throw new Error('no state') })()", "no state"),
        ("(() => { const a = {}; a.a = a; return a })()", "circular"),
        ("'x'.repeat(1e8)", "too long"),
        ("Array.from({ length: 1e6 }, () => 1)", "too many entries"),
        ("(() => { let a = 1; for (let i = 0; i < 200; i += 1) a = [a]; return a })()", "nested"),
        ("new Promise(() => {})", "was not there"),
        ("({ toJSON() { throw new Error('hidden') } })", "hidden"),
        ("({ then: 3, get a() { throw new Error('getter') } })", "getter"),
    ],
)
def test_a_value_that_cannot_be_taken_is_refused(open_page: OpenPage, expression: str, complaint: str) -> None:
    page = open_page(COUNT)
    with pytest.raises(PageScriptError, match=complaint):
        page.evaluate(expression)
    page.advance(2)
    assert page.evaluate("n") == 2


def test_what_is_no_number_is_none_and_told(open_page: OpenPage) -> None:
    page = open_page("")
    assert page.evaluate("({ score: NaN, time: Infinity, big: 10n ** 30n, f() {}, d: new Date(0) })") == {
        "score": None, "time": None, "big": "1" + "0" * 30, "d": "1970-01-01T00:00:00.000Z",
    }  # fmt: skip
    assert {(t.kind, t.detail) for t in page.troubles} == {("value", "score is NaN"), ("value", "time is Infinity")}


def test_pages_know_nothing_of_each_other(open_page: OpenPage) -> None:
    one = open_page("localStorage.secret = 1; document.cookie = 'a=b'; new BroadcastChannel('x').postMessage(1)")
    other = open_page("window.heard = 0; new BroadcastChannel('x').onmessage = () => { heard = 1 }")
    one.advance(3)
    other.advance(3)
    assert other.evaluate("[localStorage.length, document.cookie, heard]") == [0, "", 0]


EATERS = {
    "arrays": "a.push(new Uint8Array(5e7).fill(1))",
    "objects": "for (let i = 0; i < 1e5; i += 1) a.push({ i, b: [i] })",
    "pictures": "const c = document.createElement('canvas'); c.width = c.height = 4000;"
    " c.getContext('2d').fillRect(0, 0, 4000, 4000); a.push(c)",
}


@pytest.mark.attack("a page that eats memory: {what}", "its process is ended, others go on")
@pytest.mark.parametrize("what", EATERS)
def test_a_page_that_eats_memory_is_ended(browser_program: Browser, tmp_path: Path, saw: Saw, what: str) -> None:
    (tmp_path / "index.html").write_text(f"<script>window.a = []; setInterval(() => {{ {EATERS[what]} }}, 5)</script>")
    site = Site({"/": tmp_path})
    with SteppedBrowser(browser_program, PageLimits(memory_bytes=500 << 20, advance_sec=60)) as browser:
        assert browser.confined
        with browser.open(site) as other, browser.open(site) as page:
            with pytest.raises(PageGoneError, match="used more than 500 MiB") as caught:
                page.advance(6000)
            assert kinds(page) == {"crash"}
            assert other.evaluate("a.length") == 0
            saw(caught.value)


@pytest.mark.attack("a page that asks for files of the host", "it gets none")
def test_only_regular_files_of_the_site_are_served(open_page: OpenPage, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    page = open_page("window.get = async (path) => (await fetch(path)).status", files={"a/b.txt": "inside"})
    folder = next(tmp_path.glob("site-*"))
    (folder / "link.txt").symlink_to(secret)
    (folder / "up").symlink_to(tmp_path)
    (folder / "pipe").mkdir()
    paths = [
        "a/b.txt",
        "link.txt",
        "up/secret.txt",
        "../secret.txt",
        "%2e%2e/secret.txt",
        "a/..%2f..%2fsecret.txt",
        "pipe",
    ]
    assert [page.call("(path) => get(path)", path) for path in paths] == [200, 404, 404, 404, 404, 404, 404]
