"""Is a second recording of a demo the same as the first: to the byte, to the eye, or not at all?"""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import cv2

from benchmark.craft.replay.certify import first_difference
from benchmark.craft.replay.evidence import Evidence
from benchmark.craft.replay.pictures import read_still

# Shaders that round another way moved no pixel of a still by more than 6 levels; what moves by a pixel does by 100.
MAX_LEVELS, MAX_MEAN_LEVELS = 24, 0.5
# What was used, not what was seen: versions are compared by whoever asks.
_NOT_SEEN = ("engine_version", "pinned", "digest", "format", "settings", "files", "pixels", "stills", "video")

Degree = Literal["identical", "same to the eye", "different"]


@dataclass(frozen=True)
class Likeness:
    """`frame` is the first captured frame that differs; levels, of 255, are of the still that differs most."""

    degree: Degree
    frames_compared: int
    reason: str = ""
    frame: int | None = None
    still: int | None = None
    largest_levels: int = 0
    mean_levels: float = 0.0
    files: tuple[str, ...] = ()

    def describe(self) -> str:
        if self.degree == "identical":
            return f"{self.frames_compared} frames compared"
        where = f"first at frame {self.frame}" if self.frame is not None else ""
        levels = (
            f"at most {self.largest_levels} of 255 levels, {self.mean_levels:.3f} on average, in the still of frame "
            f"{self.still}" if self.still is not None else ""
        )  # fmt: skip
        files = f"other files: {', '.join(self.files[:6])}" if self.files else ""
        return "; ".join(part for part in (self.reason, where, levels, files) if part)


def compare(one: Evidence, two: Evidence, left: Path, right: Path) -> Likeness:
    """`one` was recorded before, `two` now; the folders hold their files."""
    frame = first_difference(one, two)
    files = tuple(sorted(n for n in {*one.files, *two.files} if one.files.get(n) != two.files.get(n)))
    seen = [key for key in _shown(one) if _shown(one)[key] != _shown(two)[key]]
    compared = len(one.pixels)
    if frame is None and not files and not seen and one.stills == two.stills and one.video == two.video:
        return Likeness("identical", compared)
    if "outcome" in seen:
        reason = f"it ended otherwise: {two.outcome.kind} at frame {two.outcome.frame}, recorded is "
        reason += f"{one.outcome.kind} at frame {one.outcome.frame}"
        return Likeness("different", compared, reason, frame, files=files)
    if seen:
        return Likeness("different", compared, f"not the same: {', '.join(seen)}", frame, files=files)
    if [still.frame for still in one.stills] != [still.frame for still in two.stills]:
        return Likeness("different", compared, "stills of other frames", frame, files=files)
    return _by_eye(one, two, left, right, Likeness("same to the eye", compared, "", frame, files=files))


def _shown(evidence: Evidence) -> dict[str, Any]:
    return {key: value for key, value in asdict(evidence).items() if key not in _NOT_SEEN}


def _by_eye(one: Evidence, two: Evidence, left: Path, right: Path, so_far: Likeness) -> Likeness:
    degree: Degree = "same to the eye"
    largest, mean, still = -1, 0.0, None
    for mine, theirs in zip(one.stills, two.stills, strict=True):
        first, second = read_still(left / mine.file), read_still(right / theirs.file)
        if first is None or second is None:
            return replace(so_far, degree="different", reason=f"the still of frame {mine.frame} cannot be read")
        apart = cv2.absdiff(first, second)
        levels, average = int(apart.max()), float(apart.mean())
        if levels > MAX_LEVELS or average > MAX_MEAN_LEVELS:
            degree = "different"
        if (levels, average) > (largest, mean):
            largest, mean, still = levels, average, mine.frame
    return replace(so_far, degree=degree, largest_levels=max(largest, 0), mean_levels=round(mean, 4), still=still)
