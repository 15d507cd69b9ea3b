"""The pytest plugin: hooks only. What they do is in the modules beside it."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from benchmark.errors import BenchmarkError
from benchmark.suite import collection
from benchmark.suite.exitcode import exit_code
from benchmark.suite.options import add_options
from benchmark.suite.reporting import VIEW, View
from benchmark.suite.session import INPUT, KEY, RECORD_KEY, remember_seconds, start_session

SUITE = Path(__file__).with_name("test_benchmark.py")
REPOSITORY = Path(__file__).parents[2]


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    for name in collection.MARKERS:
        config.addinivalue_line("markers", f"{name}: trials of this track, family or difficulty")
    try:
        config.stash[KEY] = start_session(config)
    except BenchmarkError as error:
        raise pytest.UsageError(str(error)) from error
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    if not named and config.rootpath != REPOSITORY and config.invocation_params.dir == REPOSITORY:
        # pytest takes the value of `--tasks DIR` for a place to look for its settings: it found none, or a stranger's
        config.args = [str(SUITE)]
    if getattr(config.option, "maxschedchunk", 0) is None:
        config.option.maxschedchunk = 1  # trials take minutes: no worker should hoard them
    if not config.stash[KEY].is_worker:
        config.pluginmanager.register(View(config), VIEW)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "trial" in metafunc.fixturenames and metafunc.function.__name__ == "test_trial":
        try:
            specs = metafunc.config.stash[KEY].specs
        except BenchmarkError as error:
            raise pytest.Collector.CollectError(str(error)) from None
        metafunc.parametrize("trial", collection.as_parameters(specs))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    here = config.stash[KEY]
    settled = [item for item in items if (spec := collection.trial_of(item)) and not here.wants(spec)]
    if settled:
        dropped = set(map(id, settled))
        items[:] = [item for item in items if id(item) not in dropped]
        config.hook.pytest_deselected(items=settled)
        here.passed_over = len(settled)
    if here.is_worker:
        collection.order_for_workers(items, here.seconds, here.parallel)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    if call.when == "call" and (line := item.stash.get(RECORD_KEY, None)):
        report.gamecraft_record = line  # travels with the report from worker to controller
    return report


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    here = session.config.stash[KEY]
    if here.is_worker:
        session.config.workeroutput["gamecraft_passed_over"] = here.passed_over  # type: ignore[attr-defined]
    else:
        session.exitstatus = exit_code(here, exitstatus)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """xdist is about to start a worker: tell it what the controller decided."""
    here = node.config.stash[KEY]
    if not here.seconds:
        remember_seconds(here)
    node.workerinput[INPUT] = here.to_workers()


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem: str, report: Any, sched: Any) -> None:
    """A worker died. Its trial is void; it is tried once more where the scheduler can do that."""
    view: View = report.node.config.pluginmanager.get_plugin(VIEW)
    view.worker_died(crashitem, report, sched)
