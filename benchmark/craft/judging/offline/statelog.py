"""What the state log says: texts and where they stand, what covers the screen, how much there is."""

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.jsonl import read_lines
from benchmark.replay.saidstate import checked_state, whole
from benchmark.replay.traces import HEIGHT, MAX_REPLAYED_FRAMES, WIDTH

MAX_LOOKS = 130  # of a demo: a still every half second of a window of 20 s makes 41, of a minute 121
MIN_LETTERS_PX = 14  # smaller is hard to read at 1280×720
_OVERLAP = 0.12  # of the smaller text's area
_SAME_PLACE_PX = 40
_NEEDED = {"texts", "cover", "textures", "nodes", "classes", "widgets", "default_widgets", "scene"}
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
    """The state log of a demo; lines that are not as our observer writes them are left out."""
    looks: list[Look] = []
    path = folder / "state.jsonl"
    if not path.is_file():
        return looks
    with suppress(ValueError):  # a line without end: what stands before it counts
        for line in read_lines(path):
            look = _look(line.object()) if len(looks) < MAX_LOOKS else None
            if look is not None:
                looks.append(look)
    return looks


def _look(data: Any) -> Look | None:
    frame = whole(data.get("frame"), 0, MAX_REPLAYED_FRAMES) if isinstance(data, dict) else None
    if frame is None:
        return None
    state, _ = checked_state(data)
    if not state.keys() >= _NEEDED:
        return None
    return Look(
        frame=frame,
        texts=tuple(state["texts"]),
        boxes=tuple(tuple(box) for box in state.get("boxes", ())),
        cover=state["cover"],
        textures=state["textures"],
        nodes=state["nodes"],
        classes=frozenset(state["classes"]),
        widgets=state["widgets"],
        default_widgets=state["default_widgets"],
        scene=state["scene"],
        images=frozenset(state.get("images", ())),
        scripts=frozenset(state.get("scripts", ())),
        default_font_texts=state.get("default_font_texts", 0),
        grid=tuple(map(int, state.get("grid", ""))),
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
