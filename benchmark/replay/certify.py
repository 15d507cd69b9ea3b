"""Determinism certificate: the same demo once more, from scratch, compared with the first to the byte."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from benchmark.projects.prepare import PreparedProject
from benchmark.replay.evidence import Evidence
from benchmark.replay.pictures import Picture, read_still
from benchmark.replay.recordings import Recording, record_fresh
from benchmark.replay.take_order import TakeOrder
from benchmark.runtime.machine import Machine
from benchmark.runtime.workdir import work_folder

PICTURE = "difference.png"


@dataclass(frozen=True)
class Certificate:
    """What two runs had in common. `frame` is the first captured frame whose pixels differ."""

    identical: bool
    frames_compared: int
    frame: int | None = None
    files: tuple[str, ...] = ()
    picture: str | None = None

    def describe(self) -> str:
        if self.identical:
            return f"identical over 2 runs ({self.frames_compared} frames compared)"
        where = f"first at frame {self.frame}" if self.frame is not None else "in the logs only"
        shown = f", see {self.picture}" if self.picture else ""
        return f"NOT identical: {where}; differing files: {', '.join(self.files[:6])}{shown}"


def certify(
    recording: Recording, prepared: PreparedProject, machine: Machine, out: Path, software_threads: int
) -> Certificate:
    """Record again and compare; a difference is drawn side by side into `out`."""
    with work_folder("certify") as again:
        evidence = recording.evidence
        second = record_fresh(prepared, TakeOrder(recording.trace, evidence.settings), machine, again, software_threads)
        frame = first_difference(evidence, second)
        files = tuple(
            sorted(
                name for name in {*evidence.files, *second.files} if evidence.files.get(name) != second.files.get(name)
            )
        )
        picture = None
        if files and side_by_side((evidence, recording.folder), (second, again), frame, out / PICTURE):
            picture = PICTURE
    identical = frame is None and not files and evidence.digest == second.digest
    return Certificate(
        identical=identical, frames_compared=len(evidence.pixels), frame=frame, files=files, picture=picture
    )


def first_difference(one: Evidence, two: Evidence) -> int | None:
    """The first captured frame that is not the same in both, also if one of them ends earlier."""
    first, second = dict(one.pixels), dict(two.pixels)
    return next((f for f in sorted({*first, *second}) if first.get(f) != second.get(f)), None)


def side_by_side(
    one: tuple[Evidence, Path],
    two: tuple[Evidence, Path],
    frame: int | None,
    target: Path,
    titles: tuple[str, str] = ("first run", "second run"),
) -> bool:
    """Draw the first still from `frame` on that differs; False if none does or a file is damaged.

    `one` and `two`: evidence, and the folder that holds its stills.
    """
    (ours, left), (theirs, right) = one, two
    files = {still.frame: still.file for still in ours.stills}
    others = {still.frame: still for still in theirs.stills}
    own = {still.frame: still.pixels for still in ours.stills}
    for number in sorted(files):
        if frame is None or number < frame or number not in others or others[number].pixels == own[number]:
            continue
        first, second = read_still(left / files[number]), read_still(right / files[number])
        if first is None or second is None:
            return False
        panels = {titles[0]: first, titles[1]: second, "difference x4": _shown(first, second)}
        for title, panel in panels.items():
            label = f"frame {number}: {title}"
            cv2.putText(panel, label, (12, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 4)
            cv2.putText(panel, label, (12, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (255, 255, 255), 2)
        cv2.imwrite(str(target), np.hstack(list(panels.values())))
        return True
    return False


def _shown(first: Picture, second: Picture) -> Picture:
    return np.asarray(cv2.convertScaleAbs(cv2.absdiff(first, second), alpha=4), dtype=np.uint8)
