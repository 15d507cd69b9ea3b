"""The track in the suite and on the command line, as a user meets it."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.play.step_log import STEPS_FILE
from benchmark.results.store import RunStore
from benchmark.trials import TrialRecord
from tests.play.conftest import GAMES
from tests.suite.conftest import CACHE, CONFTEST, REPOSITORY
from tests.suite.conftest import TASKS as CRAFT_TASKS

pytestmark = pytest.mark.browser
Run = Callable[..., pytest.RunResult]


@pytest.fixture
def games(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`games("--agent", "random")` runs the tiny games the way a user does."""
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    monkeypatch.setenv("GAMECRAFT_CACHE", str(CACHE))
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
        monkeypatch.delenv(name, raising=False)
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_mine="from benchmark.suite.test_benchmark import test_trial")

    def go(*arguments: str, tasks: Path = GAMES) -> pytest.RunResult:
        return pytester.runpytest_subprocess("-p", "no:hypothesispytest", f"--tasks={tasks}", *arguments)

    return go


@pytest.fixture
def records(pytester: pytest.Pytester) -> Callable[[str], dict[str, TrialRecord]]:
    return lambda run: {one.id.label: one for one in RunStore(pytester.path / "reports" / run).history()}


def command(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.run(sys.executable, "-m", "benchmark", *arguments)


def test_players_are_told_apart_on_two_workers_and_told_again(
    games: Run, records: Callable[[str], dict[str, TrialRecord]], pytester: pytest.Pytester
) -> None:
    agents = ("--agent", "oracle", "--agent", "nop", "--agent", "random")
    first = games(*agents, "--run", "r", "-n", "2", "-k", "tiny-steps", "--gate", "play_success >= 0")
    first.stdout.fnmatch_lines(["*oracle*semantic*1.000*1.000*"])
    found = records("r")
    assert len(found) == 15
    assert {one.outcome for one in found.values()} == {"scored"}
    oracle = found["play/arcade/tiny-steps-5-twenty[oracle]"]
    assert (oracle.score, oracle.facts["solved"], oracle.facts["policy_actions"]) == (1.0, True, 10)
    assert oracle.labels["level"] == "L1"
    idle = found["play/arcade/tiny-steps-5-twenty[nop]"]
    assert (idle.score, idle.facts["solved"], idle.facts["ended"]) == (0.0, False, "budget used up")
    again = games(*agents, "--run", "r", "-k", "tiny-steps")
    again.stdout.fnmatch_lines(["*15 trial(s) were settled in this run before*"])
    games(*agents, "--run", "r", "-k", "tiny-steps", "--rescore")
    assert {label: one.score for label, one in records("r").items()} == {k: v.score for k, v in found.items()}
    table = command(pytester, "report", "r", "--format", "csv").stdout.str()
    assert "oracle,semantic,paused,1.0" in table


def test_a_stored_trial_is_played_again_and_a_changed_one_is_found_out(games: Run, pytester: pytest.Pytester) -> None:
    games("--agent", "random", "--run", "r", "-k", "tiny-duo-5")
    trial = pytester.path / "reports/r/trials/play.simulation.tiny-duo-5-five--random--1"
    same = command(pytester, "replay", "--trial", str(trial), "--tasks", str(GAMES), "--json")
    document = json.loads(same.stdout.str())
    assert same.ret == 0
    assert [one["status"] for one in document["findings"]] == ["identical", "identical"]
    lines = (trial / STEPS_FILE).read_text().splitlines()
    (trial / STEPS_FILE).write_text(
        "\n".join([*lines[:3], lines[3].replace('"score": ', '"score": 1'), *lines[4:], ""])
    )
    other = command(pytester, "replay", "--trial", str(trial), "--tasks", str(GAMES))
    assert other.ret == 1
    other.stdout.fnmatch_lines(["*steps  different: step 3: score*"])
    nothing = command(pytester, "replay", "--trial", str(GAMES))
    assert (nothing.ret, "name the folder of a trial" in nothing.stderr.str()) == (2, True)


@pytest.mark.timeout(900)
def test_a_run_of_games_is_verified_without_an_engine(games: Run, pytester: pytest.Pytester) -> None:
    games("--agent", "random", "--agent", "nop", "--run", "r", "-k", "tiny-steps-1", "--gate", "play_success >= 0")
    verify = ("verify-run", "r", "--tasks", str(GAMES), "--godot", "no-such-engine")
    same = command(pytester, *verify)
    same.stdout.fnmatch_lines(["*steps  identical: state and pixels of all*", "2 trial(s), 4 finding(s): 4 identical"])
    assert same.ret == 0
    log = pytester.path / "reports/r/trials/play.arcade.tiny-steps-1-two--random--1" / STEPS_FILE
    lines = log.read_text().splitlines()
    log.write_text("\n".join([lines[0], lines[1].replace('"score": ', '"score": 1'), *lines[2:], ""]))
    other = command(pytester, *verify, "-k", "random")
    other.stdout.fnmatch_lines(["*steps  different: step 1: score*"])
    assert other.ret == 1
    log.unlink()
    log.symlink_to(pytester.path / "elsewhere")
    command(pytester, *verify, "-k", "random").stdout.fnmatch_lines(["*steps.jsonl is a link or a special file*"])


@pytest.mark.timeout(900)
def test_what_playing_costs_is_measured_and_all_of_it_repeats(pytester: pytest.Pytester) -> None:
    few = ("--verified", "2", "--loaded", "1", "--steps", "2")
    done = command(pytester, "bench-play", "--tasks", str(GAMES), "-k", "tiny-steps-1", *few)
    done.stdout.fnmatch_lines([
        "1 task(s) × oracle, nop, random on 2 workers: 3 trials in *",
        "1 trial(s) played again with two busy processes per core: * 0 differ*",
        "1 trial(s) played again with nothing else of ours running: * 0 differ*",
        "| arcade/tiny-steps | * |",
    ])  # fmt: skip
    assert done.ret == 0
    none = command(pytester, "bench-play", "--tasks", str(GAMES), "-k", "no-such-task")
    assert (none.ret, "no task of track play" in none.stderr.str()) == (2, True)


def test_seeds_follow_attempts_and_real_time_is_another_question(
    games: Run, records: Callable[[str], dict[str, TrialRecord]]
) -> None:
    games("--agent", "nop", "--run", "r", "--attempts", "2", "--play-seed", "7", "-k", "tiny-duo-1")
    found = records("r")
    assert sorted(one.facts["seed"] for one in found.values()) == [7, 8]
    refused = games("--agent", "nop", "--run", "r", "--play-seed", "9", "-k", "tiny-duo-1")
    assert "play_seed" in refused.stdout.str() + refused.stderr.str()


def test_agents_of_one_track_have_nothing_to_do_in_another(games: Run) -> None:
    wrong = games("--agent", "random", "--track", "craft", tasks=CRAFT_TASKS)
    assert "random is an agent of track play" in wrong.stdout.str()
    wrong = games("--agent", "mine=true", "--track", "play")
    assert "mine works on files and plays no games" in wrong.stdout.str()
    unknown = games("--agent", "chance")
    assert "random (track play)" in unknown.stdout.str() + unknown.stderr.str()


def test_a_game_that_breaks_is_void_with_its_reason(
    games: Run, records: Callable[[str], dict[str, TrialRecord]], pytester: pytest.Pytester
) -> None:
    folder = pytester.path / "mine/arcade/tiny-steps"
    shutil.copytree(GAMES / "arcade/tiny-steps", folder)
    for path in (folder / "tasks").glob("*.yaml"):
        path.write_text(path.read_text() + 'url: "?bad=throws"\n')
    games("--agent", "nop", "--run", "r", "-k", "tiny-steps-1", tasks=pytester.path / "mine")
    (record,) = records("r").values()
    assert (record.outcome, record.score) == ("void", None)
    assert "thrown in getState" in record.reason


def test_validate_proves_tasks_and_says_what_is_a_gift(pytester: pytest.Pytester) -> None:
    good = command(pytester, "validate", "--track", "play", str(GAMES), "-k", "tiny-steps-1", "-j", "1")
    assert good.ret == 0
    good.stdout.fnmatch_lines(["*tiny-steps-1-two*yes*yes*", "1 of 1 sound*"])
    gift = command(pytester, "validate", "--track", "play", str(GAMES), "-k", "tiny-duo-3", "-j", "1")
    assert gift.ret == 1
    gift.stdout.fnmatch_lines(["*random comes to*below 0.2 is wanted*"])
