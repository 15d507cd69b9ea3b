"""What a track is, and which there are.

A track describes itself once, as a frozen value called TRACK in `benchmark/<name>/track.py`. Shared code asks the
registry and never says a track's name, so adding a track is adding a folder. A track from outside this repository
registers through the entry point group `gamecraft_bench.tracks`.

Describing a track must cost nothing: whatever is heavy is named with `late` and imported when it is first called.
"""

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from benchmark.errors import TaskError, UsageError

if TYPE_CHECKING:
    from benchmark.agents.protocol import Agent
    from benchmark.authoring import Problem
    from benchmark.checked import Fields
    from benchmark.results.metrics import Metrics
    from benchmark.results.report.section import Pages
    from benchmark.running import Check, Trial
    from benchmark.runtime.machine import Machine
    from benchmark.tasks import Task
    from benchmark.trials import TrialId, TrialRecord
    from benchmark.verify_run.findings import Finding, VerifyTools
    from benchmark.workbench.answers import Answer
    from benchmark.workbench.requests import ReplayRequest

ENTRY_POINTS = "gamecraft_bench.tracks"
_NAME = re.compile(r"[a-z][a-z0-9]*")
_HERE = Path(__file__).parent

# What a trial needs to be there. Nothing is brought that no selected trial needs.
Need = Literal["engine", "art", "judge", "browser"]


def late(place: str) -> Any:
    """A function `module:name` that is imported when it is first called."""
    module, _, name = place.partition(":")

    def call(*given: Any, **named: Any) -> Any:
        return getattr(importlib.import_module(module), name)(*given, **named)

    call.__qualname__ = place
    return call


@dataclass(frozen=True)
class Packages:
    """How task packages of a track are told from others, and which rules they are held to."""

    lint: "Callable[[Path], tuple[Problem, ...]]"
    has_solution: Callable[[Path], bool] = lambda folder: (folder / "solution").is_dir()
    adopts: Callable[[Path], bool] = lambda folder: False  # a package that does not say of which track it is
    # All tasks below a folder that another benchmark laid out in its own way; None if it is not of that kind.
    # What is wrong with those that cannot be used goes into the list.
    foreign: "Callable[[Path, list[TaskError]], tuple[Task, ...] | None]" = lambda folder, broken: None
    # Where a package is told by another file than task.toml: that file, and the tasks that such a folder holds.
    marker: str = ""
    read: "Callable[[Path], tuple[Task, ...]] | None" = None
    # `python -m benchmark validate`: shows that tasks are sound. Gets them, the options, and gives the exit code.
    validate: "Callable[[Sequence[Task], Any], int] | None" = None


@dataclass(frozen=True)
class Trials:
    """How a trial runs, what its number depends on, and how one that is settled is told again."""

    begin: "Callable[[TrialId, Task, Path], Trial]"
    versions: "Callable[[Task, bool], dict[str, str]]"  # by hash; the second says whether the solution is handed in
    checks: "Callable[[Path, TrialRecord], tuple[Check, ...]]"  # from the folder of a trial; raises what reading raises
    evidence: Callable[[Path], Sequence[Any]] = lambda folder: ()
    # A trial of a run from elsewhere, looked at again: its folder, record, task where that is here, and the bench.
    verify: "Callable[[Path, TrialRecord, Task | None, VerifyTools], Iterable[Finding]] | None" = None
    # What that reads of the folder, none of it by a link. The first must be there.
    verify_reads: tuple[str, ...] = ("submission",)
    # A stored trial done once more from its log: its folder, record and task.
    replay: "Callable[[Path, TrialRecord, Task], Iterable[Finding]] | None" = None
    # What only this track knows of a trial, and its score if it has one. Raises ValueError for what cannot be.
    check_facts: "Callable[[Fields, float | None], object]" = lambda facts, score: None
    # Name and version of what decides, where that is not a judge of the command line.
    verifier: Callable[[], tuple[str, str]] | None = None


@dataclass(frozen=True)
class Attachment:
    """A file in a trial's folder that people want to see, in Allure."""

    name: str
    title: str
    mime: str
    ending: str


@dataclass(frozen=True)
class OwnAgents:
    """Agents that only this track knows, and why one that others know may have nothing to do here."""

    parse: "Callable[[str], Agent | None]"  # from a value of `--agent`; None: not one of these
    words: str  # for people: how they are written
    refuse: "Callable[[Agent], str]" = lambda agent: ""  # why an agent cannot work here; empty if it can


def _nothing(trial: Any) -> None:
    pass


