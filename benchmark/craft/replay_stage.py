"""The replay stage of a trial: every demo recorded, and where a judge asks for it also left alone."""

import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from benchmark.craft.judging.protocol import DemoEvidence
from benchmark.errors import InfrastructureError
from benchmark.files import write_json
from benchmark.limits import STORED_BYTES
from benchmark.projects.prepare import PreparedProject
from benchmark.replay.counterfactual import (
    VARIED_PICTURE,
    VariedRun,
    compare,
    compare_varied,
    watched_alike,
    with_fingerprints,
    write_counterfactual,
)
from benchmark.replay.evidence import RecorderSettings, file_hash, read_evidence, sample_window
from benchmark.replay.recordings import Recording, Studio, export, folder_names, replay
from benchmark.replay.take_order import TakeOrder
from benchmark.replay.traces import FPS, Trace, make_trace
from benchmark.replay.varied import Variation, vary
from benchmark.untrusted import read_json

_INDEX = "demos.json"


def show(
    prepared: PreparedProject,
    traces: tuple[Trace, ...],
    settings: RecorderSettings,
    studio: Studio,
    folder: Path,
    *,
    untouched: bool,
) -> tuple[DemoEvidence, ...]:
    """Record into `folder/evidence/<demo>/`. Demos that begin alike share one run in `folder/untouched/`.

    `untouched`: also record what has to be compared, the game left alone and each demo played a little differently.
    """
    for part in ("evidence", "untouched"):
        shutil.rmtree(folder / part, ignore_errors=True)
    exact = with_fingerprints(settings) if untouched and settings.recorder == "engine" else settings
    idle = _idle_traces(traces) if untouched else {}
    # Only compared with, so a picture a second is enough. Real time never repeats itself: always the exact recorder.
    quiet = with_fingerprints(replace(settings, recorder="engine", video_fps=0, still_every_frames=FPS, pointer=False))
    twins = traces if untouched and settings.recorder != "engine" else ()
    alike = watched_alike(settings) if settings.recorder == "engine" else quiet
    variations = [vary(trace, prepared.digest, _window(prepared, trace, settings)) for trace in traces]
    changed = [one for one in variations if one is not None] if untouched else []
    recordings = iter(
        replay(
            prepared,
            [
                *(TakeOrder(trace, exact) for trace in traces),
                *(TakeOrder(trace, quiet) for trace in (*idle.values(), *twins)),
                *(TakeOrder(one.trace, alike, one.window) for one in changed),
            ],
            studio,
        )
    )  # fmt: skip
    played = [next(recordings) for _ in traces]
    alone = {scenario: next(recordings) for scenario in idle}
    comparable = [next(recordings) for _ in twins] or played
    names = folder_names(traces)
    for number, recording in enumerate(alone.values()):
        export(recording, folder / "untouched" / str(number))
    for index, recording in enumerate(played):
        target = folder / "evidence" / names[index]
        export(recording, target)
        if untouched:
            one, other, variation = comparable[index], alone[recording.trace.scenario], variations[index]
            found = compare(one.trace, one.evidence, other.evidence, one.folder, other.folder)
            if variation is not None:
                found = replace(found, varied=_compare_varied(variation, one, next(recordings), target))
            write_counterfactual(target, found)
    order = list(idle)
    rows = [
        {"name": name, "untouched": str(order.index(trace.scenario)) if untouched else None}
        for name, trace in zip(names, traces, strict=True)
    ]
    write_json(folder / "evidence" / _INDEX, rows)
    return read_showing(folder)


def require_whole(demos: Iterable[DemoEvidence]) -> None:
    """Every file as it was recorded. Raises InfrastructureError: what was lost since is not the game's fault."""
    for demo in demos:
        for name, digest in demo.evidence.files.items():
            path = demo.folder / name
            if not path.is_file() or file_hash(path) != digest:
                raise InfrastructureError(
                    f"{path} is not there, or not as it was recorded", fix="record it again with --replay-only"
                )


def _window(prepared: PreparedProject, trace: Trace, settings: RecorderSettings) -> tuple[int, int]:
    return sample_window(prepared.digest, trace.digest, trace.duration_frames, settings.window_frames)


def _compare_varied(variation: Variation, played: Recording, varied: Recording, target: Path) -> VariedRun:
    """Leaves the picture that differs most beside the evidence, for people."""
    found = compare_varied(variation, played.evidence, varied.evidence, played.folder, varied.folder)
    still = next((one for one in varied.evidence.stills if one.frame == found.seen_at), None)
    if still is not None:
        shutil.copyfile(varied.folder / still.file, target / VARIED_PICTURE)
    return found


def _idle_traces(traces: tuple[Trace, ...]) -> dict[str | None, Trace]:
    """For each scenario, nobody at the controls for as long as its longest demo."""
    longest: dict[str | None, int] = {}
    for trace in traces:
        longest[trace.scenario] = max(longest.get(trace.scenario, 0), trace.duration_frames)
    return {scenario: make_trace("untouched.json", scenario, frames, ()) for scenario, frames in longest.items()}


def read_showing(folder: Path) -> tuple[DemoEvidence, ...]:
    """What `show` left in a trial's folder."""
    try:
        rows = read_json(folder / "evidence" / _INDEX, STORED_BYTES)
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
