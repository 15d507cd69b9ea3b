"""An audit as one picture: what fell where, damage by task, and what each damage looks like."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmark.craft.audit.damages import Damage
from benchmark.craft.audit.verdict import Audit, AuditRow
from benchmark.craft.rubric import CATEGORIES

Canvas = NDArray[np.uint8]
Colour = tuple[int, int, int]  # blue, green, red

MAX_TASKS = 10
_CELL, _ROW, _LABELS, _HEAD, _GAP = 62, 96, 200, 92, 22
_TILE = (156, 88)
_INK: Colour = (50, 40, 36)
_PALE: Colour = (150, 140, 134)
_RULE: Colour = (226, 222, 218)
_FELL: Colour = (54, 62, 214)
_STAYED: Colour = (246, 244, 240)
_GOOD: Colour = (86, 140, 40)


def draw_audit(audit: Audit, out: Path) -> None:
    """Write a PNG. A cell is red as far as its category fell; a dark frame: it had to fall; a pale one: it might."""
    tasks = audit.tasks[:MAX_TASKS]
    damages = audit.damages
    column = 4 * _CELL + _GAP
    width = _LABELS + column * len(tasks) + 2 * (_TILE[0] + 8) + 24
    height = _HEAD + _ROW * len(damages) + 56
    canvas: Canvas = np.full((height, max(width, 760), 3), 255, np.uint8)
    whole = audit.whole
    rate = "-" if whole.detection is None else f"{whole.detection:.0%}"
    specific = "-" if whole.specificity is None else f"{whole.specificity:.0%}"
    head = f"Judge {audit.judge}: {rate} detected, {specific} specific, {len(audit.false_alarms)} false alarms"
    _write(canvas, head, (14, 32), 0.74, _INK)
    for number, task in enumerate(tasks):
        left = _LABELS + number * column
        _write(canvas, task.rpartition("/")[2], (left, 62), 0.5, _INK)
        for index, letter in enumerate(CATEGORIES):
            _write(canvas, letter, (left + index * _CELL + _CELL // 2 - 6, 84), 0.46, _PALE)
    tiles = _LABELS + column * len(tasks)
    if tasks:
        _write(canvas, "before", (tiles, 84), 0.46, _PALE)
        _write(canvas, "after", (tiles + _TILE[0] + 8, 84), 0.46, _PALE)
    for line, damage in enumerate(damages):
        top = _HEAD + line * _ROW
        cv2.line(canvas, (14, top), (canvas.shape[1] - 14, top), _RULE, 1)
        _write(canvas, damage.name, (14, top + 40), 0.6, _INK)
        _write(canvas, "sham" if damage.sham else f"must fall: {damage.must}", (14, top + 64), 0.44, _PALE)
        for number, task in enumerate(tasks):
            _draw_row(canvas, audit.row(task, damage), damage, _LABELS + number * column, top)
        if tasks:
            # Each damage shows itself on another task in turn.
            task = tasks[line % len(tasks)]
            _paste(canvas, audit.tiles.get((task, "")), tiles, top + 4)
            _paste(canvas, audit.tiles.get((task, damage.name)), tiles + _TILE[0] + 8, top + 4)
    foot = "red: how far the category fell   dark frame: had to fall   thin frame: might   number: change of the score"
    _write(canvas, foot, (14, height - 20), 0.46, _PALE)
    out.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(out), canvas)


def _draw_row(canvas: Canvas, row: AuditRow | None, damage: Damage, left: int, top: int) -> None:
    if row is None or row.outcome != "scored":
        _write(canvas, row.outcome if row else "-", (left, top + 52), 0.5, _PALE)
        return
    for index, letter in enumerate(CATEGORIES):
        if letter not in row.change:
            continue
        change = row.change[letter]
        depth = min(max(-change, 0.0), 1.0)
        colour = tuple(round(a + (b - a) * min(depth * 1.4, 1.0)) for a, b in zip(_STAYED, _FELL, strict=True))
        x, y = left + index * _CELL, top + 16
        cv2.rectangle(canvas, (x, y), (x + _CELL - 6, y + 46), colour, -1)
        if letter in damage.must:
            cv2.rectangle(canvas, (x, y), (x + _CELL - 6, y + 46), _INK, 3)
        elif letter in damage.may:
            cv2.rectangle(canvas, (x, y), (x + _CELL - 6, y + 46), _PALE, 1)
        _write(canvas, f"{change:+.2f}", (x + 5, y + 29), 0.43, (255, 255, 255) if depth > 0.45 else _INK)
    good = row.detected if not damage.sham else not row.false_alarms
    verdict = ("detected" if good else "missed") if not damage.sham else ("quiet" if good else "false alarm")
    if row.spilled:
        verdict += f", spilled {row.spilled}"
    _write(canvas, verdict, (left, top + 82), 0.44, _GOOD if good and not row.spilled else _FELL)


def _write(canvas: Canvas, text: str, at: tuple[int, int], size: float, colour: Colour) -> None:
    plain = text.encode("ascii", "replace").decode("ascii")  # all that these letters have
    cv2.putText(canvas, plain, at, cv2.FONT_HERSHEY_DUPLEX, size, colour, 1, cv2.LINE_AA)


def _paste(canvas: Canvas, file: str | None, left: int, top: int) -> None:
    picture = cv2.imread(file) if file else None
    if picture is not None:
        canvas[top : top + _TILE[1], left : left + _TILE[0]] = cv2.resize(picture, _TILE, interpolation=cv2.INTER_AREA)
