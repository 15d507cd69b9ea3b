"""A whole run with a model judge: pytest, engine, HTTP."""

import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from benchmark.trials import TrialRecord
from tests.judges.server import Act, JudgeServer, Seen, true_score
from tests.suite.conftest import TASKS, RunSuite

pytestmark = pytest.mark.engine
Records = Callable[[str], list[TrialRecord]]
KEY = "sk-nobody-may-see-this"
MODEL = ("--judge", "openai:gpt-4o-mini")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeServer]:
    with JudgeServer() as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield running


def test_a_model_judges(suite: RunSuite, records: Records, server: JudgeServer, pytester: pytest.Pytester) -> None:
    result = suite(*MODEL, "--run", "r")
    result.stdout.fnmatch_lines(["judging 1 trial(s) with gpt-4o-mini costs about $0.0*"])
    (record,) = records("r")
    assert record.judge == "openai:gpt-4o-mini"
    assert not record.proxy
    assert record.items == {name: true_score(name) for name in ("M1", "M2", "D1", "V1", "V2", "A1")}
    assert record.cost_usd == pytest.approx(2 * (1000 * 0.15 + 100 * 0.60) / 1e6)
    assert len(server.requests) == 2  # one per demo
    assert not (pytester.path / "reports/r/trials" / record.id.folder / "untouched").exists()
    suite(*MODEL, "--run", "again")
    assert len(server.requests) == 2  # the same evidence is never asked about twice
    everything = b"".join(path.read_bytes() for path in (pytester.path / "reports").rglob("*") if path.is_file())
    assert KEY.encode() not in everything


def test_evidence_of_one_judge_serves_another(suite: RunSuite, records: Records, server: JudgeServer) -> None:
    suite("--run", "r")
    suite(*MODEL, "--run", "r", "--rejudge")
    first, second = records("r")
    assert (first.judge, second.judge) == ("offline", "openai:gpt-4o-mini")
    assert "replay" not in second.seconds


