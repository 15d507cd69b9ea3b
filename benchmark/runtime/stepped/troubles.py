"""What a page did that a reader of its record should know."""

from dataclasses import dataclass

# What goes by a clock that is not ours, so that two runs may differ.
UNSTEADY = frozenset(
    ("worker", "broadcast channel", "webrtc", "webgpu", "connection", "foreign frame", "slow", "lost navigation")
)
_MOST = 200
_LONGEST = 500


@dataclass(frozen=True)
class Trouble:
    """One kind of thing that happened, how often, and in which frame first."""

    kind: str
    detail: str
    frame: int
    count: int = 1

    @property
    def unsteady(self) -> bool:
        """Whether a second run may differ because of it."""
        return self.kind in UNSTEADY


class TroubleLog:
    """Counts equal troubles instead of repeating them, so that a page can fill no memory with them."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}
        self._frames: dict[tuple[str, str], int] = {}
        self._left_out = 0

    def add(self, kind: str, detail: str, frame: int, count: int = 1) -> None:
        key = (kind, detail[:_LONGEST])
        if key not in self._counts and len(self._counts) >= _MOST:
            self._left_out += count
            return
        self._counts[key] = self._counts.get(key, 0) + count
        self._frames.setdefault(key, frame)

    def all(self) -> tuple[Trouble, ...]:
        found = [Trouble(kind, detail, self._frames[kind, detail], n) for (kind, detail), n in self._counts.items()]
        if self._left_out:
            found.append(Trouble("more", f"kinds beyond the first {_MOST}", 0, self._left_out))
        return tuple(found)
