"""An endpoint that is out for time, memory, the rubric or the key. It gets none of them, and no score of its own."""

import gzip
import itertools
import json
import socket
import ssl
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from benchmark.craft.judging.model.answers import read_answer
from benchmark.craft.judging.model.judge import ModelJudge
from benchmark.craft.judging.protocol import DemoEvidence
from benchmark.craft.judging.registry import check_judge
from benchmark.craft.rubric import Requirement, Rubric
from benchmark.errors import BenchmarkError, InfrastructureError, UsageError
from benchmark.expressions import parse_formula
from benchmark.judges.costs import Budget, Price
from benchmark.judges.deadlines import DEMO_VARIABLE, REQUEST_VARIABLE
from benchmark.judges.endpoint import Endpoint, FaultError
from benchmark.judges.exchange import MAX_ANSWER_BYTES
from fixtures.attacks import Saw
from tests.judges.server import Act, JudgeServer, Seen, WireServer, proper_answer, response, true_score
from tests.samples import make_demo

IDS = ("M1", "D1")
RUBRIC = Rubric(
    requirements=tuple(Requirement(name, "mean", f"The thing {name} is shown.") for name in IDS),
    formula=parse_formula("BUILD*(0.5*M1+0.5*D1)"), max_demos=10, max_demo_seconds=20.0, digest="digest",
)  # fmt: skip
EXPECTED = {name: true_score(name) for name in IDS}
KEY = "sk-nobody/may+see=this"
REQUEST_SEC = 0.6
SMALL: list[dict[str, Any]] = [{"role": "user", "content": "hello"}]

pytestmark = pytest.mark.timeout(60)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for name in ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoEvidence:
    made = make_demo(tmp_path_factory.mktemp("demo") / "01")
    return replace(made, evidence=replace(made.evidence, stills=made.evidence.stills[:2]))  # quick to encode


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer() as running:
        yield running


def judge_at(url: str, **changes: Any) -> ModelJudge:
    endpoint = Endpoint("some-model", timeout_sec=REQUEST_SEC, base_url=url)
    return ModelJudge(**{"endpoint": endpoint, "price": None, "pause": lambda _: None, "max_attempts": 2, **changes})


def drip(data: bytes, head: bytes, connection: socket.socket) -> None:
    connection.sendall(head)
    for byte in itertools.cycle(data):
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


def flood(head: bytes, block: bytes, connection: socket.socket) -> None:
    connection.sendall(head)
    while True:
        connection.sendall(block)


