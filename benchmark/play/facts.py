"""What a record says of a play trial besides its score, checked when it is read."""

from dataclasses import dataclass
from typing import Any

from benchmark.checked import Fields
from benchmark.play.episode import MODES, Mode

_MOST = 1 << 40


@dataclass(frozen=True)
class PlayFacts:
    """The facts of a record. `policy_actions` is 0 where nobody knows."""

    solved: bool
    first_try: bool
    ended: str
    actions: int
    solved_at: int | None
    resets: int
    proposals: int
    no_call: int
    out_of_space: int
    scoreless: int
    play_frames: int
    seed: int
    mode: Mode
    interface: str
    best: float | None
    policy_actions: int
    public: str

    @property
    def invalid(self) -> int:
        return self.no_call + self.out_of_space

    @property
    def efficiency(self) -> float | None:
        """The policy's actions per action of this player, both up to the target; None where it was not reached."""
        if not self.solved_at or not self.policy_actions:
            return None
        return self.policy_actions / self.solved_at


def read_facts(given: Fields, score: float | None) -> PlayFacts | None:
    """None for a void trial, which has no facts. Raises ValueError."""
    if score is None:
        return None
    return PlayFacts(
        solved=given.flag("solved"), first_try=given.flag("first_try"), ended=given.text("ended"),
        actions=given.whole("actions", 0, _MOST),
        solved_at=given.whole("solved_at", 0, _MOST) if given.has("solved_at") else None,
        resets=given.whole("resets", 0, _MOST), proposals=given.whole("proposals", 0, _MOST),
        no_call=given.whole("no_call", 0, _MOST), out_of_space=given.whole("out_of_space", 0, _MOST),
        scoreless=given.whole("scoreless", 0, _MOST), play_frames=given.whole("play_frames", 0, _MOST),
        seed=given.whole("seed", 0, _MOST), mode=given.choice("mode", MODES),
        interface=given.text("interface"), best=given.measure("best") if given.has("best") else None,
        policy_actions=given.whole("policy_actions", 0, _MOST, 0), public=given.text("public", ""),
    )  # fmt: skip


def facts_of(record: Any) -> PlayFacts | None:
    """Of a record that was read or made here."""
    return read_facts(Fields(record.facts), record.score)
