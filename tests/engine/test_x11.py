"""The real-time reference recorder: the same evidence format, and honesty about what it loses."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmark.cli import main
from benchmark.replay.build_gate import check_build
from benchmark.replay.evidence import RecorderSettings, read_evidence
from benchmark.replay.recordings import record_fresh
from benchmark.replay.take_order import TakeOrder
from benchmark.runtime.machine import Machine
from fixtures.attacks import Saw
from fixtures.recording import Play

pytestmark = [pytest.mark.engine, pytest.mark.realtime]


def test_it_leaves_the_same_kind_of_evidence(play: Play, games: Path) -> None:
    played = play(games / "torture", recorder="x11", video_fps=10)
    evidence = played.evidence
    assert evidence.outcome.complete
    assert [still.frame for still in evidence.stills] == list(range(0, 300, 15))
    assert evidence.frames.expected == 300
    assert evidence.frames.played >= 290
    assert 0 <= evidence.frames.dropped < 300
    assert evidence.inputs_delivered > evidence.inputs_sent * 0.8
    assert not evidence.pinned["clock"]
    picture = cv2.imread(str(played.folder / evidence.stills[10].file))
    assert picture is not None
    assert picture.shape == (480, 854, 3)
    assert evidence.video is not None
    assert 95 <= evidence.video.frames <= 100
    assert read_evidence(played.folder) == evidence


def test_both_recorders_show_the_same_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = Path(__file__).parents[1] / "tasks/craft/puzzle/tiny-switch/solution"
    assert main(["parity", "--project", str(project), "--out", str(tmp_path), "--demos", "1", "--quiet"]) == 0
    (demo,) = json.loads((tmp_path / "parity.json").read_text(encoding="utf-8"))["demos"]
    assert demo["agree_share"] >= 0.95
    assert demo["alone_share"] <= 0.5  # the same game with nobody at the controls is another picture
    assert f"{demo['demo']}: " in capsys.readouterr().out
    assert demo["demo"] in (tmp_path / "parity.md").read_text(encoding="utf-8")


def test_the_pointer_is_in_its_stills_too(play: Play, games: Path) -> None:
    played = play(games / "pointed", recorder="x11")
    stills = played.evidence.stills
    assert all(still.bare for still in stills)
    shown, bare = (cv2.imread(str(played.folder / str(name))) for name in (stills[1].file, stills[1].bare))
    assert shown is not None
    assert bare is not None
    rows, columns = np.nonzero(cv2.absdiff(shown, bare).max(axis=2) > 40)
    assert abs(columns.min() - 320 * 854 / 1280) <= 4
    assert abs(rows.min() - 200 * 854 / 1280) <= 4


def test_keys_arrive_without_a_click_before_them(play: Play) -> None:
    evidence = play(Path(__file__).parents[1] / "tasks/craft/puzzle/tiny-switch/solution", recorder="x11").evidence
    assert evidence.inputs_delivered == evidence.inputs_sent == 6


@pytest.mark.attack("craft, in real time: a game goes for its display: {way}", "a finding, no void")
@pytest.mark.parametrize("way", ["end those before", "end all", "take the window"])
def test_a_game_that_shakes_off_the_robot_is_no_void(
    way: str, machine: Machine, games: Path, tmp_path: Path, saw: Saw
) -> None:
    gate = check_build(games / "hostile/display", machine)
    assert gate.prepared is not None
    demo = replace(gate.traces.traces[0], scenario=way)
    settings = RecorderSettings(recorder="x11", video_fps=0)
    outcome = record_fresh(gate.prepared, TakeOrder(demo, settings), machine, tmp_path, 2).outcome
    saw(f"{outcome.kind}: {outcome.detail}")
    # what is filmed of a game whose inputs had all come before counts
    assert outcome.kind in {"end all": ("quit", "crash")}.get(way, ("tampered", "complete"))


@pytest.mark.parametrize(("name", "kind"), [("quit_mid_demo", "quit"), ("crash", "crash")])
def test_an_early_end_is_recorded(play: Play, games: Path, name: str, kind: str) -> None:
    assert play(games / "hostile" / name, recorder="x11").evidence.outcome.kind == kind
