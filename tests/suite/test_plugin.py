"""Each option of the plugin, as a pytest user meets it."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.commands.timed import children_processor_sec
from benchmark.trials import TrialRecord
from tests.suite.conftest import CONFTEST, REPOSITORY, TASKS, RunSuite

pytestmark = pytest.mark.engine
Records = Callable[[str], list[TrialRecord]]
LABEL = "craft/puzzle/tiny-switch"


def test_the_oracle_is_scored_and_misses_named(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    result = suite("--run", "r")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["*agents oracle; judge offline*", f"*1/1] {LABEL}[[]oracle] *M 0.*", "*items below 0.5*", "A1 0.0*",
         "oracle *", "*a proxy*", "report: python -m benchmark report*", "FAILED test_mine.py*"]
    )  # fmt: skip
    (record,) = records("r")
    assert record.outcome == "scored"
    assert record.proxy
    assert record.facts["build"] == 1
    assert record.score is not None
    assert set(record.items) == {"M1", "M2", "D1", "V1", "V2", "A1"}
    assert [demo["ended"] for demo in record.facts["demos"]] == ["complete", "complete"]
    assert {"engine", "harness", "judge", "rubric", "agent", "instruction", "project"} <= record.versions.keys()
    folder = pytester.path / "reports/r/trials" / record.id.folder
    for name in ("submission/project.godot", "gate.json", "trial.json", "agent.log", "judgement/01_presses.json"):
        assert (folder / name).is_file(), name
    assert (folder / "evidence/01_presses/video.mp4").stat().st_size > 0
    assert json.loads((folder / "trial.json").read_text()) == json.loads(record.to_line())
    assert (pytester.path / "reports/latest").resolve() == pytester.path / "reports/r"


def test_nop_scores_zero_and_no_void(suite: RunSuite, records: Records) -> None:
    result = suite("--run", "r", "--agent", "nop", "--agent", "oracle")
    assert result.ret == 1
    nop, oracle = sorted(records("r"), key=lambda one: one.agent)
    assert (nop.outcome, nop.facts["build"], nop.score) == ("scored", 0, 0.0)
    assert "no project.godot" in nop.reason
    assert oracle.score is not None
    assert oracle.score > 0.3


def test_a_command_agent_works_in_its_workspace(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    command = "mine=cat instruction.md > game/read.txt; echo $HOME; env > game/env.txt; ls -a / > game/root.txt; exit 3"
    suite("--run", "r", "--agent", command, "--keep-workspace")
    (record,) = records("r")
    assert record.agent_ended == "crashed"
    assert record.scored
    folder = pytester.path / "reports/r/trials" / record.id.folder
    assert (folder / "submission/read.txt").read_text().startswith("# Tiny Switch")
    assert (folder / "instruction.md").read_text() == (folder / "submission/read.txt").read_text()
    assert "GAMECRAFT_INSTRUCTION=# Tiny Switch" in (folder / "submission/env.txt").read_text()
    assert (folder / "agent.log").read_text().strip() == "/home"
    assert (folder / "workspace/instruction.md").is_file()


def test_markers_and_keywords_select(suite: RunSuite) -> None:
    for selection, count in (
        (("-m", "craft and not slow"), 1), (("-k", "puzzle"), 1), (("-m", "easy and puzzle"), 1), (("-k", "tiny"), 1),
        (("-m", "card-game"), 0), (("-k", "racing"), 0), (("--track", "edit"), 0),
    ):  # fmt: skip
        result = suite("--collect-only", "-q", *selection)
        assert result.stdout.str().count(LABEL) == count, selection
    assert not Path("reports").exists()  # listing makes no run


def test_attempts_and_agents_multiply(suite: RunSuite) -> None:
    result = suite("--collect-only", "-q", "--agent", "nop", "--agent", "x=true", "--attempts", "3")
    result.stdout.fnmatch_lines(
        [f"*{LABEL}[[]nop]]", f"*{LABEL}[[]nop#2]]", f"*{LABEL}[[]nop#3]]", "6 tests collected*"]
    )


def test_140_tasks_by_7_agents_are_collected_in_a_moment(suite: RunSuite, pytester: pytest.Pytester) -> None:
    for index in range(140):
        folder = pytester.path / f"many/craft/puzzle/task-{index}"
        folder.mkdir(parents=True)
        (folder / "task.toml").write_text('[metadata]\ndifficulty = "easy"\n')
    agents = [word for index in range(7) for word in ("--agent", f"agent-{index}=true")]
    before = children_processor_sec()
    result = suite("--collect-only", "-q", f"--tasks={pytester.path / 'many'}", *agents)
    collected = next(line for line in result.outlines if "tests collected" in line)
    assert collected.startswith("987 tests")  # and the tiny one
    assert children_processor_sec() - before < 2.0  # start-up included


def test_void_trials_run_again(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        CONFTEST
        + """
