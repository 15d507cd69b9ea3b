"""The replay stage of a trial: every demo recorded, and where a judge asks for it also left alone."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from benchmark.craft.replay.counterfactual import compare, with_fingerprints, write_counterfactual
from benchmark.craft.replay.evidence import RecorderSettings, read_evidence
from benchmark.craft.replay.stage import Recording, export, folder_names, replay
from benchmark.craft.traces import FPS, Trace, make_trace
from benchmark.errors import InfrastructureError
from benchmark.files import write_json
from benchmark.judges.protocol import DemoEvidence
from benchmark.projects.prepare import PreparedProject
from benchmark.runtime.machine import Machine

_INDEX = "demos.json"


def show(
    prepared: PreparedProject,
    traces: tuple[Trace, ...],
    settings: RecorderSettings,
    machine: Machine,
    folder: Path,
    *,
    untouched: bool,
    jobs: int | None = None,
    fresh: bool = False,
    on_done: Callable[[Recording], None] | None = None,
) -> tuple[DemoEvidence, ...]:
    """Record into `folder/evidence/<demo>/`. Demos that begin alike share one run in `folder/untouched/`."""
    for part in ("evidence", "untouched"):
        shutil.rmtree(folder / part, ignore_errors=True)
    exact = with_fingerprints(settings) if untouched and settings.recorder == "engine" else settings
    takes = [(trace, exact) for trace in traces]
    idle = _idle_traces(traces) if untouched else {}
    # Only compared with, so a picture a second is enough. Real time never repeats itself: always the exact recorder.
    quiet = with_fingerprints(replace(settings, recorder="engine", video_fps=0, still_every_frames=FPS, pointer=False))
    takes += [(trace, quiet) for trace in idle.values()]
    if untouched and settings.recorder != "engine":
        takes += [(trace, quiet) for trace in traces]
    recordings = replay(prepared, takes, machine, jobs=jobs, fresh=fresh, on_done=on_done)
    played, alone = recordings[: len(traces)], dict(zip(idle, recordings[len(traces) :], strict=False))
    comparable = played if settings.recorder == "engine" else recordings[len(traces) + len(idle) :]
    names = folder_names(traces)
    for number, recording in enumerate(alone.values()):
        export(recording, folder / "untouched" / str(number))
    for index, recording in enumerate(played):
        target = folder / "evidence" / names[index]
        export(recording, target)
        if untouched:
            one, other = comparable[index], alone[recording.trace.scenario]
            write_counterfactual(target, compare(one.trace, one.evidence, other.evidence, one.folder, other.folder))
    order = list(idle)
    rows = [
        {"name": name, "untouched": str(order.index(trace.scenario)) if untouched else None}
        for name, trace in zip(names, traces, strict=True)
    ]
    write_json(folder / "evidence" / _INDEX, rows)
    return read_showing(folder)


def _idle_traces(traces: tuple[Trace, ...]) -> dict[str | None, Trace]:
    """For each scenario, nobody at the controls for as long as its longest demo."""
    longest: dict[str | None, int] = {}
    for trace in traces:
        longest[trace.scenario] = max(longest.get(trace.scenario, 0), trace.duration_frames)
    return {scenario: make_trace("untouched.json", scenario, frames, ()) for scenario, frames in longest.items()}


def read_showing(folder: Path) -> tuple[DemoEvidence, ...]:
    """What `show` left in a trial's folder."""
    try:
        rows = json.loads((folder / "evidence" / _INDEX).read_text(encoding="utf-8"))
        return tuple(
            DemoEvidence(
                row["name"],
                folder / "evidence" / row["name"],
                read_evidence(folder / "evidence" / row["name"]),
                folder / "untouched" / row["untouched"] if row["untouched"] is not None else None,
            )
            for row in rows
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InfrastructureError(
            f"{folder / 'evidence'} cannot be read: {error}", fix="run the trial again, or replay it with --replay-only"
        ) from error
