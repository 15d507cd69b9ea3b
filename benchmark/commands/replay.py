"""`python -m benchmark replay`."""

import argparse
import json
import os
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmark.errors import UsageError, complain
from benchmark.files import write_json, write_whole
from benchmark.limits import STORED_BYTES
from benchmark.progress import Progress
from benchmark.projects.prepare import PreparedProject
from benchmark.replay.build_gate import BuildReport, check_build
from benchmark.replay.certify import certify
from benchmark.replay.counterfactual import (
    Counterfactual,
    compare,
    compare_varied,
    watched_alike,
    with_fingerprints,
    write_counterfactual,
)
from benchmark.replay.evidence import RecorderSettings
from benchmark.replay.recordings import Recording, Studio, export, folder_names, record_cached, replay
from benchmark.replay.take_order import TakeOrder
from benchmark.replay.trace_reader import take_trace
from benchmark.replay.traces import FPS, MAX_FRAMES, Trace
from benchmark.replay.varied import vary
from benchmark.running import TRIAL_FILE
from benchmark.runtime.machine import Machine, find_machine
from benchmark.tasks import TASKS_ROOT, find_tasks
from benchmark.tracks import track_of
from benchmark.trials import TrialRecord
from benchmark.untrusted import read_utf8
from benchmark.verify_run.findings import BAD


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--project", type=Path, metavar="DIR", help="the Godot project")
    what.add_argument(
        "--trial",
        type=Path,
        metavar="DIR",
        help="the folder of a trial that was played: its log is played again",
    )
    parser.add_argument(
        "--tasks", type=Path, action="append", metavar="DIR", help="with --trial: where its task is (default: our own)"
    )
    parser.add_argument(
        "--trace", type=Path, action="append", default=[], metavar="F",
        help="replay this trace instead of the project's own (may be given again)",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="with --project: where the evidence goes, a folder per demo"
    )
    parser.add_argument("--recorder", choices=("engine", "x11"), default="engine", help="default: engine")
    parser.add_argument("--video-fps", type=int, choices=(0, 6, 10, 30), default=10, help="0: stills only; default: 10")
    parser.add_argument(
        "--window", type=float, default=MAX_FRAMES / FPS, metavar="SEC",
        help="longer demos are sampled from a window of this length (default: 20)",
    )  # fmt: skip
    parser.add_argument("--no-pointer", action="store_true", help="do not draw the mouse pointer into the pictures")
    parser.add_argument("--certify", action="store_true", help="replay twice and compare to the byte")
    parser.add_argument(
        "--counterfactual", action="store_true", help="also replay without inputs: what did they cause?"
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="demos at once (default: one per core)")
    parser.add_argument("--godot", metavar="PATH", help="engine to use (also: $GODOT)")
    parser.add_argument("--json", action="store_true", help="machine-readable result on standard output")


def run(options: argparse.Namespace) -> int:
    if options.trial:
        return _replay_trial(options)
    if not options.out:
        raise UsageError("--project needs a folder for the evidence", fix="add --out DIR")
    if not options.project.is_dir():
        raise UsageError(f"--project: {options.project} is not a folder")
    if not 1 / FPS <= options.window <= MAX_FRAMES / FPS:
        raise UsageError(f"--window: {options.window} is outside 0.04–{MAX_FRAMES // FPS} seconds")
    if options.jobs is not None and options.jobs < 1:
        raise UsageError(f"--jobs: {options.jobs} is less than 1")
    if options.counterfactual and options.recorder == "x11":
        raise UsageError("--counterfactual compares frame by frame", fix="use it with --recorder engine")
    progress = Progress(quiet=options.json)
    given = _given_traces(options.trace, progress)
    options.out.mkdir(parents=True, exist_ok=True)
    machine = find_machine(options.godot)
    if not machine.sandbox.confined:
        progress.say("warning: no sandbox on this machine; the game runs with your own rights (see doctor)")
    progress.say("build gate …")
    gate = check_build(options.project, machine)
    write_json(options.out / "gate.json", gate.to_json())
    write_whole(options.out / "gate.log", gate.log)
    blockers = [f for f in gate.findings if f.blocks and not (given and f.reason == "no-trace")]
    if blockers or gate.prepared is None:
        return _report_failure(gate, options)
    settings = RecorderSettings(
        recorder=options.recorder, video_fps=options.video_fps, window_frames=round(options.window * FPS),
        pointer=not options.no_pointer,
    )  # fmt: skip
    results = _replay_all(gate.prepared, given or gate.traces.traces, settings, machine, options, progress)
    if options.json:
        print(json.dumps({"build": 1, "findings": [asdict(f) for f in gate.findings], "demos": results}, indent=1))
    else:
        for problem in gate.traces.problems:
            print(f"skipped  {problem}")
        print(f"evidence is in {options.out}")
    return 1 if any(not demo.get("certificate", {}).get("identical", True) for demo in results) else 0


def _replay_trial(options: argparse.Namespace) -> int:
    """Whatever its track makes of that. 1: it does not repeat."""
    path = options.trial / TRIAL_FILE
    try:
        record = TrialRecord.from_line(read_utf8(path, STORED_BYTES))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{path} cannot be read: {error}", fix="name the folder of a trial: reports/RUN/trials/…"
        ) from error
    again = track_of(record.track).trials.replay
    if again is None:
        raise UsageError(f"trials of track {record.track} are replayed from their project", fix="--project DIR")
    task = next((one for one in find_tasks(options.tasks or (TASKS_ROOT,), complain) if one.id == record.task), None)
    if task is None:
        raise UsageError(f"the task {record.task} is not here", fix="name where it is: --tasks DIR")
    if not record.scored:
        raise UsageError(f"{options.trial} is void: {record.reason}")
    findings = list(again(options.trial, record, task))
    if options.json:
        print(json.dumps({"trial": record.id.label, "findings": [asdict(one) for one in findings]}, indent=1))
    else:
        print(record.id.label)
        for one in findings:
            print(f"  {one.what}  {one.status}: {one.detail}")
    return int(any(one.status in BAD for one in findings))


