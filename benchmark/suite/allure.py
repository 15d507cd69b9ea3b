"""Allure's view of a trial: scores, video, frame strip, and each rubric item as a step. Nothing where Allure is off."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol

import pytest

from benchmark.redaction import redact
from benchmark.tracks import Attachment, track_of

if TYPE_CHECKING:
    from benchmark.running import Check, StoredTrial, Trial

    Done = Trial | StoredTrial

_INSTRUCTION = Attachment("instruction.md", "what was asked", "text/plain", "md")


class Steps(Protocol):
    """What the test tells whoever shows it."""

    def show(self, trial: "Done") -> None: ...

    def check(self, check: "Check") -> AbstractContextManager[None]: ...


class NoSteps:
    """Allure is not asked for."""

    def show(self, trial: "Done") -> None:
        pass

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
        track = track_of(record.track)
        track.show_in_allure(trial)
        for file in (_INSTRUCTION, *track.attachments):
            if (trial.folder / file.name).is_file() and (trial.folder / file.name).stat().st_size:
                allure.attach.file(str(trial.folder / file.name), file.title, file.mime, file.ending)
        if record.reason:
            allure.attach(redact(record.reason), "reason", allure.attachment_type.TEXT)

    @contextmanager
    def check(self, check: "Check") -> Iterator[None]:
        import allure

        said = f"{check.name} {check.score:.2f}{f' — {check.reason}' if check.reason else ''}"
        with allure.step(check.title or said):
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
