"""What passes between an agent's tools and the workbench, and what the feedback settings hand over."""

import io
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.agents.builtin import OracleAgent
from benchmark.agents.command import CommandAgent
from benchmark.agents.feedback import commands_of, instruction_sections, mcp_command, with_feedback
from benchmark.agents.protocol import FEEDBACKS
from benchmark.errors import UsageError
from benchmark.workbench.answers import Answer, BrokenAnswerError, read_answer
from benchmark.workbench.requests import MisuseError, ReplayRequest, RunRequest, parse
from benchmark.workbench.sheet import WIDTH, Cell, SheetRow, draw_sheet

answers = st.builds(
    Answer, st.text(max_size=200), st.integers(0, 255), st.none() | st.binary(max_size=99), st.none() | st.binary()
)


@given(answers)
def test_an_answer_arrives_as_it_was_sent(answer: Answer) -> None:
    found = read_answer(io.BytesIO(b"".join(answer.frames())).read)
    assert (found.code, found.picture, found.video) == (answer.code, answer.picture, answer.video)
    assert found.text.rstrip("\n") == answer.text.encode(errors="replace").decode().rstrip("\n")


@given(st.binary(max_size=300))
def test_what_is_no_answer_is_said_to_be_none(data: bytes) -> None:
    try:
        read_answer(io.BytesIO(data).read)
    except BrokenAnswerError:
        return
    assert b"x" in data


@given(st.lists(st.text(max_size=40), max_size=8), st.sampled_from(["check", "replay", "screenshot", "editor", "art"]))
def test_a_request_is_understood_or_refused(words: list[str], command: str) -> None:
    try:
        found, _ = parse([command, *words])
    except MisuseError as error:
        assert str(error)
    else:
        assert found == command


def test_requests_are_read_as_meant() -> None:
    assert parse(["replay", "--demo", "01.json", "--video"]) == ("replay", ReplayRequest("01.json", video=True))
    assert parse(["errors", "--frames=5", "--scenario=-x"]) == ("errors", RunRequest(5, "", "-x"))
    with pytest.raises(MisuseError, match="do not go together"):
        parse(["replay", "--demo", "a", "--seconds", "3"])


def test_a_sheet_has_a_strip_for_each_row(tmp_path: Path) -> None:
    picture = np.full((480, 854, 3), (30, 160, 240), np.uint8)
    cv2.imwrite(str(tmp_path / "a.jpg"), picture)
    cell = Cell(tmp_path / "a.jpg", "0.5 s", "SPACE → 中" * 50)
    one, two = (
        cv2.imdecode(np.frombuffer(draw_sheet([SheetRow("a row", (cell,) * 7)] * count, 6), np.uint8), cv2.IMREAD_COLOR)
        for count in (1, 2)
    )
    assert one is not None
    assert two is not None
    assert one.shape[1] == two.shape[1] == WIDTH
    assert two.shape[0] == 2 * one.shape[0]
    assert one[60, 60].tolist() == pytest.approx([30, 160, 240], abs=6)
    assert draw_sheet([SheetRow("lost", (Cell(tmp_path / "none.jpg", "0"),))], 5).startswith(b"\x89PNG")
    assert draw_sheet([], 5).startswith(b"\x89PNG")


def test_each_feedback_hands_over_what_it_says() -> None:
    assert {name: bool(mcp_command("/w", name)) for name in FEEDBACKS} == {
        "none": False, "screenshot": True, "video": False, "both": True,
    }  # fmt: skip
    assert mcp_command("/w", "both") == ("/w/tools/mcp",)
    assert instruction_sections("/w", "none") == ""
    both = instruction_sections("/w", "both")
    assert both == instruction_sections("/w", "screenshot") + instruction_sections("/w", "video")
    assert "/w/tools/replay --seconds 6" in both
    assert commands_of("none") == commands_of("video") == {"check", "replay"}
    assert commands_of("screenshot") == {"check", "replay", "screenshot", "editor", "errors", "art", "mcp"}


def test_the_option_wins_over_the_profile_and_is_part_of_the_agent() -> None:
    agent = CommandAgent("a", "true", feedback="video")
    changed = with_feedback(agent, "screenshot")
    assert (changed.name, changed.feedback) == ("a", "screenshot")
    assert changed.version != agent.version
    assert with_feedback(OracleAgent(), "both").feedback == "none"

    class Own:
        name, version, feedback = "own", "1", "none"

        def work(self, assignment: object) -> None: ...

    with pytest.raises(UsageError, match="the agent own sets its own"):
        with_feedback(Own(), "both")  # type: ignore[arg-type]


def test_the_relay_says_what_is_wrong(tmp_path: Path) -> None:
    from benchmark.runtime.native import library_path

    relay = str(library_path("relay"))
    for words, said in (
        (["check"], "SOCKET and WORD are needed"),
        ([str(tmp_path / "none"), "check"], "No such file"),
        ([str(tmp_path / ("x" * 50)), "check"], "is no path of a socket"),
    ):
        done = subprocess.run([relay, *words], capture_output=True, text=True)
        assert (done.returncode, said in done.stderr) == (75, True), done
