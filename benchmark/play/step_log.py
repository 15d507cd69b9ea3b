"""The log of a trial: one line per step, with everything that a replay needs and everything that it compares."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark.checked import Fields
from benchmark.errors import InfrastructureError
from benchmark.jsonl import as_line, read_lines
from benchmark.play.actions import FAULTS, KINDS, Action, Fault
from benchmark.play.game import BUTTONS, Point

STEPS_FILE = "steps.jsonl"
PICTURES = "pictures"
_TEXT = 4000  # of a thought or an answer that is kept


@dataclass(frozen=True)
class Move:
    """What one role proposed in a step, and what came of it. Without an action nothing was done."""

    role: str
    calls: tuple[dict[str, Any], ...]
    action: Action | None = None
    fault: Fault | None = None
    reason: str = ""
    interface: str = "semantic"
    thought: str = ""
    said: str = ""
    latency_sec: float = 0.0
    tokens: Mapping[str, float] = field(default_factory=dict)
    cost_usd: float = 0.0


@dataclass(frozen=True)
class PlayStep:
    """Number 0 is what was seen before anybody acted."""

    number: int
    episode: int
    moves: tuple[Move, ...]
    think_frames: int  # that passed before the actions, in real time
    act_frames: int
    state: str  # digests
    pixels: str
    score: float | None
    best: float | None
    progress: float
    status: str
    outcome: str
    signal: str = ""
    public: str = ""  # at the end: what the public evaluator would have said
    watch: Mapping[str, Any] = field(default_factory=dict)
    picture: str = ""  # of what was seen after the step
    after_reset: tuple[str, str] | None = None  # digests of state and pixels, where the game began again

    def to_json(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "step": self.number, "episode": self.episode, "moves": [_move_json(one) for one in self.moves],
            "think_frames": self.think_frames, "act_frames": self.act_frames, "state": self.state,
            "pixels": self.pixels, "score": self.score, "best": self.best, "progress": self.progress,
            "status": self.status, "outcome": self.outcome, "signal": self.signal, "picture": self.picture,
        }  # fmt: skip
        row |= {"watch": dict(self.watch)} if self.watch else {}
        row |= {"public": self.public} if self.public else {}
        row |= {"after_reset": list(self.after_reset)} if self.after_reset else {}
        return row


def _move_json(move: Move) -> dict[str, Any]:
    row: dict[str, Any] = {"role": move.role, "calls": list(move.calls), "interface": move.interface}
    row |= {"action": move.action.to_json()} if move.action else {"fault": move.fault, "reason": move.reason}
    row |= {"thought": move.thought[:_TEXT]} if move.thought else {}
    row |= {"said": move.said[:_TEXT]} if move.said else {}
    row |= {"latency_sec": round(move.latency_sec, 3)} if move.latency_sec else {}
    row |= {"tokens": dict(move.tokens)} if move.tokens else {}
    row |= {"cost_usd": move.cost_usd} if move.cost_usd else {}
    return row


class StepLog:
    """Written while the game goes on. Pictures lie beside it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / PICTURES).mkdir(parents=True, exist_ok=True)
        self._file = (folder / STEPS_FILE).open("w", encoding="utf-8")

    def step(self, step: PlayStep) -> None:
        self._file.write(as_line(step.to_json()) + "\n")
        self._file.flush()

    def rewrite(self, steps: Iterable[PlayStep]) -> None:
        """All of it once more, where a step turned out to be the last one only afterwards."""
        self._file.seek(0)
        self._file.truncate()
        for step in steps:
            self.step(step)

    def picture(self, number: int, data: bytes) -> str:
        name = f"{PICTURES}/{number:04}.jpg"
        (self._folder / name).write_bytes(data)
        return name

    def close(self) -> None:
        self._file.close()


def read_steps(folder: Path) -> tuple[PlayStep, ...]:
    """From a stored trial, which may be anybody's. Raises InfrastructureError."""
    path = folder / STEPS_FILE
    steps = []
    try:
        for line in read_lines(path):
            steps.append(_step(Fields.of(line.object(), f"line {line.number}: ")))
    except (OSError, ValueError) as error:
        raise InfrastructureError(f"{path} cannot be read: {error}", fix="run the trial from the start") from error
    if not steps or [step.number for step in steps] != list(range(len(steps))):
        raise InfrastructureError(f"{path} does not hold all steps", fix="run the trial from the start")
    return tuple(steps)


