"""The mouse pointer in the pictures of a demo: an arrow, and rings where buttons are pressed.

A frame is read from the game's viewport, where there is no pointer, so it is drawn here, over the scaled picture and
after the frame was hashed. Integer arithmetic only: the same bytes everywhere.
"""

import bisect
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np

from benchmark.replay.inputs import POINTER_START, Input
from benchmark.replay.traces import Trace

Picture = np.ndarray[Any, np.dtype[np.uint8]]
Colour = tuple[int, int, int]  # blue, green, red

LOOK = 1  # raise it when the pointer is drawn differently, so that old evidence is not taken for new
# A click is held for one frame and stills are 15 apart: it glows for 14 more, so that every click is on one of them.
GLOW_FRAMES = 14
MAX_RINGS = 8  # of one picture; a trace may click hundreds of times on one frame
RING_COLOURS: dict[str, Colour] = {"left": (0, 190, 255), "right": (255, 150, 40)}  # amber, blue
_RING_SIZES = {"left": 11.0, "right": 15.0}  # radius in pixels of a still; both can be seen at once
_EDGE: Colour = (24, 20, 20)
# The usual arrow, tip at 0,0, in pixels of a still: a head, and a tail to the lower right.
_ARROW = ((0.0, 0.0), (0.0, 19.0), (4.5, 15.0), (7.5, 22.0), (10.5, 20.7), (7.6, 14.0), (13.5, 14.0))
_OUTLINE = 1.6
_FINE = 16  # subpixels per pixel of a sprite


@dataclass(frozen=True)
class Ring:
    """A button that is held (`age` 0) or was released `age` frames ago, in pixels of the window."""

    button: str
    x: int
    y: int
    age: int


@dataclass(frozen=True)
class PointerTrack:
    """Where the pointer is and what it presses on every frame of a demo, by its inputs alone."""

    moves: tuple[tuple[int, int, int], ...]  # frame, x, y; ascending
    rings: dict[int, tuple[Ring, ...]]  # by frame, in the order they were pressed

    def at(self, frame: int) -> tuple[int, int]:
        """The inputs of a frame arrive before it is drawn."""
        index = bisect.bisect_right(self.moves, (frame, math.inf, math.inf)) - 1
        return self.moves[index][1:] if index >= 0 else POINTER_START


def track_pointer(trace: Trace, inputs: Sequence[Input]) -> PointerTrack | None:
    """None for a demo that does not use the mouse: it has no pointer to show."""
    if all(event.x is None for event in trace.events):
        return None
    moves = tuple((item.frame, item.x, item.y) for item in inputs if item.kind == "motion")
    track = PointerTrack(moves, {})
    rings: dict[int, dict[tuple[str, int, int], Ring]] = {}
    for button, pressed, released in _presses(inputs, trace.duration_frames):
        for frame in range(pressed, min(released + GLOW_FRAMES, trace.duration_frames)):
            # While it is held it goes along with the pointer; then it stays where it was let go.
            ring = Ring(button, *track.at(min(frame, released)), age=max(0, frame - released + 1))
            among = rings.setdefault(frame, {})
            among.pop((button, ring.x, ring.y), None)
            among[button, ring.x, ring.y] = ring
            if len(among) > MAX_RINGS:
                among.pop(next(iter(among)))  # the oldest
    return replace(track, rings={frame: tuple(among.values()) for frame, among in rings.items()})


def _presses(inputs: Sequence[Input], duration_frames: int) -> list[tuple[str, int, int]]:
    """Button, first frame, frame of the release; of those that begin on one frame only so many as can be drawn."""
    held: dict[str, int] = {}
    begun: dict[int, deque[tuple[str, int, int]]] = {}
    for item in inputs:
        if item.kind != "button":
            continue
        if item.pressed:
            held[item.button] = item.frame
        elif item.button in held:
            pressed = held.pop(item.button)
            begun.setdefault(pressed, deque(maxlen=MAX_RINGS)).append((item.button, pressed, item.frame))
    for button, pressed in held.items():
        begun.setdefault(pressed, deque(maxlen=MAX_RINGS)).append((button, pressed, duration_frames))
    return [press for frame in sorted(begun) for press in begun[frame]]


