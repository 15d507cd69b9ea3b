"""Reviews on disk: the latest line counts, whatever crashes, tears or is forged in between."""

import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.craft.review.ledger import Ledger, ReviewLine, ReviewMark, pace_sec, valid_reviewer, valid_score
from benchmark.errors import BenchmarkError, UsageError

CHANGE = ReviewLine(
    time="2026-01-01T00:00:00+00:00",
    trial="craft/puzzle/x[a]",
    item="M1",
    score=0.5,
    note="",
    rubric="rubric",
    submission="project",
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
changes = st.builds(
    ReviewLine,
    texts,
    texts,
    st.none() | texts,
    st.none() | st.floats(0, 1).map(lambda x: round(x, 4)),
    texts,
    texts,
    texts,
)


@settings(deadline=None)
@given(changes)
def test_a_change_survives_its_line(change: ReviewLine) -> None:
    line = change.to_line()
    assert "\n" not in line
    assert ReviewLine.from_line(line) == change


@settings(max_examples=40, deadline=None)  # each example waits for the disk
@given(st.lists(st.tuples(st.sampled_from(["M1", "M2", None]), st.none() | st.floats(0, 1)), max_size=20))
def test_the_latest_line_of_each_item_counts(said: list[tuple[str | None, float | None]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger(Path(folder))
        for item, score in said:
            ledger.append(
                "ann",
                ReviewLine(
                    time="", trial="t", item=item, score=score if item else None, note="", rubric="r", submission="p"
                ),
            )
        found = ledger.read("ann").marks("t", "r", "p")
        latest = {item: score if item else None for item, score in said}
        assert set(found) == set(latest)
        for item, score in latest.items():
            assert found[item].score == (None if score is None else pytest.approx(score, abs=1e-4))


def test_what_was_said_of_another_rubric_or_submission_does_not_count(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.append("ann", CHANGE)
    review = ledger.read("ann")
    assert review.marks(CHANGE.trial, "rubric", "project") == {"M1": ReviewMark(0.5, "")}
    assert review.marks(CHANGE.trial, "other", "project") == {}
    assert review.marks(CHANGE.trial, "rubric", "other") == {}


def test_a_torn_last_line_is_passed_over_and_the_next_one_is_whole(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.append("ann", CHANGE)
    with ledger.path("ann").open("ab") as handle:
        handle.write(b'{"time": "2026')
    assert ledger.read("ann").changes == (CHANGE,)
    assert ledger.read("ann").unreadable == 0
    ledger.append("ann", CHANGE)
    assert ledger.read("ann").changes == (CHANGE, CHANGE)


@pytest.mark.parametrize(
    "line", ["[]", "7", "nonsense", '{"item": 3}', '{"score": NaN}', '{"score": 2}', '{"score": true}', "[" * 100_000]
)
def test_lines_that_are_no_changes_are_counted_and_left_out(tmp_path: Path, line: str) -> None:
    ledger = Ledger(tmp_path)
    ledger.append("ann", CHANGE)
    with ledger.path("ann").open("a") as handle:
        handle.write(line + "\n")
    ledger.append("ann", CHANGE)
    assert ledger.read("ann").changes == (CHANGE, CHANGE)
    assert ledger.read("ann").unreadable == 1


def test_links_are_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine\n")
    ledger = Ledger(tmp_path)
    ledger.folder.mkdir()
    ledger.path("ann").symlink_to(elsewhere)
    with pytest.raises(OSError, match="Too many levels"):
        ledger.append("ann", CHANGE)
    with pytest.raises(BenchmarkError, match="cannot be read"):
        ledger.read("ann")
    assert elsewhere.read_text() == "mine\n"
    other = Ledger(tmp_path / "run")
    other.folder.parent.mkdir()
    other.folder.symlink_to(tmp_path)
    with pytest.raises(BenchmarkError, match="is a link"):
        other.append("ann", CHANGE)


@pytest.mark.parametrize("name", ["", ".", "..", ".ann", "-ann", "a/b", "a b", "ann\n", "Jürgen", "a" * 65, "a\0"])
def test_names_that_are_no_file_names_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="reviewer"):
        valid_reviewer(name)


@pytest.mark.parametrize("value", [True, "1", float("nan"), float("inf"), -0.01, 1.01, [], 10**400])
def test_what_is_no_score_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="score"):
        valid_score(value)


WRITER = """
import sys
from pathlib import Path
from benchmark.craft.review.ledger import ReviewLine, Ledger
for number in range(100):
    Ledger(Path(sys.argv[1])).append("ann", ReviewLine("", sys.argv[2], f"M{number}", 1.0, "n" * 300, "r", "p"))
"""


def test_two_processes_write_whole_lines(tmp_path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name]) for name in ("one", "two")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    review = Ledger(tmp_path).read("ann")
    assert review.unreadable == 0
    assert len(review.changes) == 200
    for name in ("one", "two"):
        assert [one.item for one in review.changes if one.trial == name] == [f"M{number}" for number in range(100)]


def test_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk."""
    ledger = Ledger(tmp_path)
    ledger.append("ann", CHANGE)
    size = ledger.path("ann").stat().st_size
    script = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size + 10}, {size + 10}));"
        "from pathlib import Path; from benchmark.craft.review.ledger import ReviewLine, Ledger;"
        "Ledger(Path(sys.argv[1])).append('ann', ReviewLine('', 't', 'M1', 1.0, '', 'r', 'p'))"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "OSError" in done.stderr
    assert ledger.path("ann").stat().st_size == size
    assert ledger.read("ann").changes == (CHANGE,)


def test_the_pace_leaves_pauses_out() -> None:
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    seconds = [0, 10, 20, 30, 4000, 4010]
    said = [
        ReviewLine(
            time=(begin + timedelta(seconds=at)).isoformat(),
            trial="t",
            item=f"M{index}",
            score=1.0,
            note="",
            rubric="r",
        )
        for index, at in enumerate(seconds)
    ]
    assert pace_sec(said) == 10.0
    assert pace_sec(said[:3]) is None
    assert pace_sec([*said, *said]) == 10.0  # scores that are changed later are no new items


def test_the_file_of_reviews_is_on_the_disk_when_append_returns(tmp_path: Path) -> None:
    """A process that ends without any clean-up loses nothing."""
    script = (
        "import os, sys; from pathlib import Path; from benchmark.craft.review.ledger import ReviewLine, Ledger;"
        "Ledger(Path(sys.argv[1])).append('ann', ReviewLine('', 't', 'M1', 1.0, '', 'r', 'p')); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False, env=os.environ)
    assert done.returncode == -9
    assert len(Ledger(tmp_path).read("ann").changes) == 1
