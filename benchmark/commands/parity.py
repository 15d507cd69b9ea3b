"""`python -m benchmark parity`."""

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmark.errors import BenchmarkError, UsageError, complain
from benchmark.files import write_json, write_whole
from benchmark.progress import Progress
from benchmark.results.store import RUNS_ROOT
from benchmark.tasks import TASKS_ROOT, find_tasks

if TYPE_CHECKING:
    from benchmark.replay.parity import DemoParity
    from benchmark.runtime.machine import Machine

TARGET = 0.95
MAX_TAKES = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "task", nargs="*", metavar="TASK", help="ids of tasks, or parts of them (default: all with an oracle)"
    )
    parser.add_argument(
        "--tasks", type=Path, action="append", metavar="DIR", help="where task packages are, if not ours"
    )
    parser.add_argument("--project", type=Path, metavar="DIR", help="compare this project instead of oracles")
    parser.add_argument("--demos", type=int, metavar="N", help="of each game at most this many (default: all)")
    parser.add_argument(
        "--takes", type=int, default=MAX_TAKES, metavar="N",
        help=f"where stills do not agree, record in real time up to N times (default: {MAX_TAKES})",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="DIR", help=f"default: {RUNS_ROOT}/parity")
    parser.add_argument("--godot", metavar="PATH", help="engine to use (also: $GODOT)")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


@dataclass(frozen=True)
class Game:
    """An oracle, or a project on disk."""

    name: str
    family: str
    source: Path
    oracle: bool


@dataclass(frozen=True)
class ParityRow:
    """A demo that was compared, or a game (without a demo) that could not be."""

    game: Game
    found: "DemoParity | None" = None
    void: str = ""


def run(options: argparse.Namespace) -> int:
    for name in ("demos", "takes"):
        if getattr(options, name) is not None and getattr(options, name) < 1:
            raise UsageError(f"--{name}: {getattr(options, name)} is less than 1")
    games = _games(options)
    out: Path = options.out or Path(RUNS_ROOT) / "parity"
    out.mkdir(parents=True, exist_ok=True)
    progress = Progress(quiet=options.quiet)
    from benchmark.runtime.machine import find_machine  # OpenCV and the engine come only now: --help is quick

    machine = find_machine(options.godot)
    rows: list[ParityRow] = []
    began = time.monotonic()
    for number, game in enumerate(games):
        left = (time.monotonic() - began) / number * (len(games) - number) if number else 0.0
        progress.say(f"{number + 1} of {len(games)}: {game.name}" + (f", about {left:.0f} s left" if left else ""))
        for row in _compare(game, options, machine, out, progress):
            rows.append(row)
            print("\n".join(_lines(row)), flush=True)
            write_json(out / "parity.json", _document(rows))  # at once: a run that is stopped leaves what it has
            write_whole(out / "parity.md", _markdown(rows))
    print("\n".join(_totals(rows)))
    print(f"written to {out}")
    return 0 if _share(rows) >= TARGET else 1


def _games(options: argparse.Namespace) -> list[Game]:
    if options.project is not None:
        if options.task or options.tasks:
            raise UsageError("--project names one game, TASK and --tasks choose among oracles", fix="give one of them")
        if not options.project.is_dir():
            raise UsageError(f"--project: {options.project} is not a folder")
        return [Game(options.project.resolve().name, "", options.project, False)]
    every = [
        task
        for task in find_tasks(options.tasks or (TASKS_ROOT,), complain)
        if task.track == "craft" and task.has_oracle
    ]
    if not every:
        raise UsageError("no task with an oracle is here", fix="name a folder of packages with --tasks")
    for word in options.task:
        if not any(word in task.id for task in every):
            raise UsageError(
                f"no task with an oracle has {word!r} in its id", fix=f"one of: {', '.join(t.id for t in every)}"
            )
    chosen = [task for task in every if not options.task or any(word in task.id for word in options.task)]
    return [Game(task.id, task.family, task.folder / "solution", True) for task in chosen]


def _compare(
    game: Game, options: argparse.Namespace, machine: "Machine", out: Path, progress: Progress
) -> Iterator[ParityRow]:
    from benchmark.replay.build_gate import check_build
    from benchmark.replay.parity import compare_demo
    from benchmark.replay.recordings import folder_names
    from benchmark.replay.traces import FPS

    try:
        with _laid_out(game, machine) as project:
            gate = check_build(project, machine)
            if not gate.build or gate.prepared is None:
                blockers = "; ".join(str(finding) for finding in gate.findings if finding.blocks)
                yield ParityRow(game, void=f"BUILD is 0: {blockers}")
                return
            traces = gate.traces.traces[: options.demos]
            for trace, name in zip(traces, folder_names(traces), strict=True):
                picture = out / f"{game.name.replace('/', '-')}-{name}.png"
                picture.unlink(missing_ok=True)  # of an earlier run
                progress.say(f"  {trace.name}, {trace.duration_frames / FPS:.0f} s")
                yield ParityRow(game, compare_demo(gate.prepared, trace, machine, options.takes, picture))
    except UsageError:
        raise
    except BenchmarkError as error:  # what could not be compared says nothing about parity
        yield ParityRow(game, void=str(error))


