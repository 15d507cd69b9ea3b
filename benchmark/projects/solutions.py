"""The oracle: a task's own solution, laid out as a submission.

Ours are projects whose art comes from the library. Packages of the public benchmark bring a shell script that writes
the project to /workspace/game; it is a stranger's code, so it runs in the sandbox or not at all.
"""

import shutil
from pathlib import Path

from benchmark.assets.library import library_folder
from benchmark.assets.manifest import MANIFEST, copy_art, read_manifest
from benchmark.errors import InfrastructureError
from benchmark.projects.project import PROJECT_FILE
from benchmark.projects.submission import take_submission
from benchmark.runtime.machine import Machine
from benchmark.runtime.processes import Finished
from benchmark.runtime.sandbox import Job, Limits, Mount, Sandbox
from benchmark.runtime.userland import HOST
from benchmark.runtime.workdir import hand_over, work_folder
from benchmark.tasks import SOLVE_SCRIPT

COVERAGE = "coverage.toml"
_FOR_AUTHORS = (MANIFEST, COVERAGE, ".godot", "*.import", "*.uid")
_PATH = "/usr/local/bin:/usr/bin:/bin"
SCRIPT_LIMITS = Limits(wall_sec=300, cpu_sec=300)


def lay_out_oracle(solution: Path, target: Path) -> None:
    """Copy the project to `target`, which must not exist, and the art it names into it."""
    manifest = read_manifest(solution)
    shutil.copytree(solution, target, ignore=shutil.ignore_patterns(*_FOR_AUTHORS))
    copy_art(manifest, target)


def lay_out_solution(solution: Path, target: Path, machine: Machine) -> None:
    """The same for a solution of either kind: a project, or a script that writes one."""
    if (solution / PROJECT_FILE).is_file():
        lay_out_oracle(solution, target)
    else:
        _run_script(solution, target, machine)


def _run_script(solution: Path, target: Path, machine: Machine) -> None:
    """Run solve.sh with /workspace/game to write to, and take what it left there."""
    script = solution / SOLVE_SCRIPT
    if not isinstance(machine.sandbox, Sandbox):
        raise InfrastructureError(
            f"{script} is a stranger's program and runs in a sandbox only; there is none on this machine",
            fix="see `python -m benchmark doctor`",
        )
    with work_folder("oracle", on_disk=True) as work:
        workspace, own = work / "workspace", work / "solution"
        (workspace / "game").mkdir(parents=True)
        (workspace / "assets" / "library").mkdir(parents=True)
        shutil.copytree(solution, own, symlinks=True)  # where it lies, a sandbox that runs as nobody may not reach it
        hand_over(work)
        # Some scripts change their own permissions: it is their copy.
        mounts = [Mount("workspace", workspace, "write"), Mount("solution", own, "write")]
        if library_folder().is_dir():
            mounts.append(Mount("workspace/assets/library", library_folder()))
        arguments = (f"/solution/{SOLVE_SCRIPT}",)
        job = Job(
            program=Path("/bin/bash"), args=arguments, mounts=tuple(mounts), env={"PATH": _PATH}, limits=SCRIPT_LIMITS
        )
        finished = Sandbox(HOST, machine.sandbox.bwrap, machine.sandbox.as_nobody).run(job)
        take_submission(workspace / "game", target)
    for path in target.rglob("*"):
        path.chmod(path.stat().st_mode | 0o200)  # laid out to be worked on, like an oracle of ours
    if finished.exit_code != 0 or not (target / PROJECT_FILE).is_file():
        # Half an oracle would be a wrong number: there is none.
        problem = "did not finish" if finished.exit_code != 0 else f"wrote no {PROJECT_FILE}"
        raise InfrastructureError(f"{script} {problem} ({finished.describe()}): {_last_line(finished)}")


def _last_line(finished: Finished) -> str:
    return next((line.strip()[:200] for line in reversed(finished.text.splitlines()) if line.strip()), "")
