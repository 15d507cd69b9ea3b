"""Judgements are kept by evidence, rubric and judge: the same question is never asked twice."""

import contextlib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmark.craft.replay.evidence import read_evidence
from benchmark.craft.rubric import Rubric
from benchmark.files import write_json
from benchmark.judges.protocol import DemoEvidence, DemoJudgement, ItemScore, Judge
from benchmark.paths import cache_root


def judge_once(
    judge: Judge, rubric: Rubric, demos: Sequence[DemoEvidence], *, fresh: bool = False, log: Path | None = None
) -> tuple[DemoJudgement, ...]:
    """What the judge said of this very evidence before, or says now."""
    path = cache_root() / "judgements" / f"{_key(judge, rubric, demos)}.json"
    if not fresh:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            return tuple(from_json(entry) for entry in json.loads(path.read_text(encoding="utf-8")))
    judgements = judge.judge(rubric, demos, log)
    write_json(path, [asdict(judgement) for judgement in judgements])
    return judgements


def from_json(data: Any) -> DemoJudgement:
    """The inverse of `asdict`."""
    items = {name: ItemScore(**item) for name, item in data["items"].items()}
    return DemoJudgement(data["demo"], items, data["numbers"], data["cost_usd"])


def _key(judge: Judge, rubric: Rubric, demos: Sequence[DemoEvidence]) -> str:
    seen = [[demo.name, demo.evidence.digest, _untouched_digest(demo.untouched)] for demo in demos]
    parts = [judge.name, judge.version, rubric.digest, seen]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]


def _untouched_digest(folder: Path | None) -> str:
    return read_evidence(folder).digest if folder else ""
