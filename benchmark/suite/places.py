"""Option values that pytest takes for test folders.

pytest looks for its settings before it loads plugins: of `--tasks DIR` it knows only DIR, takes it for a folder of
tests, and uses the settings, search path and conftest of whatever repository DIR lies in. No hook comes before that.
So once all options are known we read the command line again, and where such a value was misread, start pytest anew
with `--tasks=DIR`, which cannot be misread.
"""

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmark.suite.options import GROUP

_ADDOPTS = "PYTEST_ADDOPTS"
_ALLURE = "--alluredir"  # misread the same way, and part of many of our command lines
_MADE = ("--run", "--runs-dir", _ALLURE)  # not there yet, perhaps, but when a worker reads the same line


@dataclass(frozen=True)
class CommandLine:
    """What pytest is started with."""

    args: tuple[str, ...]
    addopts: tuple[str, ...]  # from the environment; workers read them too


AGAIN = pytest.StashKey[CommandLine]()


def reconsider(config: pytest.Config, parser: pytest.Parser, args: list[str], tests: tuple[str, ...] = ()) -> bool:
    """Called when all options are known. Says whether it misread, and leaves `config` with nothing to do if so.

    `tests` are those that are meant where the line names none: their conftest has to be loaded first of all, too.
    """
    given = CommandLine(tuple(config.invocation_params.args), tuple(shlex.split(os.environ.get(_ADDOPTS, ""))))
    plain = CommandLine((*tests, *joined(given.args, parser)), joined(given.addopts, parser))
    misread = plain != given
    if misread:
        config.stash[AGAIN] = plain
        args.clear()
        config.known_args_namespace.noconftest = True
        config.known_args_namespace.capture = "no"  # else --pdb would have no input in the run that follows
    return misread


def start_anew(config: pytest.Config, line: CommandLine) -> int:
    """The run that was meant, in this process: whoever called `pytest.main` gets its exit code."""
    for path in map(str, config.getini("pythonpath")):
        if path in sys.path:
            sys.path.remove(path)
    given = os.environ.get(_ADDOPTS)
    if given is not None:
        os.environ[_ADDOPTS] = shlex.join(line.addopts)
    try:
        return int(pytest.main(list(line.args), config.invocation_params.plugins))
    finally:
        if given is not None:
            os.environ[_ADDOPTS] = given


def joined(args: Sequence[str], parser: pytest.Parser) -> tuple[str, ...]:
    """With `--option=VALUE` for each of our `--option VALUE` whose value is a path that exists, or soon will.

    Whether a word is a value at all is asked of the parser: it must read the line the same way as before.
    """
    ours = {name for option in parser.getgroup(GROUP).options for name in option.names()} | {_ALLURE}
    words = list(args)
    place = 0
    while place + 1 < len(words) and words[place] != "--":
        option, value = words[place], words[place + 1]
        if option in ours and (option in _MADE or _exists(value)):
            attempt = [*words[:place], f"{option}={value}", *words[place + 2 :]]
            if _same(parser, words, attempt):
                words = attempt
        place += 1
    return tuple(words)


def _exists(value: str) -> bool:
    try:
        return Path(value).exists()
    except (OSError, ValueError):  # an agent's command may be longer than any name
        return False


def _same(parser: pytest.Parser, one: list[str], other: list[str]) -> bool:
    try:
        return parser.parse_known_args(one) == parser.parse_known_args(other)
    except pytest.UsageError:  # a flag that takes no value; or a wrong line, of which pytest tells the user itself
        return False
