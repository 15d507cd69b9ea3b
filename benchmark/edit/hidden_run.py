"""A hidden test and how it is run: what a verdict on a submission depends on besides the submission."""

from dataclasses import dataclass, field

from benchmark.edit.hidden import HiddenTest
from benchmark.edit.verdict import DEFAULT_SEC, Mode


@dataclass(frozen=True)
class HiddenRun:
    """In which mode, and for how long at most."""

    test: HiddenTest
    mode: Mode = field(default_factory=Mode)
    limit_sec: float = DEFAULT_SEC
