"""The command line of the suite, in one group, and the frozen value it becomes."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmark.agents.feedback import require_server, with_feedback
from benchmark.agents.profiles import parse_agent, ways
from benchmark.agents.protocol import FEEDBACKS, Agent
from benchmark.errors import UsageError
from benchmark.expressions import Expression, ExpressionError, parse_condition
from benchmark.results.store import RUNS_ROOT, valid_run_name
from benchmark.tasks import TASKS_ROOT
from benchmark.tracks import all_tracks, track_names, track_of
from benchmark.trials import Stage

GROUP = "gamecraft"
CHANGED = "changed"  # a value of --redo
DEFAULT_JUDGE = "offline"


@dataclass(frozen=True)
class SuiteOptions:
    """What the user asked for, checked."""

    track: str | None
    tasks: tuple[Path, ...]
    agents: tuple[Agent, ...]
    attempts: int
    judges: tuple[str, ...]  # the first one's scores count
    judge_repeats: int
    max_cost: float | None
    run: str | None
    runs_root: Path
    start: Stage
    settings: Mapping[str, Any]  # by track, of those that add options
    fresh: bool
    redo: tuple[str, ...]
    keep_old: bool
    keep_workspace: bool
    gate: Expression | None
    baseline: Path | None
    max_void: float

    @property
    def from_store(self) -> bool:
        """Whether stored trials are taken up again instead of new ones run."""
        return self.start != "produce"


def add_options(parser: pytest.Parser) -> None:
    """Called by the plugin."""
    add_to_group(parser.getgroup(GROUP, "GameCraft-Bench"))


def add_to_group(group: Any) -> None:
    """To whatever takes options as pytest's groups do."""
    group.addoption("--track", metavar="TRACK", help=f"only tasks of this track: {', '.join(track_names())}")
    group.addoption(
        "--tasks", action="append", default=[], metavar="DIR",
        help="task packages below this folder instead of our own (may be given again)",
    )  # fmt: skip
    group.addoption(
        "--agent", action="append", default=[], metavar="AGENT",
        help=f"one of {ways()}, where NAME is a profile of agents.toml: claude@opus-4.7, codex@gpt-5.5, … "
        "(default: oracle; may be given again)",
    )  # fmt: skip
    group.addoption(
        "--feedback", choices=FEEDBACKS,
        help="what agents are shown of their work: none, screenshot (an MCP server), video, both (default: as their "
        "profiles say, else none)",
    )  # fmt: skip
    group.addoption("--attempts", type=int, default=1, metavar="N", help="tries at each task (default: 1)")
    group.addoption(
        "--judge", action="append", default=[], metavar="JUDGE",
        help=f"{DEFAULT_JUDGE} (default), openai:MODEL or recorded:FILE; given again: heard as well, the first one's "
        "scores count",
    )  # fmt: skip
    group.addoption(
        "--judge-repeats", type=int, default=1, metavar="K",
        help="ask each judge K times and take the median (default: 1)",
    )  # fmt: skip
    group.addoption("--max-cost", type=float, metavar="USD", help="stop judging before it costs more than this")
    group.addoption("--run", metavar="NAME", help="name of the run; a run of that name is resumed (default: the time)")
    group.addoption("--runs-dir", default=str(RUNS_ROOT), metavar="DIR", help="where runs are kept (default: reports)")
    group.addoption("--replay-only", action="store_true", help="with --run: replay and judge its submissions again")
    group.addoption("--rejudge", action="store_true", help="with --run: judge its evidence again, with --judge")
    group.addoption("--rescore", action="store_true", help="with --run: compute its scores again from the judgements")
    for track in all_tracks().values():
        if track.options:
            track.options.add(group)
    group.addoption("--fresh", action="store_true", help="past every cache: import, launch, record and judge again")
    group.addoption(
        "--redo", action="append", default=[], metavar="WHAT",
        help="with --run: run settled trials again, of an agent, of a task, or all that have `changed` (may be given "
        "again)",
    )  # fmt: skip
    group.addoption(
        "--keep-old", action="store_true",
        help="with --run: keep settled trials although their agent, task or judge has changed since",
    )  # fmt: skip
    group.addoption("--keep-workspace", action="store_true", help="keep what the agent worked in")
    group.addoption(
        "--gate",
        metavar="CONDITION",
        help="decides the exit code, e.g. 'overall >= 0.40 and coverage >= 0.95'",
    )
    group.addoption("--baseline", metavar="FILE", help="an earlier run or summary.json: fail on a drop beyond noise")
    group.addoption(
        "--max-void", type=float, default=0.05, metavar="SHARE",
        help="exit with 10 if more than this share of the trials is void (default: 0.05)",
    )  # fmt: skip


