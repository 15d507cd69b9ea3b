"""Judgements are kept by evidence, rubric and judge: the same question is never asked twice."""

import contextlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmark.cache import key_of, place, recalled
from benchmark.checked import Fields
from benchmark.craft.judging.protocol import DemoEvidence, DemoJudgement, ItemScore, Judge
from benchmark.craft.rubric import Rubric
from benchmark.errors import InfrastructureError
from benchmark.files import write_json
from benchmark.replay.counterfactual import lacks_varied_run
from benchmark.trials import one_line


def judge_once(
    judge: Judge,
    rubric: Rubric,
    demos: Sequence[DemoEvidence],
    *,
    repeat: int = 1,
    fresh: bool = False,
    log: Path | None = None,
) -> tuple[DemoJudgement, ...]:
    """What the judge said of this very evidence before, the first time it was asked or the `repeat`-th, or says now."""
    asked = question(rubric, demos)
    if judge.needs_untouched and any(lacks_varied_run(demo.folder) for demo in demos):
        asked += " without varied runs"  # older evidence: the same pictures, but less to compare them with
    path = cache_file(judge.name, judge.version, asked, repeat)
    if not fresh:
        with contextlib.suppress(ValueError):
            return _whole(from_json_list(recalled(path)), rubric, demos)
    try:
        judgements = _whole(judge.judge(rubric, demos, log, repeat), rubric, demos)
    except ValueError as error:
        raise InfrastructureError(f"{judge.name}: {error}") from error
    write_json(path, [asdict(judgement) for judgement in judgements])
    return judgements


def question(rubric: Rubric, demos: Sequence[DemoEvidence]) -> str:
    """Names what is to be judged, whoever judges it. Evidence names project, inputs and how it was recorded."""
    seen = [[demo.name, demo.evidence.digest] for demo in demos]
    return key_of([rubric.digest, seen])


def cache_file(judge: str, version: str, asked: str, repeat: int = 1) -> Path:
    """Where the answer of a judge to a question is kept."""
    return place("judgements", f"{key_of([judge, version, asked, repeat])}.json")


def _whole(
    judgements: tuple[DemoJudgement, ...], rubric: Rubric, demos: Sequence[DemoEvidence]
) -> tuple[DemoJudgement, ...]:
    """Every demo and every item, and nothing else. Raises ValueError."""
    if [one.demo for one in judgements] != [demo.name for demo in demos]:
        raise ValueError("the judgement is of other demos")
    for one in judgements:
        if odd := set(one.items) ^ set(rubric.ids):
            raise ValueError(f"{one.demo}: the judgement is of other items: {one_line(', '.join(sorted(odd)), 200)}")
        for name, item in one.items.items():
            _number(item.score, f"the score of {name}", 0.0, 1.0)
    return judgements


def from_json(data: Any) -> DemoJudgement:
    """The inverse of `asdict`. Raises ValueError for whatever is no judgement."""
    return _judgement(Fields.of(data))


def _judgement(given: Fields) -> DemoJudgement:
    for key in ("items", "numbers"):
        if not given.has(key):
            raise ValueError(f"{key} is missing")
    demo = _encodable(given.text("demo"))
    if demo in ("", ".", "..") or not {"/", "\0"}.isdisjoint(demo):  # a file is named after it
        raise ValueError(f"{one_line(demo, 80)!r} is no name of a demo")
    return DemoJudgement(
        demo=demo,
        items={
            _encodable(name): ItemScore(item.share("score"), _encodable(item.text("reason")))
            for name, item in given.named_objects("items").items()
        },
        numbers={_encodable(name): value for name, value in given.measures("numbers").items()},
        cost_usd=given.amount("cost_usd"),
    )


def from_json_list(data: Any) -> tuple[DemoJudgement, ...]:
    """Of all demos. Raises ValueError."""
    if not isinstance(data, list):
        raise ValueError("a list of judgements is needed")
    return tuple(map(from_json, data))


def judgements_of(given: Fields, key: str) -> tuple[DemoJudgement, ...]:
    """The same, as a field of something else."""
    if not given.has(key):
        raise ValueError(f"{key} is missing")
    return tuple(map(_judgement, given.objects(key)))


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")  # half of a surrogate pair is no text


def _number(value: Any, what: str, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:  # nor NaN
        raise ValueError(f"{what} is no number from {least:g} to {most:g}: {str(value)[:40]}")
    return float(value)
