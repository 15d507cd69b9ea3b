"""Evidence from the real engine: complete, exact, and the same on every run."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from benchmark.replay.build_gate import check_build
from benchmark.replay.certify import certify, first_difference
from benchmark.replay.counterfactual import compare, with_fingerprints
from benchmark.replay.evidence import RecorderSettings
from benchmark.replay.recordings import Recording, Studio, record_cached, record_fresh, replay
from benchmark.replay.take_order import TakeOrder
from benchmark.replay.trace_reader import parse_trace
from benchmark.runtime.machine import Machine
from fixtures.recording import Play

pytestmark = pytest.mark.engine


@contextmanager
def full_load() -> Iterator[None]:
    """Every core busy with something else."""
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def test_evidence_is_complete(play: Play, games: Path) -> None:
    played = play(games / "bench/moss_run", video_fps=10)
    evidence = played.evidence
    assert evidence.outcome.complete
    assert (evidence.frames.expected, evidence.frames.played, evidence.frames.dropped) == (600, 600, 0)
    assert [still.frame for still in evidence.stills] == list(range(0, 600, 15))
    assert evidence.inputs_delivered == evidence.inputs_sent > 0
    assert evidence.pinned["clock"]
    assert evidence.pinned["pointer"]
    picture = cv2.imread(str(played.folder / evidence.stills[20].file))
    assert picture is not None
    assert picture.shape == (480, 854, 3)
    assert picture.std() > 20  # a picture, not a blank
    assert evidence.video is not None
    assert evidence.video.frames == 200
    capture = cv2.VideoCapture(str(played.folder / "video.mp4"))
    assert capture.get(cv2.CAP_PROP_FRAME_COUNT) == 200
    assert (capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT)) == (854, 480)


def test_every_input_arrives_on_its_frame(play: Play, games: Path) -> None:
    played = play(games / "probe")
    rows = [json.loads(line) for line in (played.folder / "inputs.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) > 60
    assert all(row["delivered_frame"] == row["frame"] for row in rows)


def test_the_state_log_tells_what_is_on_screen(play: Play, games: Path) -> None:
    played = play(games / "bench/tinker_market")
    states = [json.loads(line) for line in (played.folder / "state.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [state["frame"] for state in states] == list(range(0, 600, 15))
    first = states[0]
    assert first["scene"] == "res://scenes/main.tscn"
    assert "Tinker Market" in first["texts"]
    assert first["classes"]["Button"] > 10
    assert first["default_widgets"] == 0
    assert first["cover"]["textured"] > 0.05
    assert abs(sum(first["cover"].values()) - 1) < 0.01


def test_the_torture_game_is_the_same_to_the_byte_over_five_runs(play: Play, games: Path) -> None:
    digests = [
        play(games / "torture", name=f"run{n}", video_fps=10, threads=1 + n % 2).evidence.digest for n in range(3)
    ]
    with full_load():
        digests += [play(games / "torture", name=f"loaded{n}", video_fps=10).evidence.digest for n in range(2)]
    assert len(set(digests)) == 1


def test_a_canvas_of_8_bits_shows_what_one_of_10_bits_shows(machine: Machine, games: Path, tmp_path: Path) -> None:
    gate = check_build(games / "veils", machine)
    assert gate.prepared is not None
    pictures: list[Any] = []
    for ours in (machine, replace(machine, clock_library=None, graphics_cache=None)):  # ours draws with 8
        out = tmp_path / str(len(pictures))
        out.mkdir()
        settings = RecorderSettings(video_fps=0, still_quality=100)
        evidence = record_fresh(gate.prepared, TakeOrder(gate.traces.traces[0], settings), ours, out, 2)
        picture = cv2.imread(str(out / evidence.stills[0].file))
        assert picture is not None
        pictures.append(picture.astype(int))
    difference = abs(pictures[0] - pictures[1])
    assert 0 < difference.max() <= 8  # of 255, after forty roundings; 0 would mean that nothing was exchanged
    assert difference.mean() < 1.5  # plain colours, too, may be rounded the other way


def test_a_run_that_differs_is_named_by_its_first_frame(machine: Machine, games: Path, tmp_path: Path) -> None:
    gate = check_build(games / "torture", machine)
    assert gate.prepared is not None
    trace = gate.traces.traces[0]
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    one = record_fresh(gate.prepared, TakeOrder(trace, RecorderSettings(video_fps=0)), machine, first, 2)
    two = record_fresh(gate.prepared, TakeOrder(trace, RecorderSettings(video_fps=0, seed=7)), machine, second, 2)
    assert first_difference(one, two) == 0
    # A certificate for evidence that another seed made must show the difference.
    from dataclasses import replace

    forged = Recording(
        trace=trace, evidence=replace(two, settings=one.settings), folder=second, cached=False, seconds=0.0
    )
    certificate = certify(forged, gate.prepared, machine, tmp_path, 2)
    assert not certificate.identical
    assert certificate.frame == 0
    assert (tmp_path / "difference.png").exists()


def test_a_counterfactual_tells_what_the_player_caused(machine: Machine, games: Path) -> None:
    gate = check_build(games / "bench/ember_glass", machine)
    assert gate.prepared is not None
    settings = with_fingerprints(RecorderSettings(video_fps=0))
    trace = gate.traces.traces[0]
    played, untouched = replay(gate.prepared, [(trace, settings), (trace.without_inputs(), settings)], Studio(machine))
    result = compare(played.trace, played.evidence, untouched.evidence, played.folder, untouched.folder)
    assert result.first_departure is not None
    first_click = next(event.frame for event in played.trace.events if event.type != "wait")
    assert first_click <= result.first_departure <= first_click + 30
    assert result.apart_share > 0.5


def test_evidence_comes_from_the_cache_the_second_time(machine: Machine, games: Path) -> None:
    gate = check_build(games / "broken/warning_only", machine)
    assert gate.prepared is not None
    trace = gate.traces.traces[0]
    first = record_cached(gate.prepared, TakeOrder(trace, RecorderSettings()), machine, 2)
    again = record_cached(gate.prepared, TakeOrder(trace, RecorderSettings()), machine, 2)
    assert again.cached
    assert again.evidence == first.evidence
    assert again.seconds < 0.1


def test_a_scenario_reaches_the_game(machine: Machine, games: Path, tmp_path: Path) -> None:
    gate = check_build(games / "bench/moss_run", machine)
    assert gate.prepared is not None
    pictures = []
    for scenario in (None, "halfway"):
        data = json.dumps({"scenario": scenario, "duration_frames": 5, "events": []}).encode()
        out = tmp_path / str(scenario)
        out.mkdir()
        evidence = record_fresh(
            gate.prepared, TakeOrder(parse_trace(data, "t"), RecorderSettings(video_fps=0)), machine, out, 2
        )
        pictures.append(evidence.stills[0].pixels)
    assert pictures[0] != pictures[1]


def test_a_shorter_window_is_sampled_inside_the_demo(play: Play, games: Path) -> None:
    evidence = play(games / "torture", window_frames=90).evidence
    first, last = evidence.window
    assert last - first == 89
    assert [still.frame for still in evidence.stills] == list(range(first, last + 1, 15))
