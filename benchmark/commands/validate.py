"""`python -m benchmark validate`."""

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmark.assets.library import bring
from benchmark.edit.packages import read_package
from benchmark.edit.soundness import Soundness, validate
from benchmark.errors import BenchmarkError, UsageError, complain
from benchmark.progress import Progress
from benchmark.runtime.machine import Machine, find_machine
from benchmark.runtime.tokens import core_count
from benchmark.tasks import TASKS_ROOT, Task, survey_tasks
from benchmark.tracks import all_tracks, track_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", type=Path, nargs="*", metavar="DIR", help="packages, folders of them, or the public benchmark's folder"
    )
    able = ["edit", *(name for name, track in all_tracks().items() if track.packages.validate)]
    parser.add_argument("--track", choices=able, default="edit", help="whose tasks (default: edit)")
    parser.add_argument("-k", default="", metavar="TEXT", help="only tasks with this in their id")
    parser.add_argument("-j", "--jobs", type=int, default=core_count(), metavar="N", help="so many at once")
    parser.add_argument("-v", "--verbose", action="store_true", help="also what each attempt failed")
    parser.add_argument("--fresh", action="store_true", help="run even what the cache knows")
    parser.add_argument("--json", type=Path, metavar="F", help="write everything that was found to a file")


def run(options: argparse.Namespace) -> int:
    if options.jobs < 1:
        raise UsageError(f"--jobs: {options.jobs} is not a number above 0")
    progress = Progress()
    survey = survey_tasks(options.path or (TASKS_ROOT,))
    tasks = [task for task in survey.tasks if task.track == options.track]
    chosen = [task for task in tasks if options.k in task.id]
    for broken in survey.broken:
        complain(broken)
    if not chosen and survey.broken:
        return 1
    if not chosen:
        raise UsageError(f"no task of track {options.track} with {options.k!r} in its id", fix="name another folder")
    if (own := track_of(options.track).packages.validate) is not None:
        return max(own(chosen, options), int(bool(survey.broken)))
    bring(progress)
    machine = find_machine()
    width = max(len(task.id) for task in chosen)
    print(f"{'task':{width}}  start  reference  {'mode':20}  import    test  tried  sound")
    began = time.monotonic()
    found: dict[str, Soundness | str] = {}
    pool = ThreadPoolExecutor(options.jobs)
    try:
        results = pool.map(lambda task: _validate(task, tasks, machine, options.fresh), chosen)
        for number, (task, result) in enumerate(zip(chosen, results, strict=True), 1):
            found[task.id] = result
            progress.done()
            print("\n".join(_lines(task, result, width, options.verbose)), flush=True)
            left = (time.monotonic() - began) / number * (len(chosen) - number)
            progress.update(f"{number} of {len(chosen)}, about {left:.0f} s left", number / len(chosen))
    finally:
        pool.shutdown(cancel_futures=True)  # who stops it waits for what is under way, not for all that was to come
    progress.done()
    sound = sum(isinstance(result, Soundness) and result.sound for result in found.values())
    others = [one for result in found.values() if isinstance(result, Soundness) for one in result.tryings]
    right = [not one.problem for one in others if one.what.startswith("right ")]
    print(f"{sum(right)} of {len(right)} other right solutions pass")
    print(f"{sound} of {len(found)} sound, in {time.monotonic() - began:.0f} s")
    if options.json:
        options.json.write_text(json.dumps({name: _document(one) for name, one in found.items()}, indent=1))
    return 0 if sound == len(found) and not survey.broken else 1


def _validate(task: Task, tasks: list[Task], machine: Machine, fresh: bool) -> Soundness | str:
    """A package that cannot be read is an answer too: the others go on."""
    try:
        siblings = [
            (other.slug, read_package(other)) for other in tasks if other.folder == task.folder and other.id != task.id
        ]
        return validate(read_package(task), machine, siblings, fresh=fresh)
    except BenchmarkError as error:
        return error.message
    except OSError as error:
        return f"{error.filename or task.folder}: {error.strerror}"


def _lines(task: Task, result: Soundness | str, width: int, verbose: bool) -> list[str]:
    if isinstance(result, str):
        return [f"{task.id:{width}}  –      –          {'':20}  {'':6}  {'':6}  {'':5}  NO: {result}"]
    words = {one.what: one.verdict.how for one in result.tryings}
    importing, testing = (sum(one.verdict.seconds.get(k, 0.0) for one in result.tryings) for k in ("import", "test"))
    reference = {"passed": "passes"}.get(words.get("reference", ""), words.get("reference", "none"))
    start = {"passed": "PASSES", "failed": "fails"}.get(words["start"], "?")
    lines = [
        f"{task.id:{width}}  {start:5}  {reference:9}  {result.mode!s:20}  {importing:4.1f} s  {testing:4.1f} s  "
        f"{len(result.tryings):5}  {'yes' if result.sound else 'NO'}"
    ]
    lines += [f"    {problem}" for problem in result.problems]
    if verbose:
        for one in result.tryings:
            failed = "; ".join(f"{check.name}: {check.message}" for check in one.verdict.checks if not check.ok)
            lines.append(f"    {one.what}: {one.verdict.how}{f': {failed or one.verdict.reason}' if failed else ''}")
    return lines


def _document(result: Soundness | str) -> dict[str, Any]:
    if isinstance(result, str):
        return {"sound": False, "problems": [result]}
    tried = [
        {"what": one.what, "how": one.verdict.how, "reason": one.verdict.reason, "seconds": one.verdict.seconds}
        for one in result.tryings
    ]
    return {"sound": result.sound, "problems": list(result.problems), "mode": str(result.mode), "tried": tried}
