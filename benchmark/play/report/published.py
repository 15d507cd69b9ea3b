"""Numbers of the public benchmark, to stand below ours: of other games' tasks, counted elsewhere, ranked nowhere."""

import csv
from dataclasses import dataclass
from functools import cache

from benchmark.bundled import bundled

_FILE = "reports/reference/gameworld-published.csv"


@dataclass(frozen=True)
class Published:
    """Shares from 0 to 1."""

    who: str
    interface: str
    success: float
    progress: float
    source: str


@cache
def published() -> tuple[Published, ...]:
    """As the file has them: percent."""
    with bundled(_FILE).open(encoding="utf-8", newline="") as handle:
        return tuple(
            Published(
                who=row["who"], interface=row["interface"], success=float(row["success"]) / 100,
                progress=float(row["progress"]) / 100, source=row["source"],
            )
            for row in csv.DictReader(handle)
        )  # fmt: skip
