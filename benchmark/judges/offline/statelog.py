"""What the state log says: texts and where they stand, what covers the screen, how much there is."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.craft.traces import HEIGHT, WIDTH

COLUMNS, ROWS = 32, 18  # of the observer's grid
MIN_LETTERS_PX = 14  # smaller is hard to read at 1280×720
_OVERLAP = 0.12  # of the smaller text's area
_SAME_PLACE_PX = 40
_NUMBER = re.compile(r"\d+([.,:/]\d+)*")


@dataclass(frozen=True)
class Look:
    """One line of the log. The game runs where the log is made, so nothing here is taken for granted."""

    frame: int
    texts: tuple[str, ...]
    boxes: tuple[tuple[int, ...], ...]  # of the texts that can be seen: x, y, width, height, letters
    cover: dict[str, float]
    textures: int
    nodes: int
    classes: frozenset[str]
    widgets: int
    default_widgets: int
    scene: str
    images: frozenset[str]  # names of the files that are drawn
    scripts: frozenset[str]
    default_font_texts: int
    grid: tuple[int, ...]  # of which kind the topmost thing is, cell by cell; empty if the log does not say

    @property
    def visible_texts(self) -> tuple[str, ...]:
        return tuple(text for text, box in zip(self.texts, self.boxes, strict=False) if box)


def read_looks(folder: Path) -> list[Look]:
    """The state log of a demo; lines that are not as we write them are left out."""
    looks = []
    path = folder / "state.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            looks.append(_look(json.loads(line)))
        except (ValueError, TypeError, KeyError, AttributeError):
            continue
    return looks


def _look(data: dict[str, Any]) -> Look:
    return Look(
        int(data["frame"]),
        tuple(str(text) for text in data["texts"]),
        tuple(tuple(int(value) for value in box) for box in data.get("boxes", ())),
        {str(kind): float(share) for kind, share in data["cover"].items()},
        int(data["textures"]),
        int(data["nodes"]),
        frozenset(map(str, data["classes"])),
        int(data["widgets"]),
        int(data["default_widgets"]),
        str(data["scene"]),
        frozenset(map(str, data.get("images", ()))),
        frozenset(map(str, data.get("scripts", ()))),
        int(data.get("default_font_texts", 0)),
        tuple(int(kind) for kind in str(data.get("grid", ""))),
    )


def overlaps(look: Look) -> int:
    """How many visible texts stand on another one, or reach over the edge of the screen."""
    boxes = [box for box in look.boxes if len(box) == 5 and box[2] > 0 and box[3] > 0]
    troubled = set()
    for index, box in enumerate(boxes):
        if box[0] < -2 or box[1] < -2 or box[0] + box[2] > WIDTH + 2 or box[1] + box[3] > HEIGHT + 2:
            troubled.add(index)
        for other in range(index):
            shared = _shared(box, boxes[other])
            if shared > _OVERLAP * min(box[2] * box[3], boxes[other][2] * boxes[other][3]):
                troubled |= {index, other}
    return len(troubled)


def _shared(one: tuple[int, ...], two: tuple[int, ...]) -> int:
    width = min(one[0] + one[2], two[0] + two[2]) - max(one[0], two[0])
    height = min(one[1] + one[3], two[1] + two[3]) - max(one[1], two[1])
    return max(width, 0) * max(height, 0)


def readouts(looks: list[Look]) -> int:
    """Places on the screen that say different things in the course of a demo: counters, meters, hints."""
    said: dict[tuple[int, int], set[str]] = {}
    for look in looks:
        for text, box in zip(look.texts, look.boxes, strict=False):
            if len(box) == 5 and text.strip():
                # centred texts move a little when they change
                place = (round((box[0] + box[2] / 2) / _SAME_PLACE_PX), round((box[1] + box[3] / 2) / _SAME_PLACE_PX))
                said.setdefault(place, set()).add(text)
    return sum(len(texts) > 1 for texts in said.values())


def wordings(looks: list[Look]) -> set[str]:
    """Different things said on screen; a counter that counts is one of them."""
    return {_NUMBER.sub("#", text).strip().lower() for look in looks for text in look.visible_texts if text.strip()}
