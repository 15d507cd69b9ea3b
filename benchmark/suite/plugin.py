"""The pytest plugin: hooks only. What they do is in the modules beside it."""

from collections.abc import Generator
from typing import Any

import pytest

from benchmark.cache import trim_now_and_then
from benchmark.errors import BenchmarkError
from benchmark.suite import collection, places
from benchmark.suite.exitcode import exit_code
from benchmark.suite.fixtures import fixture_modules
from benchmark.suite.options import add_options
from benchmark.suite.orphans import end_with
from benchmark.suite.recorder import RECORDER, Recorder
from benchmark.suite.redacting import redact_allure, redact_report
from benchmark.suite.reporting import VIEW, View
from benchmark.suite.session import INPUT, KEY, RECORD_KEY, remember_seconds, start_session


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


@pytest.hookimpl(wrapper=True, tryfirst=True)  # before output and input are captured
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Generator[None, None, None]:
    places.reconsider(early_config, parser, args)
    yield


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    line = config.stash.get(places.AGAIN, None)
    return None if line is None else places.start_anew(config, line)


def pytest_configure(config: pytest.Config) -> None:
    for name in collection.markers():
        config.addinivalue_line("markers", f"{name}: trials of this track, family or difficulty")
    try:
        config.stash[KEY] = start_session(config)
    except BenchmarkError as error:
        raise pytest.UsageError(str(error)) from error
    for name, module in fixture_modules():
        config.pluginmanager.register(module, name)
    if getattr(config.option, "maxschedchunk", 0) is None:
        config.option.maxschedchunk = 1  # trials take minutes: no worker should hoard them
    if config.getoption("allure_report_dir", None):
        redact_allure()
    if not config.stash[KEY].is_worker:
        view = View(config)
        config.pluginmanager.register(view, VIEW)
        config.pluginmanager.register(view.recorder, RECORDER)


@pytest.hookimpl(tryfirst=True)  # before xdist starts its workers
def pytest_sessionstart(session: pytest.Session) -> None:
    here = session.config.stash[KEY]
    if here.parent is not None:
        end_with(here.parent)
    try:
        here.begin(only_listing=session.config.option.collectonly)
    except BenchmarkError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_unconfigure(config: pytest.Config) -> None:
    if (here := config.stash.get(KEY, None)) is not None:
        here.store.close()


def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> list[pytest.Item] | None:
    """Without trials there is nothing to collect; pytest would make an item `test_trial[NOTSET]` of it."""
    if name != collection.TEST or not getattr(obj, "__module__", "").startswith("benchmark."):
        return None
    return None if _specs(collector.config) else []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "trial" in metafunc.fixturenames and metafunc.function.__name__ == collection.TEST:
        metafunc.parametrize("trial", collection.as_parameters(_specs(metafunc.config)))


def _specs(config: pytest.Config) -> tuple[collection.TrialSpec, ...]:
    here = config.stash[KEY]
    here.met = True
    try:
        return here.specs
    except BenchmarkError as error:
        raise pytest.Collector.CollectError(str(error)) from None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    here = config.stash[KEY]
    unknown = [item for item in items if (spec := collection.trial_of(item)) and not here.wants(spec)]
    if unknown:
        dropped = set(map(id, unknown))
        items[:] = [item for item in items if id(item) not in dropped]
        config.hook.pytest_deselected(items=unknown)
        here.passed_over = len(unknown)
    if here.is_worker:
        # What is settled is told in a moment: the best companion for what takes long.
        seconds = here.seconds | dict.fromkeys(here.resumed.settled, 0.0)
        collection.order_for_workers(items, seconds, here.parallel)


@pytest.hookimpl(wrapper=True, trylast=True)  # innermost: Allure wraps it too, and reads the report
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    redact_report(report)
    if call.when == "call" and (line := item.stash.get(RECORD_KEY, None)):
        report.gamecraft_record = line  # travels with the report from worker to controller
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    redact_report(report)  # again: a subtest adds what it captured


@pytest.hookimpl(tryfirst=True)
def pytest_collectreport(report: pytest.CollectReport) -> None:
    redact_report(report)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    here = session.config.stash[KEY]
    if here.is_worker:
        output: dict[str, Any] = session.config.workeroutput  # type: ignore[attr-defined]
        output |= {"gamecraft_passed_over": here.passed_over, "gamecraft_met": here.met}
    else:
        session.exitstatus = exit_code(here, exitstatus)
        if here.opened:
            trim_now_and_then()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """xdist is about to start a worker: tell it what the controller decided."""
    here = node.config.stash[KEY]
    if not here.seconds:
        remember_seconds(here)
    spec = node.gateway.spec  # of another interpreter, or on another machine, a worker is not our own child
    node.workerinput[INPUT] = here.to_workers(are_children=bool(spec.popen and not spec.python and not spec.via))


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem: str, report: Any, sched: Any) -> None:
    """A worker died. Its trial is void; it is tried once more where the scheduler can do that."""
    recorder: Recorder = report.node.config.pluginmanager.get_plugin(RECORDER)
    recorder.worker_died(crashitem, report, sched)