def read_options(config: pytest.Config) -> SuiteOptions:
    """Check everything that can be checked without work. Raises UsageError."""
    option = config.getoption
    agents = tuple(parse_agent(text) for text in option("--agent") or ["oracle"])
    if option("--feedback"):
        agents = tuple(with_feedback(agent, option("--feedback")) for agent in agents)
    require_server(agents)
    names = [agent.name for agent in agents]
    if len(set(names)) < len(names):
        raise UsageError(f"--agent: {', '.join(names)}: two agents have the same name")
    if not 1 <= option("--attempts") <= 100:
        raise UsageError(f"--attempts: {option('--attempts')} is outside 1–100")
    if not 1 <= option("--judge-repeats") <= 100:
        raise UsageError(f"--judge-repeats: {option('--judge-repeats')} is outside 1–100")
    if not 0 <= option("--max-void") <= 1:
        raise UsageError(f"--max-void: {option('--max-void')} is outside 0–1")
    again = [name for name in ("--replay-only", "--rejudge", "--rescore") if option(name)]
    if len(again) > 1:
        raise UsageError(f"{' and '.join(again)} do not go together")
    if again and not option("--run"):
        raise UsageError(f"{again[0]} needs the run it is about", fix="add --run NAME")
    redo = tuple(option("--redo"))
    if (redo or option("--keep-old")) and (again or not option("--run")):
        name, why = ("--redo" if redo else "--keep-old"), f"does not go with {again[0]}" if again else "needs a run"
        raise UsageError(f"{name} {why}", fix="it is about the settled trials of the run named with --run")
    if CHANGED in redo and option("--keep-old"):
        raise UsageError(f"--redo {CHANGED} and --keep-old do not go together", fix="choose one of them")
    starts: dict[str, Stage] = {"--replay-only": "gate", "--rejudge": "judge", "--rescore": "aggregate"}
    if option("--max-cost") is not None and not option("--max-cost") > 0:
        raise UsageError(f"--max-cost: {option('--max-cost')} is not a number of dollars above 0")
    for folder in option("--tasks"):
        if not Path(folder).is_dir():
            raise UsageError(f"--tasks: {folder} is not a folder", fix="name a folder that holds task packages")
    return SuiteOptions(
        track=track_of(option("--track"), "--track").name if option("--track") else None,
        tasks=tuple(map(Path, option("--tasks"))) or (TASKS_ROOT,),
        agents=agents,
        attempts=option("--attempts"),
        judges=_judges(option("--judge"), option("--max-cost")),
        judge_repeats=option("--judge-repeats"),
        max_cost=option("--max-cost"),
        run=valid_run_name(option("--run")) if option("--run") else None,
        runs_root=Path(config.invocation_params.dir) / option("--runs-dir"),
        start=starts[again[0]] if again else "produce",
        settings={name: one.options.read(option) for name, one in all_tracks().items() if one.options},
        fresh=option("--fresh"),
        redo=redo,
        keep_old=option("--keep-old"),
        keep_workspace=option("--keep-workspace"),
        gate=_gate(option("--gate")),
        baseline=_baseline(option("--baseline"), names),
        max_void=option("--max-void"),
    )


def _judges(given: list[str], max_cost: float | None) -> tuple[str, ...]:
    judges = tuple(given or [DEFAULT_JUDGE])
    for text in judges:
        for track in all_tracks().values():
            if track.judging:
                track.judging.check(text, max_cost)
    if len(set(judges)) < len(judges):
        raise UsageError(f"--judge: {', '.join(judges)}: the same one twice", fix="to ask it again: --judge-repeats 2")
    return judges


def _gate(text: str | None) -> Expression | None:
    """Checked before a long run, not after it."""
    if not text:
        return None
    from benchmark.results.release_gate import check_names  # brings NumPy, which only gates need

    try:
        condition = parse_condition(text)
    except ExpressionError as error:
        raise UsageError(f"--gate: {error.message}", fix=error.fix) from error
    check_names(condition)
    return condition


def _baseline(text: str | None, agents: list[str]) -> Path | None:
    """Read once before the run, to know that it can be read after it, and that everybody has an opponent in it."""
    if not text:
        return None
    if not Path(text).exists():
        raise UsageError(f"--baseline: {text} does not exist", fix="give a run's folder or a summary.json")
    from benchmark.results.baseline import read_baseline

    baseline = read_baseline(Path(text))
    for agent in agents:
        baseline.opponent(agent)
    return Path(text)


def new_run_name() -> str:
    """The time, and what tells apart commands that begin in the same second."""
    return f"{datetime.now():%Y-%m-%d-%H%M%S}-{os.getpid()}"