def _step(given: Fields) -> PlayStep:
    again = given.text_list("after_reset")
    return PlayStep(
        number=given.whole("step", 0, 1 << 20), episode=given.whole("episode", 0, 1 << 20),
        moves=tuple(_move(one) for one in given.objects("moves")),
        think_frames=given.whole("think_frames", 0, 1 << 30), act_frames=given.whole("act_frames", 0, 1 << 20),
        state=given.text("state"), pixels=given.text("pixels"),
        score=given.measure("score") if given.has("score") else None,
        best=given.measure("best") if given.has("best") else None, progress=given.share("progress"),
        status=given.text("status"), outcome=given.text("outcome"), signal=given.text("signal", ""),
        public=given.text("public", ""), watch=given.whatever("watch"), picture=given.text("picture", ""),
        after_reset=(again[0], again[1]) if len(again) == 2 else None,
    )  # fmt: skip


def _move(given: Fields) -> Move:
    has_action = given.has("action")
    return Move(
        role=given.text("role"),
        calls=tuple(
            {"name": one.raw("name"), "arguments": one.whatever("arguments")} for one in given.objects("calls")
        ),
        action=read_action(Fields.of(given.raw("action"), "action.")) if has_action else None,
        fault=None if has_action or not given.has("fault") else given.choice("fault", FAULTS),
        reason=given.text("reason", ""),
        interface=given.text("interface", "semantic"),
        thought=given.text("thought", ""),
        said=given.text("said", ""),
        latency_sec=given.amount("latency_sec", 0.0),
        tokens=given.amounts("tokens"),
        cost_usd=given.amount("cost_usd", 0.0),
    )


def read_action(given: Fields) -> Action:
    """The inverse of `Action.to_json`. Raises ValueError."""
    return Action(
        kind=given.choice("kind", KINDS), frames=given.whole("frames", 1, 1 << 16), keys=given.text_list("keys"),
        at=_point(given, "at"), to=_point(given, "to"),
        button=given.choice("button", BUTTONS) if given.has("button") else "left",
        delta=_point(given, "delta") or (0.0, 0.0), text=given.text("text", ""), enter=given.flag("enter", False),
    )  # fmt: skip


def _point(given: Fields, key: str) -> Point | None:
    value = given.raw(key)
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{key}: {value!r} is no point")
    pair = Fields({"x": value[0], "y": value[1]})
    return pair.measure("x"), pair.measure("y")


@dataclass(frozen=True)
class Summary:
    """What a trial's steps add up to. Made from the log alone, so that it can be made again from what is stored."""

    solved: bool
    first_try: bool
    progress: float
    ended: str
    actions: int
    solved_at: int | None
    resets: int
    no_call: int
    out_of_space: int
    proposals: int
    best: float | None
    scoreless: int
    play_frames: int
    public: str


def summarize(steps: Iterable[PlayStep], target: float) -> Summary:
    """What `evaluation.judge` said along the way, at its end."""
    all_steps = tuple(steps)
    last = all_steps[-1]
    moves = [move for step in all_steps for move in step.moves]
    solved_at = next((step.number for step in all_steps if step.best is not None and step.best >= target), None)
    return Summary(
        solved=solved_at is not None,
        first_try=solved_at is not None and all_steps[solved_at].episode == 0,
        progress=last.progress,
        ended=last.signal,
        actions=last.number,
        solved_at=solved_at,
        resets=sum(step.after_reset is not None for step in all_steps),
        no_call=sum(move.fault == "no call" for move in moves),
        out_of_space=sum(move.fault == "out of space" for move in moves),
        proposals=len(moves),
        best=last.best,
        scoreless=sum(step.score is None for step in all_steps),
        play_frames=sum(step.think_frames + step.act_frames for step in all_steps),
        public=last.public,
    )
