"""What has arrived from the game so far. It may lie, so nothing is kept that is not of the form our scripts write."""

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmark.errors import InfrastructureError
from benchmark.replay.channel import Kind, Message, OutOfTurnError
from benchmark.replay.lockstep import Conversation
from benchmark.replay.pictures import PictureSink
from benchmark.replay.saidstate import checked_state, short_text, whole


class _Store:
    """Stores pictures in a thread of its own, in order, so that the game need not wait for it."""

    def __init__(self) -> None:
        # with one waiting and one in work, the channel may receive a third into its last buffer
        self._work: queue.Queue[Callable[[], None] | None] = queue.Queue(maxsize=1)
        self.failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def put(self, work: Callable[[], None]) -> None:
        self._work.put(work)

    def close(self) -> None:
        """Waits until everything is stored; raises what went wrong on the way."""
        self._work.put(None)
        self._thread.join()
        if isinstance(self.failure, OSError):
            raise InfrastructureError(f"a picture cannot be stored: {self.failure}") from self.failure
        if self.failure is not None:
            raise self.failure

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            if self.failure is None:
                try:
                    work()
                except Exception as error:  # raised by `close`, in the thread that records
                    self.failure = error


@dataclass
class Take:
    """One recording under way: takes the messages in, answers them, and keeps what the evidence needs."""

    sink: PictureSink
    conversation: Conversation
    delivered: dict[int, int] = field(default_factory=dict)
    states: list[dict[str, Any]] = field(default_factory=list)
    fingerprints: dict[int, int] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)  # what was pinned, as checked inside the game
    drawn: int = 0
    draw_stride: int = 0
    notes: list[tuple[int, str]] = field(default_factory=list)  # frame, what was not kept and why
    _store: _Store = field(default_factory=_Store)

    def handle(self, message: Message) -> bytes | None:
        """Raises OutOfTurnError for what our replayer would not say at this moment."""
        if message.kind == Kind.FRAME and not message.payload.nbytes:
            raise OutOfTurnError(f"a picture of {message.b}×{message.c} pixels")
        answer = self.conversation.answer(message)
        kind, frame = message.kind, message.a
        if kind == Kind.FRAME:
            shape = (message.c, message.b, 4)
            picture = np.frombuffer(message.payload, dtype=np.uint8).reshape(shape)
            self._store.put(lambda: self.sink.add(frame, picture))
        elif kind == Kind.SAME:
            self._store.put(lambda: self.sink.repeat(frame))
        elif kind == Kind.POINTER:
            pointer, told = self.sink.pointer, message.json()
            if pointer is not None:
                self._store.put(lambda: pointer.learn(told))
        elif kind == Kind.STATE:
            state, notes = checked_state(message.json())
            self.states.append({"frame": frame, **state})
            self.notes += [(frame, note) for note in notes]
        elif kind == Kind.INPUT:
            self.delivered[frame] = message.b
        elif kind == Kind.PRINT:
            self.fingerprints[frame] = message.b
        elif kind == Kind.HELLO:
            self.about = told_about(message.json())
        elif kind == Kind.END:
            self.drawn = message.b
            self.draw_stride = whole(message.json().get("draw_stride"), 0, 3) or 0
        return answer

    def frames_played(self, begun: int) -> int:
        """How many frames were played to their end; `begun` is how many were, where the demo broke off."""
        return self.conversation.schedule.frames if self.conversation.ended else begun

    def close(self) -> None:
        """Everything that arrived is stored after this; raises what went wrong."""
        self._store.close()


def told_about(said: dict[str, Any]) -> dict[str, Any]:
    """What our scripts report of the machine when they start."""
    texts = {name: short_text(said.get(name), 200) for name in ("adapter", "api", "arithmetic")}
    return {**texts, "clock": said.get("clock") is True, "pointer": said.get("pointer") is True}
