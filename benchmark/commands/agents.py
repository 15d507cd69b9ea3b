"""`python -m benchmark agents`: which agents there are, what each needs, and bringing their programs here."""

import argparse
import contextlib
import subprocess
from collections.abc import Iterable
from pathlib import Path

from benchmark.agents.builtin import NopAgent, OracleAgent
from benchmark.agents.command import CommandAgent
from benchmark.agents.install import install
from benchmark.agents.profiles import BUILT_IN, parse_agent, profile_names
from benchmark.agents.program import ProgramAgent
from benchmark.agents.programs import Recipe, find_program, recipe_of, recipes
from benchmark.agents.protocol import Agent
from benchmark.errors import BenchmarkError, MissingRuntimeError, SetupError, UsageError, complain
from benchmark.progress import Progress
from benchmark.results.store import RUNS_ROOT, TRIALS_FILE, RunStore
from benchmark.text import fit, one_line
from benchmark.trials import TrialRecord

_COLUMNS = ("agent", "kind", "program", "version", "model", "key", "network", "last outcome")
_RUNS_LOOKED_AT = 20
_VERSION_SEC = 20.0
_WIDEST = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _add_runs(parser, RUNS_ROOT)
    parser.set_defaults(what="list", names=[])
    jobs = parser.add_subparsers(dest="what", metavar="list | install")
    listing = jobs.add_parser("list", help="which agents there are (the default)")
    listing.add_argument("names", nargs="*", metavar="NAME", help="only these, also NAME@MODEL")
    _add_runs(listing, argparse.SUPPRESS)  # where it stands before `list`, that counts
    bringing = jobs.add_parser("install", help="bring their programs here")
    bringing.add_argument("names", nargs="*", metavar="NAME", help="a kind or a profile")
    bringing.add_argument("--again", action="store_true", help="even if it is here")
    bringing.add_argument("-q", "--quiet", action="store_true", help="say nothing unless something fails")


def _add_runs(parser: argparse.ArgumentParser, default: Path | str) -> None:
    """Where the last outcomes are read from."""
    parser.add_argument(
        "--runs-dir", type=Path, default=default, metavar="DIR", help=f"where runs are (default: {RUNS_ROOT}/)"
    )


def run(options: argparse.Namespace) -> int:
    return _install(options) if options.what == "install" else _list(options)


def _install(options: argparse.Namespace) -> int:
    if not options.names:
        raise UsageError("agents install: which one?", fix=f"one of: {_known()}")
    progress, failed = Progress(quiet=options.quiet), 0
    for recipe in [_recipe(name) for name in options.names]:
        try:
            done = install(recipe, progress, again=options.again)
            words = "is installed" if done else "is there already"
            progress.say(f"{recipe.kind} {recipe.version} {words}: {recipe.folder}")
        except SetupError as error:  # the others may still be brought
            complain(error)
            failed = 1
    return failed


def _recipe(name: str) -> Recipe:
    """Of a kind or a profile, also with a model behind it."""
    if (recipe := recipe_of(name)) is not None:
        return recipe
    if name.partition("@")[0] not in profile_names():
        raise UsageError(f"agents install: {name!r} is no program that is known", fix=f"one of: {_known()}")
    agent = _agent(name)
    recipe = recipe_of(agent.kind) if isinstance(agent, ProgramAgent) else None
    if recipe is None:
        raise UsageError(f"there is no recipe for {name!r}", fix="name its program in its profile: program")
    return recipe


def _known() -> str:
    return ", ".join(f"{one.kind} {one.version}" for one in recipes())


def _list(options: argparse.Namespace) -> int:
    names = options.names or [*BUILT_IN, *profile_names()]
    rows: list[tuple[str, ...]] = [_COLUMNS]
    outcomes = last_outcomes(options.runs_dir)
    for name in names:
        try:
            rows.append(_row(_agent(name), outcomes))
        except UsageError as error:
            rows.append((name, "?", *[""] * (len(_COLUMNS) - 3), one_line(error.message, 2 * _WIDEST)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    print("\nkeys are read from the environment; their values are never shown. More: docs/agents.md")
    return 0


def _agent(name: str) -> Agent:
    """Some take no model but the one that is named."""
    try:
        return parse_agent(name)
    except UsageError:
        if "@" in name:
            raise
        return parse_agent(f"{name}@MODEL")


def _row(agent: Agent, outcomes: dict[str, str]) -> tuple[str, ...]:
    last = outcomes.get(agent.name, "")
    if isinstance(agent, ProgramAgent):
        source, version = _program(agent)
        variable, _ = agent.key()
        wanted = agent.key_variable or " or ".join(agent.adapter.key_variables)
        key = f"{variable} is set" if variable else f"{wanted} is not set"
        return agent.name, agent.kind, source, version, agent.model, key, agent.network, last
    if isinstance(agent, CommandAgent):
        network = "all" if agent.network else "none"
        return agent.name, "command", fit(one_line(agent.command), 30), "", "", ", ".join(agent.env), network, last
    kind = "built in" if isinstance(agent, OracleAgent | NopAgent) else type(agent).__name__
    return agent.name, kind, "", "", "", "", "", last


def _program(agent: ProgramAgent) -> tuple[str, str]:
    """Where it is, and which version."""
    try:
        found = find_program(agent.kind, agent.program, agent.read)
    except MissingRuntimeError:
        recipe = None if agent.program else recipe_of(agent.kind)
        return "not here", f"{recipe.version} can be installed" if recipe else ""
    if found.version:
        return found.source, found.version
    said = ""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            [*found.words, "--version"], capture_output=True, text=True, errors="replace", timeout=_VERSION_SEC,
            stdin=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}, check=False,
        )  # fmt: skip
        said = one_line((done.stdout.strip().splitlines() or [""])[0], 40)
    return f"{found.source}: {found.words[0]}", said


def last_outcomes(root: Path) -> dict[str, str]:
    """Of each agent in the newest runs: when, and how its last trial ended."""
    files = sorted(root.glob(f"*/{TRIALS_FILE}"), key=lambda path: path.stat().st_mtime, reverse=True)
    found: dict[str, str] = {}
    for path in files[:_RUNS_LOOKED_AT]:
        with contextlib.suppress(BenchmarkError, OSError, ValueError):
            for name, record in _latest(RunStore(path.parent).history()).items():
                found.setdefault(name, _words(record))
    return found


def _latest(records: Iterable[TrialRecord]) -> dict[str, TrialRecord]:
    return {record.agent: record for record in records}


def _words(record: TrialRecord) -> str:
    how = f"{record.score:.3f}, {record.agent_ended}" if record.score is not None else f"void: {record.reason}"
    return fit(f"{record.finished[:10]} {how}", _WIDEST)
