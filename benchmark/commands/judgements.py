"""`python -m benchmark judgements`."""

import argparse
from pathlib import Path

from benchmark.craft.judging.cache import question
from benchmark.craft.judging.opinions import read_opinions
from benchmark.craft.judging.recorded import Recorded, import_recorded
from benchmark.craft.record import facts_of
from benchmark.craft.replay_stage import read_showing
from benchmark.craft.rubric import read_rubric
from benchmark.errors import BenchmarkError, complain
from benchmark.files import write_whole
from benchmark.results.store import RUNS_ROOT, RunStore, open_run
from benchmark.tasks import TASKS_ROOT, Task, find_tasks
from benchmark.trials import TrialRecord


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="export|import")
    export = actions.add_parser("export", help="write the judgements of a run to a file")
    export.add_argument("name", metavar="RUN", help="a run's name or folder")
    export.add_argument("--out", type=Path, required=True, metavar="F", help="the file, one judged trial per line")
    export.add_argument("--judge", metavar="NAME", help="only what this judge said, where a run had several")
    export.add_argument("--runs-dir", type=Path, default=RUNS_ROOT, metavar="DIR", help="where runs are kept")
    export.add_argument("--tasks", type=Path, action="append", metavar="DIR", help="where its tasks are, if not ours")
    load = actions.add_parser("import", help="put judgements into the cache, so that nobody is asked again")
    load.add_argument("file", type=Path, metavar="F", help="a file that `export` wrote")


def run(options: argparse.Namespace) -> int:
    if options.action == "import":
        print(f"{import_recorded(options.file)} judged trial(s) are in the cache")
        return 0
    store = open_run(options.name, options.runs_dir)
    tasks = {task.id: task for task in find_tasks(options.tasks or (TASKS_ROOT,), complain)}
    lines, left_out = [], []
    for record in store.latest().values():
        if record.scored and facts_of(record).build:
            try:
                said = _recorded(store, record, tasks)
                lines += [one.to_line() for one in said if options.judge in (None, one.judge)]
            except BenchmarkError as error:
                left_out.append(f"left out {record.id.label}: {error.message}")
    write_whole(options.out, "".join(line + "\n" for line in lines))
    print("\n".join([*left_out, f"{len(lines)} judgement(s) in {options.out}"]))
    return 1 if left_out else 0


def _recorded(store: RunStore, record: TrialRecord, tasks: dict[str, Task]) -> tuple[Recorded, ...]:
    task = tasks.get(record.task)
    if task is None:
        raise BenchmarkError("its task is not here", fix="name the folder with --tasks")
    folder = store.trial_folder(record.id)
    rubric, demos = read_rubric(task.folder), read_showing(folder)
    if not rubric.digest.startswith(record.versions.get("rubric", "?")):
        raise BenchmarkError("it was judged under another rubric")
    asked = question(rubric, demos)
    return tuple(
        Recorded(
            question=asked,
            judge=one.judge,
            version=one.version,
            proxy=one.proxy,
            trial=record.id.label,
            repeat=one.repeat,
            demos=one.demos,
        )
        for one in read_opinions(folder)
    )
