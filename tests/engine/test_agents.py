"""What an agent's process can see and do."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

import pytest

from benchmark.agents.command import CommandAgent
from benchmark.agents.protocol import AgentReport, Assignment
from benchmark.agents.workspace import lay_out_workspace
from benchmark.assets.library import bring
from benchmark.project_trial import ProjectTrial
from benchmark.running import new_trial
from benchmark.runtime.machine import Machine
from benchmark.runtime.sandbox import Sandbox
from benchmark.runtime.workdir import work_folder
from benchmark.tasks import read_task
from benchmark.trials import TrialId

pytestmark = pytest.mark.engine
REPOSITORY = Path(__file__).parents[2]
TINY = REPOSITORY / "tests/tasks/craft/puzzle/tiny-switch"
PROJECT = """config_version=5
[application]
run/main_scene="res://m.tscn"
"""
SCENE = """[gd_scene format=3]
[node name="A" type="ColorRect"]
offset_right = 1280.0
offset_bottom = 720.0
color = Color(1, 0, 0, 1)
"""


def work(agent: CommandAgent, machine: Machine, tmp_path: Path, seconds: float = 90) -> tuple[AgentReport, str, Path]:
    """Run an agent on the tiny task; returns its report, its log, and a copy of a file `out` if it left one."""
    bring()
    task = read_task(TINY)
    with work_folder("workspace", on_disk=True) as folder:
        trial = new_trial(TrialId(task.id, agent.name), task, tmp_path)
        assert isinstance(trial, ProjectTrial)
        instruction = lay_out_workspace(folder, machine, trial.instruction, trial.lay_out_start)
        log = tmp_path / "agent.log"
        reference = partial(trial.lay_out_reference, machine)
        report = agent.work(
            Assignment(
                task=task, workspace=folder, instruction=instruction, timeout_sec=seconds, log=log, reference=reference
            )
        )
        out = tmp_path / "out"
        if (folder / "out").exists():
            out.write_bytes((folder / "out").read_bytes())
    return report, log.read_text(), out


def test_it_works_on_the_machine_of_its_trial(machine: Machine, tmp_path: Path) -> None:
    """The fixture `engine` of a conftest is what agents get too, not what is found beside it."""

    class UsedError(Exception):
        pass

    class Marked:
        def __getattr__(self, name: str) -> object:
            raise UsedError(name)

    marked = replace(machine, sandbox=cast(Sandbox, Marked()))
    assignment = Assignment(
        task=read_task(TINY),
        workspace=tmp_path,
        instruction="",
        timeout_sec=9,
        log=tmp_path / "agent.log",
        reference=lambda _: None,
        machine=marked,
    )
    with pytest.raises(UsedError):
        CommandAgent("x", "true").work(assignment)


def test_nothing_hidden_can_be_seen(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.sandbox.confined, "without a sandbox agents see everything here: python -m benchmark doctor"
    monkeypatch.setenv("SECRET_KEY", "s3cret")
    monkeypatch.setenv("OWN_KEY", "0wn")
    command = (
        f"cat {TINY}/tests/rubric.json; ls {REPOSITORY}; ls /root /proc/1/root {Path.home()}; cat /etc/shadow; env;"
        " find / -name rubric.json -not -path '/proc/*' 2>/dev/null; find / -name 'coverage.toml' 2>/dev/null;"
        " grep -rs 'irreducible' /workspace/assets --include=*.json; ps -e 2>/dev/null | wc -l; id -u"
    )
    _, log, _ = work(CommandAgent("spy", command, env=("OWN_KEY",)), machine, tmp_path)
    assert "score_formula" not in log
    assert "rubric.json" not in log.replace(f"{TINY}/tests/rubric.json", "")
    assert "pyproject.toml" not in log
    assert "s3cret" not in log
    assert "OWN_KEY=0wn" in log
    assert log.rstrip().endswith("65534")


def test_the_library_is_there_and_cannot_be_changed(machine: Machine, tmp_path: Path) -> None:
    command = "cd assets/library; ls kenney/cards | wc -l; cat kenney/LICENSE.txt; touch x && echo wrote"
    _, log, _ = work(CommandAgent("a", command), machine, tmp_path)
    assert "CC0" in log
    assert int(log.splitlines()[0]) > 50
    assert "wrote" not in log


def test_engine_and_screenshot_tool_work(machine: Machine, tmp_path: Path) -> None:
    command = (
        f"godot --version && cat > game/project.godot <<'END'\n{PROJECT}END\n"
        f"cat > game/m.tscn <<'END'\n{SCENE}END\n"
        "tools/screenshot.sh --path game -- --out /workspace/out --frames 5; mv out.png out 2>/dev/null; true"
    )
    report, log, out = work(CommandAgent("a", command, network=False), machine, tmp_path)
    assert report.ended == "finished", log
    assert "/workspace/out: 1280 x 720" in log
    assert out.read_bytes().startswith(b"\x89PNG")


def test_a_late_agent_is_stopped_and_what_it_left_counts(machine: Machine, tmp_path: Path) -> None:
    agent = CommandAgent("a", "echo early > out; sleep 100 & sleep 100")
    report, log, out = work(agent, machine, tmp_path, seconds=2)
    assert report.ended == "time limit"
    assert out.read_text() == "early\n"
    assert log == ""


def test_costs_are_taken_only_from_sane_reports(machine: Machine, tmp_path: Path) -> None:
    for said, cost in (("1.25", 1.25), ("-3", 0), ("true", 0), ("1e999", 0)):
        agent = CommandAgent("a", f"echo '{{\"cost_usd\": {said}}}' > $HOME/usage.json; exit 4")
        report, _, _ = work(agent, machine, tmp_path)
        assert report.cost_usd == cost
        assert report.ended == "crashed"
