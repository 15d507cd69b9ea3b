"""What pytest loads in every environment that has us, whatever it is about. Elsewhere it does nothing.

Our options have general names: another project may have a `--run` or an `--agent` of its own. So options, markers,
fixtures and hooks of the suite come only where the suite is asked for: pytest is started in our repository, its command
line or its `testpaths` name the suite, a conftest.py loads `benchmark.suite.plugin`, or an option of ours is given that
nobody else has. Who gives such an option and names no tests means the suite, wherever he is.
"""

import argparse
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from benchmark.bundled import repository
from benchmark.errors import BenchmarkError

PLUGIN = "benchmark.suite.plugin"
SUITE = Path(__file__).parent
_PYARGS = "benchmark.suite"
_TEST = "test_trial"


@pytest.hookimpl(wrapper=True, tryfirst=True)  # before output and input are captured
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Generator[None, None, None]:
    plugins = early_config.pluginmanager
    if not (was_there := plugins.has_plugin(PLUGIN)) and _is_named(early_config):
        _bring(early_config, parser, args)
        was_there = True
    try:
        yield
    except Exception as error:
        if was_there and (taken := _taken(error)):
            raise _collision(taken) from error
        # Or it is a conftest.py where `--tasks DIR` was misread, which has nothing to do with us.
        if was_there or not _has_our_option(early_config, parser, args):
            raise
        if not _bring(early_config, parser, args, for_option=True):
            raise
        return
    if plugins.has_plugin(PLUGIN):
        if not was_there:  # by a conftest, too late for its own hook
            _reconsider(early_config, parser, args)
    elif _has_our_option(early_config, parser, args):
        _bring(early_config, parser, args, for_option=True)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> None:
    """A module that imports our test, where nobody asked for what the test needs."""
    ours = name == _TEST and getattr(obj, "__module__", "").startswith(f"{_PYARGS}.")
    if ours and not collector.config.pluginmanager.has_plugin(PLUGIN):
        raise collector.CollectError(
            f"{_TEST} is a test of GameCraft-Bench, whose plugin is not loaded here\n"
            f'  next: put pytest_plugins = ["{PLUGIN}"] into conftest.py, or run pytest --pyargs {_PYARGS}'
        )


def _is_named(config: pytest.Config) -> bool:
    here, top = Path(config.invocation_params.dir), repository()
    if top is not None and here.is_relative_to(top):
        return True
    given = config.known_args_namespace
    return any(_names_suite(word, here, given.pyargs) for word in given.file_or_dir or config.getini("testpaths"))


def _names_suite(word: str, here: Path, pyargs: bool) -> bool:
    name = word.partition("::")[0]
    if pyargs and (name == _PYARGS or name.startswith(f"{_PYARGS}.")):
        return True
    try:
        return (here / name).resolve().is_relative_to(SUITE)
    except (OSError, ValueError, RuntimeError):  # no path: the value of an option of somebody else
        return False


def _has_our_option(config: pytest.Config, parser: pytest.Parser, args: list[str]) -> bool:
    """Whether the line holds an option of ours that no one else knows: without us it would be refused."""
    unknown = parser.parse_known_and_unknown_args(args)[1]
    if not any(word.startswith("--") for word in unknown):
        return False
    ours = set(_option_names())
    return any(word.partition("=")[0] in ours for word in unknown)


def _option_names() -> Iterator[str]:
    from benchmark.suite.options import add_to_group

    names: list[str] = []

    class Group:
        def addoption(self, *given: str, **_: object) -> None:
            names.extend(given)

    try:
        add_to_group(Group())
    except BenchmarkError as error:
        raise pytest.UsageError(str(error)) from error
    yield from names


def _bring(config: pytest.Config, parser: pytest.Parser, args: list[str], for_option: bool = False) -> bool:
    """Load the suite's plugin. Returns whether the line was misread, so that pytest starts anew."""
    try:
        config.pluginmanager.import_plugin(PLUGIN)
    except BenchmarkError as error:
        raise pytest.UsageError(str(error)) from error
    except (ValueError, argparse.ArgumentError) as error:
        if taken := _taken(error):
            raise _collision(taken) from error
        raise
    names_tests = not for_option or bool(parser.parse_known_args(args).file_or_dir)
    return _reconsider(config, parser, args, () if names_tests else (str(SUITE),))


def _reconsider(config: pytest.Config, parser: pytest.Parser, args: list[str], tests: tuple[str, ...] = ()) -> bool:
    from benchmark.suite.places import reconsider

    return reconsider(config, parser, args, tests)


def _taken(error: Exception) -> str:
    """The option of ours that pytest complains of; the words differ with what is the same: its name or its place."""
    said = str(error)
    if not isinstance(error, ValueError | argparse.ArgumentError) or not ("already" in said or "conflicting" in said):
        return ""
    words = {word.strip("',\"[](){}:;") for word in said.replace("/", " ").split()}
    return next((name for name in _option_names() if name in words or name.lstrip("-").replace("-", "_") in words), "")


def _collision(name: str) -> pytest.UsageError:
    return pytest.UsageError(
        f"{name}: GameCraft-Bench has an option of this name, and so has another plugin or a conftest.py here\n"
        "  next: leave that plugin out with -p no:NAME, or run the suite from a folder without that conftest.py"
    )
