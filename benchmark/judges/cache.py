"""Judgements are kept by evidence, rubric and judge: the same question is never asked twice."""

import contextlib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmark.craft.rubric import Rubric
from benchmark.files import write_json
from benchmark.judges.protocol import DemoEvidence, DemoJudgement, ItemScore, Judge
from benchmark.paths import cache_root


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
    path = cache_file(judge.name, judge.version, question(rubric, demos), repeat)
    if not fresh:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            return tuple(from_json(entry) for entry in json.loads(path.read_text(encoding="utf-8")))
    judgements = judge.judge(rubric, demos, log, repeat)
    write_json(path, [asdict(judgement) for judgement in judgements])
    return judgements


def question(rubric: Rubric, demos: Sequence[DemoEvidence]) -> str:
    """Names what is to be judged, whoever judges it. Evidence names project, inputs and how it was recorded."""
    seen = [[demo.name, demo.evidence.digest] for demo in demos]
    return hashlib.sha256(json.dumps([rubric.digest, seen]).encode()).hexdigest()[:40]


def cache_file(judge: str, version: str, asked: str, repeat: int = 1) -> Path:
    """Where the answer of a judge to a question is kept."""
    key = hashlib.sha256(json.dumps([judge, version, asked, repeat]).encode()).hexdigest()[:40]
    return cache_root() / "judgements" / f"{key}.json"


def from_json(data: Any) -> DemoJudgement:
    """The inverse of `asdict`. Raises KeyError or TypeError for what is no judgement, ValueError for no score."""
    items = {str(name): ItemScore(float(item["score"]), str(item["reason"])) for name, item in data["items"].items()}
    if not all(0.0 <= item.score <= 1.0 for item in items.values()):
        raise ValueError("a score outside 0–1")
    return DemoJudgement(str(data["demo"]), items, dict(data["numbers"]), float(data["cost_usd"]))
