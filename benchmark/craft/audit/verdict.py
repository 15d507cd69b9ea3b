"""What counts as noticed. The thresholds were chosen before any judge was measured with them, and stay as they are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from benchmark.craft.audit.damages import BY_NAME, Damage
from benchmark.craft.rubric import CATEGORIES
from benchmark.craft.scoring import Scores

NOTICED_ABSOLUTE = 0.15  # about the distance between two neighbouring grades of a strict human judge
NOTICED_RELATIVE = 0.20  # of what the category had before
ITEM_FLOOR = 0.5  # no item of an undamaged oracle may be below

Outcome = Literal["scored", "not defined", "broken", "void"]


@dataclass(frozen=True)
class AuditRow:
    """One task × one damage. `before` is the undamaged oracle under the same rubric.

    `broken`: the damaged project does not build, which is the damage's fault. `void`: the judge gave no number.
    """

    task: str
    damage: Damage
    outcome: Outcome
    reason: str = ""
    before: Scores | None = None
    after: Scores | None = None

    @property
    def change(self) -> dict[str, float]:
        """By category; negative where the score fell."""
        if self.before is None or self.after is None:
            return {}
        return {
            letter: self.after.categories.get(letter, 0.0) - before for letter, before in self.before.categories.items()
        }

    @property
    def item_change(self) -> dict[str, float]:
        if self.before is None or self.after is None:
            return {}
        return {name: self.after.items.get(name, 0.0) - before for name, before in self.before.items.items()}

    @property
    def noticed(self) -> str:
        """Letters of the categories that fell far enough."""
        if self.before is None or self.after is None:
            return ""
        before, after = self.before.categories, self.after.categories
        return "".join(letter for letter in CATEGORIES if letter in before and fell(before[letter], after[letter]))

    @property
    def detected(self) -> bool | None:
        """Whether every category that must fall was noticed; None where there is nothing to detect."""
        wanted = [letter for letter in self.damage.must if self.before and letter in self.before.categories]
        if self.outcome != "scored" or self.damage.sham or not wanted:
            return None
        return all(letter in self.noticed for letter in wanted)

    @property
    def spilled(self) -> str:
        """Letters of the categories that were noticed and had to stay."""
        return "".join(letter for letter in self.noticed if letter in self.damage.must_not)

    @property
    def false_alarms(self) -> tuple[str, ...]:
        """What a sham must not show, in words."""
        if self.outcome != "scored" or not self.damage.sham or self.after is None:
            return ()
        alarms = [
            f"{self.task}, {self.damage.name}: {letter} fell by {-self.change[letter]:.2f}" for letter in self.noticed
        ]
        if self.damage.name == "untouched":
            low = {name: score for name, score in self.after.items.items() if score < ITEM_FLOOR}
            alarms += [f"{self.task}: {name} of the undamaged oracle has {score:.2f}" for name, score in low.items()]
        return tuple(alarms)


def fell(before: float, after: float) -> bool:
    """Far enough in points, and far enough for what there was. A hair of slack: 0.80 - 0.65 is not below 0.15."""
    return before - after >= NOTICED_ABSOLUTE - 1e-9 and before - after >= NOTICED_RELATIVE * before - 1e-9


@dataclass(frozen=True)
class Detections:
    """Detection and specificity of some rows. Rates are None where there is nothing to count."""

    damages: int
    detected: int
    pairs: int  # category × damage that had to stay
    spilled: int

    @property
    def detection(self) -> float | None:
        return self.detected / self.damages if self.damages else None

    @property
    def specificity(self) -> float | None:
        return 1 - self.spilled / self.pairs if self.pairs else None


def tally(rows: Iterable[AuditRow]) -> Detections:
    """Count what was scored; shams and damages that are not defined are left out."""
    damages = detected = pairs = spilled = 0
    for row in rows:
        if row.detected is None or row.before is None:
            continue
        damages += 1
        detected += row.detected
        pairs += sum(letter in row.before.categories for letter in row.damage.must_not)
        spilled += len(row.spilled)
    return Detections(damages, detected, pairs, spilled)


@dataclass(frozen=True)
class Audit:
    """Everything an audit found. `problems` are tasks that could not be audited at all."""

    judge: str
    judge_version: str
    proxy: bool
    rows: tuple[AuditRow, ...]
    problems: tuple[str, ...] = ()
    tiles: Mapping[tuple[str, str], str] = field(default_factory=dict)  # task, damage → a small picture

    @property
    def whole(self) -> Detections:
        return tally(self.rows)

    @property
    def tasks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.task for row in self.rows))

    @property
    def damages(self) -> tuple[Damage, ...]:
        return tuple(BY_NAME[name] for name in BY_NAME if any(row.damage.name == name for row in self.rows))

    def row(self, task: str, damage: Damage) -> AuditRow | None:
        return next((row for row in self.rows if row.task == task and row.damage == damage), None)

    def of_damage(self, damage: Damage) -> Detections:
        return tally(row for row in self.rows if row.damage == damage)

    def of_task(self, task: str) -> Detections:
        return tally(row for row in self.rows if row.task == task)

    @property
    def false_alarms(self) -> tuple[str, ...]:
        return tuple(alarm for row in self.rows for alarm in row.false_alarms)

    @property
    def void(self) -> tuple[AuditRow, ...]:
        return tuple(row for row in self.rows if row.outcome in ("void", "broken"))

    def passed(self, min_detection: float) -> bool:
        """Enough is detected, nothing is falsely alarmed, and every answer that was asked for is there."""
        rate = self.whole.detection
        shams_only = rate is None and any(row.damage.sham and row.outcome == "scored" for row in self.rows)
        enough = shams_only or (rate is not None and rate >= min_detection)
        return enough and not self.false_alarms and not self.void


def fallen_items(row: AuditRow, count: int = 3) -> Sequence[tuple[str, float]]:
    """The items that fell most, the deepest fall first."""
    falls = [(name, change) for name, change in row.item_change.items() if change <= -0.05]
    return sorted(falls, key=lambda pair: pair[1])[:count]
