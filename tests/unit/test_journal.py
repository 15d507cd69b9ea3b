"""What a run's file of records survives: any crash at any byte, a full disk, a limit of its size."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.craft.record import GameFacts
from benchmark.errors import UsageError
from benchmark.jsonl import MAX_LINE_BYTES
from benchmark.results.journal import TORN_FILE, append, mend, read
from benchmark.results.store import TRIALS_FILE, RunStore, UnwritableRunError
from benchmark.trials import TrialRecord
from fixtures.attacks import Saw
from tests.suite.conftest import mounting

REPOSITORY = Path(__file__).parents[2]


def record(number: int, reason: str = "") -> TrialRecord:
    return TrialRecord(
        task=f"craft/puzzle/t{number}",
        agent="oracle",
        attempt=1,
        family="puzzle",
        difficulty="easy",
        outcome="scored",
        reason=reason,
        facts=GameFacts(build=1).to_json(),
        score=0.5,
        items={"M1": 0.5},
        seconds={"replay": 2.0},
    )


RECORDS = tuple(record(number, f"{'ü' * number}\n\u2028\x85 {number}") for number in range(4))
LINES = [(one.to_line() + "\n").encode() for one in RECORDS]
WHOLE = b"".join(LINES)


def is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


@pytest.mark.attack("kill -9 at any byte of a record, with any rubbish after it", "every whole record survives")
@settings(deadline=None, max_examples=100)  # it waits for the disk
@given(cut=st.integers(0, len(WHOLE)), rubbish=st.binary(max_size=80) | st.sampled_from([b"\n", b"\0" * 4096, b"{\n["]))
def test_any_beginning_with_any_rubbish_is_mended(
    tmp_path_factory: pytest.TempPathFactory, cut: int, rubbish: bytes
) -> None:
    left = WHOLE[:cut] + rubbish
    if any(is_object(line) and line + b"\n" not in LINES for line in left.split(b"\n")):
        return  # no crash writes an object of its own
    path = tmp_path_factory.mktemp("run") / TRIALS_FILE
    path.write_bytes(left)
    whole = tuple(one for one, line in zip(RECORDS, LINES, strict=True) if line.rstrip(b"\n") in left.split(b"\n"))
    assert read(path).records == whole  # who only reads does without the rest
    mend(path)
    append(path, record(99))
    assert read(path).records == (*whole, record(99))
    aside = path.with_name(TORN_FILE).read_bytes() if path.with_name(TORN_FILE).exists() else b""
    kept = b"".join(line for line in left.split(b"\n") if line.strip())
    assert len(aside.replace(b"\n", b"")) + sum(len(LINES[RECORDS.index(one)]) - 1 for one in whole) == len(kept)
    assert mend(path) == []


def test_what_stands_inside_of_a_text_separates_nothing(tmp_path: Path) -> None:
    one = record(1, "a\u2028b\u2029c\x85d\x0be\x1cf\r\ng")
    append(tmp_path / TRIALS_FILE, one)
    append(tmp_path / TRIALS_FILE, one)
    assert read(tmp_path / TRIALS_FILE).records == (one, one)


def test_lines_that_another_editor_ended_are_read(tmp_path: Path) -> None:
    (tmp_path / TRIALS_FILE).write_bytes(WHOLE.replace(b"\n", b"\r\n"))
    assert read(tmp_path / TRIALS_FILE).records == RECORDS


IMPOSSIBLE = pytest.mark.attack(
    "a record edited by hand: {problem}", "refused with file, line, bad value and what is allowed"
)


def test_a_record_of_the_format_before_is_still_read(tmp_path: Path) -> None:
    data = json.loads(RECORDS[1].to_line())
    del data["format"]
    (tmp_path / TRIALS_FILE).write_text(json.dumps({**data, **data.pop("facts")}) + "\n", encoding="utf-8")
    (old,) = read(tmp_path / TRIALS_FILE).records
    assert old.facts == RECORDS[1].facts
    assert old.score == RECORDS[1].score


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        pytest.param("score", "7", "score: 7 is not a number from 0 to 1", marks=IMPOSSIBLE),
        ("score", "-0.1", "score: -0.1 is not a number from 0 to 1"),
        pytest.param("score", "NaN", "NaN is no number", marks=IMPOSSIBLE),
        ("score", "1e999", "score: inf is not a number from 0 to 1"),
        ("score", "null", "score: None does not go with outcome: scored"),
        ("score", '"0.5"', "score: '0.5' is not a number from 0 to 1"),
        ("score", "true", "score: True is not a number from 0 to 1"),
        ("facts", '{"build": 2}', "facts.build: 2 is not a whole number from 0 to 1"),
        ("facts", '{"build": 0}', "score: 0.5 does not go with build: 0"),
        ("facts", "{}", "build: None does not go with score: 0.5"),
        ("facts", "[]", "facts: [] is not an object"),
        ("outcome", '"void"', "score: 0.5 does not go with outcome: void"),
        ("outcome", '"won"', "outcome: 'won' is not scored or void"),
        ("attempt", "0", "attempt: 0 is not a whole number from 1 to"),
        ("attempt", "9" * 5000, "Exceeds the limit"),
        ("items", '{"M1": 7}', "items.M1: 7 is not a number from 0 to 1"),
        ("items", '{"\\u001b[2J": 7}', r"items.'\\x1b[2J': 7 is not a number"),
        ("categories", '{"M": Infinity}', "Infinity is no number"),
        ("seconds", '{"replay": -1}', "seconds.replay: -1 is not a number from 0 to 1e+09"),
        ("cost_usd", "-3", "cost_usd: -3 is not a number from 0 to 1e+09"),
        ("versions", '{"judge": 1}', "versions.judge: 1 is not a text"),
        ("facts", '{"build": 1, "demos": [{"name": "1", "seconds": NaN, "ended": ""}]}', "NaN is no number"),
        (
            "facts",
            '{"build": 1, "demos": [{"name": "1", "seconds": -1, "ended": ""}]}',
            "demos[0].seconds: -1 is",
        ),
        ("opinions", '[{"judge": "x"}]', "opinions[0].version is missing"),
        ("opinions", "[[]]", "opinions[0]: [] is not an object"),
        ("task", '"../../../etc"', "task: '../../../etc' is not a name"),
        ("task", '"craft/puzzle/\\u0000"', r"task: 'craft/puzzle/\\x00' is not a name"),
        pytest.param("agent", '"../../x"', "agent: '../../x' is not a name", marks=IMPOSSIBLE),
        pytest.param("agent", '"\\u001b[2J"', r"agent: '\\x1b[2J' is not a name", marks=IMPOSSIBLE),
        ("agent", json.dumps("a" * 300), "is not a name of at most 100 bytes"),
        ("reason", json.dumps("x" * 200_000), "is not a text of at most 131072 characters"),
        pytest.param("reason", '"", "score": 1.0', "'score' is there twice", marks=IMPOSSIBLE),
        pytest.param("later", "[" * 100_000 + "]" * 100_000, "is nested too deeply", marks=IMPOSSIBLE),
    ],
    ids=lambda text: text[:40],
)
def test_a_record_that_was_edited_is_refused_with_what_is_wrong(
    field: str, value: str, problem: str, tmp_path: Path
) -> None:
    data = {**json.loads(RECORDS[1].to_line()), field: "HERE"}
    line = json.dumps(data).replace('"HERE"', value)
    path = tmp_path / TRIALS_FILE
    path.write_bytes(LINES[0] + line.encode() + b"\n" + LINES[2])
    with pytest.raises(UsageError) as told:
        read(path)
    assert told.value.message.startswith(f"{path}:2: not a trial record: ")
    assert problem.replace("\\\\", "\\") in told.value.message
    assert len(told.value.message) < 600
    assert "take it out" in (told.value.fix or "")
    before = path.read_bytes()
    with pytest.raises(UsageError):
        RunStore(tmp_path).writing()
    assert path.read_bytes() == before  # nobody mends the truth by himself


def test_a_last_line_that_was_edited_is_refused_too(tmp_path: Path) -> None:
    path = tmp_path / TRIALS_FILE
    path.write_bytes(LINES[0] + LINES[1].replace(b'"score": 0.5', b'"score": 7.0'))
    with pytest.raises(UsageError, match=r"trials\.jsonl:2: not a trial record: score: 7\.0 is not a number"):
        read(path)


@pytest.mark.attack("a run whose records are {what}", "one line, nothing is waited for or followed")
@pytest.mark.parametrize("what", ["a link", "a pipe", "a folder", "one endless line"])
def test_records_come_from_a_plain_file(what: str, tmp_path: Path, saw: Saw) -> None:
    path = tmp_path / TRIALS_FILE
    if what == "a link":
        (tmp_path / "elsewhere").write_bytes(WHOLE)
        path.symlink_to("elsewhere")
    elif what == "a pipe":
        os.mkfifo(path)
    elif what == "a folder":
        path.mkdir()
    else:
        with path.open("wb") as handle:
            handle.truncate(MAX_LINE_BYTES * 40)
    with pytest.raises(UsageError) as told:
        read(path)
    saw(told.value.message.replace(str(tmp_path), ""))


FILL = """
import sys
from pathlib import Path
from benchmark.results.store import RunStore, UnwritableRunError
from benchmark.trials import TrialRecord