import pytest
from benchmark.errors import InfrastructureError

class Broken:
    name = version = "broken"
    proxy = needs_untouched = steady = False
    def ready(self):
        pass
    def judge(self, rubric, demos, log, repeat):
        raise InfrastructureError("the judge is asleep")

@pytest.fixture(scope="session")
def judge():
    return Broken()
"""
    )
    result = suite("--run", "r", "--alluredir=allure")
    assert result.ret == 10
    (shown,) = [json.loads(path.read_text()) for path in (pytester.path / "allure").glob("*-result.json")]
    assert shown["status"] == "broken"
    result.stdout.fnmatch_lines(
        ["*void*the judge is asleep*", "void: *the judge is asleep", "*with --run r tries them again*"]
    )
    assert [one.outcome for one in records("r")] == ["void"]
    assert records("r")[0].score is None
    assert suite("--run", "r", "--max-void", "1").ret == 1
    pytester.makeconftest(CONFTEST)
    suite("--run", "r")
    assert [one.outcome for one in records("r")] == ["void", "void", "scored"]


def test_fixtures_can_be_overridden(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        CONFTEST
        + """
import dataclasses, pytest

@pytest.fixture(scope="session")
def recorder(recorder):
    return dataclasses.replace(recorder, video_fps=0)
"""
    )
    suite("--run", "r")
    folder = pytester.path / "reports/r/trials" / records("r")[0].id.folder / "evidence/01_presses"
    assert (folder / "evidence.json").is_file()
    assert not (folder / "video.mp4").exists()
    assert records("r")[0].versions["recorder"] == "engine (conftest)"
    again = suite("--run", "r")  # what a conftest set is not taken for a change
    again.stdout.fnmatch_lines(["*1 trial(s) were settled in this run before*"])


def test_stored_trials_are_taken_up_again(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    suite("--run", "r")
    folder = pytester.path / "reports/r/trials" / records("r")[0].id.folder
    opinions = folder / "opinions.json"
    data = json.loads(opinions.read_text())
    for item in data[0]["demos"][0]["items"].values():
        item["score"] = 1.0
    opinions.write_text(json.dumps(data))
    suite("--run", "r", "--rescore")
    first, rescored = records("r")
    assert rescored.score is not None
    assert first.score is not None
    assert rescored.score > first.score
    assert "replay" not in rescored.seconds
    suite("--run", "r", "--rejudge")
    assert records("r")[-1].score == first.score
    suite("--run", "r", "--replay-only")
    assert records("r")[-1].score == first.score
    assert "replay" in records("r")[-1].seconds
    assert "produce" not in records("r")[-1].seconds


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--agent", "gpt"), "'gpt' is no agent"),
        (("--agent", "nop", "--agent", "nop"), "two agents have the same name"),
        (("--agent", "a/b=true"), "'a/b' cannot name an agent"),
        (("--agent", "oracle=true"), "'oracle' cannot name an agent"),
        (("--agent", "missing.toml"), "missing.toml: there is no such file"),
        (("--attempts", "0"), "--attempts: 0 is outside"),
        (("--judge", "me"), "'me' is no judge"),
        (("--run", "../up"), "--run: '../up'"),
        (("--rejudge",), "--rejudge needs the run it is about"),
        (("--run", "x", "--rejudge"), "there is no run 'x'"),
        (("--run", "x", "--rejudge", "--rescore"), "do not go together"),
        (("--gate", "overall"), "is not a comparison"),
        (("--gate", "owerall > 1"), "owerall: not known"),
        (("--baseline", "none.json"), "none.json does not exist"),
        (("--baseline", "conftest.py"), "conftest.py is no baseline"),
        (("--max-void", "2"), "outside 0–1"),
        (("--tasks", "nowhere"), "nowhere is not a folder"),
        (("--redo", "changed"), "--redo needs a run"),
        (("--keep-old",), "--keep-old needs a run"),
        (("--run", "x", "--redo", "changed", "--keep-old"), "do not go together"),
        (("--run", "x", "--redo", "racing"), "--redo: racing: no agent and no task of this run"),
    ],
)
def test_bad_usage_is_one_clear_message(suite: RunSuite, arguments: tuple[str, ...], message: str) -> None:
    result = suite(*arguments)
    output = result.stdout.str() + result.stderr.str()
    assert result.ret == pytest.ExitCode.USAGE_ERROR, output
    assert message in output
    assert "Traceback" not in output


def test_the_gate_decides_between_0_and_1(suite: RunSuite) -> None:
    opened = suite("--gate", "overall >= 0.1 and build >= 0.95", "--run", "r")
    assert opened.ret == 0
    opened.stdout.fnmatch_lines(["oracle: gate passed: overall >= 0.1*(build 1.000, overall 0.*)"])
    closed = suite("--gate", "overall >= 0.99", "--run", "r")  # everything settled: the gate is still asked
    assert closed.ret == 1
    closed.stdout.fnmatch_lines(["oracle: gate NOT passed: overall >= 0.99*"])


def test_a_drop_against_the_baseline_fails(suite: RunSuite, pytester: pytest.Pytester) -> None:
    suite("--run", "old", "--gate", "overall > 0")
    same = suite("--run", "new", "--gate", "overall > 0", "--baseline", "reports/old")
    assert same.ret == 0
    same.stdout.fnmatch_lines(["oracle: craft against oracle of reports/old: +0.000*no drop"])
    worse = suite("--run", "worse", "--agent", "nop", "--gate", "overall >= 0", "--baseline", "reports/old")
    assert worse.ret == 1
    worse.stdout.fnmatch_lines(["nop: craft against oracle of reports/old: -0.*DROP beyond noise"])


def test_quiet_is_quiet_and_last_failed_works(suite: RunSuite) -> None:
    quiet = suite("-q", "--agent", "nop", "--run", "r")
    assert f"1/1] {LABEL}" not in quiet.stdout.str()
    listed = suite("--collect-only", "-q", "--lf", "--agent", "nop", "--agent", "x=true")
    assert "[nop]" in listed.stdout.str()
    assert "[x]" not in listed.stdout.str()


def test_exitfirst_stops_after_the_first_miss(suite: RunSuite, records: Records) -> None:
    suite("-x", "--agent", "nop", "--agent", "x=true", "--run", "r")
    assert len(records("r")) == 1


def test_pdb_stops_with_the_trial_at_hand(suite: RunSuite, pytester: pytest.Pytester) -> None:
    told = (REPOSITORY / "docs/running.md").read_text(encoding="utf-8").partition("## Debugging one task")[2]
    table = [line.partition(" | ")[0] for line in told.partition("\n## ")[0].splitlines() if line.startswith("| `")]
    names = re.findall(r"`(\w+)`", " ".join(table))
    assert {"check", "done", "evidence"} <= set(names)
    output = subprocess.run(
        [sys.executable, "-m", "pytest", "--pdb", "-p", "no:hypothesispytest", f"--tasks={TASKS}"],
        input="evidence[0]\ncheck.name, round(check.score, 1), done.record.agent\n"
        f"done.id, done.task, done.folder, 'missing:', {set(names)!r} - set(dir())\nq\n",
        capture_output=True, text=True, cwd=pytester.path, check=False,
    ).stdout  # fmt: skip
    assert "<demo 01_presses: complete, 4 stills in" in output
    assert "('D1', 0.4, 'oracle')" in output
    assert "'missing:', set())" in output


def test_allure_shows_items_as_steps(suite: RunSuite, pytester: pytest.Pytester) -> None:
    suite("--agent", "oracle", "--agent", "nop", "--alluredir", "allure")
    results = {}
    for path in (pytester.path / "allure").glob("*-result.json"):
        data = json.loads(path.read_text(encoding="utf-8"))
        results[next(label["value"] for label in data["labels"] if label["name"] == "agent")] = data
    oracle, nop = results["oracle"], results["nop"]
    assert oracle["name"].startswith(f"{LABEL}[oracle]: 0.")
    assert oracle["status"] == "failed"
    steps = {step["name"].split()[0]: step for step in oracle["steps"]}
    assert steps["M1"]["status"] == "passed"
    assert steps["A1"]["status"] == "failed"
    attachments = [file["type"] for step in oracle["steps"] for file in step.get("attachments", ())]
    assert {"video/mp4", "image/jpeg"} <= set(attachments)
    assert nop["status"] == "failed"
    assert any(step["name"].startswith("BUILD 0") and step["status"] == "failed" for step in nop["steps"])


def test_a_second_run_of_the_same_submission_is_nearly_free(suite: RunSuite, records: Records) -> None:
    fresh = ("--fresh",)
    began = time.monotonic()
    suite("--run", "one", *fresh)
    first = records("one")[0].total_sec
    suite("--run", "two")
    second = records("two")[0].total_sec
    assert time.monotonic() - began < 120
    assert second < 0.25 * first  # tiny demos: the fixed costs weigh; `make bench-suite` measures real ones
    assert records("one")[0].items == records("two")[0].items