def test_judgements_travel_as_a_file(
    suite: RunSuite, records: Records, server: JudgeServer, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite(*MODEL, "--run", "r")
    export = [sys.executable, "-m", "benchmark", "judgements", "export", "r", "--out", "said.jsonl", f"--tasks={TASKS}"]
    subprocess.run(export, cwd=pytester.path, check=True)
    suite("--judge", "recorded:said.jsonl", "--run", "replayed")
    assert records("replayed")[0].items == records("r")[0].items
    assert records("replayed")[0].judge == "recorded:said.jsonl"
    with_other_demos = suite("--judge", "recorded:said.jsonl", "--run", "other", "--video-fps", "0")
    assert with_other_demos.ret == 10  # other evidence: it says nothing


def test_an_unreachable_model_is_a_void_not_a_zero(suite: RunSuite, records: Records, server: JudgeServer) -> None:
    server.plan = lambda seen, number: Act("status", status=401, text="wrong key")
    result = suite(*MODEL, "--run", "r", "--fresh")
    assert result.ret == 10
    (record,) = records("r")
    assert record.outcome == "void"
    assert record.score is None
    assert "HTTP 401" in record.reason


def test_no_agent_runs_once_the_money_is_spent(suite: RunSuite, records: Records, server: JudgeServer) -> None:
    suite(*MODEL, "--run", "r", "--max-cost", "0.000001")
    (record,) = records("r")
    assert record.outcome == "void"
    assert "--max-cost 1e-06" in record.reason
    assert "produce" not in record.seconds
    assert not server.requests


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--judge", "openai:"), "'openai:' is no judge"),
        (("--judge", "openai:unheard-of", "--max-cost", "1"), "the price of unheard-of is not known"),
        ((*MODEL, "--max-cost", "-1"), "is not a number of dollars above 0"),
        ((*MODEL, "--max-cost", "nan"), "is not a number of dollars above 0"),
    ],
)
def test_wrong_use_is_told_before_the_run(
    suite: RunSuite, server: JudgeServer, arguments: tuple[str, ...], message: str
) -> None:
    result = suite(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert message in result.stderr.str()


def test_a_missing_key_is_told_before_the_run(suite: RunSuite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    result = suite(*MODEL)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "$OPENAI_API_KEY is not set" in result.stderr.str()


LEAKED = "sk-of-an-agent-that-talks"
LEAKY = """
name = "leaky"
command = "printf %s $AGENT_TOKEN | head -c 12; sleep 0.2; printf %s $AGENT_TOKEN | tail -c +13"
env = ["AGENT_TOKEN"]
"""


@pytest.mark.attack("judge's endpoint and an agent repeat their keys", "no file, page or line of the run has them")
def test_no_key_gets_out_of_a_run(
    suite: RunSuite, server: JudgeServer, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_TOKEN", LEAKED)
    pytester.path.joinpath("leaky.toml").write_text(LEAKY)

    def echo(seen: Seen, number: int) -> Act:
        if number == 0:
            return Act("status", status=503, text="x" * 290 + KEY, headers={"retry-after": "0", "x-key": KEY})
        said = {"scores": dict.fromkeys(seen.ids, 0.25), "rationales": dict.fromkeys(seen.ids, f"seen with {KEY}")}
        return Act(text=f"{KEY} {json.dumps(said)} {KEY}", completion={"model": KEY})

    server.plan = echo
    views = ("--alluredir", "allure", "--junitxml", "junit.xml", "-o", "junit_logging=all")
    said = suite(*MODEL, "--run", "r", "--agent", "oracle", "--agent", "leaky.toml", *views)
    server.plan = lambda seen, number: Act("status", status=401, text=f"wrong key {KEY}, {KEY.encode().hex()}")
    void = suite("--judge", "openai:gpt-4o", "--run", "void", "--agent", "oracle", *views)
    assert void.ret == 10
    printed = [*said.outlines, *said.errlines, *void.outlines, *void.errlines]
    for command in (["report", "r"], ["judgements", "export", "r", "--out", "said.jsonl"]):
        tasks = [f"--tasks={TASKS}"] if command[0] == "judgements" else []
        done = subprocess.run(
            [sys.executable, "-m", "benchmark", *command, *tasks], cwd=pytester.path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        printed += [done.stdout, done.stderr]
    files = {path: path.read_bytes() for path in pytester.path.rglob("*") if path.is_file()}
    files[pytester.path / "terminal"] = "\n".join(printed).encode()
    marks = [path.name for path, data in files.items() if b"[redacted OPENAI_API_KEY]" in data]
    told = {"trials.jsonl", "trial.json", "judge.log.jsonl", "opinions.json", "junit.xml", "said.jsonl", "terminal"}
    assert told <= set(marks)  # it was repeated there, or this test would show nothing
    assert any(name.endswith("-result.json") for name in marks)
    assert any(name.endswith(".html") for name in marks)
    (log,) = (data for path, data in files.items() if path.name == "agent.log" and "leaky" in str(path))
    assert log.startswith(b"[redacted AGENT_TOKEN]")
    for secret in (KEY, LEAKED):
        for form in (secret[:14].encode(), secret.encode().hex().encode()):
            assert not [str(path) for path, data in files.items() if form in data]


def _every_answer_is_another(seen: Seen, number: int) -> Act:
    scores = {name: round(number * 0.13 % 1, 2) if name != "A1" else number % 2 * 0.1 for name in seen.ids}
    return Act(text=json.dumps({"scores": scores, "rationales": {}}))


def test_of_repeats_the_median_counts(
    suite: RunSuite, records: Records, server: JudgeServer, pytester: pytest.Pytester
) -> None:
    server.plan = _every_answer_is_another
    result = suite(*MODEL, "--judge-repeats", "5", "--run", "r")
    result.stdout.fnmatch_lines(
        ["judging 1 trial(s) 5 times with *", "oracle: openai:gpt-4o-mini says 0.* ± 0.* over 5 *"]
    )
    assert len(server.requests) == 10  # two demos
    (record,) = records("r")
    assert record.score == statistics.median(record.repeats)
    assert len(set(record.repeats)) == 5
    (chosen,) = [opinion for opinion in record.opinions if opinion.score == record.score]
    assert (record.items, record.categories) == (chosen.items, chosen.categories)
    assert record.cost_usd == pytest.approx(5 * chosen.cost_usd)
    suite(*MODEL, "--run", "r", "--rescore")
    assert records("r")[-1].opinions == record.opinions
    export = [sys.executable, "-m", "benchmark", "judgements", "export", "r", "--out", "said.jsonl", f"--tasks={TASKS}"]
    subprocess.run(export, cwd=pytester.path, check=True)
    suite("--judge", "recorded:said.jsonl", "--judge-repeats", "5", "--run", "replayed")
    assert records("replayed")[0].repeats == record.repeats
    assert len(server.requests) == 10


def test_two_judges_are_compared(
    suite: RunSuite, records: Records, server: JudgeServer, pytester: pytest.Pytester
) -> None:
    server.plan = lambda seen, _: Act(text=json.dumps({"scores": dict.fromkeys(seen.ids, 1.0), "rationales": {}}))
    result = suite("--judge", "offline", *MODEL, "--judge-repeats", "2", "--run", "r", "--fresh")
    result.stdout.fnmatch_lines(["offline and openai:gpt-4o-mini: 0.* apart on average over 6 items*"])
    (record,) = records("r")
    assert record.judge == "offline"
    assert [(one.judge, one.repeat) for one in record.opinions] == [
        ("offline", 1), ("openai:gpt-4o-mini", 1), ("openai:gpt-4o-mini", 2),
    ]  # fmt: skip
    subprocess.run([sys.executable, "-m", "benchmark", "report", "r"], cwd=pytester.path, check=True)
    report = pytester.path / "reports/r/report"
    assert (report / "tables/agreement.csv").read_text().splitlines()[1].startswith("offline,openai:gpt-4o-mini,6,")
    assert (report / "tables/disagreements.csv").read_text().count("\n") > 1
    assert "Disagreements" in (report / "index.html").read_text()
    result = suite("--judge", "offline", "--judge", "offline")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "the same one twice" in result.stderr.str()


def test_rescoring_keeps_the_judge(suite: RunSuite, records: Records, server: JudgeServer) -> None:
    suite(*MODEL, "--run", "r")
    suite("--run", "r", "--rescore")  # the default judge is another one, and is not asked
    first, second = records("r")
    assert (second.judge, second.proxy, second.items) == (first.judge, False, first.items)
