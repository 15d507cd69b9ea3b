"""A film made of the recorded look of a real game: same pictures, texts and names of images, and nothing to play."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from benchmark.replay.evidence import Evidence
from benchmark.replay.traces import Trace

PROJECT = Path(__file__).parent / "games/hostile/film"


def make_film(
    target: Path,
    recorded: Iterable[tuple[Trace, Evidence, Path]],
    traces: Path,
    **conduct: object,
) -> Path:
    """`recorded`: each demo with its evidence and the folder of it; `traces`: the folder of the inputs to hand in.

    `conduct`: how it behaves, by the names that its main.gd explains.
    """
    shutil.copytree(PROJECT, target)
    shutil.copytree(traces, target / "demo_outputs")
    films = {}
    for number, (trace, evidence, folder) in enumerate(recorded):
        lines = (folder / "state.jsonl").read_text(encoding="utf-8").splitlines()
        states = {state["frame"]: state for state in map(json.loads, lines)}
        shots = []
        for still in evidence.stills:
            picture = f"shot{number}_{still.frame}.bin"
            shutil.copyfile(folder / still.measured, target / picture)
            state = states[still.frame]
            shots.append({"picture": picture, **{name: state[name] for name in ("texts", "boxes", "images")}})
        films[trace.scenario or ""] = shots
    film = {"films": films, "starts": 1, "decoy": False, "answers": [], "counts": False, **conduct}
    (target / "film.json").write_text(json.dumps(film), encoding="utf-8")
    return target
