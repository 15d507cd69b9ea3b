"""Edit trials through pytest, as a user runs them."""

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from benchmark.craft.record import GameFacts
from benchmark.edit.report.pages import read_edit_trial
from benchmark.edit.scenes import SCENE, draw_scenes
from benchmark.progress import QUIET, Progress
from benchmark.results.store import RunStore
from benchmark.runtime.machine import Machine
from benchmark.trials import TrialRecord
from tests.edit.conftest import TASKS
from tests.edit.corpus import add_task, to_zip
from tests.suite.conftest import RunSuite, records, suite

__all__ = ["records", "suite"]  # fixtures
pytestmark = pytest.mark.engine
Records = Callable[[str], list[TrialRecord]]
LAMP = "edit/gameplay/tiny-lamp"
ONLY_EDIT = ("--track", "edit", f"--tasks={TASKS}")


def test_the_oracle_passes_and_nop_fails(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    result = suite(*ONLY_EDIT, "--run", "r", "--agent", "oracle", "--agent", "nop")
    assert result.ret == 1
    found = {(one.task, one.agent): one for one in records("r")}
    assert {key: one.score for key, one in found.items()} == {
        (LAMP, "oracle"): 1.0, (LAMP, "nop"): 0.0,
        (f"{LAMP}-bright", "oracle"): 1.0, (f"{LAMP}-bright", "nop"): 0.0,
    }  # fmt: skip
    nop = found[LAMP, "nop"]
    assert (nop.outcome, nop.facts["build"]) == ("scored", 1)
    assert nop.items["the lamp is there"] == 1.0
    assert nop.items["a press lights it"] == 0.0
    assert "a press lights it: is false, expected true" in nop.reason
    trials = pytester.path / "reports/r/trials"
    assert (trials / nop.id.folder / "changes.diff").read_text(encoding="utf-8") == ""
    diff = (trials / found[LAMP, "oracle"].id.folder / "changes.diff").read_text(encoding="utf-8")
    assert "+++ submission/scripts/lamp.gd" in diff
    assert "+\t\tswitched.emit(is_on)" in diff
    verdict = json.loads((trials / nop.id.folder / "verdict.json").read_text(encoding="utf-8"))
    assert verdict["how"] == "failed"


def test_a_settled_run_of_changes_is_told_again(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    shutil.copytree(TASKS, pytester.path / "mine")
    options = ("--track", "edit", "--tasks", "mine", "--run", "r", "--agent", "nop", "-k", "not bright")
    first, again = suite(*options), suite(*options)
    assert first.ret == again.ret == 1
    for result in (first, again):
        result.stdout.fnmatch_lines(["* of * items below 0.5", "a press lights it 0.00  is false, expected true"])
    assert len(records("r")) == 1
    with (pytester.path / "mine" / LAMP / "start/project.godot").open("a") as file:
        file.write("; changed\n")
    refused = suite(*options)
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines([f"  start project of {LAMP}: * → * (1 trial(s): {LAMP}[[]nop])"])


def test_allure_shows_checks_as_steps_with_what_was_asked(suite: RunSuite, pytester: pytest.Pytester) -> None:
    suite(*ONLY_EDIT, "--run", "r", "--agent", "nop", "-k", "not bright", "--alluredir", "out")
    (path,) = (pytester.path / "out").glob("*-result.json")
    result = json.loads(path.read_text(encoding="utf-8"))
    steps = {step["name"]: step["status"] for step in result["steps"]}
    assert steps["BUILD 1"] == steps["the lamp is there 1.00"] == "passed"
    assert steps["a press lights it 0.00 — is false, expected true"] == "failed"
    assert [file["name"] for file in result["attachments"]] == ["what was asked", "log of the test", "reason"]


def test_an_agent_sees_the_start_and_nothing_that_is_hidden(
    suite: RunSuite, records: Records, pytester: pytest.Pytester
) -> None:
    command = "look=find .. -path ../assets -prune -o -type f -print > found.txt; cp ../instruction.md read.txt"
    suite(*ONLY_EDIT, "--run", "r", "--agent", command, "-k", "bright")
    (record,) = records("r")
    seen = pytester.path / "reports/r/trials" / record.id.folder / "submission"
    files = (seen / "found.txt").read_text(encoding="utf-8")
    assert "../game/scripts/lamp.gd" in files
    assert "../game/main.tscn" in files
    for hidden in ("test.gd", "wrong", "right.toml", "solution", "variant", "task.toml"):
        assert hidden not in files
    instruction = (seen / "read.txt").read_text(encoding="utf-8")
    assert "sets `brightness` to 7" in instruction
    assert "/workspace/game" in instruction
    assert (seen / "scripts/lamp.gd").read_text(encoding="utf-8") == (
        TASKS / "edit/gameplay/tiny-lamp/start/scripts/lamp.gd"
    ).read_text(encoding="utf-8")
    diff = (pytester.path / "reports/r/trials" / record.id.folder / "changes.diff").read_text(encoding="utf-8")
    assert "+++ submission/read.txt" in diff


def test_pictures_are_drawn_for_people_where_the_test_drew_none(
    suite: RunSuite, records: Records, pytester: pytest.Pytester, machine: Machine
) -> None:
    suite(*ONLY_EDIT, "--run", "r", "--agent", "nop", "--agent", "gone=rm -r *", "-k", "not bright")
    lit, gone = sorted(records("r"), key=lambda one: one.agent != "nop")
    said = io.StringIO()
    store = RunStore(pytester.path / "reports/r")
    draw_scenes(store, (lit, gone), machine, Progress(said))
    picture = cv2.imread(str(store.trial_folder(lit.id) / SCENE))
    assert picture is not None
    assert picture.shape == (720, 1280, 3)
    assert not (store.trial_folder(gone.id) / SCENE).exists()
    assert "1 project(s) did not show a scene" in said.getvalue()
    assert read_edit_trial(store.trial_folder(lit.id), lit).picture == store.trial_folder(lit.id) / SCENE


def test_pictures_stay_inside_the_run(machine: Machine, tmp_path: Path) -> None:
    """Runs are passed on: neither a name in the records nor a link may lead a picture elsewhere."""
    store, start = RunStore(tmp_path / "run"), TASKS / "edit/gameplay/tiny-lamp/start"
    by_name, by_folder, by_file = (
        TrialRecord(
            task="edit/gameplay/a",
            agent=agent,
            attempt=1,
            family="gameplay",
            difficulty="easy",
            outcome="scored",
            facts=GameFacts(build=1).to_json(),
            score=0.0,
        )
        for agent in ("x/../../../by_name", "folder", "file")
    )
    for outside in ("by_name--1", "by_folder"):
        shutil.copytree(start, tmp_path / outside / "submission")
    (tmp_path / "run/trials/edit.gameplay.a--x").mkdir(parents=True)
    assert (store.trial_folder(by_name.id) / "submission").is_dir()
    store.trial_folder(by_folder.id).symlink_to(tmp_path / "by_folder")
    shutil.copytree(start, store.trial_folder(by_file.id) / "submission")
    (store.trial_folder(by_file.id) / SCENE).symlink_to(tmp_path / "by_file")
    draw_scenes(store, (by_name, by_folder, by_file), machine, QUIET)
    assert not (tmp_path / "by_file").exists()
    assert not [path for path in tmp_path.rglob("*.png") if path.is_file()]


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_a_gate_that_does_not_say_its_track_is_refused_before_the_work(
    suite: RunSuite, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    result = suite(f"--tasks={TASKS}", "--run", "r", "--gate", "overall >= 0.4", *workers)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    said = result.stdout.str() + result.stderr.str()
    assert "--gate: overall: of craft or of edit? This run has both" in said
    assert "craft_overall or edit_overall" in said
    assert not (pytester.path / "reports/r/trials.jsonl").exists()


def test_both_tracks_share_a_run_and_a_gate(suite: RunSuite, records: Records) -> None:
    opened = suite(f"--tasks={TASKS}", "--run", "r", "-n", "2", "--gate", "craft_build >= 1 and edit_pass_1 >= 1")
    assert opened.ret == 0, opened.stdout.str()
    assert {one.task.partition("/")[0] for one in records("r")} == {"craft", "edit"}
    assert len(records("r")) == 3
    plain = suite(*ONLY_EDIT, "--run", "r", "--agent", "oracle", "--attempts", "2", "--gate", "overall >= 0.9")
    assert plain.ret == pytest.ExitCode.USAGE_ERROR  # games are in the run already
    assert len(records("r")) == 3
    again = suite(f"--tasks={TASKS}", "--run", "r", "--gate", "craft_overall >= 0.9")
    assert again.ret == 1, again.stdout.str()
    assert len(records("r")) == 3
    closed = suite(*ONLY_EDIT, "--run", "nop", "--agent", "nop", "--gate", "pass_1 > 0")
    assert closed.ret == 1
    closed.stdout.fnmatch_lines(["nop: gate NOT passed: pass_1 > 0*"])


def test_the_public_benchmark_runs_as_it_is(suite: RunSuite, records: Records, tmp_path: Path) -> None:
    for folder in add_task(tmp_path, 1):
        to_zip(folder)
    add_task(tmp_path, 2, "passes_always")
    add_task(tmp_path, 3, "never_passes")
    result = suite("--track", "edit", f"--tasks={tmp_path}", "--run", "r", "--agent", "oracle", "--agent", "nop")
    found = {(one.task.rpartition("-")[2], one.agent): one for one in records("r")}
    assert (found["0001", "oracle"].score, found["0001", "nop"].score) == (1.0, 0.0)
    for number, reason in (("0002", "passes although nothing was done"), ("0003", "its own solution does not pass")):
        for agent in ("oracle", "nop"):
            record = found[number, agent]
            assert (record.outcome, record.score) == ("void", None)
            assert reason in record.reason
    assert result.ret == 10
