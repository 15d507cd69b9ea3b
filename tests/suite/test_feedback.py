"""`--feedback`: what agents are shown of their work, and that results say so."""

from collections.abc import Callable

import pytest

from benchmark.trials import TrialRecord
from tests.suite.conftest import RunSuite

pytestmark = pytest.mark.engine
Records = Callable[[str], list[TrialRecord]]


def test_the_setting_reaches_the_agent_and_its_record(
    suite: RunSuite, records: Records, pytester: pytest.Pytester
) -> None:
    pytester.makefile(".toml", mine='command = "echo $GAMECRAFT_FEEDBACK; ls tools"\nfeedback = "video"')
    suite("--run", "r", "--agent", "mine.toml", "--agent", "nop", "--feedback", "screenshot", "-k", "tiny-switch")
    mine, nop = sorted(records("r"), key=lambda one: one.agent)
    assert (mine.labels["feedback"], nop.labels["feedback"]) == ("screenshot", "none")
    folder = pytester.path / "reports/r/trials" / mine.id.folder
    said = (folder / "agent.log").read_text().split()
    assert said[0] == "screenshot"
    assert "mcp" in said
    assert "game_screenshot" in (folder / "instruction.md").read_text()


def test_an_unknown_setting_is_refused(suite: RunSuite) -> None:
    suite("--feedback", "smell").stderr.fnmatch_lines(["*--feedback*invalid choice*smell*"])
