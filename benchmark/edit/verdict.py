"""What came of a hidden test: named checks and a verdict."""

from dataclasses import dataclass, field, replace
from typing import Literal

from benchmark.edit.hidden import KitTest

How = Literal["passed", "failed", "no verdict", "broken test"]
DEFAULT_SEC = 60.0


@dataclass(frozen=True)
class Mode:
    """How the test's engine runs. Exact time is fast; some imported tests only work in real time."""

    display: bool = False
    real_time: bool = False

    def __str__(self) -> str:
        return f"{'display' if self.display else 'headless'}{', real time' if self.real_time else ''}"

    @property
    def arguments(self) -> tuple[str, ...]:
        """Of the engine that runs the project."""
        time = () if self.real_time else ("--fixed-fps", "60")
        if not self.display:
            return ("--headless", *time)
        drawing = ("--display-driver", "x11", "--rendering-driver", "opengl3", "--resolution", "1280x720")
        return (*drawing, "--position", "0,0", "--disable-vsync", *time)


@dataclass(frozen=True)
class CheckResult:
    """One named assertion of the test."""

    name: str
    ok: bool
    message: str = ""
    test: str = ""


@dataclass(frozen=True)
class Verdict:
    """What came of a run of the test. Only `passed` is a pass; `how` says why the others are none."""

    how: How
    reason: str = ""
    checks: tuple[CheckResult, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    log: str = ""
    project_digest: str = ""
    settled: bool = True  # another run would not end otherwise

    @property
    def passed(self) -> bool:
        return self.how == "passed"


def nothing_reached(test: KitTest, verdict: Verdict) -> Verdict:
    """No check was made: each of them says why."""
    checks = tuple(CheckResult(name, False, f"not reached: {verdict.reason}") for name in test.checks)
    return replace(verdict, checks=checks)