store = RunStore(Path(sys.argv[1]))
store.writing()
try:
    for number in range(1000):
        store.append(TrialRecord(f"craft/puzzle/t{number}", "a", 1, "puzzle", "easy", "void", "x" * 3001))
        print(number, flush=True)
except UnwritableRunError as error:
    print(error.message)
"""


@pytest.fixture
def limited_size() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(WHOLE) + 100, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.attack("a record that the file system takes half of", "not told as kept, and not a byte of it stays")
@pytest.mark.usefixtures("limited_size")
def test_half_a_record_is_taken_back(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    for one in RECORDS:
        store.append(one)
    with pytest.raises(UnwritableRunError, match=r"takes no more: File too large; craft/puzzle/t7\[oracle\] is not"):
        store.append(record(7))
    assert (tmp_path / TRIALS_FILE).read_bytes() == WHOLE


@pytest.mark.attack("the disk of a run is full", "what was told is kept, the rest refused in one line")
def test_a_full_disk_takes_no_half_record(tmp_path: Path, saw: Saw) -> None:
    script = '"$0" -c "$1" "$2/r" && cat "$2/r/trials.jsonl" >&2'
    ran = subprocess.run(
        [*mounting(f"mount -t tmpfs -o size=64k none {tmp_path}"), "sh", "-c", script, sys.executable, FILL, tmp_path],
        capture_output=True, text=True, cwd=REPOSITORY,
    )  # fmt: skip
    *told, last = ran.stdout.splitlines()
    assert last.endswith(f"takes no more: No space left on device; craft/puzzle/t{len(told)}[a] is not kept")
    kept = [TrialRecord.from_line(line).task for line in ran.stderr.splitlines()]
    assert kept == [f"craft/puzzle/t{number}" for number in told]
    assert len(kept) > 10
    saw(f"{len(told)} told, {len(kept)} kept")
