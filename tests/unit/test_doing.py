"""What a line says of trials that run: what agents say is plain, and it fits."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.agents.streams import LIVE_FILE
from benchmark.suite.doing import Doing, Running, RunProgress, heartbeat_line, read_doing, running, running_line
from benchmark.suite.live import STAGE_FILE
from benchmark.text import clock, fit


def said(folder: Path, what: Any) -> Doing | None:
    (folder / LIVE_FILE).parent.mkdir(exist_ok=True)
    (folder / LIVE_FILE).write_text(json.dumps(what))
    return read_doing(folder)


@pytest.mark.parametrize(
    "hostile",
    [
        [], 3, None, "x",
        {"did": 7, "turns": "many", "tokens": -3, "cost_usd": float("nan"), "since": 5, "limit_sec": 1e300},
        {"did": "a\x1b[31m\r\nb\u202ec", "turns": 10**400, "cost_usd": True, "since": "0001-01-01", "limit_sec": None},
        {"did": "x" * 10**5, "since": "9999-12-31T23:59:59+00:00"},
    ],
)  # fmt: skip
def test_whatever_an_agent_says_is_one_plain_line(tmp_path: Path, hostile: Any) -> None:
    doing = said(tmp_path, hostile)
    (tmp_path / STAGE_FILE).write_text("produce")
    trials = running({"craft/a/b[c]": (time.monotonic() - 41, tmp_path)})
    line = running_line(trials, " · 3 min left", 100)
    assert line.isprintable()
    assert len(line) <= 100
    if doing is not None:
        assert doing.turns >= 0
        assert doing.cost_usd is None


def test_what_is_no_file_says_nothing(tmp_path: Path) -> None:
    assert read_doing(tmp_path) is None
    (tmp_path / "agent").mkdir()
    (tmp_path / LIVE_FILE).symlink_to("/etc/passwd")
    assert read_doing(tmp_path) is None


def test_other_stages_do_not_tell_of_the_agent(tmp_path: Path) -> None:
    said(tmp_path, {"did": "Bash: ls", "turns": 3})
    (tmp_path / STAGE_FILE).write_text("replay, 2 recorded")
    (one,) = running({"craft/a/b[c]": (time.monotonic() - 41, tmp_path)})
    assert one.words == "b[c] replay, 2 recorded, 41 s"


WORKING = Running(
    "craft/a/lantern[codex]",
    "produce",
    760,
    Doing(did="Bash: ls", turns=34, tokens=1_200_000, cost_usd=0.84, seconds=760, limit_sec=7200),
)
TESTING = Running("craft/a/moon[kimi]", "gate", 3)


def test_all_trials_are_told_where_there_is_room() -> None:
    assert running_line((WORKING, TESTING), " · 9 min left", 200) == (
        "2 running: lantern[codex] 12:40, 1.8 h left, turn 34, $0.84, 1.2 M tokens: Bash: ls · moon[kimi] gate, 3 s"
        " · 9 min left"
    )
    assert running_line((), "", 80) == ""


def test_a_narrow_terminal_shows_them_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    found = set()
    for second in range(0, 12, 3):
        monkeypatch.setattr(time, "monotonic", lambda second=second: second)
        found.add(running_line((WORKING, TESTING), " · 9 min left", 60))
    assert found == {
        "2 running · 9 min left: lantern[codex] 12:40, 1.8 h left, t…",
        "2 running · 9 min left: moon[kimi] gate, 3 s",
    }
    assert running_line((WORKING,), "", 30) == "lantern[codex] 12:40, 1.8 h l…"


def test_trouble_with_the_model_is_told_before_the_last_call() -> None:
    doing = Doing("Bash: ls", trouble="429")
    assert Running("a/b[c]", "produce", 5, doing).words == "b[c] 0:05: model: 429"


def test_a_heartbeat_counts_the_money_of_those_that_still_work() -> None:
    progress = RunProgress(
        elapsed_sec=3750, done=3, total=20, scores="craft 0.612, 1 void", spent_usd=2.0, left_sec=600
    )
    line = heartbeat_line((WORKING, TESTING), progress)
    assert line.startswith(
        "[1:02:30] 2 running, 3 of 20 done (craft 0.612, 1 void), $2.84, about 10 min left · lantern"
    )
    assert heartbeat_line((), RunProgress(elapsed_sec=5, done=0, total=2)) == "[0:05] 0 running, 0 of 2 done"


@given(st.text(alphabet="ab漢字é\u0301", max_size=40), st.integers(1, 30))
def test_a_text_fits_as_a_terminal_counts_columns(text: str, columns: int) -> None:
    kept = fit(text, columns)
    assert sum(2 if letter in "漢字" else 1 for letter in kept) <= columns
    assert text.startswith(kept.removesuffix("…"))
    assert clock(59.9) == "0:59"
