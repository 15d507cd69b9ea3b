"""`python -m benchmark compare-editor`."""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from benchmark.assets.library import bring
from benchmark.edit.imported import TASKS, opened
from benchmark.edit.track import REFERENCES
from benchmark.errors import BenchmarkError, UsageError
from benchmark.progress import Progress
from benchmark.projects.comparison import Comparison, compare_with_editor
from benchmark.projects.project import PROJECT_FILE
from benchmark.projects.solutions import lay_out_solution
from benchmark.runtime.machine import Machine, find_machine
from benchmark.runtime.tokens import core_count
from benchmark.runtime.workdir import work_folder
from benchmark.tasks import package_folders, read_task

_SHOWN = 8  # differences of one project


@dataclass(frozen=True)
class Candidate:
    """A project that may have to be laid out first, by a function that is given the folder to make."""

    name: str
    folder: Path | None = None
    lay_out: Callable[[Path], None] | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", type=Path, nargs="+", metavar="DIR",
        help="Godot projects, folders of them, game packages, or the public edit benchmark's folder",
    )  # fmt: skip
    parser.add_argument("-k", default="", metavar="TEXT", help="only projects with this in their name")
    parser.add_argument("-j", "--jobs", type=int, default=core_count(), metavar="N", help="so many at once")


def run(options: argparse.Namespace) -> int:
    if options.jobs < 1:
        raise UsageError(f"--jobs: {options.jobs} is not a number above 0")
    progress = Progress()
    bring(progress)
    machine = find_machine()
    chosen = [one for path in options.path for one in find_candidates(path, machine) if options.k in one.name]
    if not chosen:
        raise UsageError(f"no project with {options.k!r} in its name", fix=f"name a folder with a {PROJECT_FILE} in it")
    began = time.monotonic()
    counts: Counter[str] = Counter()
    pool = ThreadPoolExecutor(options.jobs)
    try:
        waiting = {pool.submit(_compare, one, machine): one for one in chosen}
        for number, future in enumerate(as_completed(waiting), 1):
            word, lines = _words(future.result())
            counts[word] += 1
            progress.done()
            print("\n".join([f"{word:10}  {waiting[future].name}", *lines]), flush=True)
            left = (time.monotonic() - began) / number * (len(chosen) - number)
            progress.update(f"{number} of {len(chosen)}, about {left:.0f} s left", number / len(chosen))
    finally:
        pool.shutdown(cancel_futures=True)  # who stops it waits for what is under way, not for all that was to come
    progress.done()
    totals = ", ".join(f"{counts[word]} {word}" for word in ("same", "art left", "left", "different", "unreadable"))
    print(f"{len(chosen)} projects: {totals}, in {time.monotonic() - began:.0f} s")
    return 1 if counts["different"] else 0


def find_candidates(root: Path, machine: Machine) -> Iterator[Candidate]:
    """All projects below a folder, however they are kept there."""
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder")
    if (root / REFERENCES).is_dir():
        for side in (REFERENCES, TASKS):
            for path in sorted((root / side).iterdir()) if (root / side).is_dir() else ():
                if path.suffix == ".zip" or (path / PROJECT_FILE).is_file():
                    yield Candidate(f"{side}/{path.name}", lay_out=opened(path).lay_out)
        return
    packages = [folder for folder in package_folders(root) if read_task(folder).has_oracle]
    for folder in packages:
        yield _candidate_of(folder, machine)
    if not packages:
        for path in _project_folders(root):
            yield Candidate(path.relative_to(root).as_posix() if path != root else root.name, folder=path)


def _candidate_of(package: Path, machine: Machine) -> Candidate:
    if (package / "start").is_dir():  # an edit task of ours
        return Candidate(package.name, lay_out=lambda target: lay_out_solution(package / "start", target, machine))
    return Candidate(package.name, lay_out=lambda target: lay_out_solution(package / "solution", target, machine))


def _project_folders(root: Path) -> Iterator[Path]:
    if (root / PROJECT_FILE).is_file():
        yield root
        return
    for child in sorted(root.iterdir()):
        if child.is_dir() and not child.name.startswith(".") and not child.is_symlink():
            yield from _project_folders(child)


def _compare(one: Candidate, machine: Machine) -> Comparison | str:
    """One that cannot be read is an answer too: the others go on."""
    try:
        if one.folder is not None:
            return compare_with_editor(one.folder, machine)
        assert one.lay_out is not None
        with work_folder("compare", on_disk=True) as work:
            one.lay_out(work / "project")
            return compare_with_editor(work / "project", machine)
    except BenchmarkError as error:
        return error.message


def _words(found: Comparison | str) -> tuple[str, list[str]]:
    if isinstance(found, str):
        return "unreadable", [f"    {found}"]
    why = [f"    the editor was asked: {found.why}"] if found.why else []
    if found.differences:
        more = len(found.differences) - _SHOWN
        rest = [f"    and {more} more"] if more > 0 else []
        return "different", [*why, *(f"    {line}" for line in found.differences[:_SHOWN]), *rest]
    return {"nothing": "same", "art": "art left", "all": "left"}[found.left], why
