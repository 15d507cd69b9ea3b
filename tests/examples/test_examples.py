"""The examples do what their READMEs say. The example of a track is run by tests/tracks."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.trials import TrialRecord
from tests.suite.conftest import REPOSITORY, RunSuite, records, suite

__all__ = ["records", "suite"]  # fixtures
pytestmark = pytest.mark.engine
EXAMPLES = REPOSITORY / "examples"
Records = Callable[[str], list[TrialRecord]]


def test_the_agent_builds_a_game_in_the_sandbox(suite: RunSuite, records: Records, pytester: pytest.Pytester) -> None:
    suite("--run", "r", f"--agent={EXAMPLES / 'agent/placard.toml'}", "--video-fps", "0")
    (record,) = records("r")
    assert (record.agent, record.outcome, record.agent_ended, record.cost_usd) == (
        "placard",
        "scored",
        "finished",
        0.01,
    )
    assert 0 < (record.score or 0) < 0.6
    (trial,) = (pytester.path / "reports/r/trials").iterdir()
    assert (trial / "agent.log").read_text(encoding="utf-8") == "a placard that says: Tiny Switch\n"
    assert (trial / "submission/title.txt").read_text(encoding="utf-8") == "Tiny Switch"


def test_the_judge_takes_the_place_of_ours(
    suite: RunSuite, records: Records, pytester: pytest.Pytester, tmp_path: Path
) -> None:
    shutil.copyfile(EXAMPLES / "judge/conftest.py", pytester.path / "conftest.py")
    (pytester.path / "test_mine.py").unlink()
    result = suite("--pyargs", "benchmark.suite", "--run", "r", "--video-fps", "0")
    assert result.ret == 0
    (record,) = records("r")
    assert (record.judge, record.score, record.proxy) == ("counting", 1.0, True)
    (trial,) = (pytester.path / "reports/r/trials").iterdir()
    assert "different pictures" in "".join(path.read_text() for path in (trial / "judgement").glob("*.json"))


def test_every_example_says_in_a_few_lines_how_to_run_it() -> None:
    folders = sorted(path for path in EXAMPLES.iterdir() if path.is_dir())
    assert [path.name for path in folders] == ["agent", "judge", "track"]
    for folder in folders:
        text = (folder / "README.md").read_text(encoding="utf-8")
        assert "pytest " in text
        assert len(text.splitlines()) <= 15
