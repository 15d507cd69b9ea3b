"""A contact sheet: rows of small pictures with what was pressed, on one picture that a model can take in at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

WIDTH = 1536  # models scale down what is much larger
_GAP, _LINE = 6, 18
_BACKGROUND, _INK, _FAINT = (38, 34, 30), (240, 240, 240), (110, 200, 250)
_FONT = cv2.FONT_HERSHEY_SIMPLEX

Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Cell:
    """One picture, and two short lines below it."""

    picture: Path
    time: str
    pressed: str = ""


@dataclass(frozen=True)
class SheetRow:
    title: str
    cells: tuple[Cell, ...]


def draw_sheet(rows: Sequence[SheetRow], columns: int) -> bytes:
    """As PNG. A row with more cells than columns goes on below."""
    cell_width = (WIDTH - _GAP) // columns - _GAP
    parts: list[Picture] = []
    for row in rows:
        parts.append(_line(row.title, WIDTH, _LINE + 6, 0.5))
        for start in range(0, len(row.cells), columns):
            parts.append(_strip(row.cells[start : start + columns], cell_width))
    done, data = cv2.imencode(".png", np.concatenate(parts or [_line("nothing was recorded", WIDTH, _LINE + 6, 0.5)]))
    assert done
    return data.tobytes()


def _strip(cells: Sequence[Cell], width: int) -> Picture:
    pictures = [_scaled(cell.picture, width) for cell in cells]
    height = max(picture.shape[0] for picture in pictures)
    strip = np.full((height + 2 * _LINE + _GAP, WIDTH, 3), _BACKGROUND, np.uint8)
    for index, (cell, picture) in enumerate(zip(cells, pictures, strict=True)):
        left = _GAP + index * (width + _GAP)
        strip[: picture.shape[0], left : left + picture.shape[1]] = picture
        strip[height : height + _LINE, left : left + width] = _line(cell.time, width, _LINE, 0.42)
        strip[height + _LINE : height + 2 * _LINE, left : left + width] = _line(cell.pressed, width, _LINE, 0.4, _FAINT)
    return strip


def _scaled(path: Path, width: int) -> Picture:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        return np.zeros((width * 9 // 16, width, 3), np.uint8)
    height = max(1, min(2 * width, round(picture.shape[0] * width / picture.shape[1])))
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _line(text: str, width: int, height: int, size: float, colour: tuple[int, int, int] = _INK) -> Picture:
    """A line of text, cut where it is too long. OpenCV's letters are ASCII."""
    line = np.full((height, width, 3), _BACKGROUND, np.uint8)
    plain = text.replace("–", "-").replace("→", "->").encode("ascii", "replace").decode()
    while plain and cv2.getTextSize(plain, _FONT, size, 1)[0][0] > width - 4:
        plain = plain[:-2].rstrip(".") + "." if len(plain) > 3 else ""
    cv2.putText(line, plain, (2, height - 5), _FONT, size, colour, 1, cv2.LINE_AA)
    return line
