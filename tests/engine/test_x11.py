"""The real-time reference recorder: the same evidence format, and honesty about what it loses."""

from pathlib import Path

import cv2
import pytest

from benchmark.craft.replay.evidence import read_evidence
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


def test_keys_arrive_without_a_click_before_them(play: Play) -> None:
    evidence = play(Path(__file__).parents[1] / "tasks/craft/puzzle/tiny-switch/solution", recorder="x11").evidence
    assert evidence.inputs_delivered == evidence.inputs_sent == 6


@pytest.mark.parametrize(("name", "kind"), [("quit_mid_demo", "quit"), ("crash", "crash")])
def test_an_early_end_is_recorded(play: Play, games: Path, name: str, kind: str) -> None:
    assert play(games / "hostile" / name, recorder="x11").evidence.outcome.kind == kind
