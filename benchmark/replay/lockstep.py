"""The conversation with the replayer, frame by frame: what may be said when, and what is answered.

The game can read whatever its process holds and speak on the socket itself. So the inputs of a frame leave us only when
all that is to be seen of the frame before has arrived: whoever asks, what was shown cannot depend on what comes later.
Whatever is said out of turn ends the demo.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from benchmark.replay.channel import Kind, Message, OutOfTurnError
from benchmark.replay.inputs import Input


@dataclass(frozen=True)
class Schedule:
    """What is given and wanted on which frame. Pictures are taken inside `window` (first and last frame) only."""

    frames: int
    inputs: tuple[Input, ...]
    window: tuple[int, int]
    still_every: int
    video_every: int = 0
    fingerprints: bool = False

    def wants_state(self, frame: int) -> bool:
        return self._inside(frame) and (frame - self.window[0]) % self.still_every == 0

    def wants_picture(self, frame: int) -> bool:
        filmed = self.video_every > 0 and self._inside(frame) and (frame - self.window[0]) % self.video_every == 0
        return filmed or self.wants_state(frame)

    def _inside(self, frame: int) -> bool:
        return self.window[0] <= frame <= self.window[1]


@dataclass
class Conversation:
    """Checks every message against the schedule. `frame` is the one whose inputs the replayer has."""

    schedule: Schedule
    frame: int = -1
    ended: bool = False
    _over: int = -1  # the last frame that the replayer reported as over
    _given: int = 0  # inputs that have left us
    _early: set[int] = field(default_factory=set)  # releases among those to come that have left us too
    _delivered: set[int] = field(default_factory=set)
    _due: set[Kind] = field(default_factory=set)  # of the frame that is over
    _pointer_told: int = -1

    def answer(self, message: Message) -> bytes | None:
        """What to send back, if anything. Raises OutOfTurnError."""
        kind, frame = message.kind, message.a
        if self.ended or (self.frame < 0) != (kind == Kind.HELLO):
            raise OutOfTurnError(f"{kind.name} was said {'twice' if self.frame >= 0 else 'first'}")
        if kind == Kind.HELLO:
            return self._inputs_of(0)
        if kind == Kind.OVER:
            return self._is_over(frame, more_to_show=message.b != 0)
        if kind == Kind.RELEASE:
            return self._release_of(frame)
        if kind == Kind.INPUT:
            self._check_delivery(frame, message.b)
            return None
        if kind == Kind.SHOWN:
            if frame != self._over or self.frame != self._over:
                raise OutOfTurnError(f"the inputs of frame {frame + 1} were asked for in frame {self.frame}")
            self._check_nothing_due()
            return self._inputs_of(frame + 1)
        if kind == Kind.END:
            if frame != self.schedule.frames or self._over != frame - 1:
                raise OutOfTurnError(f"the replay ended after {self._over + 1} frames")
            self._check_nothing_due()
            self.ended = True
            return None
        self._check_shown(kind, frame)
        return None

    def _is_over(self, frame: int, *, more_to_show: bool) -> bytes:
        if frame != self.frame or frame != self._over + 1:
            raise OutOfTurnError(f"frame {frame} was reported as over in frame {self.frame}")
        self._check_nothing_due()
        self._over = frame
        picture, state = self.schedule.wants_picture(frame), self.schedule.wants_state(frame)
        self._due = {Kind.FRAME} if picture else set()
        self._due |= {Kind.STATE} if state else set()
        self._due |= {Kind.PRINT} if self.schedule.fingerprints else set()
        last = frame == self.schedule.frames - 1
        answer: dict[str, Any] = {"picture": picture, "state": state, "last": last, "inputs": None}
        if not (picture or state or last or more_to_show):
            answer["inputs"] = self._take_inputs(frame + 1)
        return _packed(answer)

    def _inputs_of(self, frame: int) -> bytes:
        return _packed(self._take_inputs(frame))

    def _take_inputs(self, frame: int) -> list[list[Any]]:
        self.frame = frame
        rows = []
        while self._given < len(self.schedule.inputs) and self.schedule.inputs[self._given].frame <= frame:
            if self._given not in self._early:
                rows.append(_row(self._given, self.schedule.inputs[self._given]))
            self._given += 1
        return rows

    def _release_of(self, press: int) -> bytes:
        """The release in the next frame of a button that is pressed in this one; it will not be given again."""
        inputs = self.schedule.inputs
        if press >= self._given or inputs[press].frame != self.frame or not inputs[press].pressed:
            raise OutOfTurnError(f"the release of input {press} was asked for in frame {self.frame}")
        for number in range(press + 1, len(inputs)):
            later = inputs[number]
            if later.frame > inputs[press].frame + 1:
                break
            if later.kind == "button" and later.button == inputs[press].button:
                if later.pressed or later.frame != inputs[press].frame + 1:
                    break
                self._early.add(number)
                return _packed([_row(number, later)])
        return _packed([])

    def _check_delivery(self, number: int, frame: int) -> None:
        given = number < self._given or number in self._early
        # a game that hands in events of its own may have ours delivered with them, late in the frame
        if not given or number in self._delivered or frame not in (self.frame, self.frame + 1):
            raise OutOfTurnError(f"input {number} was reported as delivered in frame {frame} of {self.frame}")
        self._delivered.add(number)

    def _check_shown(self, kind: Kind, frame: int) -> None:
        if frame != self._over:
            raise OutOfTurnError(f"{kind.name} of frame {frame} came in frame {self.frame}")
        if kind == Kind.POINTER:
            if self._pointer_told == frame or Kind.FRAME not in self._due:
                raise OutOfTurnError(f"the pointer of frame {frame} was told unasked")
            self._pointer_told = frame
            return
        due = Kind.FRAME if kind == Kind.SAME else kind
        if due not in self._due:
            raise OutOfTurnError(f"{kind.name} of frame {frame} came unasked")
        self._due.discard(due)

    def _check_nothing_due(self) -> None:
        if self._due:
            missing = ", ".join(sorted(kind.name for kind in self._due))
            raise OutOfTurnError(f"{missing} of frame {self._over} did not come")


def _row(number: int, item: Input) -> list[Any]:
    return [number, item.kind, item.x, item.y, item.button or item.keycode, item.pressed, item.echo]


def _packed(answer: Any) -> bytes:
    return json.dumps(answer, separators=(",", ":")).encode()
