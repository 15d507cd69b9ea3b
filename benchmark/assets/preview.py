"""One picture per pack: people and agents would rather look than read file names."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

CELL_WIDTH, CELL_HEIGHT, LABEL_HEIGHT, COLUMNS = 108, 88, 16, 14
_BACKGROUND = (74, 66, 58)


def draw_preview(folder: Path, out: Path) -> bool:
    """A sheet of all images below `folder`, each with its name. False if there are none."""
    images = [path for path in sorted(folder.rglob("*.png")) if path != out]
    if not images:
        return False
    rows = -(-len(images) // COLUMNS)
    sheet = np.full((rows * (CELL_HEIGHT + LABEL_HEIGHT), COLUMNS * CELL_WIDTH, 3), _BACKGROUND, np.uint8)
    for index, path in enumerate(images):
        top, left = index // COLUMNS * (CELL_HEIGHT + LABEL_HEIGHT), index % COLUMNS * CELL_WIDTH
        _paste(sheet[top : top + CELL_HEIGHT, left : left + CELL_WIDTH], path)
        label = path.relative_to(folder).with_suffix("").as_posix()
        cv2.putText(
            sheet, label[-19:], (left + 2, top + CELL_HEIGHT + 10), cv2.FONT_HERSHEY_SIMPLEX, 0.32, (225, 225, 225), 1,
            cv2.LINE_AA,
        )  # fmt: skip
    return bool(cv2.imwrite(str(out), sheet, [cv2.IMWRITE_JPEG_QUALITY, 85]))


def _paste(cell: NDArray[np.uint8], path: Path) -> None:
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if image is None or image.ndim != 3:
        return
    height, width = image.shape[:2]
    scale = min(1.0, (CELL_WIDTH - 8) / width, (CELL_HEIGHT - 8) / height)
    image = cv2.resize(image, (max(1, int(width * scale)), max(1, int(height * scale))), interpolation=cv2.INTER_AREA)
    height, width = image.shape[:2]
    top, left = (CELL_HEIGHT - height) // 2, (CELL_WIDTH - width) // 2
    spot = cell[top : top + height, left : left + width]
    alpha = image[:, :, 3:].astype(np.float32) / 255 if image.shape[2] == 4 else np.float32(1)
    spot[:] = (image[:, :, :3] * alpha + spot * (1 - alpha)).astype(np.uint8)
