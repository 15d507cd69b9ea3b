"""What can be measured in the pictures of a demo with no idea what they mean."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmark.replay.evidence import STILL_WIDTH, Evidence
from benchmark.replay.saidstate import COLUMNS, ROWS
from benchmark.replay.traces import WIDTH

Picture = NDArray[np.uint8]
_SCALE = STILL_WIDTH / WIDTH
_SMALL = (107, 60)  # an eighth of a still: enough for layout and colour, cheap to compare
_SAME_VIEW = 0.045  # mean difference below which two stills show the same view
CUT = 0.13  # between neighbours: another screen, not a movement
_EDGE, _SLOPE = 20.0, 0.35  # of brightness across three pixels; of the steeper direction
_DRAWN_SLOPES, _DRAWN_EDGES = 0.04, 0.5  # of a cell's pixels
_TEXTURED, _MADE = 1, (2, 7)  # of the log's kinds: images; shaders and custom drawing
_FEWEST_CELLS = 29  # a twentieth of the screen: one small figure on nothing is not a drawn game


@dataclass(frozen=True)
class Gallery:
    """The stills of one demo, read once. `frames` are their frame numbers."""

    frames: tuple[int, ...]
    pictures: tuple[Picture, ...]
    small: tuple[NDArray[np.float32], ...]

    def index_at(self, frame: int) -> int | None:
        """The first still at or after a frame."""
        return next((index for index, number in enumerate(self.frames) if number >= frame), None)


def read_gallery(folder: Path, evidence: Evidence) -> Gallery:
    """Load the stills, without the pointer we drew. One that cannot be read is left out."""
    frames, pictures, small = [], [], []
    for still in evidence.stills:
        picture = cv2.imread(str(folder / still.measured))
        if picture is None:
            continue
        frames.append(still.frame)
        pictures.append(np.asarray(picture, np.uint8))
        reduced = cv2.resize(picture, _SMALL, interpolation=cv2.INTER_AREA)
        small.append((np.asarray(reduced, np.float32) / 255).astype(np.float32))
    return Gallery(tuple(frames), tuple(pictures), tuple(small))


def difference(one: NDArray[np.float32], two: NDArray[np.float32]) -> float:
    """Mean difference of two reduced stills, 0 to 1."""
    return float(np.mean(np.abs(one - two)))


def steps(gallery: Gallery) -> list[float]:
    """How far each still is from the one before it."""
    return [difference(a, b) for a, b in zip(gallery.small, gallery.small[1:], strict=False)]


def distinct_views(galleries: list[Gallery]) -> list[int]:
    """For each demo, how many views it shows that no earlier still of any demo showed."""
    seen: list[NDArray[np.float32]] = []
    counts = []
    for gallery in galleries:
        fresh = 0
        for picture in gallery.small:
            if all(difference(picture, other) > _SAME_VIEW for other in seen):
                seen.append(picture)
                fresh += 1
        counts.append(fresh)
    return counts


def contrast_in(picture: Picture, box: list[int]) -> float:
    """Contrast ratio (1 to 21) between the dark and the light parts inside a text's box."""
    left, top, width, height = (round(value * _SCALE) for value in box[:4])
    patch = picture[max(top, 0) : top + height, max(left, 0) : left + width]
    if patch.size == 0:
        return 1.0
    dark, light = np.percentile(_luminance(patch), (4, 96))
    return float((light + 0.05) / (dark + 0.05))


def _luminance(picture: Picture) -> NDArray[np.float64]:
    linear = (picture.astype(np.float64) / 255) ** 2.2
    return linear[..., 0] * 0.0722 + linear[..., 1] * 0.7152 + linear[..., 2] * 0.2126


def brightness_span(picture: Picture) -> float:
    """Distance of the darkest and the brightest place, 0 to 1: a line of text on an empty screen is not blank."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return float(int(grey.max()) - int(grey.min())) / 255


def colour_richness(picture: Picture) -> float:
    """Entropy of a coarse colour histogram, in bits: flat shapes 1 to 2.5, drawn art 3.5 and more."""
    coarse = (picture >> 4).astype(np.int32)
    codes = (coarse[..., 0] << 8) | (coarse[..., 1] << 4) | coarse[..., 2]
    counts = np.bincount(codes.ravel(), minlength=4096)
    shares = counts[counts > 0] / codes.size
    return float(-(shares * np.log2(shares)).sum())


def detail(picture: Picture) -> float:
    """Share of pixels on an edge."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return float(np.mean(cv2.Canny(grey, 60, 140) > 0))


def drawn_share(picture: Picture, boxes: Iterable[Sequence[int]], grid: Sequence[int]) -> float:
    """Of the cells that show an image, the share on which something is drawn: more than flat colour and straight edges.

    A rectangle has only upright and level edges, and few of them; a drawn thing has slopes and curves, pixel art has
    many edges. Letters are left out. Shaders and custom drawing stand in where there are no images. `grid`: the log's.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    across = np.abs(cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3))
    down = np.abs(cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3))
    steepest = np.maximum(across, down)
    edges = steepest > _EDGE
    sloped = edges & (np.minimum(across, down) > _SLOPE * steepest)
    clear = np.ones(grey.shape, np.bool_)
    for box in boxes:
        if len(box) == 5:
            left, top, width, height = (round(value * _SCALE) for value in box[:4])
            clear[max(top - 3, 0) : max(top + height + 3, 0), max(left - 3, 0) : max(left + width + 3, 0)] = False
    kinds = np.asarray(grid if len(grid) == COLUMNS * ROWS else [_TEXTURED] * (COLUMNS * ROWS)).reshape(ROWS, COLUMNS)
    legible = _cells(clear) > 0.7
    busy = ((_cells(sloped & clear) > _DRAWN_SLOPES) | (_cells(edges & clear) > _DRAWN_EDGES)) & legible
    images = (kinds == _TEXTURED) & legible
    if images.sum() < _FEWEST_CELLS:
        images |= np.isin(kinds, _MADE) & busy
    return float((images & busy).sum()) / max(int(images.sum()), _FEWEST_CELLS)


def _cells(mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The share of each cell of the log's grid that is set."""
    side = -(-mask.shape[1] // COLUMNS)
    whole = cv2.resize(mask.astype(np.float32), (COLUMNS * side, ROWS * side), interpolation=cv2.INTER_AREA)
    return np.asarray(whole.reshape(ROWS, side, COLUMNS, side).mean(axis=(1, 3)), np.float32)
