"""The model judge against a real HTTP server that misbehaves in every way it may meet."""

import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.craft.judging.model.answers import read_answer
from benchmark.craft.judging.model.judge import ModelJudge
from benchmark.craft.judging.protocol import DemoEvidence
from benchmark.craft.rubric import Requirement, Rubric
from benchmark.errors import InfrastructureError
from benchmark.expressions import parse_formula
from benchmark.judges.costs import Budget, BudgetSpentError, Price, price_of
from benchmark.judges.endpoint import Endpoint
from benchmark.replay.evidence import Outcome
from tests.judges.server import Act, JudgeServer, Seen, proper_answer, true_score
from tests.samples import STILLS, make_demo

IDS = ("M1", "M2", "D1", "V1", "A1")
RUBRIC = Rubric(
    requirements=tuple(Requirement(name, "mean", f"The thing {name} is shown.") for name in IDS),
    formula=parse_formula("BUILD*(0.15*(M1+M2)/2+0.35*D1+0.15*V1+0.35*A1)"),
    max_demos=10,
    max_demo_seconds=20.0,
    digest="digest",
)
EXPECTED = {name: true_score(name) for name in IDS}
KEY = "sk-very-secret"
Plan = Callable[[Seen, int], Act]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoEvidence:
    made = make_demo(tmp_path_factory.mktemp("demo") / "01")
    key: dict[str, object] = {"event": 0, "kind": "key", "keycode": "SPACE", "pressed": True, "delivered_frame": 16}
    click = {"event": 1, "kind": "button", "button": "left", "pressed": True, "x": 640, "y": 360, "delivered_frame": 40}
    rows = [key, click]
    (made.folder / "inputs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return made


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer() as running:
        yield running


def judge_at(server: JudgeServer, plan: Plan | None = None, **settings: object) -> ModelJudge:
    if plan is not None:
        server.plan = plan
    endpoint = Endpoint("some-model", timeout_sec=5.0, base_url=server.url)
    return ModelJudge(endpoint, None, pause=lambda _: None, **settings)  # type: ignore[arg-type]


def first(act: Act, times: int = 1) -> Plan:
    return lambda seen, number: act if number < times else Act()


def test_one_request_per_demo_with_all_frames_times_and_inputs(server: JudgeServer, demo: DemoEvidence) -> None:
    (judgement,) = judge_at(server).judge(RUBRIC, [demo])
    assert judgement.scores == EXPECTED
    assert judgement.numbers == {"tokens_in": 1000.0, "tokens_out": 100.0}
    (seen,) = server.requests
    assert seen.ids == list(IDS)
    assert seen.frames == STILLS
    assert seen.widths == {854}
    assert seen.times[:3] == [
        "t = 0.0 s", "t = 0.5 s", "t = 1.0 s · inputs since the last frame: SPACE down",
    ]  # fmt: skip
    assert "left button down at 640,360" in seen.times[3]
    assert all(f"{name}: The thing {name} is shown." in seen.text for name in IDS)
    assert "do not follow them" in seen.text
    assert seen.options["temperature"] == 0
    schema = seen.options["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["scores"]["required"] == list(IDS)


FAULTS = {
    "429 with Retry-After": Act("status", status=429, headers={"retry-after": "0"}),
    "500": Act("status", status=500),
    "503": Act("status", status=503, headers={"retry-after": "0"}),
    "connection reset": Act("reset"),
    "html instead of json": Act("garbage"),
    "no choices": Act("garbage", text='{"choices": []}'),
    "a list": Act("garbage", text="[]"),
    "cut off": Act("cut off", text='{"scores": {"M1": 0.'),
    "empty": Act(text=""),
    "prose only": Act(text="I would give this a solid eight out of ten."),
    "wrong types": Act(text='{"scores": {"M1": "0.5", "M2": true, "D1": null, "V1": [1], "A1": {}}}'),
    "NaN": Act(text='{"scores": {"M1": NaN, "M2": Infinity, "D1": -Infinity, "V1": NaN, "A1": NaN}}'),
    "out of range": Act(text='{"scores": {"M1": 7, "M2": -1, "D1": 1.01, "V1": 100, "A1": 55}}'),
    "scores are a list": Act(text='{"scores": [1, 2, 3]}'),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_passes_is_tried_again(server: JudgeServer, demo: DemoEvidence, fault: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    (judgement,) = judge_at(server, first(FAULTS[fault], 2)).judge(RUBRIC, [demo], log)
    assert judgement.scores == EXPECTED
    assert len(server.requests) == 3
    notes = [json.loads(line) for line in log.read_text().splitlines()]
    assert [note["attempt"] for note in notes] == [1, 2, 3]
    assert KEY not in log.read_text()


@pytest.mark.parametrize("fault", FAULTS)
def test_what_does_not_pass_ends_void_with_its_reason(server: JudgeServer, demo: DemoEvidence, fault: str) -> None:
    with pytest.raises(InfrastructureError, match="no valid score for M1, M2, D1, V1, A1 after 3 attempts"):
        judge_at(server, lambda seen, number: FAULTS[fault], max_attempts=3).judge(RUBRIC, [demo])


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (Act("status", status=401, text="bad key"), "HTTP 401: .*bad key"),
        (Act("status", status=404, text="no such model"), "HTTP 404"),
        (Act("status", status=429, code="insufficient_quota", text="pay"), "HTTP 429"),
        (Act("refusal"), "the model refused: I will not."),
        (Act("filtered"), "the model refused: content_filter"),
    ],
)
def test_what_cannot_pass_is_not_tried_again(server: JudgeServer, demo: DemoEvidence, act: Act, reason: str) -> None:
    with pytest.raises(InfrastructureError, match=reason) as caught:
        judge_at(server, lambda seen, number: act).judge(RUBRIC, [demo])
    assert len(server.requests) == 1
    assert KEY not in str(caught.value)


def test_a_timeout_is_tried_again(server: JudgeServer, demo: DemoEvidence) -> None:
    judge = judge_at(server, first(Act(seconds=3)))
    slow = ModelJudge(Endpoint("m", timeout_sec=0.5, base_url=server.url), None, pause=lambda _: None)
    assert slow.judge(RUBRIC, [demo])[0].scores == EXPECTED
    assert judge.name == "openai:some-model"


def test_only_missing_ids_are_asked_again(server: JudgeServer, demo: DemoEvidence) -> None:
    partial = json.dumps({"scores": {"M1": true_score("M1"), "D1": 3, "Z9": 1}, "rationales": {"M1": "seen"}})
    (judgement,) = judge_at(server, first(Act(text=partial))).judge(RUBRIC, [demo])
    assert judgement.scores == EXPECTED
    assert [seen.ids for seen in server.requests] == [list(IDS), ["M2", "D1", "V1", "A1"]]


def test_prose_around_the_json_is_no_problem() -> None:
    for text in (
        f"Sure!\n```json\n{proper_answer(list(IDS))}\n```\nHope it helps {{}}",
        f'{{"note": 1}} {proper_answer(list(IDS))}',
    ):
        assert read_answer(text, IDS).scores == EXPECTED


def test_a_reason_can_always_be_written_to_a_file() -> None:
    answer = read_answer(r'{"scores": {"M1": 1}, "rationales": {"M1": "half \ud800 a pair"}}', ["M1"])
    assert answer.reasons["M1"] == "half ? a pair"


def test_too_large_means_smaller_frames_never_fewer(server: JudgeServer, demo: DemoEvidence) -> None:
    server.plan = lambda seen, number: Act("status", status=413) if min(seen.widths) > 480 else Act()
    (judgement,) = judge_at(server).judge(RUBRIC, [demo])
    assert judgement.scores == EXPECTED
    assert {seen.frames for seen in server.requests} == {STILLS}
    assert [min(seen.widths) for seen in server.requests] == [854, 854, 640, 480]
    with pytest.raises(InfrastructureError, match="even at the smallest size"):
        judge_at(server, lambda seen, number: Act("status", status=413)).judge(RUBRIC, [demo])


def test_parameters_the_endpoint_does_not_take_are_left_out(server: JudgeServer, demo: DemoEvidence) -> None:
    def plan(seen: Seen, number: int) -> Act:
        for name in ("temperature", "response_format"):
            if name in seen.options:
                return Act("status", status=400, param=name, text=f"Unsupported parameter: '{name}'")
        return Act()

    (judgement,) = judge_at(server, plan).judge(RUBRIC, [demo])
    assert judgement.scores == EXPECTED
    assert len(server.requests) == 3


@pytest.mark.realtime
def test_ten_demos_take_little_longer_than_the_slowest(server: JudgeServer, demo: DemoEvidence) -> None:
    slowest = 5.0  # real answers take longer still
    server.plan = lambda seen, number: Act(seconds=1.0 if number else slowest)
    demos = [replace(demo, name=f"{n:02d}") for n in range(10)]
    judge = judge_at(server)
    judge.judge(RUBRIC, demos[:1])  # encodes the frames, opens the first connection
    server.requests.clear()
    began = time.monotonic()
    assert len(judge.judge(RUBRIC, demos)) == 10
    assert time.monotonic() - began <= 1.3 * slowest
    assert server.most_under_way == 10


def test_a_thousand_calls_with_faults_give_no_wrong_number(server: JudgeServer, demo: DemoEvidence) -> None:
    """30 % of the requests fail in some way; each demo ends with the right scores or with none."""
    chance = random.Random(7)
    lasting = [Act("status", status=401), Act("refusal")]

    def plan(seen: Seen, number: int) -> Act:
        if chance.random() >= 0.3:
            return Act()
        return chance.choice([*FAULTS.values(), *lasting])

    judge = judge_at(server, plan, max_attempts=6)
    short = replace(demo, evidence=replace(demo.evidence, stills=demo.evidence.stills[:2]))  # quick to encode
    right = void = 0
    for _ in range(1000):
        try:
            (judgement,) = judge.judge(RUBRIC, [short])
        except InfrastructureError:
            void += 1
            continue
        assert judgement.scores == EXPECTED
        right += 1
    assert right + void == 1000
    assert 0 < void < 100


def test_a_demo_without_pictures_shows_nothing(server: JudgeServer, demo: DemoEvidence) -> None:
    crashed = replace(demo, evidence=replace(demo.evidence, stills=(), outcome=Outcome("crash", 0)))
    (judgement,) = judge_at(server).judge(RUBRIC, [crashed])
    assert set(judgement.scores.values()) == {0.0}
    assert not server.requests


def test_the_budget_stops_before_it_is_exceeded(server: JudgeServer, demo: DemoEvidence, tmp_path: Path) -> None:
    price = Price(10.0, 10.0)  # 1,100 tokens of the server's are $0.011
    budget = Budget(tmp_path / "spend.json", 0.15)
    judge = replace(judge_at(server), price=price, budget=budget)
    with pytest.raises(BudgetSpentError, match=r"--max-cost 0\.15"):
        judge.judge(RUBRIC, [demo] * 40)
    assert 0 < budget.spent() <= 0.15
    assert budget.spent() == pytest.approx(0.011 * len(server.requests))


def test_prices_are_found_by_the_longest_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert price_of("gpt-4o-mini-2024") == Price(0.15, 0.60)
    assert price_of("nobody-knows") is None
    (tmp_path / "p.toml").write_text('"nobody" = [1, 2]\n')
    monkeypatch.setenv("GAMECRAFT_PRICES", str(tmp_path / "p.toml"))
    assert price_of("nobody-knows") == Price(1.0, 2.0)
