"""A game in Allure: scores by category, and each demo with its video, its frames, and what the engine complained of."""

from typing import Any

import allure

from benchmark.craft.judging.protocol import DemoEvidence
from benchmark.craft.report.strips import draw_strip
from benchmark.craft.rubric import CATEGORIES
from benchmark.redaction import redact


def show(trial: Any) -> None:
    """Called for each trial that is told to Allure."""
    record = trial.record
    if record.categories:
        with allure.step("scores: " + ", ".join(f"{key} {value:.2f}" for key, value in record.categories.items())):
            for letter, value in record.categories.items():
                with allure.step(f"{CATEGORIES[letter][0]}: {value:.3f}"):
                    pass
    for demo in trial.evidence:
        _show_demo(trial, demo)


def _show_demo(trial: Any, demo: DemoEvidence) -> None:
    outcome = demo.evidence.outcome
    with allure.step(f"demo {demo.name}: {outcome.kind}"):
        if demo.evidence.video:
            allure.attach.file(
                str(demo.folder / demo.evidence.video.file), f"{demo.name}.mp4", allure.attachment_type.MP4
            )
        strip = trial.folder / "strips" / f"{demo.name}.jpg"
        if draw_strip(demo.folder, demo.evidence, strip):
            allure.attach.file(str(strip), f"{demo.name}, frames", "image/jpeg", "jpg")
        errors = [f"{m.where}: {m.text}" for m in demo.evidence.messages if m.severity == "error"]
        if errors:
            allure.attach(redact("\n".join(errors)), "engine errors", allure.attachment_type.TEXT)
