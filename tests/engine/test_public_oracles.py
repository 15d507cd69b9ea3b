"""Oracles of the public benchmark: shell scripts of strangers that write a project to /workspace/game."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.errors import InfrastructureError
from benchmark.projects import solutions
from benchmark.projects.solutions import lay_out_solution
from benchmark.replay.build_gate import check_build
from benchmark.runtime.machine import Machine
from benchmark.runtime.sandbox import Limits, PlainProcess
from benchmark.tasks import read_task

pytestmark = pytest.mark.engine
TINY = Path(__file__).parents[1] / "tasks/craft/puzzle/tiny-switch"
HERE_DOCUMENT = """#!/bin/bash
set -euo pipefail
mkdir -p /workspace/game
cat > /workspace/game/project.godot <<'EOF'
config_version=5
EOF
"""
COPYING = """#!/bin/bash
set -e
chmod +x "$0"
cp -r "$(dirname "$0")/files/." /workspace/game/
"""


@pytest.fixture
def solution(tmp_path: Path) -> Path:
    folder = tmp_path / "puzzle-tiny" / "solution"
    folder.mkdir(parents=True)
    return folder


def write(solution: Path, script: str) -> Path:
    (solution / "solve.sh").write_text(script, encoding="utf-8")
    return solution


def test_a_script_with_here_documents_leaves_a_project_that_can_be_worked_on(
    solution: Path, machine: Machine, tmp_path: Path
) -> None:
    lay_out_solution(write(solution, HERE_DOCUMENT), tmp_path / "game", machine)
    assert (tmp_path / "game/project.godot").read_text(encoding="utf-8") == "config_version=5\n"
    assert os.access(tmp_path / "game/project.godot", os.W_OK)


def test_a_script_that_copies_its_files_gets_build_1(solution: Path, machine: Machine, tmp_path: Path) -> None:
    shutil.copytree(TINY / "solution", solution / "files")
    lay_out_solution(write(solution, COPYING), tmp_path / "game", machine)
    assert check_build(tmp_path / "game", machine).build == 1


def test_a_script_reaches_neither_host_files_nor_the_network_nor_our_folders(
    solution: Path, machine: Machine, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("key", encoding="utf-8")
    tmp_path.chmod(0o755)
    attack = f"""
cat {secret} > /workspace/game/stolen 2>&1 || true
env > /workspace/game/environment
(exec 3<>/dev/tcp/127.0.0.1/22) 2> /workspace/game/network || true
touch {tmp_path}/written /written 2>/dev/null || true
ln -s {secret} /workspace/game/link
"""
    lay_out_solution(write(solution, HERE_DOCUMENT + attack), tmp_path / "game", machine)
    assert "key" not in (tmp_path / "game/stolen").read_text(encoding="utf-8").split()
    assert "HOME=/root" not in (tmp_path / "game/environment").read_text(encoding="utf-8")
    assert (tmp_path / "game/network").read_text(encoding="utf-8")  # an error
    assert not (tmp_path / "written").exists()
    assert not (tmp_path / "game/link").exists()
    assert (solution / "solve.sh").read_text(encoding="utf-8") == HERE_DOCUMENT + attack


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("#!/bin/bash\necho nothing to do\n", r"wrote no project.godot \(exit code 0\): nothing to do"),
        (HERE_DOCUMENT + "echo no such art >&2; exit 3\n", r"did not finish \(exit code 3\): no such art"),
        (HERE_DOCUMENT + "while true; do :; done\n", r"did not finish"),
    ],
)
def test_half_an_oracle_is_none(
    solution: Path, machine: Machine, tmp_path: Path, script: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solutions, "SCRIPT_LIMITS", Limits(wall_sec=3, cpu_sec=3))
    with pytest.raises(InfrastructureError, match=message):
        lay_out_solution(write(solution, script), tmp_path / "game", machine)


def test_without_a_sandbox_it_does_not_run(solution: Path, machine: Machine, tmp_path: Path) -> None:
    script = write(solution, f"touch {tmp_path}/ran\n{HERE_DOCUMENT}")
    bare = replace(machine, sandbox=PlainProcess(machine.sandbox.userland))
    with pytest.raises(InfrastructureError, match="runs in a sandbox only"):
        lay_out_solution(script, tmp_path / "game", bare)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("script", "has_oracle"), [(HERE_DOCUMENT, True), ("#!/bin/bash\n\n# Write it here.\n", False)]
)
def test_a_script_of_comments_is_no_oracle(solution: Path, script: str, has_oracle: bool) -> None:
    write(solution, script)
    (solution.parent / "task.toml").write_text('[task]\nname = "x/puzzle-tiny"\n', encoding="utf-8")
    task = read_task(solution.parent)
    assert (task.has_oracle, task.foreign, task.family, task.difficulty) == (has_oracle, True, "puzzle", "unrated")
