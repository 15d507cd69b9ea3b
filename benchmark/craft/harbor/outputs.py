"""A verdict as files: the keys of the public verifier, so that dashboards and scripts read on, and ours beside them.

`reward.txt` comes last and whole: where it is, everything else is too.
"""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmark import __version__
from benchmark.craft.harbor.folder import (
    ATTEMPTS_FILE,
    BREAKDOWN_FILE,
    CTRF_FILE,
    JUDGE_LOG_FILE,
    REWARD_FILE,
    film_of,
)
from benchmark.craft.harbor.run import Reward
from benchmark.craft.judging.protocol import DemoEvidence
from benchmark.craft.rubric import BUILD
from benchmark.files import write_json, write_whole
from benchmark.jsonl import read_lines
from benchmark.replay.traces import FPS

PASS_MARK = 0.5  # of an item, for test runners that know only passed and failed


def write_verdict(verdict: Reward) -> None:
    """All files that exist only if there is a score."""
    output = verdict.request.output
    write_json(output / BREAKDOWN_FILE, breakdown(verdict))
    write_json(output / JUDGE_LOG_FILE, judge_log(verdict))
    write_json(output / CTRF_FILE, ctrf(verdict))
    write_whole(output / REWARD_FILE, f"{verdict.scores.score:.6f}\n")


def breakdown(verdict: Reward) -> dict[str, Any]:
    """The score, taken apart."""
    rubric, gate, scores = verdict.request.rubric, verdict.gate, verdict.scores
    return {
        "reward": scores.score,
        "formula": rubric.formula.text,
        # The public build check asks only whether the game comes up; BUILD is this and a trace to show it.
        "build_ok": gate.launches,
        "judge": _judge(verdict),
        "variables": {BUILD: float(scores.build), **scores.items},
        "requirements": [
            {**asdict(item), "aggregated": scores.items[item.id], "per_demo": _per_demo(verdict, item.id)}
            for item in rubric.requirements
        ],
        "demos": [_demo(verdict, demo) for demo in verdict.demos],
        "errors": list(verdict.errors),
        "proxy": verdict.opinion.proxy,
        "launches": gate.launches,
        "has_trace": gate.has_trace,
        "categories": scores.categories,
        "findings": [asdict(finding) for finding in gate.findings],
        "notes": list(verdict.request.notes),
        "sandboxed": verdict.sandboxed,
        "seconds": round(verdict.seconds, 3),
        "digests": {
            "project": gate.project.digest,
            "rubric": rubric.digest,
            "evidence": {demo.name: demo.evidence.digest for demo in verdict.demos},
        },
        "harness": __version__,
    }


def _judge(verdict: Reward) -> dict[str, Any]:
    opinion = verdict.opinion
    return {
        "name": opinion.judge,
        "model": opinion.judge.partition(":")[2] or opinion.judge,
        "version": opinion.version,
        "proxy": opinion.proxy,
        "cost_usd": opinion.cost_usd,
    }


def _per_demo(verdict: Reward, item: str) -> dict[str, float]:
    return {demo.demo: demo.items[item].score for demo in verdict.opinion.demos}


def _demo(verdict: Reward, demo: DemoEvidence) -> dict[str, Any]:
    evidence = demo.evidence
    return {
        "demo_id": demo.name,
        "trace": str(verdict.request.project / evidence.demo),
        "mp4": str(film_of(demo.folder)) if evidence.video else "",
        "duration_seconds": evidence.frames.expected / FPS,
        "frames": [str(demo.folder / still.file) for still in evidence.stills],
        "outcome": asdict(evidence.outcome),
        "digest": evidence.digest,
    }


def judge_log(verdict: Reward) -> list[dict[str, Any]]:
    """One entry for each demo and item. What the model wrote stands with the first item of a demo, as there."""
    attempts = _attempts(verdict.request.output / ATTEMPTS_FILE)
    rows = []
    for judgement in verdict.opinion.demos:
        own = [attempt for attempt in attempts if attempt.get("demo") == judgement.demo]
        raw = "\n".join(str(attempt["answer"]) for attempt in own if "answer" in attempt)
        latency = round(sum(float(attempt.get("seconds", 0.0)) for attempt in own), 3)
        for place, (name, item) in enumerate(judgement.items.items()):
            rows.append(
                {
                    "demo_id": judgement.demo,
                    "requirement_id": name,
                    "score": item.score,
                    "rationale": item.reason,
                    "raw": raw if place == 0 else "",
                    "latency_seconds": latency,
                }
            )
    return rows


def _attempts(path: Path) -> list[dict[str, Any]]:
    """None if the judge asks nobody, or had said it before."""
    return [line.object() or {} for line in read_lines(path)] if path.exists() else []


def ctrf(verdict: Reward) -> dict[str, Any]:
    """The build check and every item as a test, in the Common Test Report Format."""
    tests = [_test("build_check", verdict.gate.launches)]
    for item in verdict.request.rubric.requirements:
        score = verdict.scores.items[item.id]
        test = _test(f"requirement::{item.id}", score >= PASS_MARK)
        extra = {"aggregated": score, "per_demo": _per_demo(verdict, item.id)}
        tests.append({**test, "message": item.description, "extra": extra})
    return {
        "results": {
            "tool": {"name": "gamecraft-bench", "version": __version__},
            "summary": _summary(verdict, [test["status"] for test in tests]),
            "tests": tests,
            "extra": {
                "reward": verdict.scores.score,
                "formula": verdict.request.rubric.formula.text,
                "judge": _judge(verdict),
                "errors": list(verdict.errors),
                "proxy": verdict.opinion.proxy,
            },
        }
    }


def _test(name: str, passed: bool) -> dict[str, Any]:
    status = "passed" if passed else "failed"
    return {"name": name, "status": status, "duration": 0, "rawStatus": status}


def _summary(verdict: Reward, statuses: Iterable[str]) -> dict[str, int]:
    found = list(statuses)
    return {
        "tests": len(found),
        "passed": found.count("passed"),
        "failed": found.count("failed"),
        "pending": 0,
        "skipped": 0,
        "other": 0,
        "start": round(verdict.began * 1000),
        "stop": round((verdict.began + verdict.seconds) * 1000),
    }
