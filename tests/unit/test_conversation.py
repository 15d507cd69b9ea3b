"""What a game may say to us: any bytes, any JSON. A finding, never an exception, never believed out of turn."""

import json
import socket
import struct
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark.craft.judging.offline.statelog import overlaps, read_looks, readouts, wordings
from benchmark.replay import channel as channels
from benchmark.replay.channel import Channel, Kind, Message, OutOfTurnError
from benchmark.replay.gamelog import GameLog, remarks
from benchmark.replay.inputs import expand
from benchmark.replay.lockstep import Conversation, Schedule
from benchmark.replay.pictures import PictureSink
from benchmark.replay.pointer import Pointer, track_pointer
from benchmark.replay.saidstate import MAX_TEXTS, checked_state
from benchmark.replay.take import Take
from benchmark.replay.traces import Event, make_trace
from benchmark.replay.x11_recorder import _match, _Sighting
from fixtures.attacks import Saw

CLICK = Event(type="mouse_click", frame=2, x=100, y=200, button="left")
TRACE = make_trace("t.json", None, 6, (CLICK, Event("key_press", 4, keycode="Q")))
SCHEDULE = Schedule(6, expand(TRACE), (0, 5), still_every=3, fingerprints=True)

NAMES = st.sampled_from(["Node", "text", "\ud800", ""])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text("aZ0²\ud800\n\x00\u202e", max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=8,
)
FIELDS = (
    "boxes", "classes", "cover", "default_font_texts", "default_widgets", "focus", "grid", "images", "nodes", "paused",
    "scene", "scripts", "texts", "textures", "three_d", "time_scale", "widgets", "frame", "shown", "to_picture",
    "adapter", "clock", "draw_stride", "kind", "x", "y", "control", "pressed",
)  # fmt: skip
SAID = st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=8)
NUMBERS = st.one_of(st.integers(0, 7), st.integers(0, 2**32 - 1))
DEEP = b"[" * 1000 + b"]" * 1000
PAYLOADS = st.one_of(
    st.binary(max_size=40),
    SAID.map(lambda value: json.dumps(value).encode()),
    st.sampled_from([DEEP, b'{"texts":["\\ud800"]}', b'{"nodes":NaN}', b'{"nodes":1' + b"0" * 400 + b"}", b"{}"]),
)
MESSAGES = st.tuples(st.one_of(st.integers(0, 12), NUMBERS), NUMBERS, NUMBERS, NUMBERS, PAYLOADS)
UNHURRIED = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def packed(kind: int, a: int = 0, b: int = 0, c: int = 0, payload: bytes = b"") -> bytes:
    return struct.pack("<5I", kind, a, b, c, len(payload)) + payload


def taking(folder: Path) -> Take:
    (folder / "frames").mkdir(exist_ok=True)
    track = track_pointer(TRACE, SCHEDULE.inputs)
    assert track is not None
    return Take(
        PictureSink(
            folder=folder,
            still_every=3,
            first_frame=0,
            last_frame=5,
            quality=90,
            video=None,
            video_every=0,
            pointer=Pointer(track),
        ),
        Conversation(SCHEDULE),
    )


def told(take: Take, kind: Kind, a: int = 0, b: int = 0, payload: bytes = b"{}") -> Any:
    answer = take.handle(Message(kind=kind, a=a, b=b, c=0, payload=memoryview(payload)))
    return json.loads(answer) if answer is not None else None


def converse(folder: Path, sent: bytes, take: Any) -> tuple[bool, str]:
    """What a game gets that sends these bytes on a real socket."""
    result: list[bool] = []
    with Channel(folder) as channel:
        thread = threading.Thread(target=lambda: result.append(channel.receive({}, take.handle)))
        thread.start()
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(channel.path))
            try:
                client.sendall(sent)
                client.shutdown(socket.SHUT_WR)
            except OSError:  # we hung up
                pass
            thread.join(20)
        assert not thread.is_alive()
    assert len(result) == 1, "the receiver raised"
    return result[0], channel.fault


