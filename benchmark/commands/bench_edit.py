"""`python -m benchmark bench-edit`: what hidden tests cost, as ratios measured side by side."""

import argparse
import os
import secrets
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from benchmark.bundled import bundled
from benchmark.commands.timed import time_suite
from benchmark.edit.imported import SCENE, find_imported, opened, read_imported
from benchmark.edit.package import read_package
from benchmark.edit.soundness import validate
from benchmark.errors import BenchmarkError, UsageError
from benchmark.progress import Progress
from benchmark.projects.editor import NotPlainError
from benchmark.projects.imports import import_plainly
from benchmark.projects.prepare import import_in_place, imported_files
from benchmark.projects.project import PROJECT_FILE, copy_project, scan_project
from benchmark.runtime.machine import Machine, find_machine
from benchmark.runtime.sandbox import Job, Limits, Mount
from benchmark.runtime.workdir import hand_over, work_folder
from benchmark.tasks import find_tasks

PUBLIC = bundled("tests/edit/public")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--public", type=Path, default=PUBLIC, metavar="DIR", help="a corpus in the layout of the public benchmark"
    )
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="validations of one task (default: 3)")
    parser.add_argument("--tasks", type=int, default=12, metavar="N", help="own tasks with one and two workers")


def run(options: argparse.Namespace) -> int:
    if options.repeats < 1 or options.tasks < 2:
        raise UsageError("--repeats must be at least 1 and --tasks at least 2")
    progress, machine = Progress(), find_machine()
    editor: list[float] = []
    script: list[float] = []
    bare: list[float] = []
    ours: list[float] = []
    for number in range(options.repeats):
        progress.say(f"the art of one task, and one imported task, {number + 1} of {options.repeats} …")
        files = _import_both_ways(machine, editor, script)
        with tempfile.TemporaryDirectory(prefix="bench-edit-") as name:
            corpus = _unknown_copy(options.public, Path(name))
            bare.append(_bare(corpus, machine))
            ours.append(_validated(corpus, machine))
    one: list[float] = []
    two: list[float] = []
    for workers, times in ((1, one), (2, two), (2, two), (1, one)):  # drift of the machine hits both alike
        progress.say(f"{options.tasks} own tasks with {workers} worker{'s' * (workers > 1)} …")
        with tempfile.TemporaryDirectory(prefix="bench-edit-") as name:
            _own_tasks(Path(name), options.tasks)
            times.append(_trials(Path(name), workers))
    print(f"hidden tests on {os.cpu_count()} cores, Godot {machine.engine.version}, nothing cached")
    _compare(f"{files} files of art: by the editor", editor, "without it", script, "of the editor")
    _compare("one imported task: engine alone", bare, "validated", ours, "of the engine alone (wanted: ≤ 1.5)")
    _compare(f"{options.tasks} own tasks, oracle and nop, -n 1", one, "-n 2", two, "of -n 1")
    print(f"    so two are {statistics.median(one) / statistics.median(two):.2f} times as fast as one (wanted: ≥ 1.5)")
    return 0


def _compare(before: str, slow: list[float], after: str, fast: list[float], of_what: str) -> None:
    """Two lines of the result, from medians."""
    first, second = statistics.median(slow), statistics.median(fast)
    print(f"  {before:36} {first:6.2f} s")
    print(f"    the same, {after:24} {second:6.2f} s   {second / first:.2f} {of_what}")


def _import_both_ways(machine: Machine, editor: list[float], script: list[float]) -> int:
    """Add the seconds that each needs for the same files; returns how many there are."""
    task = next(task for task in find_tasks() if task.track == "edit" and not task.variant)
    with work_folder("bench") as work:
        read_package(task).start.lay_out(work / "start")
        files = imported_files(scan_project(work / "start"))
        for name in (*files, PROJECT_FILE):
            for side in ("editor", "script"):
                (work / side / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(work / "start" / name, work / side / name)
        began = time.monotonic()
        import_in_place(work / "editor", work, machine)
        between = time.monotonic()
        try:
            import_plainly(work / "script", files, work, machine)
        except NotPlainError as error:
            raise BenchmarkError(f"{task.id}: its art is left to the editor: {error}") from error
        editor.append(between - began)
        script.append(time.monotonic() - between)
    return len(files)


def _unknown_copy(public: Path, target: Path) -> Path:
    """The first task of a corpus, with one meaningless picture more, so that no cache knows it."""
    task = next(find_imported(public), None)
    if task is None:
        raise UsageError(f"{public} holds no task")
    mark = _meaningless_picture()
    for side in ("tasks", "tasks_gt"):
        source = next(path for path in (public / side).iterdir() if path.name.partition(".")[0] == task.folder.stem)
        folder = target / side / "task_0001"
        archive = opened(source)
        for name in archive.files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(archive.read(name))
        (folder / "bench.svg").write_text(mark, encoding="utf-8")
    return target


def _meaningless_picture() -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><!-- {secrets.token_hex(8)} --></svg>'


def _bare(corpus: Path, machine: Machine) -> float:
    """What anybody would do: import start and reference, run the test of each, in the same sandbox."""
    began = time.monotonic()
    for side in ("tasks", "tasks_gt"):
        with work_folder("bench") as work:
            copy = work / "project"
            copy_project(scan_project(corpus / side / "task_0001"), copy)
            hand_over(copy)
            mount = Mount("project", copy, "write")
            place = machine.sandbox.place(mount)
            for arguments in (("--import",), ("--fixed-fps", "60", f"res://{SCENE}")):
                job = Job(
                    machine.engine.program, ("--headless", "--path", place, *arguments), (mount,),
                    env={"GODOT_SILENCE_ROOT_WARNING": "1"}, limits=Limits(), home=work,
                )  # fmt: skip
                machine.sandbox.run(job)
    return time.monotonic() - began


def _validated(corpus: Path, machine: Machine) -> float:
    (task,) = find_imported(corpus)
    began = time.monotonic()
    found = validate(read_imported(task), machine, fresh=True)
    if not found.sound:
        raise BenchmarkError(f"{task.folder} is unsound: {'; '.join(found.problems)}")
    return time.monotonic() - began


def _own_tasks(target: Path, count: int) -> None:
    """Copies of our tasks with one meaningless picture more, so that no import and no verdict of them is known."""
    tasks = [task for task in find_tasks() if task.track == "edit" and not task.variant]
    for task in tasks[:: max(1, len(tasks) // count)][:count]:
        folder = target / "tasks/edit" / task.family / task.slug
        shutil.copytree(task.folder, folder)
        shutil.rmtree(folder / "variants", ignore_errors=True)
        (folder / "start/bench.svg").write_text(_meaningless_picture(), encoding="utf-8")


def _trials(folder: Path, workers: int) -> float:
    agents = ("--agent", "oracle", "--agent", "nop")
    return time_suite(folder / "tasks", folder, "bench", workers, *agents, "--gate", "coverage >= 1")
