"""Traces: what is accepted, and what is said about the rest."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.replay import traces
from benchmark.replay.trace_reader import EVENT_TYPES, load_traces, parse_trace, read_bytes, read_trace
from benchmark.replay.traces import KEYS, Event, Reading, TraceError

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/trace.schema.json").read_text(encoding="utf-8"))


def trace(*events: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"duration_frames": 60, "events": list(events), **more}).encode()


def problem(data: bytes) -> str:
    with pytest.raises(TraceError) as caught:
        parse_trace(data, "demo_outputs/02.json")
    return str(caught.value)


def test_every_event_type_is_read() -> None:
    parsed = parse_trace(
        trace(
            {"type": "wait", "frame": 0},
            {"type": "mouse_move", "frame": 1, "x": 0, "y": 719},
            {"type": "mouse_click", "frame": 2, "button": "right", "x": 1279, "y": 0},
            {"type": "mouse_down", "frame": 3, "x": 5, "y": 6},
            {"type": "mouse_up", "frame": 4.0, "button": "left", "x": 5, "y": 6},
            {"type": "key_press", "frame": 5, "keycode": "SPACE"},
            {"type": "key_down", "frame": 6, "keycode": "Q"},
            {"type": "key_up", "frame": 59, "keycode": "Q"},
            scenario="boss",
        ),
        "t",
    )
    assert [event.type for event in parsed.events] == [
        "wait", "mouse_move", "mouse_click", "mouse_down", "mouse_up", "key_press", "key_down", "key_up",
    ]  # fmt: skip
    assert parsed.events[3].button == "left"
    assert (parsed.scenario, parsed.duration_frames) == ("boss", 60)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            trace({"type": "wait", "frame": 0}, {"type": "mouse_move", "frame": 1, "x": 1300, "y": 2}),
            "demo_outputs/02.json: events[1].x: 1300 is outside 0–1279 (line 1)",
        ),
        (trace({"type": "jump", "frame": 1}), "events[0].type: \"jump\" is unknown; allowed are mouse_click"),
        (trace({"type": "mouse_klick", "frame": 1}), 'did you mean "mouse_click"?'),
        (trace({"type": "key_up", "frame": 1, "keycode": "space"}), '"space" is unknown; did you mean "SPACE"?'),
        (trace({"type": "key_press", "frame": 1, "keycode": "F1"}), "allowed are A–Z, 0–9, ESCAPE"),
        (trace({"type": "key_press", "frame": 1}), "events[0].keycode: is missing"),
        (trace({"type": "mouse_click", "frame": 1, "x": 1, "y": 1, "button": "middle"}), "allowed are left, right"),
        (trace({"type": "wait", "frame": 1, "y": 3}), "events[0].y: unknown key; wait has type, frame"),
        (trace({"type": "wait", "frame": 60}), "events[0].frame: 60 is outside 0–59"),
        (trace({"type": "wait", "frame": -1}), "-1 is outside"),
        (trace({"type": "wait", "frame": 1.5}), "1.5 is not a whole number"),
        (trace({"type": "wait", "frame": True}), "true is not a whole number"),
        (trace({"type": "wait", "frame": "1"}), '"1" is not a whole number'),
        (trace({"type": "wait", "frame": 5}, {"type": "wait", "frame": 4}), "4 comes after frame 5; order events"),
        (trace(7), "events[0]: 7 is not an object"),  # type: ignore[arg-type]
        (trace(seed=1), 'unknown key "seed"; allowed are scenario, duration_frames, events'),
        (trace(scenario=""), "scenario"),
        (trace(scenario=3), "scenario: 3 is not a string"),
        (trace(duration_frames=601), "duration_frames: 601 is outside 1–600"),
        (trace(duration_frames=10**30), "is outside 1–600"),
        (trace(events={}), "events: {} is not a list"),
        (b'{"duration_frames": 5}', "events: is missing"),
        (b'{"events": []}', "duration_frames: is missing"),
        (b"[]", "must be an object"),
        (b"", "is not JSON"),
        (b'{"a": 1,\n "b" 2}', "is not JSON: Expecting ':' delimiter at column 6 (line 2)"),
        (b'{"duration_frames": NaN, "events": []}', "NaN is not a number"),
        (b'{"duration_frames": 5, "duration_frames": 6, "events": []}', '"duration_frames" stands twice'),
        (b"\xff\xfe", "is not UTF-8"),
        (b"[" * 100_000, "nested deeper than 64 levels"),
        (b'{"duration_frames": ' + b"9" * 5000 + b', "events": []}', "too many digits"),
        (b" " * ((1 << 20) + 1), "is larger than 1024 KiB"),
        (b" " * (traces.MAX_BYTES + 1), "is larger than 16 MiB"),
    ],
)  # fmt: skip
def test_a_bad_trace_is_told_what_is_wrong_and_where(data: bytes, message: str) -> None:
    assert message in problem(data)


def test_the_line_of_a_bad_event_is_named() -> None:
    data = b'{\n"duration_frames": 9,\n"events": [\n{"type": "wait", "frame": 1},\n{"type": "wait", "frame": 99}\n]}'
    assert problem(data).endswith("events[1].frame: 99 is outside 0–8 (line 5)")


def taken(data: bytes) -> Reading:
    return read_bytes(data, "demo_outputs/02.json")


def move(**more: Any) -> dict[str, Any]:
    return {"type": "mouse_move", "frame": 1, "x": 1, "y": 2, **more}


def press(**more: Any) -> dict[str, Any]:
    return {"type": "key_press", "frame": 1, "keycode": "A", **more}


CLEAN_MOVE, CLEAN_PRESS = Event("mouse_move", 1, 1, 2), Event("key_press", 1, keycode="A")


@pytest.mark.parametrize(
    ("data", "rule", "said", "events", "frames", "scenario"),
    [
        (trace(move(), {"type": "wait", "frame": 60}), "lengthened", "goes on to frame 60",
         (CLEAN_MOVE, Event("wait", 60)), 60, None),
        (trace(press(frame=75)), "lengthened", "goes on to frame 75", (Event("key_press", 75, keycode="A"),), 75, None),
        (trace(press(frame=9), press(frame=4)), "order", "played at frame 9",
         (Event("key_press", 9, keycode="A"),) * 2, 60, None),
        (trace(press(frame=-3)), "early", "played at once", (Event("key_press", 0, keycode="A"),), 60, None),
        (trace(duration_frames=900), "duration", "a window of it is sampled", (), 900, None),
        (trace(press(frame=9), duration_frames=0), "duration", "ends with its last event",
         (Event("key_press", 9, keycode="A"),), 9, None),
        (b'{"events": [{"type": "wait", "frame": 30}]}', "duration", "ends with its last event",
         (Event("wait", 30),), 30, None),
        (b'{"duration_frames": 60}', "no-events", "there is no input", (), 60, None),
        (trace(scenario=""), "scenario", "none is asked for", (), 60, None),
        (trace(scenario=3), "scenario", 'taken as "3"', (), 60, "3"),
        (trace(scenario="a\nb"), "scenario", "handed on as it is", (), 60, "a\nb"),
        (trace(press(keycode="a")), "name", 'taken as "A"', (CLEAN_PRESS,), 60, None),
        (trace(press(keycode=7)), "name", 'taken as "7"', (Event("key_press", 1, keycode="7"),), 60, None),
        (trace(move(type="mouse_click", button=" Right")), "name", 'taken as "right"',
         (Event(type="mouse_click", frame=1, x=1, y=2, button="right"),), 60, None),
        (trace(move(frame="1")), "number", "taken as 1", (CLEAN_MOVE,), 60, None),
        (trace(move(x=1.9)), "number", "taken as 1", (CLEAN_MOVE,), 60, None),
        (trace(move(x=True)), "number", "taken as 1", (CLEAN_MOVE,), 60, None),
        (trace(move(x=1300)), "outside", "at the edge, 1279", (Event("mouse_move", 1, 1279, 2),), 60, None),
        (trace(move(y=-9)), "outside", "at the edge", (Event("mouse_move", 1, 1, 0),), 60, None),
        (trace(move(x=-9)), "outside", "this event is lost", (), 60, None),
        (trace(move(note="here")), "unknown-key", "ignored", (CLEAN_MOVE,), 60, None),
        (trace(title="demo"), "unknown-key", "ignored", (), 60, None),
        (b'{"duration_frames": 5, "duration_frames": 6, "events": []}', "duplicate-key", "last one", (), 6, None),
        (b'{"duration_frames": 6, "events": [{"type": "wait", "frame": 0, "p": NaN}]}', "not-a-number", "passed over",
         (Event("wait", 0),), 6, None),
        (trace(*[{"type": "wait", "frame": 0}] * 5001), "size", "all are replayed",
         (Event("wait", 0),) * 5001, 60, None),
    ],
)  # fmt: skip
def test_what_the_reference_replays_is_replayed_with_a_note(
    data: bytes, rule: str, said: str, events: tuple[Event, ...], frames: int, scenario: str | None
) -> None:
    reading = taken(data)
    assert reading.trace is not None, reading.problem
    assert (reading.trace.events, reading.trace.duration_frames, reading.trace.scenario) == (events, frames, scenario)
    notes = [note for note in reading.liberties if note.rule == rule]
    assert notes, reading.liberties
    assert said in notes[0].taken
    assert f"`{rule}`" in (Path(__file__).parents[2] / "docs/traces.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (trace({"type": "jump", "frame": 1}), '"jump" is unknown'),
        (trace(press(keycode="F1")), '"F1" is unknown'),
        (trace(press(keycode=None)), "null is unknown"),
        (trace(move(type="mouse_click", button="middle")), '"middle" is unknown'),
        (trace(move(x="left")), '"left" is not a whole number'),
        (trace({"type": "mouse_move", "frame": 1, "x": 1}), "events[0].y: is missing"),
        (trace({"type": "wait"}), "events[0].frame: is missing"),
        (trace(duration_frames=2701), "at most 90 s are replayed"),
        (trace(press(frame=2701)), "at most 90 s are replayed"),
        (trace(duration_frames=0), "lasts 0 frames"),
        (trace(scenario="a\0b"), "cannot be handed to a game"),
        (trace(scenario="\ud800"), "cannot be handed to a game"),
        (trace(events=None), "null is not a list"),
        (b'{"duration_frames": NaN, "events": []}', "NaN is not a whole number"),
        (b"[]", "must be an object"),
        (b"{", "is not JSON"),
    ],
)
def test_what_nobody_can_replay_is_lost_with_its_reason(data: bytes, reason: str) -> None:
    reading = taken(data)
    assert reading.trace is None
    assert reason in str(reading.problem)


def test_a_clean_trace_takes_no_liberty() -> None:
    assert taken(trace(move(), press(), scenario="x")).faults == ()


def test_a_broken_trace_is_one_of_those_that_count(tmp_path: Path) -> None:
    folder = tmp_path / "demo_outputs"
    folder.mkdir()
    (folder / "01.json").write_text("{", encoding="utf-8")
    for name in ("02", "03"):
        (folder / f"{name}.json").write_bytes(trace())
    found = load_traces(tmp_path, limit=2)
    assert [t.name for t in found.traces] == ["demo_outputs/02.json"]
    assert found.ignored == ("03.json",)


def test_one_broken_trace_does_not_affect_another(tmp_path: Path) -> None:
    folder = tmp_path / "demo_outputs"
    folder.mkdir()
    (folder / "01.json").write_text("{", encoding="utf-8")
    (folder / "02.json").write_bytes(trace())
    (folder / "notes.txt").write_text("not a trace", encoding="utf-8")
    (folder / "03.json").symlink_to("/etc/passwd")
    (folder / "04.json").mkdir()
    found = load_traces(tmp_path)
    assert [t.name for t in found.traces] == ["demo_outputs/02.json"]
    assert [p.file for p in found.problems] == [f"demo_outputs/{name}.json" for name in ("01", "03", "04")]


def test_only_the_first_ten_by_name_count(tmp_path: Path) -> None:
    folder = tmp_path / "demo_outputs"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number:02}.json").write_bytes(trace())
    found = load_traces(tmp_path)
    assert len(found.traces) == 10
    assert found.ignored == ("10.json", "11.json")


def test_no_folder_means_no_traces(tmp_path: Path) -> None:
    assert load_traces(tmp_path).traces == ()


def test_the_digest_is_about_content_not_layout(tmp_path: Path) -> None:
    compact, spaced = tmp_path / "a.json", tmp_path / "b.json"
    compact.write_bytes(trace({"type": "mouse_down", "frame": 1, "x": 1, "y": 2}))
    spaced.write_text(
        '{ "events": [ {"y":2, "x":1, "frame":1, "type":"mouse_down", "button":"left"} ],\n "duration_frames": 60 }',
        encoding="utf-8",
    )
    assert read_trace(compact).digest == read_trace(spaced).digest
    assert read_trace(compact).digest != read_trace(compact).without_inputs().digest


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
fields = {
    "type": st.sampled_from(EVENT_TYPES) | junk,
    "frame": st.integers(-2, 610) | junk,
    "x": st.integers(-2, 1290) | junk,
    "y": st.integers(-2, 730) | junk,
    "button": st.sampled_from(["left", "right", "middle"]) | junk,
    "keycode": st.sampled_from([*KEYS, "a", "F1"]) | junk,
}
events = st.lists(st.fixed_dictionaries({}, optional=fields) | junk, max_size=6) | junk
documents = st.fixed_dictionaries(
    {},
    optional={
        "scenario": st.text(max_size=6) | junk,
        "duration_frames": st.integers(-2, 620) | junk,
        "events": events,
    },
)


def usable(data: bytes) -> bool:
    try:
        parse_trace(data, "fuzz.json")
    except TraceError as error:
        assert str(error).startswith("fuzz.json: ")
        assert len(str(error)) < 700
        return False
    finally:
        reading = read_bytes(data, "fuzz.json")
        assert (reading.trace is None) == (reading.problem is not None)
        if reading.trace:
            frames = [event.frame for event in reading.trace.events]
            assert frames == sorted(frames)
            assert all(0 <= frame <= reading.trace.duration_frames <= 2700 for frame in frames)
    return True


@settings(max_examples=800, deadline=None)
@given(documents)
def test_fuzzed_documents_are_read_or_refused_and_agree_with_the_schema(document: Any) -> None:
    try:
        data = json.dumps(document, allow_nan=True).encode()
    except (UnicodeEncodeError, RecursionError):
        return
    if usable(data):
        jsonschema.validate(document, SCHEMA)
    else:
        ordered = jsonschema.Draft202012Validator(SCHEMA).is_valid(document)
        if ordered:  # the rules a schema cannot express
            frames = [event["frame"] for event in document["events"]]
            unprintable = not (document.get("scenario") or "x").isprintable()
            assert unprintable or frames != sorted(frames) or max(frames) >= document["duration_frames"]


@settings(max_examples=400, deadline=None)
@given(st.binary(max_size=300))
def test_fuzzed_bytes_never_raise_anything_else(data: bytes) -> None:
    usable(data)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_damaged_good_traces_never_raise_anything_else(data: st.DataObject) -> None:
    good = bytearray(
        trace(
            {"type": "mouse_click", "frame": 3, "x": 4, "y": 5},
            {"type": "key_press", "frame": 9, "keycode": "A"},
        )
    )
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(good) - 1))
        good[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    usable(bytes(good))