def _given_traces(paths: list[Path], progress: Progress) -> tuple[Trace, ...]:
    """As a submission's own are read; what was not as asked is said, not refused."""
    traces = []
    for path in paths:
        reading = take_trace(path)
        if reading.trace is None:
            raise UsageError(f"--trace: {reading.problem}")
        for liberty in reading.liberties:
            progress.say(f"note: {liberty}: {liberty.taken} [{liberty.rule}]")
        traces.append(reading.trace)
    stems = [Path(trace.name).stem for trace in traces]
    if len(set(stems)) < len(stems):
        raise UsageError("--trace: two traces have the same file name", fix="rename one of them")
    return tuple(traces)


def _report_failure(gate: BuildReport, options: argparse.Namespace) -> int:
    if options.json:
        print(json.dumps({**gate.to_json(), "demos": []}, indent=1))
    else:
        for finding in gate.findings:
            if finding.blocks:
                print(f"BUILD 0  {finding.reason}: {finding}")
    return 1


def _replay_all(
    prepared: PreparedProject,
    traces: tuple[Trace, ...],
    settings: RecorderSettings,
    machine: Machine,
    options: argparse.Namespace,
    progress: Progress,
) -> list[dict[str, Any]]:
    started = time.monotonic()
    done = 0

    def on_done(recording: Recording) -> None:
        nonlocal done
        done += 1
        progress.update(f"{done} of {len(traces)} demos", done / len(traces))

    progress.say(f"replaying {len(traces)} demo(s) …")
    if options.counterfactual:
        settings = with_fingerprints(settings)
    takes = [(trace, settings) for trace in traces]
    recordings = replay(prepared, takes, Studio(machine, jobs=options.jobs, on_done=on_done))
    progress.done()
    results = []
    for recording, name in zip(recordings, folder_names(traces), strict=True):
        target = options.out / name
        export(recording, target)
        result = _result(recording, target)
        extra: list[str] = []
        if options.counterfactual:
            effect = _counterfactual(recording, prepared, machine, target)
            result["counterfactual"] = effect.to_json()
            extra.append(f"counterfactual: {effect.describe()}")
        if options.certify:
            certificate = certify(recording, prepared, machine, target, os.cpu_count() or 1)
            (target / "certificate.json").write_text(json.dumps(asdict(certificate), indent=1), encoding="utf-8")
            result["certificate"] = asdict(certificate)
            extra.append(f"certificate: {certificate.describe()}")
        results.append(result)
        if not options.json:
            _print_demo(recording, extra)
    progress.say(f"{len(recordings)} demo(s) in {time.monotonic() - started:.1f} s")
    return results


def _counterfactual(recording: Recording, prepared: PreparedProject, machine: Machine, target: Path) -> Counterfactual:
    trace, evidence = recording.trace, recording.evidence
    settings = replace(evidence.settings, video_fps=0, pointer=False)
    threads = os.cpu_count() or 1
    untouched = record_cached(prepared, TakeOrder(trace.without_inputs(), settings), machine, threads)
    effect = compare(trace, evidence, untouched.evidence, recording.folder, untouched.folder)
    variation = vary(trace, prepared.digest, evidence.window)
    if variation is not None:
        order = TakeOrder(variation.trace, watched_alike(evidence.settings), variation.window)
        varied = record_cached(prepared, order, machine, threads)
        found = compare_varied(variation, evidence, varied.evidence, recording.folder, varied.folder)
        effect = replace(effect, varied=found)
    write_counterfactual(target, effect)
    return effect


def _result(recording: Recording, target: Path) -> dict[str, Any]:
    evidence = recording.evidence
    return {
        "demo": evidence.demo,
        "folder": str(target),
        "outcome": asdict(evidence.outcome),
        "frames": asdict(evidence.frames),
        "stills": len(evidence.stills),
        "inputs_sent": evidence.inputs_sent,
        "inputs_delivered": evidence.inputs_delivered,
        "digest": evidence.digest,
        "cached": recording.cached,
        "seconds": round(recording.seconds, 3),
    }


def _print_demo(recording: Recording, extra: list[str]) -> None:
    evidence = recording.evidence
    outcome = evidence.outcome
    ended = "complete" if outcome.complete else f"{outcome.kind} at frame {outcome.frame} ({outcome.detail})"
    source = "cached" if recording.cached else f"{recording.seconds:.1f} s"
    frames = evidence.frames
    print(
        f"{evidence.demo}: {ended}; {frames.played} of {frames.expected} frames, {frames.dropped} dropped; "
        f"{evidence.inputs_delivered} of {evidence.inputs_sent} inputs; {len(evidence.stills)} stills; {source}"
    )
    for message in evidence.messages:
        if message.severity == "error":
            at = f" (frame {message.frame})" if message.frame is not None and message.frame >= 0 else ""
            print(f"  engine error{at}: {message}" + (f" ×{message.count}" if message.count > 1 else ""))
    for line in extra:
        print(f"  {line}")
