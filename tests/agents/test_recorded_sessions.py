"""What is read of sessions that real programs left: recorded once, without the texts that are the programs' own."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark.agents.adapters import adapter_of
from benchmark.agents.adapters.protocol import Left, Read
from benchmark.agents.trajectory import Tokens
from tests.agents.atif import check_trajectory

RECORDED = Path(__file__).with_name("recorded")
KINDS = ("kimi", "opencode", "qwen", "openhands", "mini")
PROMPT = "Build a small game.\n\nWith “quotes”, $HOME, `ticks` and\ttabs -- as a task may have."
# By the script of the session: three answers of the model.
PER_ANSWER = [(1000, 40, 0), (1110, 43, 800), (1220, 46, 890)]
SUB_AGENT = Tokens(600, 25, 100, 5)  # in opencode's database only
_FUZZ = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def lay_out(kind: str, folder: Path) -> Left:
    """The recorded session, where its program would have left it."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(RECORDED / kind, folder)
    for name in ("home", "workspace"):
        (folder / name).mkdir(exist_ok=True)
    if (script := folder / "session.sql").is_file():
        place = folder / "home/.local/share/opencode/opencode.db"
        place.parent.mkdir(parents=True)
        with sqlite3.connect(place) as database:
            database.executescript(script.read_text())
        database.close()
    (folder / "err").touch()
    return Left(
        stdout=folder / "out", stderr=folder / "err", home=folder / "home", workspace=folder / "workspace",
        pictures=folder / "pictures", prompt=PROMPT,
    )  # fmt: skip


def files_of(left: Left) -> list[Path]:
    return [left.stdout, *sorted(path for path in left.home.rglob("*") if path.is_file())]


def read(kind: str, left: Left) -> Read:
    """And whoever watches it meanwhile sees each event; all of it can be written."""
    adapter = adapter_of(kind)
    for event in left.events():
        adapter.glance(event)
    found = adapter.read(left)
    check_trajectory(found.trajectory, left.pictures.parent)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_steps_are_the_answers_with_their_calls_results_thoughts_and_tokens(kind: str, tmp_path: Path) -> None:
    trajectory = read(kind, lay_out(kind, tmp_path / "left")).trajectory
    assert trajectory.steps[0].source == "user"
    assert trajectory.steps[0].message == PROMPT
    assert sum(step.message == PROMPT for step in trajectory.steps) == 1
    first, second, *_, last = [step for step in trajectory.steps if step.source == "agent"]
    assert (first.message, first.reasoning) == ("I begin.", "One file will do.")
    assert [call.arguments["command"] for call in (*first.calls, *second.calls)] == [
        "echo ember > ember.txt && cat ember.txt", "false",
    ]  # fmt: skip
    assert "ember" in first.results[0].text
    assert [result.failed for step in (first, second) for result in step.results] == [False, True]
    if kind == "mini":
        assert last.calls[0].arguments["command"].startswith("echo COMPLETE_TASK")
    else:
        assert last.message == "It is done."
    told = [(one.prompt, one.completion, one.cached) for one in (step.tokens for step in trajectory.steps) if one]
    assert told == PER_ANSWER
    assert trajectory.notes == ()
    assert trajectory.cost is None  # nobody knows a price, which is not the same as nothing


@pytest.mark.parametrize("kind", KINDS)
def test_the_whole_is_what_the_program_says_of_it(kind: str, tmp_path: Path) -> None:
    trajectory = read(kind, lay_out(kind, tmp_path / "left")).trajectory
    thoughts = 0 if kind == "kimi" else 27  # which it does not count
    assert trajectory.tokens == Tokens(3330, 129, 1690, thoughts) + (SUB_AGENT if kind == "opencode" else Tokens())
    assert bool(trajectory.session) == adapter_of(kind).resumes


def test_the_state_of_a_sub_agent_of_openhands_counts_once(tmp_path: Path) -> None:
    left = lay_out("openhands", tmp_path / "left")
    before = read("openhands", left)
    (state,) = left.home.rglob("base_state.json")
    (state.parent / "subagents/of-it").mkdir(parents=True)
    shutil.copy(state, state.parent / "subagents/of-it")
    assert read("openhands", left) == before


@pytest.mark.parametrize("kind", KINDS)
def test_times_are_in_order_and_tools_end_after_they_were_called(kind: str, tmp_path: Path) -> None:
    steps = [step for step in read(kind, lay_out(kind, tmp_path / "left")).trajectory.steps if step.source == "agent"]
    assert all(step.time for step in steps)
    moments = [moment for step in steps for moment in (step.time, *(result.time for result in step.results)) if moment]
    assert moments == sorted(moments)
    assert len(moments) >= 5


