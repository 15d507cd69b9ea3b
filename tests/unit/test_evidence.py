"""Evidence, cache keys, the sampled window, the engine's log."""

import json
import socket
import struct
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmark.errors import InfrastructureError
from benchmark.projects.runlog import EngineMessage, parse_log
from benchmark.replay.channel import Channel, Kind, Message
from benchmark.replay.counterfactual import Counterfactual, compare
from benchmark.replay.evidence import (
    Evidence,
    FrameStatistics,
    Outcome,
    RecorderSettings,
    Still,
    cache_key,
    read_evidence,
    sample_window,
    write_evidence,
)
from benchmark.replay.evidence_files import finish_evidence, input_log
from benchmark.replay.gamelog import GameLog
from benchmark.replay.inputs import expand
from benchmark.replay.pictures import PictureSink, fit
from benchmark.replay.traces import Event, make_trace

TRACE = make_trace("demo_outputs/01.json", None, 60, (Event("key_press", 10, keycode="A"), Event("wait", 20)))


def evidence(**changes: object) -> Evidence:
    base = Evidence(
        demo=TRACE.name,
        scenario=None,
        project_digest="p",
        trace_digest=TRACE.digest,
        engine_version="4.6",
        settings=RecorderSettings(),
        outcome=Outcome("complete", 60),
        window=(0, 59),
        frames=FrameStatistics(60, 60),
        stills=(Still(0, 0.0, "frames/00000.jpg", "a"),),
        video=None,
        pixels=((0, "a"), (15, "b")),
        inputs_sent=2,
        inputs_delivered=2,
        messages=(EngineMessage(severity="error", text="x", file="res://a.gd", line=3, frame=7, count=2),),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def test_evidence_survives_writing_and_reading(tmp_path: Path) -> None:
    written = finish_evidence(evidence(), tmp_path, input_log(TRACE, expand(TRACE), {0: 10}), [{"frame": 0}], "log", {})
    assert read_evidence(tmp_path) == written
    rows = [json.loads(line) for line in (tmp_path / "inputs.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["keycode"], row["frame"], row["delivered_frame"]) for row in rows] == [
        ("A", 10, 10),
        ("A", 11, None),
    ]
    assert "engine.log" not in written.files  # times and addresses in it differ from run to run


def test_the_cache_key_depends_on_everything_a_recording_depends_on() -> None:
    def key(*changed: str, settings: RecorderSettings = RecorderSettings()) -> str:  # noqa: B008
        parts = {name: name + "x" * (name in changed) for name in ("project", "trace", "engine", "recorder")}
        return cache_key(parts["project"], parts["trace"], parts["engine"], parts["recorder"], settings)

    keys = {key(), *map(key, ("project", "trace", "engine", "recorder"))}
    keys |= {key(settings=RecorderSettings(video_fps=30)), key(settings=RecorderSettings(seed=1))}
    assert len(keys) == 7


def test_the_window_is_drawn_from_content_and_lies_inside_the_demo() -> None:
    assert sample_window("p", "t", 300, 600) == (0, 299)
    windows = {sample_window(f"p{i}", "t", 600, 150) for i in range(200)}
    assert len(windows) > 100
    assert all(last - first == 149 and first >= 0 and last < 600 for first, last in windows)
    assert sample_window("p", "t", 600, 150) == sample_window("p", "t", 600, 150)


LOG = """Godot Engine v4.6
SCRIPT ERROR: Parse Error: Expected parameter name.
          at: GDScript::reload (res://main.gd:5)
ERROR: Failed to load script "res://main.gd" with error "Parse error".
   at: load (modules/gdscript/gdscript.cpp:2900)
\x1b[1;33mWARNING:\x1b[0m too bright
     at: push_warning (core/variant/variant_utility.cpp:1)
     GDScript backtrace (most recent call first):
         [0] _ready (res://lamp.gd:9)
SCRIPT ERROR: Invalid call.
          at: _process (res://main.gd:7)
SCRIPT ERROR: Invalid call.
          at: _process (res://main.gd:7)
"""


def test_errors_are_read_with_their_script_line_and_counted() -> None:
    found = parse_log(LOG)
    assert [(m.severity, m.where, m.count) for m in found] == [
        ("error", "res://main.gd:5", 1),
        ("error", "", 1),
        ("warning", "res://lamp.gd:9", 1),
        ("error", "res://main.gd:7", 2),
    ]


def test_what_the_engine_says_of_our_display_is_not_held_against_the_game() -> None:
    words = "WARNING: Could not set V-Sync mode, as it is not supported.\n"
    assert parse_log(f"{words}     at: set_use_vsync (platform/linuxbsd/x11/gl_manager_x11.cpp:1)\n") == ()
    said_by_the_game = f"{words}     at: push_warning (core/x.cpp:1)\n         [0] _ready (res://lamp.gd:9)\n"
    assert len(parse_log(said_by_the_game)) == 1


def test_log_lines_are_dated_by_the_frame_marker_before_them() -> None:
    log = GameLog("\x1eabc ")
    text = ""
    for line in (
        b"before\n",
        b"\x1eabc 0\n",
        b"\x1eabc 1\n",
        b"SCRIPT ERROR: Boom\n",
        b"printed\x1eabc 2\n",
        b"\x1exyz 9\n",
    ):
        if not log.watch(line):
            text += line.decode()
    assert log.frame == 2
    assert log.messages(text)[0].frame == 1


def test_pictures_keep_their_shape_and_repeat_without_being_sent_again(tmp_path: Path) -> None:
    wide = np.zeros((100, 400, 4), dtype=np.uint8)
    wide[:] = 255
    fitted = fit(wide)
    assert fitted.shape == (480, 854, 4)
    assert fitted[0, 0, 0] == 0
    assert fitted[240, 400, 0] == 255
    (tmp_path / "frames").mkdir()
    sink = PictureSink(
        folder=tmp_path, still_every=15, first_frame=0, last_frame=59, quality=90, video=None, video_every=0
    )
    sink.repeat(0)  # nothing to repeat yet
    sink.add(15, wide)
    sink.repeat(30)
    assert [still.frame for still in sink.stills] == [15, 30]
    assert sink.pixels[0][1] == sink.pixels[1][1]
    assert (tmp_path / "frames/00015.jpg").read_bytes() == (tmp_path / "frames/00030.jpg").read_bytes()


def exchange(tmp_path: Path, sent: bytes) -> tuple[bool, list[Message]]:
    received: list[Message] = []
    result: list[bool] = []

    def keep(message: Message) -> None:
        received.append(message)

    with Channel(tmp_path) as channel:
        thread = threading.Thread(target=lambda: result.append(channel.receive({"frames": 1}, keep)))
        thread.start()
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(channel.path))
            size = struct.unpack("<I", client.recv(4))[0]
            assert json.loads(client.recv(size)) == {"frames": 1}
            assert not channel.path.exists()  # nobody else can connect
            client.sendall(sent)
        thread.join(5)
    return result[0], received


def message(kind: int, a: int = 0, b: int = 0, c: int = 0, payload: bytes = b"") -> bytes:
    return struct.pack("<5I", kind, a, b, c, len(payload)) + payload


def test_the_channel_hands_over_messages_until_the_end(tmp_path: Path) -> None:
    ended, received = exchange(tmp_path, message(2, 0, 2, 1, b"x" * 8) + message(3, 5, payload=b"{}") + message(5, 1))
    assert ended
    assert [m.kind for m in received] == [Kind.FRAME, Kind.STATE, Kind.END]


@pytest.mark.parametrize(
    "sent",
    [
        b"", b"abc", message(99), message(2, 0, 2, 1, b"xx"), message(2, 0, 0x7FFFFFFF, 0x7FFFFFFF),
        struct.pack("<5I", 3, 0, 0, 0, 0x7FFFFFFF), message(3, payload=b"x")[:-1], message(3, payload=b"not json"),
    ],
)  # fmt: skip
def test_nonsense_on_the_channel_is_no_end_and_no_exception(tmp_path: Path, sent: bytes) -> None:
    ended, received = exchange(tmp_path, sent)
    assert not ended
    assert all(m.json() == {} for m in received)


def test_a_channel_in_a_deep_folder_still_has_a_socket(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 100) / ("y" * 100)
    deep.mkdir(parents=True)
    with Channel(deep) as channel:
        assert channel.path.exists()


def test_a_folder_where_no_socket_can_be_made_is_the_harness_s_failure(tmp_path: Path) -> None:
    (tmp_path / "socket").touch()
    with pytest.raises(InfrastructureError, match="cannot open a socket"):
        Channel(tmp_path)


def compared(tmp_path: Path, played: dict[int, int], untouched: dict[int, int]) -> Counterfactual:
    folders = []
    for name, prints in (("a", played), ("b", untouched)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "fingerprints.json").write_text(json.dumps(sorted(prints.items())), encoding="ascii")
        write_evidence(evidence(pixels=(), stills=()), folder)
        folders.append(folder)
    return compare(TRACE, read_evidence(folders[0]), read_evidence(folders[1]), *folders)


def test_an_input_without_effect_is_told_apart_from_one_with(tmp_path: Path) -> None:
    same = dict.fromkeys(range(60), 1)
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    (tmp_path / "3").mkdir()
    assert "none of 1 inputs" in compared(tmp_path / "1", same, same).describe()
    effect = compared(tmp_path / "2", {f: 1 + (f >= 13) for f in range(60)}, same)
    assert (effect.effects[0].departed, effect.effects[0].after_frames, effect.first_departure) == (
        True,
        3,
        13,
    )
    early = compared(tmp_path / "3", {f: 1 + (f >= 4) for f in range(60)}, same)
    assert early.effects[0].already_apart
