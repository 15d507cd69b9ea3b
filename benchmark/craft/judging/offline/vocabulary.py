"""Does the game speak of what the rubric asks for? A weak signal: a handful of words, which a hostile game can fake."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from benchmark.craft.judging.offline.statelog import Look
from benchmark.limits import MAX_TOML_BYTES
from benchmark.untrusted import read_toml

# How much one word tells. What stands on the screen was written for this game; images often come from a library.
_SAID, _SCRIPT, _IMAGE = 1.0, 0.5, 0.25
_PRIOR, _PRIOR_WEIGHT = 0.35, 1.5  # a game of few words is taken for the right one
_STRANGE, _FITTING = 0.10, 0.25  # share of words in common: other games have up to 0.16, the right one 0.28 and more
_ENDINGS = ("ings", "ing", "ied", "ies", "ed", "es", "s", "ly", "er", "y", "e")


def stems(text: str) -> set[str]:
    """The words of a text or of a name (`meteorGrey_big1`) that say what a game is about, without their endings."""
    apart = re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower()
    return {stem(word) for word in re.findall(r"[a-z]{3,}", apart)} - _common()


def stem(word: str) -> str:
    """Crude, and the same for both sides."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


@cache
def _common() -> frozenset[str]:
    lists = read_toml(Path(__file__).with_name("common_words.toml"), MAX_TOML_BYTES)
    return frozenset(stem(word) for words in lists.values() for word in words.split())


def vocabulary(demos: Sequence[list[Look]]) -> dict[str, float]:
    """What all demos of a trial say, word by word; a word that stands there throughout weighs more."""
    looks = [look for demo in demos for look in demo]
    words: dict[str, float] = {}
    for weight, found in (
        (_IMAGE, [look.images for look in looks]),
        (_SCRIPT, [frozenset(name for look in looks for name in look.scripts)]),
        (_SAID, [frozenset(look.visible_texts) for look in looks]),
    ):
        for word, share in _shares(found).items():
            words[word] = max(words.get(word, 0.0), weight * share**0.5)
    return words


def _shares(looks: Sequence[Iterable[str]]) -> dict[str, float]:
    counts: dict[str, int] = {}
    for names in looks:
        for word in {word for name in names for word in stems(name)}:
            counts[word] = counts.get(word, 0) + 1
    return {word: count / len(looks) for word, count in counts.items()}


def in_common(asked: set[str], words: dict[str, float]) -> float:
    """The share of the game's words that the rubric uses too."""
    shared = sum(weight for word, weight in words.items() if word in asked)
    return (shared + _PRIOR * _PRIOR_WEIGHT) / (sum(words.values()) + _PRIOR_WEIGHT)


def fitting(share: float) -> float:
    """0: another game, 1: as much in common as the right game has."""
    place = min(max((share - _STRANGE) / (_FITTING - _STRANGE), 0.0), 1.0)
    return place * place * (3 - 2 * place)
