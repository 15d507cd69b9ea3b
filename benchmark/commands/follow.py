"""`python -m benchmark follow`: the log of an agent, line by line, while it works."""

import argparse
import contextlib
import os
import re
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from benchmark.errors import UsageError
from benchmark.results.behaviour import WORK_STAGE
from benchmark.results.store import RUN_FILE, RUNS_ROOT, TRIALS_FILE
from benchmark.running import AGENT_FILE
from benchmark.suite.live import STAGE_FILE
from benchmark.text import one_line
from benchmark.trials import TrialId
from benchmark.untrusted import UnreadableFileError, open_regular, read_json, read_text

LOG_FILE = "agent.log"
_LOOK_SEC = 0.5
_TAIL_BYTES = 1 << 18
_PIECE_BYTES = 1 << 20
_MAX_LINE = 2000
_STAGE_BYTES = 1 << 12
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="RUN", help="a run's name, `latest`, or its folder")
    parser.add_argument(
        "trial", nargs="?", default="", metavar="TRIAL",
        help="part of a trial's name, as `lantern-keeper` or `lantern-keeper[codex]` (default: the only one at work)",
    )  # fmt: skip
    parser.add_argument("--lines", type=int, default=20, metavar="N", help="begin with the last N lines (20)")
    parser.add_argument(
        "--runs-dir", type=Path, default=RUNS_ROOT, metavar="DIR", help=f"where runs are (default: {RUNS_ROOT}/)"
    )


def run(options: argparse.Namespace) -> int:
    folder = choose_trial(_trials_of(options.name, options.runs_dir), options.trial)
    print(f"{folder.name}: {folder / LOG_FILE}", flush=True)
    for line in follow(folder, max(options.lines, 0)):
        print(line, flush=True)
    print(_ending(folder), flush=True)
    return 0


def _trials_of(name: str, root: Path) -> tuple[Path, ...]:
    """The folders of a run's trials, also of one that has no record yet."""
    for folder in (Path(name), root / name):
        if (folder / RUN_FILE).is_file() or (folder / TRIALS_FILE).is_file():
            return tuple(sorted(path for path in folder.glob("trials/*") if path.is_dir()))
    known = sorted(path.parent.name for path in root.glob(f"*/{RUN_FILE}"))
    raise UsageError(
        f"there is no run {name!r} in {root}", fix=f"one of: {', '.join(known)}" if known else "run pytest first"
    )


def choose_trial(trials: tuple[Path, ...], wanted: str) -> Path:
    """The one that is meant: those whose agent is at work come first."""
    found = [folder for folder in trials if _matches(folder.name, wanted)]
    at_work = [folder for folder in found if _stage(folder) == WORK_STAGE]
    chosen = at_work or (found if wanted else [])
    if len(chosen) == 1:
        return chosen[0]
    names = ", ".join(folder.name for folder in (chosen or trials)[:10])
    if chosen:
        raise UsageError(f"{len(chosen)} trials are meant by {wanted!r}", fix=f"say more of one: {names}")
    if wanted:
        raise UsageError(f"no trial of this run is called {wanted!r}", fix=f"one of: {names}" if names else None)
    raise UsageError("no agent is at work in this run", fix=f"name a trial to see its log: {names}" if names else None)


def _matches(folder: str, wanted: str) -> bool:
    """By the folder's name, by a label, or by the beginning or end of either."""
    with contextlib.suppress(ValueError):
        if wanted.endswith("]"):
            trial = TrialId.from_label(wanted)
            return folder.endswith(trial.folder)
    return wanted.replace("/", ".") in folder


def _stage(folder: Path) -> str:
    try:
        return read_text(folder / STAGE_FILE, _STAGE_BYTES)
    except (UnreadableFileError, OSError):
        return ""


def follow(folder: Path, last: int) -> Iterator[str]:
    """The last lines of the log and what comes after them, until the agent is done."""
    at, rest = 0, b""
    path = folder / LOG_FILE
    with contextlib.suppress(UnreadableFileError), open_regular(path) as handle:
        size = os.fstat(handle.fileno()).st_size
        handle.seek(max(0, size - _TAIL_BYTES))
        *whole, rest = handle.read(_TAIL_BYTES).split(b"\n")
        at = handle.tell()
        yield from map(_readable, deque(whole, last))
    while True:
        working = _stage(folder) == WORK_STAGE  # asked first: what it wrote before it ended is still read
        piece = b""
        with contextlib.suppress(UnreadableFileError), open_regular(path) as handle:
            if os.fstat(handle.fileno()).st_size < at:  # the trial has begun anew
                at, rest = 0, b""
            handle.seek(at)
            piece = handle.read(_PIECE_BYTES)
            at += len(piece)
        *whole, rest = (rest + piece).split(b"\n")
        yield from map(_readable, whole)
        if len(rest) > _PIECE_BYTES:
            yield _readable(rest)
            rest = b""
        if not piece and not working:
            break
        if not piece:
            time.sleep(_LOOK_SEC)
    if rest:
        yield _readable(rest)


def _readable(line: bytes) -> str:
    """Nothing in a log steers the terminal of whoever reads it."""
    text = _COLOUR.sub("", line.decode("utf-8", "replace")).rstrip("\r").replace("\t", "    ")
    return one_line(text, _MAX_LINE)


def _ending(folder: Path) -> str:
    try:
        said = read_json(folder / AGENT_FILE, 1 << 20)
    except (UnreadableFileError, OSError):
        return "-- the agent is no longer at work"
    ended = one_line(str(said.get("ended", "")), 100) if isinstance(said, dict) else ""
    return f"-- the agent is done: {ended}" if ended else "-- the agent is no longer at work"
