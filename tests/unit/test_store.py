"""The run store: append-only, resumable, mended after a kill."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.craft.record import DemoRecord, GameFacts
from benchmark.errors import UsageError
from benchmark.results.journal import TORN_FILE
from benchmark.results.store import TRIALS_FILE, RunStore, open_run, typical_seconds, valid_run_name
from benchmark.trials import TrialId, TrialRecord, one_line


def record(
    task: str = "craft/puzzle/a", *, void: bool = False, judge: str = "offline", score: float = 0.5
) -> TrialRecord:
    base = TrialRecord(
        task=task,
        agent="oracle",
        attempt=1,
        family="puzzle",
        difficulty="easy",
        outcome="void",
        reason="no disk",
        judge=judge,
        seconds={"replay": 2.0},
    )
    if void:
        return base
    return TrialRecord(
        task=task, agent="oracle", attempt=1, family="puzzle", difficulty="easy", outcome="scored", judge=judge,
        facts=GameFacts(build=1, demos=(DemoRecord("01", 10.0, "complete"),)).to_json(),
        score=score, categories={"M": score},
        items={"M1": score}, seconds={"replay": 2.0},
    )  # fmt: skip


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "run")
    assert store.writing() == []
    store.append(record())
    store.append(record("craft/puzzle/ümlaut"))
    assert store.history() == (record(), record("craft/puzzle/ümlaut"))


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "run")
    store.writing()
    with pytest.raises(UsageError, match="being written by another process"):
        RunStore(tmp_path / "run").writing()
    store.close()
    RunStore(tmp_path / "run").writing()


@settings(deadline=None)  # it waits for the disk
@given(cut=st.integers(1, 300))
def test_a_torn_last_line_is_moved_aside(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    folder = tmp_path_factory.mktemp("run")
    store = RunStore(folder)
    store.append(record())
    whole = (folder / TRIALS_FILE).read_bytes()
    with (folder / TRIALS_FILE).open("ab") as handle:
        handle.write(whole[:cut])
    assert store.history() == (record(),)  # reading does without it
    said = store.writing()
    assert "torn" in said[0]
    assert TORN_FILE in said[0]
    assert (folder / TRIALS_FILE).read_bytes() == whole
    assert (folder / TORN_FILE).read_bytes() == whole[:cut] + b"\n"
    store.append(record("craft/puzzle/b"))
    assert len(store.history()) == 2


def test_a_line_without_its_end_is_kept(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    (tmp_path / TRIALS_FILE).write_text(record().to_line(), encoding="utf-8")
    assert store.writing() == []
    store.append(record("craft/puzzle/b"))
    assert [one.task for one in store.history()] == ["craft/puzzle/a", "craft/puzzle/b"]


@pytest.mark.parametrize("line", ["{}", "[]", "nonsense", '{"task": 1}', '{"outcome": "scored", "task": "a"}'])
def test_a_line_that_is_no_record_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / TRIALS_FILE).write_text(f"{record().to_line()}\n{line}\n{record().to_line()}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"trials\.jsonl:2: "):
        RunStore(tmp_path).history()


def test_keys_of_a_later_version_are_passed_over() -> None:
    data = {**json.loads(record().to_line()), "invented_later": 1}
    assert TrialRecord.from_line(json.dumps(data)) == record()


def test_a_void_does_not_undo_a_score_but_another_judge_does(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    for one in (record(), record(void=True)):
        store.append(one)
    assert store.latest()[record().id].scored
    store.append(record(void=True, judge="other"))
    assert not store.latest()[record().id].scored
    store.append(record(judge="other", score=0.7))
    assert store.latest()[record().id].score == 0.7


def test_nan_has_no_place_in_a_record() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        record(score=float("nan")).to_line()


def test_killed_writers_lose_at_most_the_line_in_flight(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; import sys\n"
        "from benchmark.results.store import RunStore; from benchmark.trials import TrialRecord\n"
        "store = RunStore(Path(sys.argv[1])); store.writing()\n"
        "for n in range(100000):\n"
        "    store.append(TrialRecord(f'craft/puzzle/t{n}', 'a', 1, 'puzzle', 'easy', 'void', 'x' * 3000))\n"
        "    print(n, flush=True)\n"
    )
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for _line in range(40):
            last = int(process.stdout.readline())
        os.kill(process.pid, 9)
        process.wait()
        process.stdout.close()
        store = RunStore(tmp_path)
        store.writing()
        store.close()
        assert len(store.history()) > last


def test_labels_and_folders_name_a_trial() -> None:
    for trial in (TrialId("craft/puzzle/a-b", "codex"), TrialId("craft/puzzle/a-b", "c.1", 3)):
        assert TrialId.from_label(trial.label) == trial
        assert "/" not in trial.folder
    assert TrialId("craft/puzzle/a", "codex", 2).label == "craft/puzzle/a[codex#2]"


def test_messages_of_a_submission_cannot_steer_a_terminal() -> None:
    assert one_line("a\x1b[2Jb\nc\u202ed") == "a\ufffd[2Jb\ufffdc\ufffdd"
    assert len(one_line("x" * 9999)) == 500


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "-x", "a b", "a\0"])
def test_a_run_name_is_a_folder_name(name: str) -> None:
    with pytest.raises(UsageError):
        valid_run_name(name)


def test_an_unknown_run_lists_the_known_ones(tmp_path: Path) -> None:
    RunStore(tmp_path / "nightly").writing()
    RunStore(tmp_path / "nightly").append(record())
    with pytest.raises(UsageError, match="one of: nightly"):
        open_run("nigtly", tmp_path)
    assert open_run("nightly", tmp_path).name == "nightly"


def test_typical_times_come_from_earlier_runs(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        RunStore(tmp_path / name).append(record())
    trial = TrialId("craft/puzzle/a", "oracle", 4)
    assert typical_seconds(tmp_path, [trial, TrialId("craft/puzzle/b", "oracle")]) == {trial: 2.0}
