"""A run that comes from elsewhere puts no file of ours onto a page, and no impossible number into a comparison."""

import os
from pathlib import Path

import pytest

from benchmark.cli import main
from benchmark.craft.review.queue import lay_out
from benchmark.errors import UsageError
from benchmark.results.baseline import read_baseline
from benchmark.results.store import RUN_FILE, RunStore
from fixtures.attacks import Saw
from tests.unit.test_store import record


@pytest.mark.attack("a run from elsewhere with {what} that leads to a file of ours", "the report shows nothing of it")
@pytest.mark.parametrize("what", ["a log", "a folder", "an instruction", "a whole trial"])
def test_links_in_a_run_lead_nowhere(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], saw: Saw) -> None:
    secret = tmp_path / "home"
    (secret / "01").mkdir(parents=True)
    for name in ("agent.log", "instruction.md", "01/engine.log", "evidence.json"):
        (secret / name).write_text("the key is 12345")
    store = RunStore(tmp_path / "run")
    folder = store.trial_folder(record().id)
    folder.parent.mkdir(parents=True)
    if what == "a whole trial":
        folder.symlink_to(secret)
    else:
        folder.mkdir()
        name = {"a log": "agent.log", "a folder": "evidence", "an instruction": "instruction.md"}[what]
        (folder / name).symlink_to(secret if what == "a folder" else secret / name)
    store.append(record())
    assert main(["report", str(store.folder)]) == 0
    pages = [path for path in (store.folder / "report").rglob("*") if path.is_file()]
    assert len(pages) > 2
    assert not [path for path in pages if b"12345" in path.read_bytes()]
    assert lay_out(store, b"").cases == ()
    saw("its record is told, its folder is not read")


@pytest.mark.attack("a run from elsewhere whose {name} is a pipe", "nobody waits for a writer")
@pytest.mark.parametrize("name", ["agent.log", "gate.json", RUN_FILE])
def test_pipes_in_a_run_are_not_waited_for(name: str, tmp_path: Path) -> None:
    store = RunStore(tmp_path / "run")
    folder = store.trial_folder(record().id)
    folder.mkdir(parents=True)
    os.mkfifo((store.folder if name == RUN_FILE else folder) / name)
    store.append(record())
    assert main(["report", str(store.folder)]) == 0


@pytest.mark.attack("a baseline with a mistake: {problem}", "refused with the field, the bad value and what is allowed")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"agents": [{"agent": "a", "overall": 7}]}', "agents[0].overall: 7 is not a number from 0 to 1"),
        ('{"agents": [{"agent": "a", "overall": NaN}]}', "NaN is no number"),
        ('{"agents": [{"overall": 1, "tasks": {"t": [0.5, 7]}}]}', "agents[0].tasks.t[1]: 7 is not a number"),
        ('{"agents": [{"overall": 1, "overall": 0}]}', "'overall' is there twice"),
        ("[" * 9999, "is nested too deeply"),
    ],
    ids=lambda text: text[:40],
)
def test_a_baseline_has_only_possible_numbers(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "summary.json"
    path.write_text(text)
    with pytest.raises(UsageError) as told:
        read_baseline(path)
    assert str(told.value).startswith(f"--baseline: {path} is no baseline: {problem}")


def test_a_baseline_is_a_plain_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "summary.json")
    with pytest.raises(UsageError, match="not a regular file"):
        read_baseline(tmp_path / "summary.json")