@pytest.mark.attack("craft: any bytes and any JSON on the line to the host", "never an exception")
@given(st.lists(MESSAGES, max_size=6), st.binary(max_size=30), st.booleans())
@UNHURRIED
def test_whatever_is_said_it_is_a_finding(messages: list[Any], tail: bytes, greeted: bool) -> None:
    sent = packed(1, payload=b"{}") if greeted else b""
    sent += b"".join(packed(*one) for one in messages) + tail
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        take = taking(folder)
        ended, _ = converse(folder, sent, take)
        take.close()
        assert not ended
        json.dumps([take.states, take.about, take.notes], allow_nan=False).encode()
        "".join(str(one) for one in remarks(take.notes)).encode()
        sighting = _Sighting(10)
        converse(folder, sent, sighting)
        _match(SCHEDULE.inputs, sighting.inputs)
        json.dumps([sighting.states, sighting.about], allow_nan=False).encode()


@pytest.mark.attack(
    "craft: a game sends a picture of {size} pixels in its turn", "tampered, or a picture; no exception"
)
@pytest.mark.parametrize("size", [(0, 0), (1, 0), (0, 8192), (8192, 1), (1, 8192), (8192, 8192), (8193, 1)])
def test_a_picture_of_any_size_is_shown_or_out_of_turn(tmp_path: Path, size: tuple[int, int], saw: Saw) -> None:
    take = taking(tmp_path)
    picture = struct.pack("<5I", Kind.FRAME, 0, *size, size[0] * size[1] * 4) + bytes(size[0] * size[1] * 4)
    _, fault = converse(tmp_path, packed(Kind.HELLO, payload=b"{}") + packed(Kind.OVER) + picture, take)
    take.close()
    saw(fault or f"{len(take.sink.stills)} still")
    assert bool(fault) == (0 in size or max(size) > 8192)
    assert len(take.sink.stills) == (not fault)


@given(SAID)
@UNHURRIED
def test_only_a_state_of_our_observer_s_form_is_kept(said: dict[str, Any]) -> None:
    kept, _ = checked_state(said)
    json.dumps(kept, allow_nan=False, ensure_ascii=False).encode()
    assert checked_state(kept)[0] == kept


@given(st.lists(st.one_of(st.binary(max_size=60), SAID.map(lambda v: json.dumps(v).encode())), max_size=8))
@UNHURRIED
def test_any_state_log_can_be_judged(lines: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "state.jsonl").write_bytes(b"\n".join(lines))
        looks = read_looks(Path(name))
    readouts(looks)
    wordings(looks)
    assert all(overlaps(look) <= MAX_TEXTS for look in looks)


def test_the_inputs_of_a_frame_come_when_all_of_the_one_before_was_shown(tmp_path: Path) -> None:
    take = taking(tmp_path)
    told(take, Kind.HELLO)
    assert told(take, Kind.OVER, 0) == {"picture": True, "state": True, "last": False, "inputs": None}
    with pytest.raises(OutOfTurnError, match="FRAME, PRINT, STATE of frame 0 did not come"):
        told(take, Kind.SHOWN, 0)
    take.close()


def conversation(*said: tuple[Kind, int, int]) -> list[Any]:
    talk = Conversation(Schedule(6, expand(TRACE), (0, -1), still_every=3))
    nothing = memoryview(b"")
    answers = [
        talk.answer(Message(kind=kind, a=a, b=b, c=0, payload=nothing)) for kind, a, b in ((Kind.HELLO, 0, 0), *said)
    ]
    return [json.loads(answer) if answer is not None else None for answer in answers]


def overs(count: int) -> list[tuple[Kind, int, int]]:
    return [(Kind.OVER, frame, 0) for frame in range(count)]


