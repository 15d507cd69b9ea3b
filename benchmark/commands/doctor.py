"""`python -m benchmark doctor`."""

import argparse
import json
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

from benchmark.errors import InfrastructureError
from benchmark.paths import cache_root
from benchmark.replay.testcard import record_testcard
from benchmark.runtime.doctor import MachineCheck, examine
from benchmark.runtime.enforcement import Limit, enforced_limits, reason_without_groups
from benchmark.runtime.machine import Machine, find_machine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--godot", metavar="PATH", help="engine to look at (also: $GODOT)")
    parser.add_argument("--json", action="store_true", help="machine-readable output")


def run(options: argparse.Namespace) -> int:
    checks: list[MachineCheck] = []
    for check in examine(options.godot, _draw):
        checks.append(check)
        if not options.json:
            _print(check)
    usable = all(check.works for check in checks if check.vital) and checks[-1].name == "a frame is drawn"
    limits = enforced_limits(find_machine(options.godot)) if usable else []
    if options.json:
        found = {"usable": usable, "checks": checks, "limits": limits, "without_cgroup": reason_without_groups()}
        print(json.dumps(found, indent=1, default=asdict))
    else:
        _print_limits(limits)
        print("games can be recorded on this machine" if usable else "games can NOT be recorded yet")
    return 0 if usable else 1


def _print(check: MachineCheck) -> None:
    colour = sys.stdout.isatty()
    mark = "ok" if check.works else "FAIL" if check.vital else "note"
    if colour:
        mark = f"\x1b[{'32' if check.works else '31' if check.vital else '33'}m{mark}\x1b[0m"
    print(f"{mark:>{13 if colour else 4}}  {check.name:17} {check.version:31} {check.found}")
    if not check.works and check.fix:
        print(f"{'':6}{'':17} fix: {check.fix}")


def _print_limits(limits: list[Limit]) -> None:
    """Who keeps which limit; what is only polled can be passed for a moment."""
    if not limits:
        return
    print(f"\n{'limit':38} {'kept by':8} how")
    for limit in limits:
        print(f"{limit.name:38} {limit.keeper:8} {limit.how}")
    if reason := reason_without_groups():
        print(f"the kernel does not limit whole trees here (cgroup v2): {reason}")
    print()


def _draw(machine: Machine) -> Path:
    out = cache_root() / "doctor"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    evidence = record_testcard(machine, out)
    if not evidence.outcome.complete or not evidence.stills:
        raise InfrastructureError(f"the test card did not run: {evidence.outcome.kind} {evidence.outcome.detail}")
    return out / evidence.stills[-1].file