@dataclass(frozen=True)
class Options:
    """What a track adds to pytest's command line, and the value that its trials get of it."""

    add: Callable[[Any], None]  # to an option group
    read: Callable[[Callable[[str], Any]], Any]  # from the function that tells an option's value
    versions: Callable[[Any], dict[str, str]] = lambda settings: {}  # what of it a trial's number depends on, by name
    counted: tuple[str, ...] = ()  # those names
    fixture: str = ""  # the fixture that hands it on, which a conftest may override


@dataclass(frozen=True)
class Judging:
    """From what `--judge` says to a judge of this track."""

    check: Callable[[str, float | None], str]  # before a run, with the limit of --max-cost
    make: Callable[..., Any]  # from the text, the run's folder, and the limit
    is_known: Callable[[str], bool]  # whether a judge of that name is one that `make` makes


@dataclass(frozen=True)
class Workbench:
    """What an agent may ask of its own work while it works: the public checks of this track, and to see it played.

    Each gets the copy of a project, the machine, and a folder for imports besides the shared cache.
    """

    check: "Callable[[Path, Machine, Path], Answer]"
    replay: "Callable[[Path, Machine, Path, ReplayRequest], Answer]"


_PLAIN_METRICS = late("benchmark.results.metrics:Metrics")
_PLAIN_PAGES = late("benchmark.results.report.section:Pages")


@dataclass(frozen=True)
class Track:
    """One way in which agents are measured."""

    name: str
    about: str  # for people: one line
    families: Mapping[str, int]  # what tasks are sorted by → how many the full benchmark has; 0 where nobody says
    packages: Packages
    trials: Trials
    family_word: str = "family"
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of a package's metadata → allowed values
    needs: frozenset[Need] = frozenset()
    keeps: Mapping[str, str] = field(default_factory=dict)  # in the cache: folder → what lies there, for people
    options: Options | None = None
    judging: Judging | None = None
    workbench: Workbench | None = None  # where agents work on Godot projects
    agents: OwnAgents | None = None
    oracle_reaches: str = "coverage >= 1"  # what solutions of its tasks must reach: a name of its gates, and a number
    pass_or_fail: bool = False  # whether a score is only ever 0 or 1
    attachments: tuple[Attachment, ...] = ()
    show_in_allure: Callable[[Any], None] = _nothing  # steps and attachments of a trial besides those
    metrics: "Callable[[Track], Metrics]" = _PLAIN_METRICS
    pages: "Callable[[Track], Pages]" = _PLAIN_PAGES

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"a track's name is a lower-case word: {self.name!r}")


@cache
def all_tracks() -> Mapping[str, Track]:
    """Ours by name, then those of other packages in the environment."""
    found: dict[str, Track] = {}
    for track in (*_built_in(), *_registered()):
        if track.name in found:
            raise UsageError(f"two tracks are called {track.name}", fix="uninstall one of the packages that bring it")
        found[track.name] = track
    return found


def track_names() -> tuple[str, ...]:
    return tuple(all_tracks())


def track_of(name: str, where: str = "track") -> Track:
    """Raises UsageError with the names that there are."""
    if name not in all_tracks():
        raise UsageError(f"{where}: {name!r} is not known", fix=f"one of {', '.join(track_names())}")
    return all_tracks()[name]


def why_not(track: Track, agent: "Agent") -> str:
    """Why this agent has nothing to do in this track; empty if it can work there."""
    home = getattr(agent, "track", "")
    if home and home != track.name:
        return f"{agent.name} is an agent of track {home}"
    return track.agents.refuse(agent) if track.agents else ""


def counted_options(name: str) -> tuple[str, ...]:
    """What of a track's options makes a trial another one; nothing is known of a track that is not installed."""
    track = all_tracks().get(name)
    return track.options.counted if track and track.options else ()


def stand_in(name: str) -> Track:
    """For records of a track that is not installed here: they can be shown and counted, but not run."""
    gone = late(f"{__name__}:_not_installed")
    return Track(
        name=name,
        about=f"track {name}, not installed here",
        families={},
        packages=Packages(gone),
        trials=Trials(gone, gone, gone),
    )


def _not_installed(*_: Any, **__: Any) -> Any:
    raise UsageError("the track of this trial is not installed here", fix="install the package that brings it")


def _built_in() -> Iterator[Track]:
    for path in sorted(_HERE.glob("*/track.py")):
        yield importlib.import_module(f"{__package__}.{path.parent.name}.track").TRACK


def _registered() -> Iterator[Track]:
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda one: one.name):
        try:
            track = point.load()
        except Exception as error:  # another package's code
            raise UsageError(
                f"the track {point.name!r} of another package cannot be loaded: {type(error).__name__}: {error}",
                fix=f"mend or uninstall {point.dist.name if point.dist else point.value}",
            ) from error
        if not isinstance(track, Track):
            raise UsageError(f"the entry point {point.name!r} in {ENTRY_POINTS} is no Track: {point.value}")
        yield track
