"""What makes a stored result the answer to another question."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.agents.builtin import NopAgent, OracleAgent
from benchmark.agents.command import CommandAgent
from benchmark.craft.record import GameFacts
from benchmark.edit.imported import opened
from benchmark.results.store import RunStore
from benchmark.running import input_versions, stored_trial
from benchmark.tasks import Task, find_tasks, read_variants
from benchmark.trials import TrialRecord
from benchmark.versions import differing, tree_digest
from tests.edit.corpus import to_zip

TESTS = Path(__file__).parents[1]
SWITCH, LAMP = TESTS / "tasks/craft/puzzle/tiny-switch", TESTS / "edit/tasks/edit/gameplay/tiny-lamp"


def package(folder: Path, source: Path) -> Path:
    target = folder / source.relative_to(source.parents[2])
    shutil.copytree(source, target)
    return target


def first(folder: Path) -> Task:
    return read_variants(folder)[0]


def edit_file(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8") + " \n# more\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("source", "file", "kinds"),
    [
        (SWITCH, "instruction.md", {"instruction"}),
        (SWITCH, "solution/project.godot", {"solution"}),
        (LAMP, "instruction.md", {"instruction"}),
        (LAMP, "tests/test.gd", {"rubric"}),
        (LAMP, "start/project.godot", {"start", "solution"}),
        (LAMP, "solution/scripts/lamp.gd", {"solution"}),
    ],
)
def test_each_part_of_a_task_has_a_version(source: Path, file: str, kinds: set[str], tmp_path: Path) -> None:
    folder = package(tmp_path, source)
    before = input_versions(first(folder), OracleAgent())
    edit_file(folder / file)
    after = input_versions(first(folder), OracleAgent())
    assert set(differing(before, after, "oracle")) == kinds
    others = differing(before | {"solution": ""}, input_versions(first(folder), NopAgent()), "nop")
    assert set(others) == kinds - {"solution"}  # only the oracle hands it in


def test_what_the_editor_leaves_behind_is_no_change(tmp_path: Path) -> None:
    folder = package(tmp_path, LAMP)
    before = tree_digest(folder / "start")
    (folder / "start/.godot").mkdir()
    for name in ("start/.godot/cache", "start/icon.png.import", "start/scripts/lamp.gd.uid"):
        (folder / name).touch()
    assert tree_digest(folder / "start") == before
    (folder / "start/new.gd").touch()
    assert tree_digest(folder / "start") != before


@pytest.mark.parametrize("zipped", [False, True])
def test_a_public_task_has_a_version_too(zipped: bool, tmp_path: Path) -> None:
    (task, *_) = find_tasks([TESTS / "edit/public"])

    def version(number: int, *changed: str) -> str:
        start = tmp_path / str(number) / task.folder.name
        shutil.copytree(task.folder, start)
        for name in changed:
            edit_file(start / name)
        return opened(to_zip(start) if zipped else start).digest()

    assert version(1) == version(2) == version(3, "scripts/test.gd")  # hidden: no part of the start
    assert version(4, "project.godot") != version(5)


def test_a_profile_of_another_kind_is_another_agent() -> None:
    plain = CommandAgent("a", "true")
    others = [replace(plain, **change) for change in ({"command": "false"}, {"timeout_sec": 5.0}, {"network": False})]
    assert len({plain.version, *(one.version for one in others)}) == 4


def test_what_is_not_known_does_not_differ() -> None:
    assert differing({}, {"agent": "1", "rubric": "2"}, "a") == ()
    assert differing({"agent": "1", "rubric": ""}, {"agent": "2", "rubric": "2"}, "a") == ("agent",)
    assert differing({"agent": "0.1", "harness": "0.1"}, {"agent": "0.2", "harness": "0.2"}, "oracle") == ()


def record(score: float | None, **versions: str) -> TrialRecord:
    base = TrialRecord(
        task="craft/puzzle/x",
        agent="a",
        attempt=1,
        family="puzzle",
        difficulty="easy",
        outcome="void",
        reason="no disk",
        judge="offline",
        versions=versions,
    )
    return (
        base
        if score is None
        else replace(base, outcome="scored", reason="", facts=GameFacts(build=1).to_json(), score=score)
    )


def test_a_void_undoes_a_score_that_answers_an_older_question(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    old = record(0.5, agent="1", rubric="1")
    for later, counts in ((record(None), 0.5), (record(None, agent="1"), 0.5), (record(None, agent="2"), None)):
        store.append(old)
        store.append(later)
        assert store.latest()[old.id].score == counts


def test_files_of_another_try_do_not_explain_a_record(tmp_path: Path) -> None:
    told = replace(record(0.5), items={"M1": 0.4})
    (tmp_path / "judgement").mkdir()
    (tmp_path / "judgement/01.json").write_text(
        '{"demo": "01", "items": {"M1": {"score": 0.4, "reason": "dull"}}, "numbers": {}, "cost_usd": 0}'
    )
    task = first(SWITCH)
    assert stored_trial(task, tmp_path, told).checks()[0].reason == ""
    (tmp_path / "trial.json").write_text(told.to_line())
    built, check = stored_trial(task, tmp_path, told).checks()
    assert (built.name, built.score) == ("BUILD", 1.0)
    assert (check.name, check.score, check.reason, check.details) == ("M1", 0.4, "dull", ("01: 0.40 — dull",))
    (tmp_path / "trial.json").write_text(record(None).to_line())
    assert stored_trial(task, tmp_path, told).checks()[0].reason == ""
