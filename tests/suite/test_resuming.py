"""The same command again: a resumed run says of all its trials what it said before, and mixes nothing unasked."""

import json
import re
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.trials import TrialRecord
from tests.suite.conftest import CONFTEST, TASKS, RunSuite

pytestmark = pytest.mark.engine
Records = Callable[[str], list[TrialRecord]]
LABEL = "craft/puzzle/tiny-switch"
NO_ENGINE = """
import pytest

@pytest.fixture(scope="session")
def engine():
    raise AssertionError("a settled trial needs no engine")
"""


def said(result: pytest.RunResult) -> tuple[list[str], list[str]]:
    """What stands under FAILURES, and the tables; without times, workers and what is said of resuming."""
    text = re.sub(
        r"^(\[gw\d+\] linux|- generated xml|\d+ trial\(s\) were settled).*\n", "", result.stdout.str(), flags=re.M
    )
    failures, _, scores = text.partition(" FAILURES ")[2].partition(" scores ")
    blocks = re.split(r"^_{3,} ", failures.strip("=\n"), flags=re.MULTILINE)
    return sorted(block.strip() for block in blocks), scores.partition("report: ")[0].splitlines()[1:]


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_a_settled_run_is_told_again_without_running_anything(
    workers: tuple[str, ...], suite: RunSuite, records: Records, pytester: pytest.Pytester
) -> None:
    agents = ("--agent", "nop", "--agent", "oracle")
    first = suite("--run", "r", *agents)
    folder = pytester.path / "reports/r"
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    pytester.makeconftest(CONFTEST + NO_ENGINE)
    again = suite("--run", "latest", *agents, *workers, "--junitxml=junit.xml", "--alluredir=allure")
    assert again.ret == first.ret == 1
    assert said(again) == said(first)
    again.stdout.fnmatch_lines(["*2/2] *settled before", "2 trial(s) were settled in this run before: *"])
    changed = [path for path in before if path.stat().st_mtime_ns != before[path]]
    assert not changed  # no line, no lock, no run.json
    assert len(records("r")) == 2
    suites = ElementTree.parse(pytester.path / "junit.xml").getroot()
    assert suites.find("testsuite[@failures='4'][@errors='0']") is not None  # two trials, two items
    results = [json.loads(path.read_text()) for path in (pytester.path / "allure").glob("*-result.json")]
    assert sorted(one["status"] for one in results) == ["failed", "failed"]
    oracle = next(one for one in results if one["name"].startswith(f"{LABEL}[oracle]: 0."))
    steps = {step["name"].split()[0]: step for step in oracle["steps"]}
    assert steps["A1"]["status"] == "failed"
    assert "proxy: " in steps["A1"]["name"]  # with the judge's reason
    assert {"video/mp4", "image/jpeg"} <= {f["type"] for one in oracle["steps"] for f in one.get("attachments", ())}


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_what_is_missing_runs_and_what_is_settled_is_told(
    workers: tuple[str, ...], suite: RunSuite, records: Records
) -> None:
    suite("--run", "r", "--agent", "nop")
    result = suite("--run", "r", "--agent", "nop", "--agent", "x=true", *workers)
    assert result.ret == 1
    assert [one.agent for one in records("r")] == ["nop", "x"]
    assert result.stdout.str().count("settled before") == 1
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["1 trial(s) were settled in this run before: *"])


def test_last_failed_finds_settled_failures(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    suite("--run", "r", "--agent", "nop", "--agent", "x=true")
    shutil.rmtree(pytester.path / ".pytest_cache")
    suite("--run", "r", "--agent", "nop", "-k", "nop")
    listed = suite("--run", "r", "--collect-only", "-q", "--lf", "--agent", "nop", "--agent", "x=true")
    assert listed.ret == 0
    assert "[nop]" in listed.stdout.str()
    assert "[x]" not in listed.stdout.str()
    listed.stdout.fnmatch_lines(["1 of these are settled in this run: they would be told, not run"])
    again = suite("--run", "r", "--lf", "--agent", "nop", "--agent", "x=true")
    again.assert_outcomes(failed=1)
    assert len(records("r")) == 2


def test_a_trial_whose_folder_is_gone_is_told_from_the_record(
    suite: RunSuite, records: Records, pytester: pytest.Pytester
) -> None:
    first = suite("--run", "r")
    shutil.rmtree(pytester.path / "reports/r/trials")
    again = suite("--run", "r")
    assert again.ret == first.ret == 1
    again.stdout.fnmatch_lines(["2 of 6 items below 0.5, in 2 demo(s)", "D1 0.*", "A1 0.0*"])
    assert said(again)[1] == said(first)[1]
    assert not (pytester.path / "reports/r/trials").exists()


def test_a_passing_run_passes_again_and_the_gate_decides_as_before(suite: RunSuite) -> None:
    gate = ("--gate", "overall >= 0.1 and build >= 0.95", "--run", "r")
    assert suite(*gate).ret == suite(*gate).ret == 0
    assert suite("--run", "r").ret == 1  # without the gate its misses count
    closed = suite("--gate", "overall >= 0.99", "--run", "r")
    assert closed.ret == 1
    closed.stdout.fnmatch_lines(["oracle: gate NOT passed: overall >= 0.99*"])


def test_to_judge_again_what_never_ran_is_no_success(suite: RunSuite) -> None:
    suite("--run", "r", "--agent", "nop")
    result = suite("--run", "r", "--agent", "x=true", "--rejudge")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["no trials: run 'r' has no record of any of them*"])