def test_each_frame_brings_its_own_inputs_and_nothing_of_those_to_come() -> None:
    answers = conversation(*overs(6))
    rows = [[row[:3] for row in answer["inputs"] or []] for answer in answers[1:]]
    assert answers[0] == []
    click = [[0, "motion", 100], [1, "button", 100]]
    assert rows == [[], click, [[2, "button", 100]], [[3, "key", 0]], [[4, "key", 0]], []]
    assert [answer["last"] for answer in answers[1:]] == [False] * 5 + [True]


def test_a_click_can_be_ended_in_its_own_frame_and_its_release_comes_once() -> None:
    answers = conversation(*overs(2), (Kind.RELEASE, 1, 0), (Kind.OVER, 2, 0))
    assert [row[0] for row in answers[3]] == [2]
    assert answers[4]["inputs"] == []


@pytest.mark.parametrize(
    "said",
    [
        [(Kind.HELLO, 0, 0)],
        [(Kind.OVER, 1, 0)],
        [(Kind.OVER, 0, 0), (Kind.OVER, 0, 0)],
        [(Kind.OVER, 0, 0), (Kind.SHOWN, 0, 0)],
        [(Kind.SHOWN, 0, 0)],
        [(Kind.RELEASE, 1, 0)],
        [(Kind.RELEASE, 4_000_000_000, 0)],
        [*overs(2), (Kind.RELEASE, 0, 0), (Kind.RELEASE, 0, 0), (Kind.INPUT, 3, 2)],
        [(Kind.INPUT, 0, 0)],
        [*overs(2), (Kind.INPUT, 0, 2), (Kind.INPUT, 0, 2)],
        [*overs(2), (Kind.INPUT, 0, 9)],
        [(Kind.FRAME, 0, 0)],
        [(Kind.STATE, 0, 0)],
        [(Kind.PRINT, 0, 0)],
        [(Kind.POINTER, 0, 0)],
        [(Kind.END, 6, 0)],
        [*overs(6), (Kind.END, 5, 0)],
        [*overs(6), (Kind.SHOWN, 5, 0), (Kind.END, 6, 0), (Kind.END, 6, 0)],
    ],
)  # fmt: skip
def test_what_is_said_out_of_turn_is_refused(said: list[tuple[Kind, int, int]]) -> None:
    with pytest.raises(OutOfTurnError):
        conversation(*said)


@pytest.mark.attack("craft: messages without end", "the line is cut, memory stays flat")
def test_the_number_of_messages_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channels, "MAX_MESSAGES", 100)
    sighting = _Sighting(10)
    state = json.dumps({"texts": ["x" * 100] * 80}).encode()
    ended, fault = converse(tmp_path, b"".join(packed(3, n, payload=state) for n in range(200)), sighting)
    assert (ended, fault[:13]) == (False, "more than 100")
    assert len(sighting.states) == 10


@pytest.mark.attack("craft: 20,000 boxes in each of 60 states of old evidence", "judged within seconds")
def test_old_evidence_with_too_many_boxes_is_read_at_once(tmp_path: Path, saw: Saw) -> None:
    state = {
        "frame": 0, "texts": ["a"] * 20_000, "boxes": [[0, 0, 900, 700, 20]] * 20_000, "cover": {}, "textures": 0,
        "nodes": 1, "classes": {}, "widgets": 0, "default_widgets": 0, "scene": "",
    }  # fmt: skip
    line = json.dumps(state).encode() + b"\n"
    (tmp_path / "state.jsonl").write_bytes(line * 60)
    began = time.monotonic()
    looks = read_looks(tmp_path)
    assert sum(map(overlaps, looks)) == 0
    saw(f"{time.monotonic() - began:.1f} s")
    assert time.monotonic() - began < 30  # it took minutes


@pytest.mark.attack("craft: a game prints our frame markers ahead of time", "believed only as far as frames were given")
def test_a_forged_marker_dates_nothing_ahead() -> None:
    log = GameLog("\x1emark ", lambda: 3)
    for number in ("0", "1", "99999", "1" * 5000, "²", "2"):
        log.watch(f"\x1emark {number}\n".encode())
    assert log.frame == 2
