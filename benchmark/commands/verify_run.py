"""`python -m benchmark verify-run`."""

import argparse
import itertools
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from benchmark.errors import UsageError, complain
from benchmark.progress import Progress
from benchmark.results.store import RUNS_ROOT, RunStore, open_run, those_that_count
from benchmark.runtime.machine import find_machine
from benchmark.tasks import TASKS_ROOT, find_tasks
from benchmark.tracks import all_tracks
from benchmark.trials import TrialRecord, one_line
from benchmark.verify_run.findings import BAD, Finding, VerifyTools
from benchmark.verify_run.stored import read_records
from benchmark.verify_run.trials import other_harness, verify_trial


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="RUN", help="a run's name, `latest`, or its folder")
    parser.add_argument("-k", dest="word", default="", metavar="WORD", help="only trials whose label contains it")
    parser.add_argument(
        "--tasks", type=Path, action="append", metavar="DIR",
        help="where task packages are, for rubrics and hidden tests (default: the benchmark's own; may be repeated)",
    )  # fmt: skip
    parser.add_argument(
        "--runs-dir", type=Path, default=RUNS_ROOT, metavar="DIR", help=f"where runs are (default: {RUNS_ROOT}/)"
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where differences are drawn (default: verification-of-RUN/)"
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="demos at once (default: one per core)")
    parser.add_argument("--godot", metavar="PATH", help="engine to use (also: $GODOT)")
    parser.add_argument("--json", action="store_true", help="machine-readable result on standard output")


def run(options: argparse.Namespace) -> int:
    if options.jobs is not None and options.jobs < 1:
        raise UsageError(f"--jobs: {options.jobs} is less than 1")
    store = RunStore(open_run(options.name, options.runs_dir).folder.resolve())
    records, problems = read_records(store)
    latest = those_that_count(records)
    chosen = [latest[trial] for trial in sorted(latest) if options.word.lower() in trial.label.lower()]
    if not chosen and not problems:
        known = ", ".join(one_line(trial.label, 80) for trial in sorted(latest)[:5]) or "none"
        raise UsageError(f"-k: no trial of {store.name!r} contains {options.word!r}", fix=f"its trials: {known}")
    machine = find_machine(options.godot) if any(_needs_engine(record) for record in chosen) else None
    progress = Progress(quiet=options.json)
    demos = sum(max(1, len(record.facts.get("demos", ()))) for record in chosen if record.scored) or 1
    counter = itertools.count(1)
    bench = VerifyTools(
        engine=machine,
        tasks={task.id: task for task in find_tasks(options.tasks or (TASKS_ROOT,), complain)},
        pictures=options.out or Path(f"verification-of-{store.name}"),
        jobs=options.jobs,
        on_done=lambda name: progress.update(name, next(counter) / demos),
    )
    results = []
    for record in chosen:
        findings = verify_trial(store, record, bench)
        notes = tuple(other_harness(record, machine))
        results.append((record, findings, notes))
        progress.done()
        if not options.json:
            _print_trial(record, findings, notes)
    everything = [finding for _, findings, _ in results for finding in findings]
    if options.json:
        print(json.dumps(_document(store, results, problems), indent=1))
    else:
        for problem in problems:
            print(f"unreadable  {problem}")
        _print_sum(everything, len(results))
    return 1 if problems or any(finding.status in BAD for finding in everything) else 0


def _needs_engine(record: TrialRecord) -> bool:
    track = all_tracks().get(record.track)
    return record.scored and track is not None and "engine" in track.needs


def _print_trial(record: TrialRecord, findings: tuple[Finding, ...], notes: tuple[str, ...]) -> None:
    print(one_line(record.id.label, 200))
    for note in notes:
        print(f"  note: {note}")
    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        print(f"  {finding.what:{width}}  {finding.status}{f': {finding.detail}' if finding.detail else ''}")


def _print_sum(findings: list[Finding], trials: int) -> None:
    counted = Counter(finding.status for finding in findings)
    numbers = ", ".join(f"{count} {status}" for status, count in counted.most_common())
    print(f"{trials} trial(s), {len(findings)} finding(s): {numbers or 'none'}")


Result = tuple[TrialRecord, tuple[Finding, ...], tuple[str, ...]]


def _document(store: RunStore, results: list[Result], problems: list[str]) -> dict[str, object]:
    return {
        "run": store.name,
        "problems": problems,
        "trials": [
            {
                "trial": record.id.label,
                "notes": list(notes),
                "findings": [asdict(finding) for finding in findings],
            }
            for record, findings, notes in results
        ],
    }