def profile(folder: Path, command: str) -> str:
    path = folder / "mine.toml"
    path.write_text(f'name = "mine"\ncommand = "{command}"\n')
    return str(path)


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_a_changed_profile_is_not_mixed_in_silence(
    workers: tuple[str, ...], suite: RunSuite, records: Records, pytester: pytest.Pytester
) -> None:
    agents = ("--agent", "nop", "--agent", profile(pytester.path, "true"))
    suite("--run", "r", *agents)
    profile(pytester.path, "false")
    refused = suite("--run", "r", *agents, *workers)
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    old = records("r")[1].versions["agent"]
    refused.stderr.fnmatch_lines(
        ["ERROR: run 'r' has settled trials that would be others today",
         f"  agent mine: {old} → * (1 trial(s): {LABEL}[[]mine])", "  next: --redo changed *--keep-old *"]
    )  # fmt: skip
    kept = suite("--run", "r", *agents, *workers, "--keep-old")
    assert kept.ret == 1
    kept.stdout.fnmatch_lines([f"kept as settled, would be others today: agent mine: {old} → *"])
    assert len(records("r")) == 2
    redone = suite("--run", "r", *agents, *workers, "--redo", "changed")
    assert [one.agent for one in records("r")[2:]] == ["mine"]
    assert redone.stdout.str().count("settled before") == 1
    assert suite("--run", "r", *agents, *workers).ret == 1  # and all is well again
    assert len(records("r")) == 3


@pytest.mark.parametrize(
    ("file", "what"), [("tests/rubric.json", "rubric or hidden test"), ("instruction.md", "instruction")]
)
def test_a_changed_task_is_not_mixed_in_silence(
    file: str, what: str, suite: RunSuite, records: Records, pytester: pytest.Pytester
) -> None:
    shutil.copytree(TASKS / LABEL, pytester.path / "mine/craft/puzzle/copied")
    options = ("--tasks", "mine", "--agent", "nop", "--run", "r")
    suite(*options)
    path = pytester.path / "mine/craft/puzzle/copied" / file
    path.write_text(path.read_text().replace(" is ", " was "))
    refused = suite(*options)
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines([f"  {what} of craft/puzzle/copied: * → * (1 trial(s): craft/puzzle/copied[[]nop])"])
    suite(*options, "--redo", "copied")
    assert [one.task for one in records("r")] == ["craft/puzzle/copied", LABEL, "craft/puzzle/copied"]


def test_another_judge_is_not_mixed_in_silence(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    suite("--run", "r", "--agent", "nop")
    (pytester.path / "said.jsonl").touch()
    refused = suite("--run", "r", "--agent", "nop", "--judge", "recorded:said.jsonl")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["  judge: offline * → recorded:said.jsonl * (1 trial(s): *"])
    assert len(records("r")) == 1


def test_what_was_to_run_again_and_did_not_is_told(suite: RunSuite, records: Records) -> None:
    agents = ("--agent", "nop", "--agent", "x=true")
    suite("--run", "r", *agents)
    result = suite("--run", "r", *agents, "--redo", "nop", "--redo", LABEL, "-k", "nop")
    assert [one.agent for one in records("r")] == ["nop", "x", "nop"]
    result.stdout.fnmatch_lines(["1 trial(s) were to run again (--redo) but did not; their old results count: *[[]x]"])


def test_what_a_record_does_not_tell_is_unknown_not_changed(
    suite: RunSuite, records: Records, pytester: pytest.Pytester
) -> None:
    suite("--run", "r", "--agent", "nop", "--agent", profile(pytester.path, "true"))
    path = pytester.path / "reports/r/trials.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        line["versions"] = {"harness": "0.0.1"}
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = suite("--run", "r", "--agent", "nop", "--agent", profile(pytester.path, "false"), "--agent", "x=true")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["note: this run was made with more than one harness: 0.0.1 (2 trials), *"])
    assert len(records("r")) == 3


def test_judging_again_keeps_which_agent_it_was(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    agent = profile(pytester.path, "true")
    suite("--run", "r", "--agent", agent)
    profile(pytester.path, "false")
    suite("--run", "r", "--agent", agent, "--rejudge")
    first, second = records("r")
    assert first.versions["agent"] == second.versions["agent"]
    assert suite("--run", "r", "--agent", agent).ret == pytest.ExitCode.USAGE_ERROR
