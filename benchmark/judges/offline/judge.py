"""From measures to items: each item takes its category's measures, with more weight on those its words ask for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmark.craft.replay.counterfactual import read_counterfactual
from benchmark.craft.rubric import Requirement, Rubric
from benchmark.craft.traces import FPS
from benchmark.errors import InfrastructureError
from benchmark.judges.offline.measures import Measure, Sight, measure
from benchmark.judges.offline.pictures import distinct_views, read_gallery
from benchmark.judges.offline.statelog import read_looks, wordings
from benchmark.judges.protocol import DemoEvidence, DemoJudgement, ItemScore

VERSION = "1"
ASKED_FOR = 3.0  # weight of a measure that the item's words ask for; the others have 1
CUT_SHORT = 0.5  # a demo that crashed, hung or quit shows half of what it seems to

# words of an item → the measures that say most about it
_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"control|input|move|jump|steer|select|drag|click|press", ("M.response", "M.sway", "V.feedback")),
    (r"win|lose|fail|goal|outcome|result|victory|defeat|retry", ("M.consequence", "D.turns")),
    (r"health|resource|score|counter|cost|consequence|rule", ("M.consequence", "V.status")),
    (r"level|stage|floor|wave|board|scenario|progress|title|screen", ("D.turns", "D.views")),
    (r"variety|distinct|different|types?|enem|card|item", ("D.material", "D.views")),
    (r"text|label|legib|readab|contrast", ("V.legible", "V.status")),
    (r"overlap|clipp|cut off|crowd|stable|layout", ("V.tidy",)),
    (r"feedback|flash|highlight|respond", ("V.feedback",)),
    (r"hud|status|objective|meter|bar", ("V.status", "V.legible")),
    (r"coheren|direction|palette|style|asset|sprite|illustrat", ("A.art", "A.styled")),
    (r"widget|panel|button|menu|theme|typograph|font", ("A.styled",)),
    (r"animat|motion|particle|tween|alive|polish", ("A.motion", "A.richness")),
    (r"background|depth|detail|colou?r|light", ("A.richness", "A.art")),
)


@dataclass(frozen=True)
class OfflineJudge:
    """Needs no model and no network; the same evidence always gets the same scores."""

    name: str = "offline"
    version: str = VERSION
    proxy: bool = True
    needs_untouched: bool = True
    steady: bool = True

    def ready(self) -> None:
        """Always."""

    def judge(
        self, rubric: Rubric, demos: Sequence[DemoEvidence], log: Path | None = None, repeat: int = 1
    ) -> tuple[DemoJudgement, ...]:
        """All demos together: what one demo repeats of another adds nothing."""
        sights = _look_at(demos)
        return tuple(_judge_demo(rubric, demo, sight) for demo, sight in zip(demos, sights, strict=True))


def _look_at(demos: Sequence[DemoEvidence]) -> list[Sight]:
    sights: list[Sight] = []
    said: set[str] = set()
    for demo in demos:
        if demo.untouched is None:
            raise InfrastructureError(f"{demo.name}: the offline judge needs the replay without inputs")
        looks = read_looks(demo.folder)
        saying = wordings(looks)
        sights.append(
            Sight(
                gallery=read_gallery(demo.folder, demo.evidence),
                looks=looks,
                untouched_looks=read_looks(demo.untouched),
                counterfactual=read_counterfactual(demo.folder),
                seconds=demo.evidence.frames.expected / FPS,
                complete=demo.evidence.outcome.complete,
                ended=demo.evidence.outcome.kind,
                new_views=0,
                new_wordings=len(saying - said),
            )
        )
        said |= saying
    views = distinct_views([sight.gallery for sight in sights])
    return [replace(sight, new_views=count) for sight, count in zip(sights, views, strict=True)]


def _judge_demo(rubric: Rubric, demo: DemoEvidence, sight: Sight) -> DemoJudgement:
    measures = measure(sight)
    factor = 1.0 if sight.complete else CUT_SHORT
    items = {item.id: _item(item, measures, factor, sight.ended) for item in rubric.requirements}
    numbers = {name: round(found.value, 4) for name, found in measures.items()}
    return DemoJudgement(demo.name, items, numbers)


def _item(item: Requirement, measures: dict[str, Measure], factor: float, ended: str) -> ItemScore:
    own = {name: found for name, found in measures.items() if name[0] == item.category}
    asked = {name for words, names in _WORDS if re.search(rf"\b({words})", item.description, re.I) for name in names}
    weights = {name: ASKED_FOR if name in asked else 1.0 for name in own}
    value = sum(own[name].value * weights[name] for name in own) / sum(weights.values())
    ranked = sorted(own, key=lambda name: (-weights[name], own[name].value))
    says = "; ".join(own[name].says for name in ranked[:2])
    if factor < 1:
        says = f"the demo ended early ({ended}); {says}"
    return ItemScore(round(min(max(value * factor, 0.0), 1.0), 4), f"proxy: {says}")
