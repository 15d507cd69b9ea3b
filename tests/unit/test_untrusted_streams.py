"""No bytes in what an agent's program prints, a test's engine says or a stored run holds raise out of a reader."""

import hashlib
import hmac
import io
import json
import os
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmark.agents.activity import activity_of
from benchmark.agents.adapters.protocol import events_in
from benchmark.agents.endings import SessionFacts, decide
from benchmark.agents.outages import built_in, outage_of
from benchmark.agents.protocol import AgentReport, sane
from benchmark.agents.trajectory import Step, Tokens, ToolCall, ToolResult, Trajectory, Who, write_trajectory
from benchmark.craft.judging.opinions import read_opinions
from benchmark.craft.judging.recorded import read_recorded
from benchmark.craft.replay_stage import read_showing
from benchmark.craft.review.ledger import Ledger
from benchmark.edit.beside import Heard
from benchmark.edit.inside import OutputReader
from benchmark.edit.package import read_package
from benchmark.edit.trial import _read_verdict
from benchmark.errors import BenchmarkError, TaskError
from benchmark.projects.archive import Archive
from benchmark.replay.gamelog import GameLog
from benchmark.results.baseline import read_baseline
from benchmark.results.store import RUN_FILE, RunStore
from benchmark.running import TRIAL_FILE, stored_trial
from benchmark.tasks import read_variants
from benchmark.trials import TrialRecord
from benchmark.verify_run.stored import read_records
from fixtures.attacks import Saw
from tests.unit.test_store import record as a_record
from tests.unit.test_untrusted import NASTY, QUICK, VALUE

TINY = Path(__file__).parents[1] / "edit/tasks/edit/gameplay/tiny-lamp"
ANYTHING = VALUE | st.floats(allow_nan=True) | st.integers(-(10**20), 10**20)
EVENTS = st.lists(st.dictionaries(st.text(max_size=6), ANYTHING, max_size=4), max_size=5)


def lines(events: list[dict[str, Any]], rubbish: bytes) -> bytes:
    written = [json.dumps(event, ensure_ascii=False).encode("utf-8", "surrogatepass") for event in events]
    return b"\n".join([*written, rubbish, *written])


@pytest.mark.attack("agent: any bytes and any JSON in its program's stream", "a trajectory that JSON can hold")
@QUICK
@given(EVENTS, NASTY)
@example([{"cost": float("nan"), "path": float("inf")}], b"")
@example([{"a": "\ud800"}], b"[" * 100_000)
def test_a_stream_of_any_bytes_becomes_a_trajectory(
    tmp_path: Path, events: list[dict[str, Any]], rubbish: bytes
) -> None:
    (tmp_path / "stdout").write_bytes(lines(events, rubbish))
    found = list(events_in(tmp_path / "stdout"))
    assert len(found) <= 2 * len(events) + rubbish.count(b"\n") + 1
    calls = tuple(ToolCall(str(number), "Bash", event) for number, event in enumerate(found))
    results = tuple(ToolResult(call.id, str(call.arguments)) for call in calls)
    trajectory = Trajectory((Step("agent", "x", calls=calls, results=results),), notes=(str(events),))
    write_trajectory(tmp_path / "trajectory.json", trajectory, Who("a", "1", "m"))
    written = json.loads((tmp_path / "trajectory.json").read_text("utf-8"), parse_constant=pytest.fail)
    assert len(written["steps"][0].get("tool_calls", [])) == len(found)
    assert all(value >= 0 for value in activity_of(trajectory).values())


@pytest.mark.attack("agent: says that it took any number of tokens, by any name", "a record that can be read again")
@QUICK
@given(st.dictionaries(st.text(), ANYTHING), st.dictionaries(st.text(), st.text()), ANYTHING, st.text())
@example({"turns": 10**13, "cost": float("nan")}, {"model": "m" * 200_000}, float("inf"), "\x1b[2J" * 9000)
def test_what_an_agent_says_of_itself_fits_into_its_record(
    activity: dict[str, Any], identity: dict[str, str], cost: Any, detail: str
) -> None:
    said = sane(AgentReport(ended="finished", detail=detail, cost_usd=cost, identity=identity, activity=activity))
    kept = replace(a_record(), agent_identity=said.identity, activity=said.activity, cost_usd=said.cost_usd)
    assert TrialRecord.from_line(kept.to_line()) == kept
    assert len(said.detail) <= 500


@QUICK
@given(st.lists(st.integers(-(10**15), 10**15), min_size=4, max_size=4))
def test_impossible_counts_of_a_stream_stay_out_of_the_record(counts: list[int]) -> None:
    said = sane(AgentReport("finished", activity=activity_of(Trajectory(total=Tokens(*counts)))))
    kept = replace(a_record(), activity=said.activity)
    assert TrialRecord.from_line(kept.to_line()) == kept


@pytest.mark.attack("agent: any bytes at the end of its log and as its last word", "an ending, no exception")
@QUICK
@given(NASTY, st.integers(-64, 255))
def test_an_end_of_any_bytes_is_decided(tmp_path: Path, data: bytes, code: int) -> None:
    (tmp_path / "agent.log").write_bytes(data)
    outage_of(built_in(), code, 1.0, tmp_path / "agent.log")
    text = data.decode("utf-8", "replace")
    assert decide((), SessionFacts(code, 1.0, closing=text, errors=text, trouble=text))[0]


