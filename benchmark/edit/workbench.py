"""What an agent may ask of the project that it changes: does it start without errors, and what does it look like."""

from pathlib import Path

from benchmark.replay.build_gate import BuildFinding, check_build
from benchmark.runtime.machine import Machine
from benchmark.workbench.answers import FAILED, OK, Answer
from benchmark.workbench.demos import replay_project as replay

__all__ = ["check", "replay"]

_BLOCKS_HERE = {"runtime-error"}  # no demo would show it


def check(project: Path, machine: Machine, imports: Path) -> Answer:
    """The build gate, demos aside: nobody asks for any."""
    gate = check_build(project, machine, anew=imports, remember=False)
    findings = [one for one in gate.findings if not one.reason.startswith(("trace", "no-trace"))]
    bad = [one for one in findings if _bad(one)]
    lines = [f"the project {'starts' if gate.launches else 'does not start'}, {len(bad)} error(s)"]
    lines += [f"{'error' if _bad(one) else 'note'}  {one.reason}: {one}" for one in findings]
    return Answer("\n".join(lines), FAILED if bad else OK)


def _bad(finding: BuildFinding) -> bool:
    return finding.blocks or finding.reason in _BLOCKS_HERE
