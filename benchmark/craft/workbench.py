"""What an agent may ask of its game: the build gate of the verifier with the strict trace check, and its own demos."""

from dataclasses import replace
from pathlib import Path

from benchmark.replay.build_gate import BuildReport, check_build
from benchmark.runtime.machine import Machine
from benchmark.workbench.answers import FAILED, OK, Answer
from benchmark.workbench.demos import chosen, play
from benchmark.workbench.requests import ReplayRequest


def check(project: Path, machine: Machine, imports: Path) -> Answer:
    return report_build(check_build(project, machine, anew=imports, remember=False))


def report_build(gate: BuildReport) -> Answer:
    """Every finding of the gate, and every trace that is not written as asked."""
    lines = [f"BUILD {gate.build}"]
    lines += [f"{'BLOCKS' if one.blocks else 'note'}  {one.reason}: {one}" for one in gate.findings]
    traces = gate.traces
    lines.append(
        f"{len(traces.readings)} trace(s): {len(traces.traces)} can be replayed, {len(traces.clean)} written as asked"
    )
    lines += [f"error: {fault}" for fault in traces.faults]
    return Answer("\n".join(lines), OK if gate.build and not traces.faults else FAILED)


def replay(project: Path, machine: Machine, imports: Path, request: ReplayRequest) -> Answer:
    """The demos that are asked for, on one sheet."""
    traces = chosen(project, request)
    if isinstance(traces, Answer):
        return traces
    gate = check_build(project, machine, anew=imports, remember=False)
    if gate.prepared is None or not gate.launches:
        return replace(report_build(gate), code=FAILED)
    return play(gate.prepared, traces, machine, video=request.video)