@pytest.mark.attack("edit: any bytes on the test's own output, behind its own word", "lost, never an exception")
@QUICK
@given(NASTY, st.booleans())
@example(b'{"kind": "check", "message": "\\v"}', True)
@example(b'{"kind": "check", "message": "\x01"}', True)
@example(b"[1]", True)
@example(b"[" * 100_000, True)
def test_what_a_test_says_can_always_be_read(data: bytes, signed: bool) -> None:
    heard, listener = Heard(), OutputReader()
    for line in data.split(b"\n"):
        heard((heard.word.encode() + b" " if signed else b"") + line + b"\n")
        key = hmac.new(listener.key, line, hashlib.sha256).hexdigest().encode()
        listener((b"@" + key + b" " if signed else b"") + line + b"\n")
    assert all(isinstance(line["kind"], str) for line in heard.lines)
    assert heard.over.is_set() or not heard.has("lost")


@QUICK
@given(NASTY)
def test_any_line_of_a_game_is_dated(data: bytes) -> None:
    log = GameLog("\x1eword ", lambda: 5)
    for line in data.split(b"\n"):
        log.watch(line + b"\n")
        log.watch(log.marker.encode() + line)
    assert log.frame <= 5


@pytest.mark.attack("any bytes in every file of a stored run", "one documented error, or what can be read")
@QUICK
@given(NASTY)
@example(b"[" * 100_000)
@example(b'{"demos": [{"name": ' + b"[" * 900 + b"]" * 900 + b"}]}")
def test_a_run_of_any_bytes_is_read(tmp_path: Path, data: bytes) -> None:
    store = RunStore(tmp_path / "run")
    trial = tmp_path / "run/trials/x"
    names = [TRIAL_FILE, "opinions.json", "evidence/demos.json", "verdict.json", "judgement/01.json"]
    for path in (tmp_path / "run/trials.jsonl", tmp_path / "run" / RUN_FILE, *(trial / name for name in names)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    reviews = tmp_path / "run/reviews"
    reviews.mkdir(exist_ok=True)
    (reviews / "ann.jsonl").write_bytes(data + b"\n" + data)
    for read in (
        store.history, store.settings, lambda: read_opinions(trial), lambda: read_showing(trial),
        lambda: _read_verdict(trial), lambda: list(read_recorded(tmp_path / "run/trials.jsonl")),
        lambda: read_baseline(tmp_path / "run/trials.jsonl"), lambda: Ledger(tmp_path / "run").read("ann"),
    ):  # fmt: skip
        try:
            read()
        except BenchmarkError as error:
            assert error.message
    assert isinstance(read_records(store)[1], list)
    task = read_variants(TINY)[0]
    assert stored_trial(task, trial, a_record()).checks() == stored_trial(task, tmp_path, a_record()).checks()


def zipped(names: list[str], data: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in dict.fromkeys(names):
            archive.writestr(name, data)
    return target.getvalue()


@pytest.mark.attack("public task: a zip of any bytes, with any byte of it changed", "a TaskError, or its files")
@QUICK
@given(NASTY, st.lists(st.sampled_from(["project.godot", "../x", "/etc/x", "a/b.gd", "a", "b\x00", "é"]), max_size=4),
       st.integers(0, 400), st.integers(0, 255))  # fmt: skip
def test_a_zip_of_any_bytes_is_read(tmp_path: Path, data: bytes, names: list[str], at: int, byte: int) -> None:
    raw = bytearray(zipped(names, data))
    if at < len(raw):
        raw[at] = byte
    for content in (bytes(raw), data):
        (tmp_path / "x.zip").write_bytes(content)
        archive = Archive(tmp_path / "x.zip")
        try:
            for name in archive.files:
                archive.read(name)
        except TaskError as error:
            assert "x.zip" in error.message


@pytest.mark.attack("any bytes in every file of an edit package", "a TaskError that names the file, or a package")
@pytest.mark.parametrize(
    "name", ["task.toml", "instruction.md", "tests/test.gd", "tests/wrong.toml", "tests/right.toml"]
)
@QUICK
@given(data=NASTY)
def test_an_edit_package_of_any_bytes_is_read(tmp_path_factory: pytest.TempPathFactory, name: str, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("packages") / "edit/gameplay/odd"
    for path in TINY.rglob("*"):
        if path.is_file():
            target = folder / path.relative_to(TINY)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    (folder / name).write_bytes(data)
    try:
        for task in read_variants(folder):
            read_package(task)
    except TaskError as error:
        assert str(folder) in error.message


@pytest.mark.attack("agent: a stream that is a pipe, a link, or one line without end", "nothing of it, at once")
def test_a_stream_that_is_none_ends(tmp_path: Path, saw: Saw) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    with (tmp_path / "endless").open("wb") as handle:
        handle.truncate(1 << 40)
    found = {name: len(list(events_in(tmp_path / name))) for name in ("pipe", "link", "endless", "nothing")}
    saw(found)
    assert set(found.values()) == {0}