def silence(connection: socket.socket) -> None:
    time.sleep(5)


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
BOMB = gzip.compress(bytes(64 << 20))  # 64 KB that unpack to 64 MB
WIRE: dict[str, tuple[Callable[[socket.socket], None] | bytes, str]] = {
    "says nothing": (silence, "no whole answer in 0.6 s"),
    "drips its body": (partial(drip, b" ", HEAD + b"\r\n"), "no whole answer in 0.6 s"),
    "drips its headers": (partial(drip, b"HTTP/1.1 200 OK", b""), "no whole answer in 0.6 s"),
    "says 'continue' without end": (partial(flood, b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "larger than|no whole"),
    "sends headers without end": (partial(flood, HEAD, b"x: y\r\n"), "headers"),
    "sends a header without end": (partial(flood, HEAD + b"x: ", b"y" * 4096), "header line"),
    "sends a body without end": (partial(flood, HEAD + b"\r\n", b" " * 4096), "larger than 2,097,152"),
    "sends chunks without end": (
        partial(flood, HEAD + b"transfer-encoding: chunked\r\n\r\n", b"1000\r\n" + b" " * 4096 + b"\r\n"),
        "larger than 2,097,152",
    ),
    "sends a chunk of a negative size": (HEAD + b"transfer-encoding: chunked\r\n\r\n-5\r\nhello\r\n", "no valid score"),
    "sends 64 MB as 64 KB of gzip": (response(BOMB, "content-encoding: gzip"), "unpacks to more than"),
    "packs twice": (response(BOMB, "content-encoding: gzip, gzip"), "only gzip was asked for"),
    "packs as it likes": (response(b"{}", "content-encoding: br"), "packed as 'br'; only gzip was asked for"),
    "sends half of its gzip": (response(gzip.compress(b"{}" * 99)[:-9], "content-encoding: gzip"), "is cut off"),
    "sends two answers as two gzips": (
        response(gzip.compress(b"{}") + gzip.compress(b"[]"), "content-encoding: gzip"),
        "something follows",
    ),
    "sends what is no gzip": (response(b"{}", "content-encoding: gzip"), "is not gzip"),
    "streams where nobody asked": (response(b'data: {"choices": []}\n\ndata: [DONE]\n'), "not one JSON object"),
    "sends bytes that are no text": (response(b'{"choices": "\xff\xfe"}'), "not one JSON object"),
    "nests a hundred thousand deep": (response(b'{"choices":' + b"[" * 100_000), "not one JSON object"),
    "has `choices` twice": (response(b'{"choices": [], "choices": [1]}'), "each key once"),
    "speaks another protocol": (b"220 mail.example ESMTP\r\n", "BadStatusLine"),
}


@pytest.mark.parametrize("what", WIRE)
@pytest.mark.attack("judge's endpoint: {what}", "void with the reason, in time, in little memory")
def test_whatever_an_endpoint_does_asking_it_ends(demo: DemoEvidence, what: str, saw: Saw) -> None:
    act, reason = WIRE[what]
    with WireServer(act) as server:
        judge = judge_at(server.url)
        judge.judge(replace(RUBRIC), [replace(demo, evidence=replace(demo.evidence, stills=()))])  # nothing to ask
        began = time.monotonic()
        tracemalloc.start()
        try:
            with pytest.raises(InfrastructureError, match=reason) as caught:
                judge.judge(RUBRIC, [demo])
            taken, (_, most) = time.monotonic() - began, tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        saw(f"void after {len(server.requests)} requests: {caught.value.message[-60:]}")
        assert len(server.requests) == 2
    assert taken < 2 * REQUEST_SEC + 3
    assert most < 12 * MAX_ANSWER_BYTES


@pytest.mark.attack("judge's endpoint: does not take the question", "void, in time")
def test_an_endpoint_that_does_not_read_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:  # the system accepts for it, and nobody reads
        endpoint = Endpoint("m", timeout_sec=REQUEST_SEC, base_url=f"http://127.0.0.1:{deaf.getsockname()[1]}/v1")
        began = time.monotonic()
        with pytest.raises(FaultError, match=r"no whole answer in 0\.6 s"):
            endpoint.ask([{"role": "user", "content": "x" * (16 << 20)}], {})
        assert time.monotonic() - began < REQUEST_SEC + 2


@pytest.mark.attack("judge's endpoint: slow, busy and slow again", "void at the demo's own limit")
def test_all_requests_about_a_demo_end_together(demo: DemoEvidence) -> None:
    with WireServer(partial(drip, b"HTTP/1.1 200 OK", b"")) as server:
        began = time.monotonic()
        with pytest.raises(InfrastructureError, match="no valid score for M1, D1 within 3 s") as caught:
            judge_at(server.url, max_attempts=1000, demo_sec=3.0).judge(RUBRIC, [demo])
        assert time.monotonic() - began < 5
        assert DEMO_VARIABLE in str(caught.value.fix)
        assert len(server.requests) == 2  # the second pause would have been longer than what is left


@pytest.mark.parametrize("after", ["1e400", "-7", "nan", "9" * 500, "Fri, 31 Dec 9999 23:59:59 -2359", "soon, maybe"])
@pytest.mark.attack("judge's endpoint: Retry-After: {after:.31}", "a pause of at most two minutes")
def test_a_pause_is_bounded(demo: DemoEvidence, server: JudgeServer, after: str) -> None:
    pauses: list[float] = []
    busy = Act("status", status=429, headers={"retry-after": after})
    server.plan = lambda seen, number: busy if number == 0 else Act()
    (judgement,) = judge_at(server.url, pause=pauses.append).judge(RUBRIC, [demo])
    assert judgement.scores == EXPECTED
    assert len(pauses) == 1
    assert 0 <= pauses[0] <= 120


def test_nobody_waits_for_a_pause_that_is_longer_than_the_time_left(demo: DemoEvidence, server: JudgeServer) -> None:
    pauses: list[float] = []
    server.plan = lambda seen, number: Act("status", status=429, headers={"retry-after": "100"})
    with pytest.raises(InfrastructureError, match="within 150 s; the last: rate limit: HTTP 429"):
        judge_at(server.url, max_attempts=8, demo_sec=150.0, pause=pauses.append).judge(RUBRIC, [demo])
    assert pauses == [100.0]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.attack("judge's endpoint: HTTP {status} to a host that would answer", "void; the host is never asked")
def test_a_redirect_is_not_followed(demo: DemoEvidence, server: JudgeServer, status: int) -> None:
    with JudgeServer() as other:
        where = f"{other.url}/chat/completions?key={KEY}"
        server.plan = lambda seen, number: Act("status", status=status, headers={"location": where})
        with pytest.raises(InfrastructureError, match=f"HTTP {status}: .* points to {other.url}") as caught:
            judge_at(server.url).judge(RUBRIC, [demo])
        assert not other.requests
    assert len(server.requests) == 1
    assert "OPENAI_BASE_URL" in str(caught.value.fix)
    assert KEY not in str(caught.value)


@pytest.mark.attack("judge's endpoint: sets a cookie", "the next request has none")
def test_cookies_are_not_kept(demo: DemoEvidence) -> None:
    with WireServer(response(b"{}", "set-cookie: who=you; path=/")) as server:
        with pytest.raises(InfrastructureError):
            judge_at(server.url).judge(RUBRIC, [demo])
        assert len(server.requests) == 2
        assert not any(b"cookie" in request.lower().partition(b"\r\n\r\n")[0] for request in server.requests)


@pytest.mark.attack("judge: a proxy in the environment, an http address", "asked directly; no key goes to the proxy")
def test_an_http_address_is_asked_without_a_proxy(
    demo: DemoEvidence, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with WireServer(b"") as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "https_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        (judgement,) = judge_at(server.url).judge(RUBRIC, [demo])
        assert judgement.scores == EXPECTED
        assert not proxy.requests


@pytest.mark.attack("judge: a proxy in the environment, an https address", "it is asked for a tunnel; it sees no key")
def test_a_proxy_gets_a_tunnel_and_no_key(demo: DemoEvidence, monkeypatch: pytest.MonkeyPatch) -> None:
    with WireServer(b"HTTP/1.1 200 Tunnel\r\n\r\nthis is no TLS at all") as proxy:
        monkeypatch.setenv("https_proxy", f"http://me:proxy-password@127.0.0.1:{proxy.port}")
        with pytest.raises(InfrastructureError, match="connection: ") as caught:
            judge_at("https://judge.example:8443/v1").judge(RUBRIC, [demo])
        assert proxy.requests
        for request in proxy.requests:
            assert request.startswith(b"CONNECT judge.example:8443 HTTP/1.1\r\n")
            assert KEY.encode() not in request
    assert "proxy-password" not in str(caught.value)


@pytest.mark.attack("judge's endpoint: a certificate of nobody's", "void; nothing is sent")
def test_certificates_are_verified(demo: DemoEvidence) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(Path(__file__).with_name("unknown_authority.pem"))
    with WireServer(response(b"{}"), context) as server:
        with pytest.raises(InfrastructureError, match="CERTIFICATE_VERIFY_FAILED"):
            judge_at(server.url).judge(RUBRIC, [demo])
        assert not server.requests


SCORES = proper_answer(list(IDS))
AGAIN = {
    "two blocks that differ": (
        f'{SCORES} or rather {{"scores": {{"M1": 1, "D1": 1}}}}', "two different JSON objects"
    ),
    "a block after a thousand braces": ("{" * 1001 + SCORES, "more than 1000 braces"),
    "`scores` twice": ('{"scores": {"M1": 0, "D1": 0}, "scores": {"M1": 1, "D1": 1}}', "'scores' stands twice"),
    "an id twice": ('{"scores": {"M1": 0, "M1": 1, "D1": 1}}', "'M1' stands twice"),
    "an id twice in the rationales": (
        '{"scores": {"M1": 0, "D1": 1}, "rationales": {"M1": "a", "M1": "b"}}', "'M1' stands twice"
    ),
    "an id in two spellings": ('{"scores": {"M1": 0, " m1": 1, "D1": 1}}', "M1: is there twice, spelt differently"),
    "an id missing": ('{"scores": {"M1": 0}}', "D1: missing"),
    "only ids nobody asked for": ('{"scores": {"X1": 1}}', "M1: missing; D1: missing"),
    "NaN and infinity": ('{"scores": {"M1": NaN, "D1": Infinity}}', "M1: nan is outside 0–1; D1: inf is outside"),
    "true": ('{"scores": {"M1": true, "D1": 1}}', "M1: true or false is not a number"),
    "numbers as texts": ('{"scores": {"M1": "1", "D1": "0.5"}}', "M1: a text is not a number"),
    "numbers beyond all bounds": (f'{{"scores": {{"M1": {"9" * 4000}, "D1": 1e999}}}}', "M1: 9{40} is outside 0–1"),
    "a number of 5,000 digits": (f'{{"scores": {{"M1": {"9" * 5000}, "D1": 1}}}}', "no JSON object"),
    "a thousand levels": ('{"scores": {"M1": ' + "[" * 1000 + "]" * 1000 + "}}", "no JSON object|not a number"),
    "a megabyte of words": (SCORES + "x" * 1_000_000, "longer than 200,000 characters"),
}  # fmt: skip


@pytest.mark.parametrize("what", AGAIN)
@pytest.mark.attack("judge's answer: {what}", "asked again with the reason, then void; never a number made up")
def test_an_unclear_answer_is_asked_again_with_the_reason(demo: DemoEvidence, server: JudgeServer, what: str) -> None:
    text, reason = AGAIN[what]
    server.plan = lambda seen, number: Act(text=text)
    with pytest.raises(InfrastructureError, match=reason):
        judge_at(server.url).judge(RUBRIC, [demo])
    first, second = server.requests
    assert "could not be used" not in first.text
    assert "Your answer before this one could not be used: " in second.text
    server.plan = lambda seen, number: Act(text=text) if number == 2 else Act()
    (judgement,) = judge_at(server.url).judge(RUBRIC, [demo])
    assert set(judgement.scores) == set(IDS)
    assert judgement.scores["D1"] in (EXPECTED["D1"], 1.0)  # D1 may have been sound at once, M1 never was
    if "M1" in server.requests[-1].ids:
        assert judgement.scores["M1"] == EXPECTED["M1"]


MESSAGES: dict[str, tuple[dict[str, Any], str]] = {
    "no choices": ({"completion": {"choices": []}}, "has no message"),
    "two choices": ({"completion": {"choices": [{"message": {"content": SCORES}}] * 2}}, "2 answers where one was"),
    "choices that are a text": ({"completion": {"choices": SCORES}}, "has no message"),
    "a call of a tool": ({"message": {"content": None, "tool_calls": [{"id": "1"}]}}, "calls a tool"),
    "content that is a list": ({"message": {"content": [{"type": "text", "text": SCORES}]}}, "is empty"),
    "cut off at its limit": ({"kind": "cut off"}, "cut off at the token limit"),
    "an error with HTTP 200": ({"completion": {"choices": None, "error": {"message": "busy"}}}, "no message: busy"),
}


@pytest.mark.parametrize("what", MESSAGES)
@pytest.mark.attack("judge's endpoint: {what}", "asked again with the reason, then void")
def test_a_message_that_is_none_is_asked_again(demo: DemoEvidence, server: JudgeServer, what: str) -> None:
    fields, reason = MESSAGES[what]
    server.plan = lambda seen, number: Act(**fields)
    with pytest.raises(InfrastructureError, match=reason):
        judge_at(server.url).judge(RUBRIC, [demo])
    assert len(server.requests) == 2
    assert reason.split(":")[0] in server.requests[1].text


def test_what_is_accepted_is_accepted_by_a_rule() -> None:
    assert read_answer(f"{SCORES} I repeat: {SCORES}", IDS).scores == EXPECTED  # the same twice is not ambiguous
    odd = read_answer(
        json.dumps({"scores": {"M1": 1, "D1": -0.0, "Z9": 7}, "rationales": {"M1": "\x00\x1b[31m" + "x" * 10**5}}), IDS
    )
    assert odd.scores == {"M1": 1.0, "D1": 0.0}
    assert str(odd.scores["D1"]) == "0.0"
    assert odd.extra == ("Z9",)
    assert len(odd.reasons["M1"]) == 400
    assert odd.reasons["M1"].isprintable()


USAGES: dict[str, Any] = {
    "negative": {"prompt_tokens": -5000, "completion_tokens": -5000},
    "not a number": {"prompt_tokens": float("nan"), "completion_tokens": float("inf")},
    "beyond all bounds": {"prompt_tokens": 10**18, "completion_tokens": 1},
    "texts": {"prompt_tokens": "many", "completion_tokens": "1"},
    "true": {"prompt_tokens": True, "completion_tokens": True},
    "half a token": {"prompt_tokens": 0.5, "completion_tokens": 1.5},
    "a list": [1, 2],
    "missing": None,
}


@pytest.mark.parametrize("what", USAGES)
@pytest.mark.attack("judge's endpoint: its count of tokens is {what}", "noted; the estimate is what it costs")
def test_a_count_of_tokens_that_is_none_costs_the_estimate(
    demo: DemoEvidence, server: JudgeServer, what: str, tmp_path: Path
) -> None:
    server.plan = lambda seen, number: Act(completion={"usage": USAGES[what]})
    budget = Budget(tmp_path / "spend.json", 1.0)
    (judgement,) = judge_at(server.url, price=Price(10, 10), budget=budget).judge(RUBRIC, [demo], tmp_path / "log")
    assert judgement.scores == EXPECTED
    assert 0.005 < judgement.cost_usd < 0.1
    assert budget.spent() == pytest.approx(judgement.cost_usd)
    assert "token" in json.loads((tmp_path / "log").read_text())["usage"]


def test_an_answer_that_was_cut_off_is_paid_for(demo: DemoEvidence, server: JudgeServer, tmp_path: Path) -> None:
    server.plan = lambda seen, number: Act("cut off") if number == 0 else Act()
    budget = Budget(tmp_path / "spend.json", 1.0)
    (judgement,) = judge_at(server.url, price=Price(10, 10), budget=budget).judge(RUBRIC, [demo])
    assert judgement.cost_usd == pytest.approx(2 * 0.011)
    assert budget.spent() == pytest.approx(2 * 0.011)


@pytest.mark.parametrize("damage", ["[]", "[" * 100_000, '{"spent": NaN}', '{"spent": -1e9, "promised": "x"}', "{"])
def test_a_damaged_file_of_expenses_stops_nothing(tmp_path: Path, damage: str) -> None:
    (tmp_path / "spend.json").write_text(damage)
    budget = Budget(tmp_path / "spend.json", 1.0)
    budget.promise(0.5)
    budget.settle(0.5, 0.25)
    assert budget.spent() == 0.25


ECHOES: dict[str, Act] = {
    "an error": Act("status", status=401, text=f"wrong key: {KEY}"),
    "an error, cut off within the key": Act("status", status=401, text="x" * 290 + KEY),
    "a page that is no JSON": Act("garbage", text=f"<html>{KEY}</html>"),
    "a refusal": Act("refusal", message={"refusal": f"{'x' * 190}{KEY}"}),
    "a redirect": Act("status", status=307, headers={"location": f"http://127.0.0.1:1/{KEY}"}),
    "the type of the answer": Act("garbage", text="no", headers={"content-type": f"text/{KEY}"}),
    "ids": Act(text=json.dumps({"scores": {KEY: 1}})),
    "prose": Act(text=f"Your key is {KEY}."),
    "JSON escapes": Act(text='"' + "".join(f"\\u{ord(c):04x}" for c in KEY) + f'" {json.dumps(KEY)}'),
}


@pytest.mark.parametrize("where", ECHOES)
@pytest.mark.attack("judge's endpoint: repeats the key in {where}", "it is in no message and no log")
def test_a_key_that_comes_back_goes_no_further(
    demo: DemoEvidence, server: JudgeServer, where: str, tmp_path: Path
) -> None:
    server.plan = lambda seen, number: ECHOES[where]
    with pytest.raises(InfrastructureError) as caught:
        judge_at(server.url).judge(RUBRIC, [demo], tmp_path / "log")
    said = f"{caught.value} {(tmp_path / 'log').read_text()}"
    assert KEY[:12] not in said
    again = "".join(seen.text for seen in server.requests[1:])
    assert KEY[:12] not in again


@pytest.mark.attack(
    "judge's endpoint: repeats the key in a rationale and as its name", "it is redacted before it is kept"
)
def test_a_rationale_has_no_key(demo: DemoEvidence, server: JudgeServer, tmp_path: Path) -> None:
    def plan(seen: Seen, number: int) -> Act:
        said = {"scores": EXPECTED, "rationales": {"M1": f"I saw {KEY} twice", "D1": "x" * 390 + KEY}}
        return Act(text=json.dumps(said), completion={"model": KEY})

    server.plan = plan
    (judgement,) = judge_at(server.url).judge(RUBRIC, [demo], tmp_path / "log")
    assert judgement.items["M1"].reason == "I saw [redacted OPENAI_API_KEY] twice"
    assert KEY[:9] not in f"{judgement} {(tmp_path / 'log').read_text()}"


@pytest.mark.parametrize("key", ["sk-x\r\nHost: elsewhere.example", "sk-“quoted”-key", "sk-\x00-key-key"])
def test_a_key_that_no_header_can_hold_is_told_without_showing_it(key: str) -> None:
    with pytest.raises(BenchmarkError, match="OPENAI_API_KEY holds a character that no header can have") as caught:
        Endpoint("m", api_key=key)
    assert key[3:] not in str(caught.value)


@pytest.mark.parametrize("url", ["ftp://host/v1", "host/v1", "http://", "http://h:99999/", "http://h/a b", "http://ü/"])
def test_an_address_that_is_none_is_told(url: str) -> None:
    with pytest.raises(BenchmarkError, match="is no address of an endpoint"):
        Endpoint("m", base_url=url)


def test_an_address_with_a_password_is_refused_without_showing_it() -> None:
    with pytest.raises(BenchmarkError, match="holds a user name or a password") as caught:
        Endpoint("m", base_url="https://me:password-of-mine@host/v1")
    assert "password-of-mine" not in str(caught.value)


@pytest.mark.parametrize("variable", [REQUEST_VARIABLE, DEMO_VARIABLE])
@pytest.mark.parametrize("value", ["soon", "0", "-1", "nan", "inf", "1e9"])
def test_a_limit_that_is_none_is_told_before_the_run(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(UsageError, match=f"{variable}: '{value}' is not a number of seconds"):
        check_judge("openai:gpt-4o", None)


anything = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
documents = st.fixed_dictionaries(
    {},
    optional={
        "choices": anything
        | st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "finish_reason": anything | st.sampled_from(["stop", "length", "content_filter"]),
                    "message": anything
                    | st.fixed_dictionaries(
                        {},
                        optional={"content": anything | st.just(SCORES), "refusal": anything, "tool_calls": anything},
                    ),
                },
            ),
            max_size=2,
        ),
        "usage": anything | st.fixed_dictionaries({"prompt_tokens": anything, "completion_tokens": anything}),
        "model": anything,
        "error": anything | st.fixed_dictionaries({"message": anything, "code": anything, "param": anything}),
    },
)
bodies = st.binary(max_size=300) | documents.map(lambda data: json.dumps(data).encode())
lines = st.sampled_from(
    ["content-encoding: gzip", "retry-after: 1e9", "transfer-encoding: chunked", "location: /", "x"]
)
on_wire = st.binary(max_size=300) | st.builds(
    lambda body, headers, status: response(body, *headers, status=status),
    bodies,
    st.lists(lines, max_size=2),
    st.sampled_from(["200 OK", "204 x", "307 x", "400 x", "413 x", "429 x", "500 x", "999 x", "0 x", "x"]),
)


