"""Allure's view of a trial: scores, video, frame strip, and each rubric item as a step. Nothing where Allure is off."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol

import pytest

from benchmark.craft.rubric import CATEGORIES, Requirement
from benchmark.trials import TrialRecord

if TYPE_CHECKING:
    from benchmark.craft.trial import CraftTrial


class Steps(Protocol):
    """What the test tells whoever shows it."""

    def show(self, trial: "CraftTrial") -> None: ...

    def build(self, record: TrialRecord) -> AbstractContextManager[None]: ...

    def item(self, item: Requirement, score: float, trial: "CraftTrial") -> AbstractContextManager[None]: ...


class NoSteps:
    """Allure is not asked for."""

    def show(self, trial: "CraftTrial") -> None:
        pass

    def build(self, record: TrialRecord) -> AbstractContextManager[None]:
        return nullcontext()

    def item(self, item: Requirement, score: float, trial: "CraftTrial") -> AbstractContextManager[None]:
        return nullcontext()


class AllureSteps:
    """Writes through allure-pytest, which ignores subtests: hence a step for each item."""

    def show(self, trial: "CraftTrial") -> None:
        import allure

        record = trial.record
        assert record is not None
        number = f"{record.score:.3f}" if record.score is not None else "void"
        allure.dynamic.title(f"{trial.id.label}: {number}{' (proxy)' if record.proxy and record.scored else ''}")
        allure.dynamic.parent_suite(trial.task.track)
        allure.dynamic.suite(trial.task.family)
        allure.dynamic.sub_suite(trial.task.slug)
        allure.dynamic.label("agent", trial.id.agent)
        allure.dynamic.description(_description(trial))
        if record.categories:
            with allure.step("scores: " + ", ".join(f"{key} {value:.2f}" for key, value in record.categories.items())):
                for letter, value in record.categories.items():
                    with allure.step(f"{CATEGORIES[letter][0]}: {value:.3f}"):
                        pass
        for demo in trial.evidence:
            self._demo(trial, demo.name)
        if record.reason:
            allure.attach(record.reason, "reason", allure.attachment_type.TEXT)

    def _demo(self, trial: "CraftTrial", name: str) -> None:
        import allure

        from benchmark.results.strips import draw_strip

        demo = next(demo for demo in trial.evidence if demo.name == name)
        outcome = demo.evidence.outcome
        with allure.step(f"demo {name}: {outcome.kind}"):
            if demo.evidence.video:
                allure.attach.file(
                    str(demo.folder / demo.evidence.video.file), f"{name}.mp4", allure.attachment_type.MP4
                )
            strip = trial.folder / "strips" / f"{name}.jpg"
            if draw_strip(demo.folder, demo.evidence, strip):
                allure.attach.file(str(strip), f"{name}, frames", "image/jpeg", "jpg")
            errors = [f"{m.where}: {m.text}" for m in demo.evidence.messages if m.severity == "error"]
            if errors:
                allure.attach("\n".join(errors), "engine errors", allure.attachment_type.TEXT)

    @contextmanager
    def build(self, record: TrialRecord) -> Iterator[None]:
        import allure

        with allure.step(f"BUILD {record.build}{f': {record.reason}' if record.reason else ''}"):
            yield

    @contextmanager
    def item(self, item: Requirement, score: float, trial: "CraftTrial") -> Iterator[None]:
        import allure

        with allure.step(f"{item.id} {score:.2f} — {trial.reason_for(item.id)}"):
            for judgement in trial.judgements:
                said = judgement.items[item.id]
                with allure.step(f"{judgement.demo}: {said.score:.2f} — {said.reason}"):
                    pass
            yield


def _description(trial: "CraftTrial") -> str:
    record = trial.record
    assert record is not None
    lines = [f"agent `{trial.id.agent}`, attempt {trial.id.attempt}, judge `{record.judge}`"]
    if record.proxy:
        lines.append("The offline judge's numbers are a *proxy*.")
    lines += [f"{name}: {value}" for name, value in record.versions.items()]
    return "\n\n".join(lines)


def make_steps(config: pytest.Config) -> Steps:
    """By whether `--alluredir` was given."""
    return AllureSteps() if config.getoption("allure_report_dir", None) else NoSteps()
