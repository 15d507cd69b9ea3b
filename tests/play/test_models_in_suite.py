"""A model in the suite, as a user runs it: profile, record, report, and what a broken endpoint makes of a trial."""

import re
import sys
from pathlib import Path

import pytest

from benchmark.results.store import RunStore
from benchmark.trials import TrialRecord
from tests.play.conftest import GAMES
from tests.play.models_server import Answer, Asked, PlayModelServer
from tests.suite.conftest import CACHE, CONFTEST, REPOSITORY

pytestmark = pytest.mark.browser
KEY = "key-of-the-suite-9876543210"


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    monkeypatch.setenv("GAMECRAFT_CACHE", str(CACHE))
    monkeypatch.setenv("SUITE_KEY", KEY)
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
        monkeypatch.delenv(name, raising=False)
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_mine="from benchmark.suite.test_benchmark import test_trial")
    return pytester


def record_of(pytester: pytest.Pytester, server: PlayModelServer, run: str) -> TrialRecord:
    profile = pytester.path / "model.toml"
    profile.write_text(
        f'model = "own-x"\nbase_url = "{server.url("chat")}"\nkey = "SUITE_KEY"\nprices = [2, 10]\n'
        'prices_of = "2026-11-01"\nretry_sec = 0.05\n'
    )
    pytester.runpytest_subprocess(
        "-p", "no:hypothesispytest", f"--tasks={GAMES}", "--agent", f"model:{profile}", "--run", run, "-k",
        "tiny-steps-1", "--max-void", "1",
    )  # fmt: skip
    (record,) = RunStore(pytester.path / "reports" / run).history()
    return record


def files_below(folder: Path) -> str:
    texts = [path for path in folder.rglob("*") if path.suffix in (".json", ".jsonl", ".html", ".txt", ".csv", ".md")]
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in texts)


def test_a_model_leaves_a_record_with_its_tokens_cost_and_identity(suite: pytest.Pytester) -> None:
    with PlayModelServer(lambda asked, number: Answer((("right", {"reasoning": f"Right, with {KEY}."}),))) as server:
        record = record_of(suite, server, "r")
    assert (record.agent, record.outcome, record.score) == ("own-x-semantic", "scored", 1.0)
    asked = len(server.asked)
    assert record.activity["tokens_input"] == 1200 * asked
    assert record.cost_usd == pytest.approx(asked * (1200 * 2 + 34 * 10) / 1e6)
    assert record.facts["interface"] == "semantic"
    assert record.agent_identity["model_answered"] == "own-x-dated"
    assert record.agent_identity["prices"] == "2 in, 10 out, 2026-11-01"
    report = suite.run(sys.executable, "-m", "benchmark", "report", "r")
    assert report.ret == 0
    kept = files_below(suite.path / "reports")
    assert "Right, with [redacted" in kept
    assert KEY not in kept
    (page,) = (suite.path / "reports/r").rglob("trials/*.html")
    assert re.search(r"Step 1.*press key ArrowRight", page.read_text(encoding="utf-8"), re.DOTALL)


def test_an_endpoint_that_fails_in_the_middle_makes_the_trial_void(suite: pytest.Pytester) -> None:
    def plan(asked: Asked, number: int) -> Answer:
        return Answer((("wait", {"reasoning": "Not yet."}),)) if number < 2 else Answer(status=401)

    with PlayModelServer(plan) as server:
        record = record_of(suite, server, "r")
    assert (record.outcome, record.score) == ("void", None)
    assert "HTTP 401" in record.reason
    assert KEY not in files_below(suite.path / "reports")