@pytest.fixture(scope="module")
def wire() -> Iterator[WireServer]:
    with WireServer(b"") as server:
        yield server


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=on_wire)
@example(data=response(b"{}", "transfer-encoding: chunked"))
@pytest.mark.attack("judge's endpoint: any bytes at all", "an answer, or the one documented error")
def test_no_bytes_on_the_wire_raise_anything_else(wire: WireServer, data: bytes) -> None:
    wire.act = data
    endpoint = Endpoint("m", timeout_sec=5.0, base_url=wire.url)
    try:
        reply = endpoint.ask(SMALL, {})
    except FaultError:
        return
    assert 0 <= reply.usage.tokens_in <= 10_000_000
    assert 0 <= reply.usage.tokens_out <= 10_000_000
    assert isinstance(reply.text, str)


def answers() -> st.SearchStrategy[str]:
    entry = st.sampled_from([*IDS, "m1", " M1", "Z"])
    block = st.fixed_dictionaries(
        {}, optional={"scores": anything | st.dictionaries(entry, anything), "rationales": anything}
    ).map(json.dumps)
    pieces = st.text(max_size=20) | block | st.sampled_from([SCORES, "{", "}", "[" * 2000, '{"scores":', "NaN"])
    return st.lists(pieces, max_size=6).map("".join)


@settings(max_examples=300, deadline=None)
@given(text=answers())
@pytest.mark.attack(
    "judge's answer: any text at all", "valid numbers of the asked ids, or the reason for each that has none"
)
def test_no_text_makes_a_number_up(text: str) -> None:
    answer = read_answer(text, IDS)
    assert set(answer.scores) | set(answer.rejected) == set(IDS)
    assert not set(answer.scores) & set(answer.rejected)
    assert all(type(score) is float and 0.0 <= score <= 1.0 for score in answer.scores.values())
    assert all(reason.isprintable() for reason in answer.reasons.values())
