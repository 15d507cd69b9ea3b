"""Evidence made by hand, for tests that need no engine."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from benchmark.craft.judging.protocol import DemoEvidence
from benchmark.replay.counterfactual import FORMAT, Counterfactual, Effect, VariedRun, write_counterfactual
from benchmark.replay.evidence import Evidence, FrameStatistics, Outcome, RecorderSettings, Still, write_evidence
from benchmark.replay.saidstate import COLUMNS, ROWS

STILLS = 12


def make_demo(
    folder: Path, *, frozen: bool = False, plain: bool = False, deaf: bool = False, boxes: list[list[int]] | None = None
) -> DemoEvidence:
    """A demo of six seconds: a textured scene that changes, unless it is damaged."""
    random = np.random.default_rng(1)
    (folder / "frames").mkdir(parents=True)
    noise = cv2.resize(random.integers(0, 255, (24, 43, 3), dtype=np.uint8), (854, 480), interpolation=cv2.INTER_LINEAR)
    stills, looks = [], []
    boxes = boxes or [[40, 20, 200, 40, 28], [900, 20, 200, 40, 28]]
    kind = 3 if plain else 1  # as the observer numbers them: plain shapes, textures
    for index in range(STILLS):
        picture = (
            np.full((480, 854, 3), (60, 60, 60), np.uint8) if plain else np.roll(noise, 0 if frozen else index * 90, 1)
        )
        cv2.putText(picture, "SCORE", (30, 36), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (255, 255, 255), 4)
        file = f"frames/{index:05d}.jpg"
        cv2.imwrite(str(folder / file), picture)
        stills.append(Still(index * 15, index / 2, file, "same" if frozen else str(index)))
        cover = {"plain": 1.0} if plain else {"textured": 0.9, "text": 0.1}
        state = {
            "frame": index * 15, "texts": ["Score", str(0 if frozen else index)], "boxes": boxes, "cover": cover,
            "grid": str(kind) * (COLUMNS * ROWS), "images": [] if plain else [f"image{n}" for n in range(40)],
            "textures": 0 if plain else 20, "nodes": 5 if plain else 90, "classes": {}, "widgets": 2,
            "default_widgets": 2 if plain else 0, "scene": "main",
        }  # fmt: skip
        looks.append(state)
    (folder / "state.jsonl").write_text("".join(json.dumps(look) + "\n" for look in looks))
    untouched = folder / "untouched"
    untouched.mkdir()
    alone = looks if deaf or frozen else [{**look, "texts": ["Score", "0"]} for look in looks]
    (untouched / "state.jsonl").write_text("".join(json.dumps(look) + "\n" for look in alone))
    frames = range(10, 170, 20)
    departed = not deaf and not frozen
    effects = tuple(
        Effect(
            event=i,
            type="key_press",
            frame=f,
            departed=departed,
            after_frames=1 if departed else None,
            seen_in=None,
            already_apart=i > 0,
        )
        for i, f in enumerate(frames)
    )
    varied = VariedRun(
        inputs=(), first_departure=11 if departed else None, pictures=5, share=0.5 if departed else 0.0, seen_at=30
    )
    found = Counterfactual(
        effects=effects,
        first_departure=11 if departed else None,
        apart_share=0.95 if departed else 0.0,
        mean_distance=0.1 if departed else 0.0,
        varied=varied,
        format=FORMAT,
    )
    write_counterfactual(folder, found)
    evidence = Evidence(
        demo="demo_outputs/01.json",
        scenario=None,
        project_digest="p",
        trace_digest="t",
        engine_version="4.6",
        settings=RecorderSettings(),
        outcome=Outcome("complete", 180),
        window=(0, 179),
        frames=FrameStatistics(180, 180),
        stills=tuple(stills),
        video=None,
        pixels=(),
        inputs_sent=8,
        inputs_delivered=8,
        messages=(),
        digest=folder.name,
    )
    write_evidence(evidence, folder)
    left_alone = tuple(still if deaf or frozen else replace(still, pixels="alone") for still in stills)
    write_evidence(replace(evidence, stills=left_alone), untouched)
    return DemoEvidence(folder.name, folder, evidence, untouched)
