"""Allure's view of a trial: scores, video, frame strip, and each rubric item as a step. Nothing where Allure is off."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, NamedTuple, Protocol

import pytest

from benchmark.craft.rubric import CATEGORIES
from benchmark.trials import TrialRecord

if TYPE_CHECKING:
    from benchmark.judges.protocol import DemoEvidence
    from benchmark.running import Check, StoredTrial, Trial

    Done = Trial | StoredTrial


class _File(NamedTuple):
    """Something a track leaves in the trial's folder that people want to see."""

    name: str
    title: str
    mime: str
    ending: str


_FILES = (
    _File("instruction.md", "what was asked", "text/plain", "md"),
    _File("picture.png", "picture", "image/png", "png"),
    _File("changes.diff", "what the agent changed", "text/plain", "diff"),
    _File("test.log", "log of the test", "text/plain", "txt"),
)


class Steps(Protocol):
    """What the test tells whoever shows it."""

    def show(self, trial: "Done") -> None: ...

    def build(self, record: TrialRecord) -> AbstractContextManager[None]: ...

    def check(self, check: "Check") -> AbstractContextManager[None]: ...


class NoSteps:
    """Allure is not asked for."""

    def show(self, trial: "Done") -> None:
        pass

    def build(self, record: TrialRecord) -> AbstractContextManager[None]:
        return nullcontext()

    def check(self, check: "Check") -> AbstractContextManager[None]:
        return nullcontext()


class AllureSteps:
    """Writes through allure-pytest, which ignores subtests: hence a step for each item."""

    def show(self, trial: "Done") -> None:
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
        for demo in getattr(trial, "evidence", ()):
            self._demo(trial, demo)
        for file in _FILES:
            if (trial.folder / file.name).is_file() and (trial.folder / file.name).stat().st_size:
                allure.attach.file(str(trial.folder / file.name), file.title, file.mime, file.ending)
        if record.reason:
            allure.attach(record.reason, "reason", allure.attachment_type.TEXT)

    def _demo(self, trial: "Done", demo: "DemoEvidence") -> None:
        import allure

        from benchmark.results.strips import draw_strip

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
                allure.attach("\n".join(errors), "engine errors", allure.attachment_type.TEXT)

    @contextmanager
    def build(self, record: TrialRecord) -> Iterator[None]:
        import allure

        with allure.step("BUILD 1" if record.build else f"BUILD 0: {record.reason}"):
            yield

    @contextmanager
    def check(self, check: "Check") -> Iterator[None]:
        import allure

        with allure.step(f"{check.name} {check.score:.2f}{f' — {check.reason}' if check.reason else ''}"):
            for detail in check.details:
                with allure.step(detail):
                    pass
            yield


def _description(trial: "Done") -> str:
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
