"""What adapters read of streams and session files that were recorded, damaged, or made to hurt."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from benchmark.agents.activity import activity_of
from benchmark.agents.adapters import adapter_of
from benchmark.agents.adapters.protocol import Glance, Left, Read, events_in
from benchmark.agents.trajectory import Step, Tokens
from tests.agents.atif import check_trajectory
from tests.agents.server.script import Usage, usage_of
from tests.unit.test_untrusted import NASTY, VALUE

RECORDED = Path(__file__).with_name("recorded")
KINDS = ("claude", "codex", "gemini", "codebuddy")
TURNS = 5
SHELL = {"claude": "Bash", "codex": "exec_command", "gemini": "run_shell_command", "codebuddy": "Bash"}
VIEWER = {"claude": "Read", "codex": "view_image", "gemini": "read_file", "codebuddy": "Read"}
TELLS_THOUGHTS = {"codex", "gemini", "codebuddy"}  # in tokens; Anthropic's protocol counts them as output


def left_in(folder: Path, recorded: Path | None = None) -> Left:
    """A copy of what was recorded."""
    if recorded:
        shutil.copytree(recorded, folder, dirs_exist_ok=True)
    return Left(
        stdout=folder / "out", stderr=folder / "err", home=folder / "home", workspace=folder / "workspace",
        pictures=folder / "pictures", prompt="Make a game.",
    )  # fmt: skip


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def left(kind: str, tmp_path: Path) -> Left:
    return left_in(tmp_path, RECORDED / kind)


def tokens(usage: Usage, kind: str) -> Tokens:
    """What the server said, as a trajectory has it."""
    return Tokens(usage.prompt, usage.completion, usage.cached, usage.reasoning if kind in TELLS_THOUGHTS else 0)


def answers(read: Read) -> list[Step]:
    return [step for step in read.trajectory.steps if step.source == "agent"]


def test_each_answer_of_the_model_is_a_step_with_its_tokens(kind: str, left: Left, tmp_path: Path) -> None:
    read = adapter_of(kind).read(left)
    steps = answers(read)
    assert [step.tokens for step in steps] == [tokens(usage_of(number), kind) for number in range(TURNS)]
    assert [step.message for step in steps] == ["", "Now the first file.", "This will fail.", "", "The game is there."]
    assert [step.reasoning for step in steps] == [
        "I look at what is there before I begin.", "", "", "How does it look?", "",
    ]  # fmt: skip
    assert [step.model for step in steps] == ["scripted"] * TURNS
    written = check_trajectory(read.trajectory, tmp_path)
    assert written["final_metrics"]["total_prompt_tokens"] == sum(usage_of(number).prompt for number in range(TURNS))


def test_the_sum_counts_every_start_once(kind: str, left: Left) -> None:
    trajectory = adapter_of(kind).read(left).trajectory
    assert trajectory.tokens == tokens(sum((usage_of(number) for number in range(TURNS)), Usage()), kind)
    assert activity_of(trajectory)["turns"] == TURNS


def test_calls_have_what_came_of_them(kind: str, left: Left) -> None:
    steps = answers(adapter_of(kind).read(left))
    assert [call.name for step in steps for call in step.calls] == [*[SHELL[kind]] * 3, VIEWER[kind]]
    results = [result for step in steps for result in step.results]
    assert [result.failed for result in results] == [False, False, True, False]
    assert "shot.png" in results[0].text
    assert [len(result.pictures) for result in results] == [0, 0, 0, 1]
    (picture,) = results[3].pictures
    assert (left.pictures.parent / picture.path).read_bytes()[:4] == b"\x89PNG"
    assert all(result.time for result in results)


def test_the_trajectory_says_where_the_session_was_gone_on_with(kind: str, left: Left) -> None:
    read = adapter_of(kind).read(left)
    assert [step.source for step in read.trajectory.steps[3:4]] == ["user" if kind == "gemini" else "system"]
    first = next(event for event in left.events())
    assert read.trajectory.session == (first.get("session_id") or first.get("thread_id"))
    assert "rror" not in read.closing


def test_without_session_files_the_stream_alone_gives_the_steps(kind: str, left: Left, tmp_path: Path) -> None:
    shutil.rmtree(left.home)
    read = adapter_of(kind).read(left)
    found = read.trajectory.calls
    looks = 0 if kind == "codex" else 1  # its stream does not tell of pictures
    assert [call.name for call in found][:3] == [{"codex": "command_execution"}.get(kind, SHELL[kind])] * 3
    assert len(found) == 3 + looks
    check_trajectory(read.trajectory, tmp_path)


def test_a_glance_tells_what_is_done_now(kind: str, left: Left) -> None:
    seen = [glance for event in left.events() if (glance := adapter_of(kind).glance(event))]
    said = [one.did for one in seen]
    assert any("ls" in one for one in said)
    assert "says: The game is there." in said
    assert sum(one.turns for one in seen) == (3 if kind == "codex" else 4)


def test_gemini_tells_answers_again_when_it_goes_on(tmp_path: Path) -> None:
    left = left_in(tmp_path, RECORDED / "gemini")
    before = adapter_of("gemini").read(left).trajectory
    (path,) = left.home.rglob("session-*.jsonl")
    answers = [event for event in events_in(path) if event.get("type") == "gemini"]
    again = [
        {"id": one["id"], "type": "gemini", "content": [{"text": "a thought", "thought": True}]} for one in answers
    ]
    with path.open("a") as handle:
        handle.write(json.dumps({"$set": {"messages": again}}) + "\n")
    assert adapter_of("gemini").read(left).trajectory == before


def test_claude_begins_anew_when_work_in_the_background_is_done(tmp_path: Path) -> None:
    left = left_in(tmp_path, RECORDED / "claude")
    events = list(left.events())
    begins = {**events[0], "messaging_socket_path": "/tmp/3.sock"}
    told = {"type": "system", "subtype": "task_notification"}
    one = [begins, *events[1:4], told, begins, *events[4:7]]
    two = [begins, *events[1:4], begins, *events[4:7]]
    for lines, interruptions in ((one, 0), (two, 1)):
        left.stdout.write_text("\n".join(map(json.dumps, lines)))
        read = adapter_of("claude").read(left)
        assert [step.source for step in read.trajectory.steps].count("system") == interruptions


@pytest.mark.attack("agent: replaces its program's folder by a link to another's", "nothing of it is read")
def test_links_in_the_home_are_not_followed(kind: str, left: Left, tmp_path: Path) -> None:
    (hidden,) = (path for path in left.home.iterdir() if path.name.startswith("."))
    hidden.rename(tmp_path / "elsewhere")
    hidden.symlink_to(tmp_path / "elsewhere")
    with_link = adapter_of(kind).read(left).trajectory
    hidden.unlink()
    assert with_link == adapter_of(kind).read(left).trajectory


def streams(kind: str) -> Iterator[Path]:
    yield from sorted(path for path in (RECORDED / kind).rglob("*") if path.is_file())


JSON = VALUE | st.floats(allow_nan=True) | st.integers(-(10**20), 10**20)
QUICK = settings(
    max_examples=20, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip


def damaged(value: Any, with_what: Any, draw: Any) -> Any:
    """The same with one of its values replaced."""
    if isinstance(value, dict) and value and draw(st.integers(0, 5)):
        key = draw(st.sampled_from(sorted(value)))
        return {**value, key: damaged(value[key], with_what, draw)}
    if isinstance(value, list) and value and draw(st.integers(0, 5)):
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], damaged(value[place], with_what, draw), *value[place + 1 :]]
    return with_what


@pytest.mark.attack("agent: any value at any place of its program's stream and files", "a trajectory, never an error")
@QUICK
@given(data=st.data())
def test_any_field_may_hold_anything(kind: str, tmp_path: Path, data: st.DataObject) -> None:
    left = left_in(tmp_path, RECORDED / kind)
    for path in streams(kind):
        events = list(events_in(path))
        for _ in range(3):
            place = data.draw(st.integers(0, len(events) - 1))
            changed = damaged(events[place], data.draw(JSON), data.draw)
            events[place] = changed if isinstance(changed, dict) else {"type": changed}
        text = "\n".join(json.dumps(event) for event in events)
        (tmp_path / path.relative_to(RECORDED / kind)).write_text(text)
    check_trajectory(adapter_of(kind).read(left).trajectory, tmp_path)
    for event in left.events():
        assert isinstance(adapter_of(kind).glance(event), Glance | None)


@pytest.mark.attack("agent: any bytes in its program's stream and files", "a trajectory, never an error")
@QUICK
@given(data=NASTY)
@example(data=b"[" * 100_000)
@example(data=b'{"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "\\ud800"}]}}')
@example(data=b'{"type": "result", "total_cost_usd": NaN, "modelUsage": {"m": {"inputTokens": 1e999}}}')
def test_any_bytes_become_a_trajectory(kind: str, tmp_path: Path, data: bytes) -> None:
    left = left_in(tmp_path, RECORDED / kind)
    for path in streams(kind):
        place = tmp_path / path.relative_to(RECORDED / kind)
        place.write_bytes(data + b"\n" + path.read_bytes()[: -len(data) - 1] + data)
    check_trajectory(adapter_of(kind).read(left).trajectory, tmp_path)


def test_nothing_at_all_is_a_trajectory_of_the_prompt(kind: str, tmp_path: Path) -> None:
    read = adapter_of(kind).read(left_in(tmp_path))
    assert [step.message for step in read.trajectory.steps] == ["Make a game."]
    assert read.closing == ""