@pytest.mark.parametrize("kind", KINDS)
def test_without_its_files_what_is_left_says_so(kind: str, tmp_path: Path) -> None:
    left = lay_out(kind, tmp_path / "left")
    shutil.rmtree(left.home)
    found = read(kind, left)
    assert found.trajectory.notes
    assert found.trajectory.steps[0].message == PROMPT


@pytest.mark.parametrize("kind", KINDS)
def test_no_link_is_followed_to_the_files_of_others(kind: str, tmp_path: Path) -> None:
    left = lay_out(kind, tmp_path / "left")
    left.home.rename(tmp_path / "of others")
    left.home.mkdir()
    for path in (tmp_path / "of others").iterdir():
        (left.home / path.name).symlink_to(path)
    alone = lay_out(kind, tmp_path / "alone")
    shutil.rmtree(alone.home)
    assert read(kind, left) == read(kind, alone)


@pytest.mark.parametrize("kind", KINDS)
def test_a_session_that_was_cut_short_is_read_as_far_as_it_goes(kind: str, tmp_path: Path) -> None:
    left = lay_out(kind, tmp_path / "left")
    whole = len(read(kind, left).trajectory.steps)
    for path in files_of(left):
        data = path.read_bytes()
        path.write_bytes(data[: len(data) * 2 // 3])
    assert 1 <= len(read(kind, left).trajectory.steps) <= whole


@pytest.mark.parametrize("kind", KINDS)
@_FUZZ
@given(data=st.data())
def test_no_bytes_stop_the_reading(kind: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    left = lay_out(kind, tmp_path_factory.getbasetemp() / f"bytes-{kind}")
    path = data.draw(st.sampled_from(files_of(left)))
    old = path.read_bytes()
    at = data.draw(st.integers(0, len(old)))
    path.write_bytes(old[:at] + data.draw(st.binary(max_size=64)) + old[data.draw(st.integers(at, len(old))) :])
    read(kind, left)


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("9" * 5000),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=8), some, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("kind", KINDS)
@_FUZZ
@given(data=st.data())
def test_no_value_stops_the_reading(kind: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    left = lay_out(kind, tmp_path_factory.getbasetemp() / f"values-{kind}")
    path = data.draw(st.sampled_from([one for one in files_of(left) if one.suffix in ("", ".json", ".jsonl")]))
    lines = [path.read_text()] if path.suffix == ".json" else path.read_text().splitlines()
    number = data.draw(st.sampled_from([number for number, line in enumerate(lines) if line.startswith("{")] or [0]))
    if lines[number].startswith("{"):
        value = json.loads(lines[number])
        place, key = data.draw(st.sampled_from(list(_places(value))))
        place[key] = data.draw(_ANYTHING)
        lines[number] = json.dumps(value)
    path.write_text("\n".join(lines) + "\n")
    read(kind, left)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each object or list in a value, with each of its keys."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


PIXEL = "data:image/png;base64," + (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
# Where the result of a call stands in a line, and how a picture is added to it.
PICTURES: dict[str, tuple[str, Callable[[Any], None]]] = {
    "kimi": (
        "tool.result",
        lambda line: line["event"]["result"].update(
            output=[{"type": "text", "text": "<image>"}, {"type": "image_url", "imageUrl": {"url": PIXEL}}]
        ),
    ),
    "opencode": (
        "tool_use",
        lambda line: line["part"]["state"].update(attachments=[{"type": "file", "mime": "image/png", "url": PIXEL}]),
    ),
    "openhands": (
        "TerminalObservation",
        lambda line: line["observation"]["content"].append({"type": "image", "image_urls": [PIXEL]}),
    ),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_that_was_looked_at_is_kept_beside_the_trajectory(kind: str, tmp_path: Path) -> None:
    left, (word, add) = lay_out(kind, tmp_path / "left"), PICTURES[kind]
    (path,) = (one for one in files_of(left) if f'"{word}"'.encode() in one.read_bytes())
    lines = path.read_text().splitlines()
    number = next(number for number, line in enumerate(lines) if f'"{word}"' in line)
    changed = json.loads(lines[number])
    add(changed)
    path.write_text("\n".join([*lines[:number], json.dumps(changed), *lines[number + 1 :]]) + "\n")
    results = [result for step in read(kind, left).trajectory.steps for result in step.results]
    assert [len(result.pictures) for result in results][:2] == [1, 0]
    assert (left.pictures.parent / results[0].pictures[0].path).read_bytes().startswith(b"\x89PNG")
