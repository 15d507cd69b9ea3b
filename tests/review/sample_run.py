"""A small run that people can judge: the tiny task, two agents with films, one that built nothing, one void."""

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path

import cv2
import numpy as np

from benchmark.craft.judging.protocol import DemoJudgement, ItemScore
from benchmark.craft.record import DemoRecord, GameFacts
from benchmark.craft.rubric import read_rubric
from benchmark.craft.scoring import aggregate
from benchmark.files import write_json
from benchmark.replay.pictures import VideoWriter
from benchmark.results.store import RunStore
from benchmark.runtime.machine import find_ffmpeg
from benchmark.trials import TrialRecord
from tests.samples import make_demo

TASKS = Path(__file__).parents[1] / "tasks"
TASK = "craft/puzzle/tiny-switch"
RUBRIC = read_rubric(TASKS / TASK)
ITEMS = RUBRIC.ids
AGENTS = ("zebrafish", "quokka")
JUDGE_SCORES = {
    "zebrafish": dict(zip(ITEMS, (1.0, 0.5, 0.75, 1.0, 0.25, 0.5), strict=True)),
    "quokka": dict(zip(ITEMS, (0.0, 0.25, 0.5, 0.75, 1.0, 1.0), strict=True)),
}


def record(agent: str) -> TrialRecord:
    scores = aggregate(RUBRIC, 1, [JUDGE_SCORES[agent]])
    return TrialRecord(
        task=TASK, agent=agent, attempt=1, family="puzzle", difficulty="easy", outcome="scored", judge="offline",
        proxy=True,
        facts=GameFacts(build=1, demos=(DemoRecord(f"01_{agent}", 6.0, "complete", inputs=8),)).to_json(),
        score=scores.score, categories=scores.categories, items=scores.items,
        versions={"rubric": RUBRIC.digest[:16], "project": f"project-of-{agent}"},
    )  # fmt: skip


def write_run(folder: Path) -> RunStore:
    store = RunStore(folder)
    store.writing()
    for agent in AGENTS:
        store.append(record(agent))
        _write_trial(store.trial_folder(record(agent).id), agent)
    zero = dict.fromkeys(ITEMS, 0.0)
    first = record(AGENTS[0])
    store.append(
        replace(
            first,
            agent="nothing",
            facts=GameFacts(build=0, demos=()).to_json(),
            score=0.0,
            items=zero,
            reason="no project",
        )
    )
    store.append(
        replace(
            first, agent="lost", outcome="void", facts=GameFacts(build=None, demos=()).to_json(), score=None, items={}
        )
    )
    store.close()
    return store


def _write_trial(folder: Path, agent: str) -> None:
    name = f"01_{agent}"
    demo = folder / "evidence" / name
    make_demo(demo)
    shutil.rmtree(demo / "untouched")
    write_json(folder / "evidence/demos.json", [{"name": name, "untouched": None}])
    writer = VideoWriter(find_ffmpeg(), demo / "video.mp4", 10)
    for index in range(60):
        picture = np.full((480, 854, 3), 60, np.uint8)
        cv2.putText(picture, str(index), (300, 300), cv2.FONT_HERSHEY_SIMPLEX, 5.0, (255, 255, 255), 8)
        writer.add(picture)
    evidence = json.loads((demo / "evidence.json").read_text(encoding="utf-8"))
    for still in evidence["stills"]:  # named by their frames, as a recorder does
        file = f"frames/{still['frame']:05d}.jpg"
        (demo / still["file"]).rename(demo / f"{file}.moved")
        still["file"] = file
    for moved in demo.glob("frames/*.moved"):
        moved.rename(moved.with_suffix(""))
    video = writer.close()
    assert video is not None
    write_json(demo / "evidence.json", {**evidence, "video": asdict(video)})
    inputs = [
        {"event": 0, "type": "key_down", "kind": "key", "keycode": "RIGHT", "frame": 20, "pressed": True},
        {"event": 1, "type": "key_up", "kind": "key", "keycode": "RIGHT", "frame": 50, "pressed": False},
        {"event": 2, "type": "mouse_move", "kind": "motion", "frame": 60, "x": 640, "y": 360},
    ]
    lines = [json.dumps({**one, "delivered_frame": one["frame"]}) for one in inputs]
    (demo / "inputs.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = {item: ItemScore(score, f"{agent} shows {item}") for item, score in JUDGE_SCORES[agent].items()}
    write_json(folder / f"judgement/{name}.json", asdict(DemoJudgement(name, said, {})))
