"""Frames as the endpoint can take them: all of them, as large as its limit allows."""

import base64
from dataclasses import dataclass
from functools import lru_cache

import cv2

from benchmark.craft.judging.protocol import DemoEvidence
from benchmark.errors import InfrastructureError


@dataclass(frozen=True)
class FrameSize:
    """One step of the ladder; `low_detail` asks the model for its cheapest look."""

    width: int
    quality: int
    low_detail: bool = False


# Tried in this order when an endpoint says that a request is too large.
LADDER = (FrameSize(854, 85), FrameSize(854, 65), FrameSize(640, 65), FrameSize(480, 60), FrameSize(320, 55, True))


def fitting(demo: DemoEvidence, max_bytes: int) -> int:
    """The first step of the ladder whose frames fit; the last one if none does."""
    for step, size in enumerate(LADDER):
        if sum(map(len, encode_frames(demo, size))) <= max_bytes:
            return step
    return len(LADDER) - 1


def encode_frames(demo: DemoEvidence, size: FrameSize) -> tuple[str, ...]:
    """A data URL for every still. One that cannot be read is an error: never fewer frames silently."""
    return _encode(demo.folder.as_posix(), tuple(still.file for still in demo.evidence.stills), size)


@lru_cache(maxsize=32)  # asked again for missing ids, and by repeats
def _encode(folder: str, files: tuple[str, ...], size: FrameSize) -> tuple[str, ...]:
    urls = []
    for file in files:
        picture = cv2.imread(f"{folder}/{file}")
        if picture is None:
            raise InfrastructureError(f"{folder}/{file} cannot be read", fix="replay the trial with --replay-only")
        if picture.shape[1] > size.width:
            height = round(picture.shape[0] * size.width / picture.shape[1])
            picture = cv2.resize(picture, (size.width, height), interpolation=cv2.INTER_AREA)
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, size.quality])
        urls.append("data:image/jpeg;base64," + base64.b64encode(data.tobytes()).decode("ascii"))
    return tuple(urls)
