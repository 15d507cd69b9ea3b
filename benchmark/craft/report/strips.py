"""Frame strips: a demo at one glance."""

from pathlib import Path

import cv2

from benchmark.replay.evidence import Evidence

FRAMES = 8
WIDTH = 320


def draw_strip(folder: Path, evidence: Evidence, out: Path, frames: int = FRAMES) -> bool:
    """Evenly spaced stills side by side in two rows. False if there is nothing to show."""
    stills = evidence.stills
    if not stills:
        return False
    count = min(frames, len(stills))
    chosen = [stills[round(index * (len(stills) - 1) / max(count - 1, 1))] for index in range(count)]
    pictures = []
    for still in chosen:
        picture = cv2.imread(str(folder / still.file))
        if picture is not None:
            height = round(picture.shape[0] * WIDTH / picture.shape[1])
            pictures.append(cv2.resize(picture, (WIDTH, height), interpolation=cv2.INTER_AREA))
    if not pictures:
        return False
    per_row = -(-len(pictures) // 2) if len(pictures) > 4 else len(pictures)
    while len(pictures) % per_row:
        pictures.append(pictures[-1] * 0)
    rows = [cv2.hconcat(pictures[start : start + per_row]) for start in range(0, len(pictures), per_row)]
    out.parent.mkdir(parents=True, exist_ok=True)
    return bool(cv2.imwrite(str(out), cv2.vconcat(rows), [cv2.IMWRITE_JPEG_QUALITY, 85]))
