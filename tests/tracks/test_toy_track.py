"""A track from outside this repository, in one folder: everything that runs have works for it without a change here."""

import json
import re
import sys
from collections.abc import Callable

import pytest

from benchmark.results.store import RunStore
from tests.suite.conftest import CACHE, CONFTEST, REPOSITORY

GUESS = REPOSITORY / "examples/track"
Run = Callable[..., pytest.RunResult]


@pytest.fixture
def guess(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`guess("--run", "x")` runs its tasks the way a user does who has the track installed."""
    monkeypatch.setenv("PYTHONPATH", f"{REPOSITORY}:{GUESS}")
    monkeypatch.setenv("GAMECRAFT_CACHE", str(CACHE))
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
        monkeypatch.delenv(name, raising=False)
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_mine="from benchmark.suite.test_benchmark import test_trial")

    def go(*arguments: str) -> pytest.RunResult:
        agents = ("--agent", "oracle", "--agent", "nop")
        return pytester.runpytest_subprocess(
            "-p", "no:hypothesispytest", f"--tasks={GUESS / 'tasks'}", *agents, *arguments
        )

    return go


def command(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.run(sys.executable, "-m", "benchmark", *arguments)


def test_it_is_collected_by_track_and_family(guess: Run) -> None:
    result = guess("--track", "guess", "-m", "numbers", "--collect-only", "-q")
    result.stdout.fnmatch_lines(["*test_trial[[]guess/numbers/nine[[]oracle[]][]]", "4 tests collected*"])


def test_it_runs_on_two_workers_and_is_told_again(guess: Run, pytester: pytest.Pytester) -> None:
    first = guess("--run", "r", "-n", "2")
    assert first.ret == 1  # nop guesses nothing
    first.stdout.fnmatch_lines(["*oracle*1.000*2*0*", "*nop*0.000*2*0*"])
    again = guess("--run", "r", "-n", "2")
    again.stdout.fnmatch_lines(["*4 trial(s) were settled in this run before*"])
    records = RunStore(pytester.path / "reports/r").history()
    assert len(records) == 4
    assert {record.track for record in records} == {"guess"}


@pytest.mark.parametrize(
    "answer", ["echo seven > game/answer.txt", "ln -s /etc/hostname game/answer.txt", "mkfifo game/answer.txt"]
)
def test_an_answer_that_is_none_is_scored_and_not_void(answer: str, guess: Run, pytester: pytest.Pytester) -> None:
    guess("--run", "r", "-k", "nine and odd", "--agent", f"odd={answer}")
    (record,) = RunStore(pytester.path / "reports/r").history()
    assert (record.outcome, record.score) == ("scored", 0.0)


def test_its_numbers_decide_at_the_gate_and_against_a_baseline(guess: Run) -> None:
    assert guess("--run", "r", "--gate", "guess_overall >= 0.9 and numbers >= 0.9").ret == 1
    assert guess("--run", "o", "--gate", "coverage >= 1 or overall >= 2").ret == 0
    compared = guess("--run", "r", "--baseline", "reports/o")
    compared.stdout.fnmatch_lines(["*guess against oracle of reports/o: *no drop"])


def test_it_is_exported_and_reported(guess: Run, pytester: pytest.Pytester) -> None:
    guess("--run", "r")
    table = command(pytester, "report", "r", "--format", "csv").stdout.str()
    assert re.search(r"^oracle,arithmetic,false,1\.0,", table, re.MULTILINE), table
    document = json.loads(command(pytester, "report", "r", "--format", "json").stdout.str())
    assert [row["agent"] for row in document["guess"]] == ["oracle", "nop"]
    assert document["guess"][0]["tasks"] == {"guess/numbers/nine": [1.0], "guess/numbers/seven": [1.0]}
    assert command(pytester, "report", "r", "--quiet").ret == 0
    front = (pytester.path / "reports/r/report/index.html").read_text(encoding="utf-8")
    assert "Leaderboard: numbers guessed" in front
    assert "as far as" not in front
    page = (pytester.path / "reports/r/report/trials/guess.numbers.nine--oracle--1.html").read_text(encoding="utf-8")
    assert "exact" in page


def test_its_packages_are_linted_by_its_rules(guess: Run, pytester: pytest.Pytester) -> None:
    assert command(pytester, "lint", str(GUESS / "tasks")).ret == 0
    bad = pytester.mkdir("guess") / "numbers/odd"
    bad.mkdir(parents=True)
    (bad / "task.toml").write_text('number = "seven"\n')
    result = command(pytester, "lint", str(bad))
    assert result.ret == 1
    result.stdout.fnmatch_lines(["error: *task.toml: number: *a whole number is needed"])


def test_a_run_is_still_read_where_the_track_is_not_installed(
    guess: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    guess("--run", "r")
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    result = command(pytester, "report", "r", "--format", "csv")
    result.stdout.fnmatch_lines(["oracle,arithmetic,false,1.0,*"])


def test_scores_of_two_tracks_never_meet_in_one_number(guess: Run) -> None:
    games = f"--tasks={REPOSITORY / 'tests/tasks'}"
    result = guess("--run", "r", games, "-k", "guess or nop", "--gate", "overall > 0.1")
    assert result.ret == 4
    assert "overall: of craft or of guess? This run has both" in result.stdout.str() + result.stderr.str()
