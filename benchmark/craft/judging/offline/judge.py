"""From measures to items: each item takes its category's measures, with more weight on those its words ask for."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmark.craft.judging.offline import art, depth, mechanics, visuals
from benchmark.craft.judging.offline.observed import Measure, Sight, look_at, saturating
from benchmark.craft.judging.offline.vocabulary import fitting, in_common, stems
from benchmark.craft.judging.protocol import DemoEvidence, DemoJudgement, ItemScore
from benchmark.craft.rubric import Requirement, Rubric

VERSION = "3"
ASKED_FOR = 3.0  # weight of a measure that the item's words ask for; the others have 1
CUT_SHORT = 0.5  # a demo that crashed, hung or quit shows half of what it seems to
STRANGER = 0.55  # what mechanics and depth are worth in a game that speaks of something else
SILENT_ITEM = 0.88  # and for an item of whose words the game uses none
FILM = 0.1  # what mechanics and depth are worth in a game that goes on alike whatever the player does
STILL = 0.4  # what depth is worth in a demo that stands still from its beginning
DEFAULT_LOOK = 0.65  # rubrics cap default widgets and raw shapes at half: what art is worth with such controls,
FLAT_SHAPES = 0.5  # and with nothing drawn

# The first letter of a measure's name is its category.
MEASURES: dict[str, Callable[[Sight], Measure]] = {
    "M.answers": mechanics.answers,
    "M.sway": mechanics.sway,
    "M.consequence": mechanics.consequence,
    "M.play": mechanics.play,
    "D.views": depth.views,
    "D.material": depth.material,
    "D.sayings": depth.sayings,
    "D.turns": depth.turns,
    "D.going": depth.going,
    "V.status": visuals.status,
    "V.telling": visuals.telling,
    "V.legible": visuals.legible,
    "V.tidy": visuals.tidy,
    "V.feedback": visuals.feedback,
    "A.art": art.art,
    "A.drawing": art.drawing,
    "A.styled": art.styled,
    "A.richness": art.richness,
    "A.motion": art.motion,
}

# words of an item → the measures that say most about it
_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"control|input|move|jump|steer|select|drag|click|press|slide", ("M.answers", "M.sway", "V.feedback")),
    (r"win|lose|fail|goal|outcome|result|victory|defeat|retry", ("M.consequence", "D.turns")),
    (r"health|resource|score|counter|cost|consequence|rule", ("M.consequence", "V.status", "V.telling")),
    (r"level|stage|floor|wave|board|scenario|progress|title|screen|journey|place", ("D.turns", "D.views")),
    (r"variety|distinct|different|types?|enem|card|item|device|threat", ("D.material", "D.views")),
    (r"name|explain|describ|rule|page|message", ("D.sayings", "V.telling")),
    (r"text|label|legib|readab|contrast", ("V.legible",)),
    (r"overlap|clipp|cut off|crowd|stable|layout", ("V.tidy",)),
    (r"feedback|flash|highlight|respon|answer", ("V.feedback",)),
    (r"hud|status|objective|meter|bar|state|glance", ("V.status", "V.telling")),
    (r"coheren|direction|palette|style|asset|sprite|illustrat|art\b|drawing", ("A.art", "A.drawing")),
    (r"widget|panel|button|menu|theme|typ|font|letter|interface", ("A.styled",)),
    (r"animat|motion|particle|tween|alive|living|polish|movement", ("A.motion",)),
    (r"background|depth|detail|colou?r|light|world", ("A.richness", "A.art")),
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
        # Mechanics and content only: what the others ask for (colours, panels, light) holds for any game.
        asked = set().union(*(stems(item.description) for item in rubric.requirements if item.category in "MD"))
        return tuple(
            _judge_demo(rubric, demo.name, sight, asked) for demo, sight in zip(demos, look_at(demos), strict=True)
        )


def _judge_demo(rubric: Rubric, demo: str, sight: Sight, asked: set[str]) -> DemoJudgement:
    measures = {name: take(sight) for name, take in MEASURES.items()}
    common = in_common(asked, sight.whole.vocabulary)
    factors = category_factors(measures, fitting(common), sight.visible, sight.played)
    items = {item.id: _item(item, measures, factors, sight, common) for item in rubric.requirements}
    numbers = {name: round(found.value, 4) for name, found in measures.items()}
    numbers |= {
        "words in common": round(common, 4),
        "visible": round(sight.visible, 4),
        "played": round(sight.played, 4),
    }
    return DemoJudgement(demo, items, numbers)


def category_factors(measures: dict[str, Measure], fit: float, visible: float, played: float) -> dict[str, float]:
    """What holds for a whole category, whatever its items ask for.

    `fit`: 0 another game, 1 the one asked for. `played`: 0 a film, 1 a game.
    """
    right_game = _between(STRANGER, fit) * _between(FILM, played)
    return {
        "M": visible * right_game,
        "D": visible * right_game * _between(STILL, measures["D.going"].value),
        "V": visible,
        "A": visible
        * _between(DEFAULT_LOOK, measures["A.styled"].value)
        * _between(FLAT_SHAPES, measures["A.drawing"].value),
    }


def _between(low: float, place: float) -> float:
    return low + (1 - low) * place


def _item(
    item: Requirement, measures: dict[str, Measure], factors: dict[str, float], sight: Sight, common: float
) -> ItemScore:
    own = {name: found for name, found in measures.items() if name[0] == item.category}
    weights = {name: ASKED_FOR if name in _asked_for(item) else 1.0 for name in own}
    value = sum(own[name].value * weights[name] for name in own) / sum(weights.values()) * factors[item.category]
    ranked = sorted(own, key=lambda name: (-weights[name], own[name].value))
    says = "; ".join(own[name].says for name in ranked[:2])
    if item.category in "MD":
        used = stems(item.description) & sight.whole.vocabulary.keys()
        value *= _between(SILENT_ITEM, saturating(len(used), 8))
        varied = sight.counterfactual.varied
        if sight.played < 0.5 and varied is not None:
            says = f"it goes on much alike when inputs are left out or late: {varied.describe()}; {says}"
        if fitting(common) < 0.5:
            says = f"the game speaks of something else ({common:.0%} of its words are the rubric's); {says}"
    if sight.visible < 0.5:
        says = f"there is nothing to see in {1 - sight.visible:.0%} of the pictures; {says}"
    if not sight.complete:
        value *= CUT_SHORT
        says = f"the demo ended early ({sight.ended}); {says}"
    return ItemScore(round(min(max(value, 0.0), 1.0), 4), f"proxy: {says}")


def _asked_for(item: Requirement) -> set[str]:
    """What an item is about stands before its grades; those name half of everything."""
    about = re.split(r"\bscore\b", item.description, maxsplit=1, flags=re.I)[0].strip() or item.description
    return {name for words, names in _WORDS if re.search(rf"\b({words})", about, re.I) for name in names}
