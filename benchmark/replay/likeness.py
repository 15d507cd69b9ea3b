"""Is a second recording of a demo the same as the first: to the byte, to the eye, or not at all?"""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import cv2

from benchmark.replay.certify import first_difference
from benchmark.replay.evidence import Evidence
from benchmark.replay.pictures import read_still

# Of ten public demos drawn with and without fused multiply-add three differed: two by up to 7 levels, one by 57 in a
# single pixel at an edge, all by less than 0.01 on average. Something as small as a coin is more pixels than that.
FAR_LEVELS, MAX_FAR_PIXELS, MAX_MEAN_LEVELS = 24, 20, 0.5
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
    far_pixels: int = 0  # differ by more than can be overlooked
    files: tuple[str, ...] = ()

    def describe(self) -> str:
        if self.degree == "identical":
            return f"{self.frames_compared} frames compared"
        where = f"first at frame {self.frame}" if self.frame is not None else ""
        most = ""
        if self.still is not None:
            most = f"at most {self.largest_levels} of 255 levels, {self.mean_levels:.4f} on average"
            most += f", {self.far_pixels} pixel(s) by more than {FAR_LEVELS}" if self.far_pixels else ""
            most += f" (still of frame {self.still})"
        beside = [name for name in self.files if not name.startswith("frames/")]
        files = f"also other: {', '.join(beside)}" if beside else ""
        return "; ".join(part for part in (self.reason, where, most, files) if part)


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
    reason = f"not the same: {', '.join(seen)}" if seen else ""
    if seen not in ([], ["messages"]):  # what an engine complains of may be its version's
        return Likeness("different", compared, reason, frame, files=files)
    if [still.frame for still in one.stills] != [still.frame for still in two.stills]:
        return Likeness("different", compared, "stills of other frames", frame, files=files)
    return _by_eye(one, two, left, right, Likeness("same to the eye", compared, reason, frame, files=files))


def _shown(evidence: Evidence) -> dict[str, Any]:
    return {key: value for key, value in asdict(evidence).items() if key not in _NOT_SEEN}


def _by_eye(one: Evidence, two: Evidence, left: Path, right: Path, so_far: Likeness) -> Likeness:
    degree: Degree = "same to the eye"
    worst: tuple[int, float, int] = (0, 0.0, 0)
    still: int | None = None
    for mine, theirs in zip(one.stills, two.stills, strict=True):
        first, second = read_still(left / mine.file), read_still(right / theirs.file)
        if first is None or second is None:
            return replace(so_far, degree="different", reason=f"the still of frame {mine.frame} cannot be read")
        apart = cv2.absdiff(first, second)
        levels = apart.max(axis=2)
        found = (int((levels > FAR_LEVELS).sum()), float(apart.mean()), int(levels.max()))
        if found[0] > MAX_FAR_PIXELS or found[1] > MAX_MEAN_LEVELS:
            degree = "different"
        if still is None or found > worst:
            worst, still = found, mine.frame
    far, mean, largest = worst
    return replace(
        so_far, degree=degree, far_pixels=far, mean_levels=round(mean, 4), largest_levels=largest, still=still
    )  # fmt: skip