@dataclass
class Pointer:
    """Draws the pointer of one demo. What only the running game knows is told while it runs."""

    track: PointerTrack
    shown: bool = True  # False while the game hides or captures it
    to_picture: tuple[float, float, float, float] = (1.0, 1.0, 0.0, 0.0)  # window to picture: scale, then shift

    def learn(self, told: Any) -> None:
        """From inside the game, so it may be nonsense."""
        if not isinstance(told, dict):
            return
        self.shown = told.get("shown") is not False
        place = told.get("to_picture")
        if (
            isinstance(place, list)
            and len(place) == 4
            and all(isinstance(n, int | float) and abs(n) < 1e5 for n in place)
        ):
            self.to_picture = (float(place[0]), float(place[1]), float(place[2]), float(place[3]))

    def over(self, picture: Picture, frame: int, fitted: tuple[float, int, int]) -> Picture:
        """A copy with the pointer in it, or the picture itself if there is none to see. `fitted`: see `fitting`."""
        if not self.shown:
            return picture
        drawn = picture.copy()
        for ring in self.track.rings.get(frame, ()):
            _stamp(drawn, ring_sprite(ring.button, ring.age), self._in_still(ring.x, ring.y, fitted))
        _stamp(drawn, arrow_sprite(), self._in_still(*self.track.at(frame), fitted))
        return drawn

    def _in_still(self, x: int, y: int, fitted: tuple[float, int, int]) -> tuple[int, int]:
        wide, high, right, down = self.to_picture
        scale, left, top = fitted
        return (
            left + math.floor((x * wide + right) * scale + 0.5),
            top + math.floor((y * high + down) * scale + 0.5),
        )


@dataclass(frozen=True)
class Sprite:
    """Colours and opacity (0 to 255) of a small picture; `hot` is the pixel that lies on the pointer."""

    colours: np.ndarray[Any, np.dtype[np.uint16]]
    opacity: np.ndarray[Any, np.dtype[np.uint16]]
    hot: tuple[int, int]


@cache
def arrow_sprite() -> Sprite:
    """White with a dark outline, so that it is seen on any ground."""
    margin = 3
    width, height = 20, 29
    points = np.array([[(x + margin) * _FINE, (y + margin) * _FINE] for x, y in _ARROW], np.int32)
    fill = np.zeros((height * _FINE, width * _FINE), np.uint8)
    cv2.fillPoly(fill, [points], 255)
    whole = fill.copy()
    cv2.polylines(whole, [points], True, 255, round(2 * _OUTLINE * _FINE))
    return _layers([(_coarse(whole), _EDGE), (_coarse(fill), (255, 255, 255))], (margin, margin))


@cache
def ring_sprite(button: str, age: int) -> Sprite:
    """Thick and closed while the button is held; then it widens and fades."""
    radius = _RING_SIZES[button] + 0.35 * age
    thick = 3.2 if age == 0 else 2.4
    strength = 255 if age == 0 else 240 - 6 * age
    half = math.ceil(radius + 5)
    steps = (np.arange((2 * half + 1) * _FINE, dtype=np.int64) * 2 + 1 - (2 * half + 1) * _FINE) ** 2
    squared = steps[:, None] + steps[None, :]  # of twice the distance, in subpixels: whole numbers

    def band(width: float) -> np.ndarray[Any, np.dtype[np.uint8]]:
        inner, outer = (round(2 * _FINE * (radius + sign * width / 2)) ** 2 for sign in (-1, 1))
        return np.where((squared >= inner) & (squared <= outer), strength, 0).astype(np.uint8)

    edge, colour = _coarse(band(thick + 2.0)), _coarse(band(thick))
    return _layers([(edge // 2, _EDGE), (colour, RING_COLOURS[button])], (half, half))


def _coarse(fine: Picture) -> np.ndarray[Any, np.dtype[np.uint16]]:
    rows, columns = fine.shape[0] // _FINE, fine.shape[1] // _FINE
    sums = fine.reshape(rows, _FINE, columns, _FINE).sum(axis=(1, 3), dtype=np.uint32)
    return np.asarray(sums // (_FINE * _FINE), np.uint16)


def _layers(layers: list[tuple[np.ndarray[Any, np.dtype[np.uint16]], Colour]], hot: tuple[int, int]) -> Sprite:
    """The lower layer shows where the upper one lets it through."""
    (under, below), (over, above) = layers
    opacity = over + under * (255 - over) // 255
    weight = np.maximum(opacity, 1)[..., None].astype(np.uint32)
    share = over[..., None].astype(np.uint32)
    mixed = (
        np.array(above, np.uint32) * share + np.array(below, np.uint32) * (weight - np.minimum(share, weight))
    ) // weight
    return Sprite(mixed.astype(np.uint16), opacity[..., None].astype(np.uint16), hot)


def _stamp(picture: Picture, sprite: Sprite, at: tuple[int, int]) -> None:
    """Blend a sprite in; what lies outside the picture is cut off."""
    rows, columns = picture.shape[:2]
    left, top = at[0] - sprite.hot[0], at[1] - sprite.hot[1]
    height, width = sprite.opacity.shape[:2]
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + width, columns), min(top + height, rows)
    if x0 >= x1 or y0 >= y1:
        return
    part = np.s_[y0 - top : y1 - top, x0 - left : x1 - left]
    ground = picture[y0:y1, x0:x1]
    opacity = sprite.opacity[part]
    # at most 255 · 255 + 127, which 16 bits hold
    ground[:] = (ground * (255 - opacity) + sprite.colours[part] * opacity + 127) // 255
