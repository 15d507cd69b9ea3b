"""`python -m benchmark audit`."""

import argparse
import re
from pathlib import Path

from benchmark.craft.judging.registry import NAMES, check_judge, make_judge
from benchmark.errors import UsageError, complain
from benchmark.files import write_json, write_whole
from benchmark.progress import Progress
from benchmark.results.store import RUNS_ROOT
from benchmark.runtime.machine import find_machine
from benchmark.tasks import TASKS_ROOT, Task, find_tasks

MIN_DETECTION = 0.9


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from benchmark.craft.audit.damages import DAMAGES

    parser.add_argument(
        "task", nargs="*", metavar="TASK", help="ids of tasks, or parts of them (default: all with an oracle)"
    )
    parser.add_argument(
        "--judge", default="offline", metavar="J", help=f"one of: {', '.join(NAMES)} (default: offline)"
    )
    parser.add_argument(
        "--damage", action="append", choices=[damage.name for damage in DAMAGES], metavar="NAME",
        help=f"only this one (may be given again): {', '.join(damage.name for damage in DAMAGES)}",
    )  # fmt: skip
    parser.add_argument(
        "--tasks", type=Path, action="append", metavar="DIR", help="where task packages are, if not ours"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help=f"default: {RUNS_ROOT}/audit-<judge>")
    parser.add_argument(
        "--min-detection",
        type=float,
        default=MIN_DETECTION,
        metavar="X",
        help="below it the exit code is 1 (default: 0.9)",
    )
    parser.add_argument(
        "--max-cost", type=float, metavar="USD", help="for judges that cost money: stop asking at this sum"
    )
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="demos drawn at once (default: one per core)")
    parser.add_argument("--godot", metavar="PATH", help="engine to use (also: $GODOT)")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


def run(options: argparse.Namespace) -> int:
    if not 0 <= options.min_detection <= 1:
        raise UsageError(f"--min-detection: {options.min_detection} is outside 0–1")
    if options.jobs is not None and options.jobs < 1:
        raise UsageError(f"--jobs: {options.jobs} is less than 1")
    every = [
        task
        for task in find_tasks(options.tasks or (TASKS_ROOT,), complain)
        if task.track == "craft" and task.has_oracle
    ]
    chosen = _chosen(every, options.task)
    check_judge(options.judge, options.max_cost)
    from benchmark.assets.library import bring  # OpenCV and the judges come only now: --help is quick
    from benchmark.craft.audit.damages import DAMAGES
    from benchmark.craft.audit.picture import draw_audit
    from benchmark.craft.audit.run import AuditTools, run_audit
    from benchmark.craft.audit.tables import comma_separated, document, markdown, summary_lines, terminal_table

    out: Path = options.out or Path(RUNS_ROOT) / f"audit-{re.sub(r'[^A-Za-z0-9.-]+', '-', options.judge)}"
    out.mkdir(parents=True, exist_ok=True)
    damages = [damage for damage in DAMAGES if not options.damage or damage.name in options.damage]
    progress = Progress(quiet=options.quiet)
    judge = make_judge(options.judge, out, options.max_cost)
    judge.ready()
    bring(progress)
    audit = run_audit(chosen, damages, AuditTools(find_machine(options.godot), judge, progress, options.jobs), every)
    write_json(out / "audit.json", document(audit))
    write_whole(out / "audit.csv", comma_separated(audit))
    write_whole(out / "audit.md", markdown(audit))
    draw_audit(audit, out / "audit.png")
    print(terminal_table(audit))
    print()
    print("\n".join(summary_lines(audit)))
    print(f"written to {out}")
    return 0 if audit.passed(options.min_detection) else 1


def _chosen(every: list[Task], wanted: list[str]) -> list[Task]:
    if not every:
        raise UsageError("no task with an oracle is here", fix="name a folder of packages with --tasks")
    for word in wanted:
        if not any(word in task.id for task in every):
            raise UsageError(
                f"no task with an oracle has {word!r} in its id", fix=f"one of: {', '.join(t.id for t in every)}"
            )
    return [task for task in every if not wanted or any(word in task.id for word in wanted)]