@contextmanager
def _laid_out(game: Game, machine: "Machine") -> Iterator[Path]:
    from benchmark.projects.solutions import lay_out_solution
    from benchmark.runtime.workdir import work_folder

    if not game.oracle:
        yield game.source
        return
    with work_folder("oracle", on_disk=True) as work:
        lay_out_solution(game.source, work / "game", machine)
        yield work / "game"


def _lines(row: ParityRow) -> list[str]:
    if row.found is None:
        return [f"{row.game.name}: not compared: {row.void}"]
    found = row.found
    agreeing = sum(still.agrees for still in found.stills)
    lines = [
        f"{row.game.name} {found.demo}: {agreeing} of {len(found.stills)} stills agree ({found.agree_share:.0%}; "
        f"with the game left alone {found.alone_share:.0%}); {found.dropped_share:.0%} of the frames dropped in "
        f"{'take 1' if found.takes == 1 else f'the best of {found.takes} takes'}; "
        f"{found.inputs_delivered} of {found.inputs_sent} inputs" + "; OVERLOADED" * found.overloaded
    ]
    if found.exact.kind != found.real.kind:
        lines.append(f"  ended differently: {found.exact.kind} in exact time, {found.real.kind} in real time")
    if (first := found.first_difference) is not None:
        lines.append(f"  first that does not: {_describe(first)}" + (f"; see {found.picture}" * bool(found.picture)))
    return lines


def _describe(still: Any) -> str:
    if still.shift_frames is None:
        return f"frame {still.frame}, which the camera lost"
    again = {None: "", True: "; a second take shows it again", False: "; real time does not repeat itself there"}
    return f"frame {still.frame} ({still.different:.1%} of the picture){again[still.repeats]}"


def _share(rows: list[ParityRow]) -> float:
    stills = [still for row in rows if row.found for still in row.found.stills]
    return sum(still.agrees for still in stills) / len(stills) if stills else 0.0


def _totals(rows: list[ParityRow]) -> list[str]:
    found = [row for row in rows if row.found]
    lines = [f"all: {_summary(found)}"]
    calm = [row for row in found if row.found and not row.found.overloaded]
    if 0 < len(calm) < len(found):
        lines.append(f"without takes in which the machine was too busy: {_summary(calm)}")
    unlike = [still for row in found if row.found for still in row.found.stills if not still.agrees]
    if any(still.repeats is not None for still in unlike):
        lines.append(
            f"of {len(unlike)} stills that do not agree a second take in real time shows "
            f"{sum(still.repeats is True for still in unlike)} again, "
            f"{sum(still.repeats is False for still in unlike)} not"
        )
    if voids := len(rows) - len(found):
        lines.append(f"{voids} not compared")
    return lines


def _summary(rows: list[ParityRow]) -> str:
    found = [row.found for row in rows if row.found]
    frames = sum(one.frames for one in found)
    return (
        f"{len(found)} demos, {len({row.game.family for row in rows})} families, "
        f"{_share(rows):.1%} of {sum(len(one.stills) for one in found)} stills agree, "
        f"{sum(one.agree_share >= TARGET for one in found)} demos reach {TARGET:.0%}; "
        f"{sum(one.dropped for one in found) / max(frames, 1):.0%} of the frames dropped"
    )


def _document(rows: list[ParityRow]) -> dict[str, Any]:
    demos = [
        {
            "game": row.game.name,
            "family": row.game.family,
            "agree_share": row.found.agree_share,
            "overloaded": row.found.overloaded,
            **asdict(row.found),
        }
        for row in rows
        if row.found
    ]
    voids = [{"game": row.game.name, "reason": row.void} for row in rows if not row.found]
    return {"agree_share": _share(rows), "target": TARGET, "demos": demos, "not_compared": voids}


def _markdown(rows: list[ParityRow]) -> str:
    head = ["game", "demo", "agree", "left alone", "dropped", "takes", "first that does not"]
    lines = [
        "# Exact time and real time",
        "",
        *(f"- {line}" for line in _totals(rows)),
        "",
        f"| {' | '.join(head)} |",
        "|---" * len(head) + "|",
    ]
    for row in rows:
        if row.found is None:
            lines.append(f"| {row.game.name} | not compared: {_cell(row.void)} | | | | | |")
            continue
        found = row.found
        first = _describe(found.first_difference) if found.first_difference else ""
        shown = f" [picture]({Path(found.picture).name})" if found.picture else ""
        lines.append(
            f"| {row.game.name} | {_cell(found.demo)} | {found.agree_share:.0%} of {len(found.stills)} | "
            f"{found.alone_share:.0%} | {found.dropped_share:.0%}{', overloaded' * found.overloaded} | "
            f"{found.takes} | {first}{shown} |"
        )
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")[:200]
