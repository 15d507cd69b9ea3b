"""A run of play trials as the harness would have left it, in which every text of a model is hostile."""

from pathlib import Path

import cv2
import numpy as np

from benchmark.play.actions import Action
from benchmark.play.step_log import Move, PlayStep, StepLog, summarize
from benchmark.results.store import RunStore
from benchmark.trials import TrialRecord

IMG = "</script><img src=x onerror=window.pwned=1>"
TARGET = 5.0


def picture(number: int) -> bytes:
    image = np.full((720, 1280, 3), 40, np.uint8)
    cv2.circle(image, (120 + number * 90, 400), 60, (60, 180, 240), -1)
    return bytes(cv2.imencode(".jpg", image)[1].tobytes())


def steps_to(reached: int, actions: int, *, model: bool) -> tuple[PlayStep, ...]:
    """One point per action up to `reached`; the second action is refused."""
    found = []
    for number in range(actions + 1):
        score = float(min(reached, max(0, number - 1 if number > 1 else number)))
        refused = number == 2
        move = Move(
            role="walker", calls=({"name": f"fly {IMG}" if refused else "right", "arguments": {"why": IMG}},),
            action=None if refused else Action("press_key", 20, keys=("ArrowRight",)),
            fault="out of space" if refused else None, reason=f"no action {IMG}" if refused else "",
            thought=f"I go on. {IMG}" if model else "", said=f"All of it {IMG}" if model else "",
            latency_sec=1.5 if model else 0.0, tokens={"input": 1200.0, "output": 30.0} if model else {},
            cost_usd=0.002 if model else 0.0,
        )  # fmt: skip
        last = number == actions
        found.append(
            PlayStep(
                number=number, episode=0, moves=(move,) if number else (), think_frames=0,
                act_frames=20 if number else 0, state="s", pixels="p", score=score, best=score,
                progress=score / TARGET, status="playing", outcome="",
                signal=("target reached" if score >= TARGET else "budget used up") if last else "",
                picture=f"pictures/{number:04}.jpg" if model or number % 10 == 0 else "",
            )
        )  # fmt: skip
    return tuple(found)


def trial(agent: str, task: str, steps: tuple[PlayStep, ...], *, interface: str = "semantic", level: str = "L1") -> (
    TrialRecord
):  # fmt: skip
    """What the harness writes of these steps."""
    found = summarize(steps, TARGET)
    facts = {name: getattr(found, name) for name in found.__dataclass_fields__ if name != "progress"}
    model = bool(steps[-1].moves[0].tokens)
    return TrialRecord(
        task=f"play/{task}", agent=agent, attempt=1, family=task.partition("/")[0], difficulty="easy",
        outcome="scored", judge="game state", score=found.progress, items={"solved": float(found.solved)},
        facts={**facts, "seed": 1, "mode": "paused", "interface": interface, "policy_actions": 5},
        labels={"level": level, "feedback": "none"}, agent_ended="finished", cost_usd=0.02 if model else 0.0,
        agent_identity={"memory": "2", "prices": f"1 in, 2 out, 2026-11-01 {IMG}"} if model else {},
        activity={
            "actions": steps[-1].number, "tokens_input": 12_000, "tokens_output": 300, "thinking_sec": 15,
        } if model else {"actions": steps[-1].number},
        seconds={"produce": 12.0}, finished="2026-11-02T03:04:05+00:00", versions={"harness": "0.1.0"},
    )  # fmt: skip


FAR = steps_to(5, 6, model=True)
NEAR = steps_to(2, 12, model=True)
CHANCE = steps_to(1, 12, model=False)
SOLVED = trial("gpt-x-semantic", "arcade/orchard-1-five", FAR)
TRIALS = (
    (SOLVED, FAR),
    (trial("gpt-x-semantic", "puzzle/locks-2-seven", NEAR, level="L4"), NEAR),
    (trial("gpt-x-computer", "arcade/orchard-1-five", NEAR, interface="computer"), NEAR),
    (trial("random", "arcade/orchard-1-five", CHANCE), CHANCE),
    (trial("random", "puzzle/locks-2-seven", CHANCE, level="L4"), CHANCE),
)
VOID = TrialRecord(
    task="play/arcade/orchard-1-five", agent="gone", attempt=1, family="arcade", difficulty="easy", outcome="void",
    reason=f"the model could not be asked {IMG}", labels={"level": "L1", "feedback": "none"}, judge="game state",
    finished="2026-11-02T03:04:05+00:00",
)  # fmt: skip


def write_play_run(folder: Path) -> RunStore:
    store = RunStore(folder)
    store.writing()
    store.describe({"judge": "game state", "harness": "0.1.0"})
    for record, steps in TRIALS:
        store.append(record)
        place = store.trial_folder(record.id)
        place.mkdir(parents=True, exist_ok=True)
        log = StepLog(place)
        for step in steps:
            log.step(step)
            if step.picture:
                log.picture(step.number, picture(step.number))
        log.close()
    store.append(VOID)
    store.close()
    return store
