"""Trajectories read back for pages: as they were written, and from whoever hands us a run."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark.agents.trajectory import Step, ToolCall, ToolResult, Trajectory
from benchmark.results.report.session_clock import clock
from benchmark.results.report.session_view import MAX_CHARACTERS, read_session
from benchmark.results.report.trajectory_reader import MAX_STEPS, TRAJECTORY, read_trajectory
from tests.sessions import START, make_session


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    written = make_session(tmp_path, 40)
    recorded = read_trajectory(tmp_path)
    assert recorded is not None
    assert (recorded.agent, recorded.left_out, recorded.lost_pictures) == ("claude", 0, 0)
    found = recorded.trajectory
    assert [step.calls for step in found.steps] == [step.calls for step in written.steps]
    assert [step.results for step in found.steps] == [step.results for step in written.steps]
    assert [step.message for step in found.steps] == [step.message for step in written.steps]
    assert found.tokens == written.tokens
    assert found.cost == pytest.approx(written.cost)


def test_no_trajectory_is_no_problem_and_a_damaged_one_says_so(tmp_path: Path) -> None:
    assert read_trajectory(tmp_path) is None
    (tmp_path / TRAJECTORY).write_text('{"steps": [')
    recorded = read_trajectory(tmp_path)
    assert recorded is not None
    assert recorded.trajectory.steps == ()
    assert "is not JSON" in recorded.trajectory.notes[0]


def at(seconds: float) -> str:
    return (START + timedelta(seconds=seconds)).isoformat()


def call(name: str = "Bash") -> ToolCall:
    return ToolCall(name, name, {"command": "ls"})


def test_time_is_the_model_s_until_its_message_and_the_tools_until_they_answer() -> None:
    steps = (
        Step("user", "go", time=at(0)),
        Step("agent", time=at(10), calls=(call("Bash"), call("Read")),
             results=(ToolResult("Bash", "", time=at(14)), ToolResult("Read", "", time=at(15)))),
        Step("agent", time=at(21), calls=(call(),), results=(ToolResult("Bash", ""),)),
        Step("agent", time=at(30)),
        Step("user", "go on", time=at(100)),
        Step("agent", "done", time=at(101)),
    )  # fmt: skip
    found, seconds = clock(steps)
    assert seconds == 101
    assert [one.before.seconds if one.before else None for one in found] == [None, 10, 6, 9, 70, 1]
    assert [one.spent for one in found] == ["pause", "model", "model", "both", "pause", "model"]
    assert {name: span.seconds for name, span in found[1].calls.items()} == {"Bash": 4, "Read": 1}


@pytest.mark.parametrize(
    "times", [("", ""), ("yesterday", "9" * 300), (at(50), at(0)), (at(0), at(1e9)), ("0001-01-01T00:00:00", at(0))]
)
def test_times_that_cannot_be_never_run_backwards(times: tuple[str, str]) -> None:
    steps = tuple(
        Step("agent", time=one, calls=(call(),), results=(ToolResult("Bash", "", time=one),)) for one in times
    )
    found, seconds = clock(steps)
    assert 0 <= seconds <= 30 * 86400
    assert all(one.before is None or one.before.seconds >= 0 for one in found)


# --- hostile --------------------------------------------------------------------------------------------------------


def write(folder: Path, steps: list[Any], **more: Any) -> None:
    (folder / TRAJECTORY).write_text(json.dumps({"schema_version": "ATIF-v1.8", "steps": steps, **more}))


def looking_at(path: Any) -> list[Any]:
    content = [{"type": "image", "source": {"media_type": "image/svg+xml", "path": path}}]
    return [{"step_id": 1, "source": "agent", "message": "", "observation": {"results": [{"content": content}]}}]


def link_to_file(folder: Path) -> str:
    (folder / "trajectory/link.png").symlink_to(folder.parent / "secret.png")
    return "trajectory/link.png"


def link_to_folder(folder: Path) -> str:
    (folder / "away").symlink_to(folder.parent)
    return "away/secret.png"


def a_script(folder: Path) -> str:
    (folder / "trajectory/picture.svg").write_text(
        "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    )
    return "trajectory/picture.svg"


def a_page(folder: Path) -> str:
    (folder / "trajectory/picture.png").write_text("<html><script>alert(1)</script></html>")
    return "trajectory/picture.png"


@pytest.mark.attack("a trajectory names pictures outside of its trial", "they are neither read nor copied")
@pytest.mark.parametrize(
    "name",
    [
        lambda folder: "../secret.png",
        lambda folder: str(folder.parent / "secret.png"),
        lambda folder: "trajectory/../../secret.png",
        lambda folder: "trajectory\\..\\x.png",
        lambda folder: "trajectory/\x00.png",
        lambda folder: "trajectory",
        lambda folder: {"path": 1},
        link_to_file, link_to_folder, a_script, a_page,
    ],
)  # fmt: skip
def test_a_picture_outside_of_the_trial_is_lost(tmp_path: Path, name: Callable[[Path], Any]) -> None:
    folder = tmp_path / "trial"
    make_session(folder, 3)
    for picture in folder.glob("trajectory/*.png"):
        picture.unlink()
    make_session(tmp_path / "other", 60)
    next((tmp_path / "other/trajectory").glob("*.png")).rename(tmp_path / "secret.png")
    write(folder, looking_at(name(folder)))
    session = read_session(folder, tmp_path / "media", "media")
    assert session is not None
    assert session.pictures == ()
    assert session.lost_pictures == 1
    assert not (tmp_path / "media").exists()


def test_a_picture_is_known_by_its_bytes_not_by_its_name(tmp_path: Path) -> None:
    make_session(tmp_path, 60)
    next(tmp_path.glob("trajectory/*.png")).rename(tmp_path / "trajectory/shot.html")
    write(tmp_path, looking_at("trajectory/shot.html"))
    session = read_session(tmp_path, tmp_path / "media", "media")
    assert session is not None
    assert [one.address for one in session.pictures] == ["media/seen-0001.png"]


@pytest.mark.attack("a trajectory is a link to a file of ours", "its content is on no page")
def test_a_trajectory_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    make_session(tmp_path / "real", 5)
    (tmp_path / "trial").mkdir()
    (tmp_path / "trial" / TRAJECTORY).symlink_to(tmp_path / "real" / TRAJECTORY)
    recorded = read_trajectory(tmp_path / "trial")
    assert recorded is not None
    assert recorded.trajectory.steps == ()


def test_a_trajectory_without_end_is_shown_in_part(tmp_path: Path) -> None:
    step = {"step_id": 1, "source": "agent", "message": "long " * 2000}
    write(tmp_path, [step] * (MAX_STEPS + 7))
    session = read_session(tmp_path, tmp_path / "media", "media")
    assert session is not None
    assert (len(session.steps), session.left_out) == (MAX_STEPS, 7)
    shown = sum(len(one.message.lead) + len(one.message.whole) for one in session.steps)
    assert shown <= MAX_CHARACTERS + MAX_STEPS * 200
    assert session.steps[-1].message.left_out > 0


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
_NAMES = (
    "step_id", "source", "message", "timestamp", "reasoning_content", "tool_calls", "observation", "metrics",
    "model_name",
)  # fmt: skip
_INNER = ("tool_call_id", "function_name", "arguments", "results", "content", "source_call_id", "extra", "cost_usd",
          "prompt_tokens", "type", "source", "path", "text", "failed", "time")  # fmt: skip
_FIELD = st.dictionaries(st.sampled_from(_INNER), _JSON | st.lists(st.dictionaries(st.sampled_from(_INNER), _JSON)))
_STEP = st.dictionaries(st.sampled_from(_NAMES), _JSON | _FIELD | st.lists(_FIELD, max_size=3))


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(_STEP | _JSON, max_size=5), final=_JSON | _FIELD, agent=_JSON | _FIELD)
def test_whatever_a_trajectory_holds_there_is_a_page(tmp_path: Path, steps: list[Any], final: Any, agent: Any) -> None:
    write(tmp_path, steps, final_metrics=final, agent=agent, notes=final)
    session = read_session(tmp_path, tmp_path / "media", "media")
    assert session is not None
    assert len(session.steps) == sum(isinstance(step, dict) for step in steps)


def test_a_trajectory_of_no_steps_has_a_page(tmp_path: Path) -> None:
    write(tmp_path, [])
    session = read_session(tmp_path, tmp_path / "media", "media")
    assert session is not None
    assert session.trajectory == Trajectory()
