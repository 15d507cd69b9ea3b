"""What can be measured in the pictures of a demo with no idea what they mean."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmark.craft.replay.evidence import STILL_WIDTH, Evidence
from benchmark.craft.traces import WIDTH

Picture = NDArray[np.uint8]
_SCALE = STILL_WIDTH / WIDTH
_SMALL = (107, 60)  # an eighth of a still: enough for layout and colour, cheap to compare
_SAME_VIEW = 0.045  # mean difference below which two stills show the same view
CUT = 0.13  # between neighbours: another screen, not a movement


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
    """Load the stills. One that cannot be read is left out."""
    frames, pictures, small = [], [], []
    for still in evidence.stills:
        picture = cv2.imread(str(folder / still.file))
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


def tonal_range(picture: Picture) -> float:
    """Distance of the dark and light ends of the picture, 0 (blank) to 1."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    dark, light = np.percentile(grey, (3, 97))
    return float(light - dark) / 255


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
