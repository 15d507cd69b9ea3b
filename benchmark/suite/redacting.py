"""The doors of pytest: what a report or an Allure result says leaves the process without secrets."""

from typing import Any

import pytest

from benchmark.redaction import redact


def redact_report(report: pytest.TestReport | pytest.CollectReport) -> None:
    """In place, before a terminal, JUnit or another process gets it."""
    if report.longrepr is not None and (said := str(report.longrepr)) != (kept := redact(said)):
        report.longrepr = kept
    report.sections[:] = [(name, redact(text)) for name, text in report.sections]
    if isinstance(report, pytest.TestReport):
        report.user_properties[:] = [
            (name, redact(value) if isinstance(value, str) else value) for name, value in report.user_properties
        ]


def redact_allure() -> None:
    """Allure takes messages from exceptions, steps and titles itself: its results are redacted as they are written."""
    import allure_commons

    class Redaction:
        @allure_commons.hookimpl(tryfirst=True)
        def report_result(self, result: Any) -> None:
            _redact_fields(result)

        @allure_commons.hookimpl(tryfirst=True)
        def report_container(self, container: Any) -> None:
            _redact_fields(container)

    name = "gamecraft-redaction"
    if not allure_commons.plugin_manager.has_plugin(name):
        allure_commons.plugin_manager.register(Redaction(), name)


def _redact_fields(item: Any) -> None:
    for name, value in list(vars(item).items()):
        if isinstance(value, str):
            setattr(item, name, redact(value))
        for part in value if isinstance(value, list) else [value]:
            if hasattr(part, "__dict__") and not isinstance(part, str):
                _redact_fields(part)
