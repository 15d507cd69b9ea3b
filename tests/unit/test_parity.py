"""When two stills count as alike, and what the comparison of two recordings says."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmark.cli import main
from benchmark.replay.evidence import Still
from benchmark.replay.filming import Shot, count_captured, cut
from benchmark.replay.parity import MAX_DIFFERENT, SHIFT_FRAMES, Film, compare_films, draw_difference
from tests.samples import make_demo


def film(folder: Path, pictures: dict[int, np.ndarray]) -> Film:
    """A recording with these stills."""
    base = make_demo(folder / "base").evidence
    folder.joinpath("frames").mkdir()
    stills = []
    for frame, picture in pictures.items():
        name = f"frames/{frame:05d}.jpg"
        cv2.imwrite(str(folder / name), picture)
        stills.append(Still(frame, frame / 30, name, str(frame)))
    return Film(replace(base, stills=tuple(stills)), folder)


def scene(x: int, side: int = 120) -> np.ndarray:
    """Something bright at x on a ground of soft noise."""
    random = np.random.default_rng(1)
    picture = cv2.resize(random.integers(40, 90, (48, 86, 3), dtype=np.uint8), (854, 480))
    cv2.rectangle(picture, (x, 200), (x + side, 200 + side), (240, 240, 250), -1)
    return picture


def test_noise_of_the_codec_and_of_rounding_is_no_difference(tmp_path: Path) -> None:
    exact = scene(100)
    noisy = np.clip(exact.astype(int) + np.random.default_rng(2).integers(-9, 10, exact.shape), 0, 255).astype(np.uint8)
    (found,) = compare_films(
        film(tmp_path / "a", {0: exact}), film(tmp_path / "b", {0: cv2.GaussianBlur(noisy, (3, 3), 0)})
    )
    assert found.agrees
    assert found.shift_frames == 0


def test_a_few_frames_late_is_alike_and_half_a_second_late_is_not(tmp_path: Path) -> None:
    moving = {frame: scene(100 + 12 * frame) for frame in range(0, 45)}
    exact = film(tmp_path / "exact", {15: moving[15]})
    late = film(tmp_path / "late", {frame: moving[frame - 5] for frame in range(5, 45)})
    later = film(tmp_path / "later", {frame: moving[frame - 14] for frame in range(14, 45)})
    (found,) = compare_films(exact, late)
    assert (found.agrees, found.shift_frames) == (True, 5)
    (found,) = compare_films(exact, later)
    assert not found.agrees
    assert found.different > 2 * MAX_DIFFERENT
    assert found.shift_frames == SHIFT_FRAMES  # the nearest there is


def test_a_thing_of_a_hundred_pixels_that_is_missing_is_a_difference(tmp_path: Path) -> None:
    one, two = scene(100, side=66), scene(100, side=66)  # 100 pixels of the game are 66 of a still
    two[200:267, 100:167] = one[50:117, 100:167]
    (found,) = compare_films(film(tmp_path / "a", {0: one}), film(tmp_path / "b", {0: two}))
    assert not found.agrees
    target = tmp_path / "out/difference.png"
    assert draw_difference(film(tmp_path / "c", {0: one}), film(tmp_path / "d", {0: two}), found, target)
    picture = cv2.imread(str(target))
    assert picture is not None
    assert picture.shape[0] > 480
    assert picture.shape[1] > 3 * 854


def test_what_the_camera_lost_does_not_agree(tmp_path: Path) -> None:
    exact = film(tmp_path / "a", {0: scene(100), 60: scene(100)})
    found = compare_films(exact, film(tmp_path / "b", {0: scene(100)}))
    assert [(still.agrees, still.shift_frames) for still in found] == [(True, 0), (False, None)]


def test_frames_are_cut_by_the_time_they_were_taken() -> None:
    shots = tuple(Shot(100 + n / 30, str(n)) for n in range(60) if n not in range(20, 29))  # nine pictures are lost
    chosen = cut(shots, 100 + 10 / 30, 30)
    taken = {frame: shots[index].picture for frame, index in chosen.items()}
    assert (taken[0], taken[5], taken[29]) == ("11", "16", "40")  # each a frame after its inputs were sent
    assert (taken[10], taken[16]) == ("19", "29")  # the nearest
    assert count_captured(shots, chosen, 100 + 10 / 30) == 27  # frames 12 to 14 are more than three frames from any
    assert max(cut(shots, 101.0, 60)) < 35  # the film ends after two seconds
    assert cut((), 0.0, 30) == {}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing-like-it"], "no task with an oracle has 'nothing-like-it'"),
        (["--takes", "0"], "--takes: 0 is less than 1"),
        (["--project", "nowhere"], "nowhere is not a folder"),
        (["--project", ".", "tiny"], "--project names one game"),
    ],
)
def test_a_wrong_command_line_is_told(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parity", *words]) == 2
    assert said in capsys.readouterr().err
