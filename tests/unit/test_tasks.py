"""Task packages: finding and listing them, in our layout and in the public benchmark's own, and the authoring rules."""

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmark.authoring import check_package
from benchmark.craft.instruction import render_instruction
from benchmark.craft.rubric import RubricError, read_rubric
from benchmark.errors import UsageError
from benchmark.tasks import TASKS_ROOT, TaskError, find_tasks, read_task

TINY = Path(__file__).parents[1] / "tasks/craft/puzzle/tiny-switch"

# A package as the public benchmark has it: Harbor's task.toml, sections in the instruction, no oracle.
PUBLIC_TOML = """
version = "1.0"
[metadata]
author_name = "someone"
category = "strategy"
tags = ["godot", "2d"]
[verifier]
timeout_sec = 1800.0
[agent]
timeout_sec = 7200.0
[environment]
build_timeout_sec = 600.0
cpus = 4
"""
PUBLIC_INSTRUCTION = """# Strategy: Border

Build it at `/workspace/game/`.

## Core Vision
x
## Demos
Ship traces.
### Trace file format
json
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A good package to break."""
    folder = tmp_path / "craft/puzzle/tiny-switch"
    shutil.copytree(TINY, folder)
    return folder


def test_our_own_tasks_are_found_and_sound() -> None:
    tasks = find_tasks()
    assert {"craft/example/comet-harvest", "craft/platformer/lantern-keeper"} <= {task.id for task in tasks}
    for task in tasks:
        assert task.has_oracle
        assert check_package(task.folder) == (), task.id


def test_a_package_of_the_public_benchmark_loads_unchanged(tmp_path: Path) -> None:
    folder = tmp_path / "strategy_border"
    (folder / "tests").mkdir(parents=True)
    (folder / "tests/test.sh").write_text("python -m gamecraft_bench.verifier\n", encoding="utf-8")
    (folder / "task.toml").write_text(PUBLIC_TOML, encoding="utf-8")
    (folder / "instruction.md").write_text(PUBLIC_INSTRUCTION, encoding="utf-8")
    rubric = {
        "score_formula": "BUILD * (0.15*((M1+M2)/2) + 0.35*D1 + 0.15*V1 + 0.35*A1)",
        "max_demos": 10, "max_demo_seconds": 20,
        "build_check": {"id": "BUILD", "cmd": "godot --headless --path /workspace/game --quit-after 5"},
        "categories": [],
        "requirements": [
            {"id": name, "agg": "max", "description": "something"} for name in ("M1", "M2", "D1", "V1", "A1")
        ],
    }  # fmt: skip
    (folder / "tests/rubric.json").write_text(json.dumps(rubric), encoding="utf-8")
    (task,) = find_tasks([tmp_path])
    assert task.id == "craft/strategy/strategy-border"
    assert not task.has_oracle
    assert task.agent_timeout_sec == 7200
    assert read_rubric(folder).ids == ("M1", "M2", "D1", "V1", "A1")
    assert render_instruction(task) == PUBLIC_INSTRUCTION  # it brings the standard sections itself
    assert check_package(folder) == ()  # our house style is not asked of it


def test_the_standard_sections_are_added_to_ours() -> None:
    text = render_instruction(read_task(TINY))
    assert text.index("## What the Player Experiences") < text.index("## Assets") < text.index("### Trace format")
    assert "{workspace}" not in text
    assert '{"frame": 20' in text
    elsewhere = render_instruction(read_task(TINY), "/srv/w 1")
    assert "/workspace" not in elsewhere
    assert "/srv/w 1/game/" in elsewhere


def test_listing_140_tasks_is_quick(tmp_path: Path) -> None:
    for index in range(140):
        folder = tmp_path / f"craft/puzzle/task-{index}"
        folder.mkdir(parents=True)
        shutil.copyfile(TINY / "task.toml", folder / "task.toml")
    began = time.perf_counter()
    assert len(find_tasks([tmp_path])) == 140
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[agent", "task.toml: "),
        ('[metadata]\ndifficulty = "hardest"', "metadata.difficulty: 'hardest' is not one of easy, medium, hard"),
        ("[agent]\ntimeout_sec = -1", "agent.timeout_sec: -1 is not a number of seconds"),
        ("[agent]\ntimeout_sec = true", "agent.timeout_sec: True"),
        ('agent = "x"', "agent: a table is needed"),
        ('[metadata]\nfamily = "../../etc"', "metadata.family: .* lower-case words"),
        ('[metadata]\ntrack = "chess"', "metadata.track: 'chess' is not one of"),
        ("\udcff", "task.toml: "),
    ],
)
def test_a_bad_task_file_says_where(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "task.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(TaskError, match=message):
        read_task(tmp_path)


def test_two_packages_of_one_id_are_refused(tmp_path: Path) -> None:
    for parent in ("one", "two"):
        shutil.copytree(TINY, tmp_path / parent / "craft/puzzle/tiny-switch")
    with pytest.raises(TaskError, match="are both craft/puzzle/tiny-switch"):
        find_tasks([tmp_path])


def test_a_tasks_folder_must_exist(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        find_tasks([tmp_path / "nothing"])


def test_the_tiny_package_keeps_every_rule() -> None:
    assert check_package(TINY) == ()
    assert TASKS_ROOT.name == "tasks"


def change_rubric(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "tests/rubric.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")


def append(folder: Path, text: str) -> None:
    path = folder / "instruction.md"
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def _set(path: str, value: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        def go(data: Any) -> None:
            *parents, last = path.split(".")
            for key in parents:
                data = data[int(key)] if key.isdigit() else data[key]
            data[int(last) if last.isdigit() else last] = value

        change_rubric(folder, go)

    return change


def _write(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / "solution" / name).write_text(text, encoding="utf-8")


@pytest.mark.attack("a rubric of 28,000 items in one megabyte", "refused at once")
def test_a_rubric_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "tests/rubric.json"
    path.parent.mkdir()
    items = [{"id": f"M{number}", "description": "x"} for number in range(28_000)]
    path.write_text(json.dumps({"requirements": items, "score_formula": "M1"}, separators=(",", ":")), encoding="utf-8")
    with pytest.raises(RubricError, match="28000 items; at most 1000"):
        read_rubric(tmp_path)


REST = "0.35*D1+0.15*((V1+V2)/2)+0.35*A1"
GRADES = f"{'word ' * 30} Score 1 if x. 0.5. Score 0 if y."
LEAK = "A key press toggles the lamp within the same half second, as everybody expects."


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (_set("requirements.3.agg", "max"), "tests/rubric.json: requirements[3].agg: V1 must hold throughout"),
        (_set("requirements.0.description", "Score 1 if good."), "requirements[0].description: M1 has 4 words"),
        (_set("requirements.0.description", "word " * 40), "M1 does not say what scores 0.5"),
        (_set("requirements.0.description", f"Music plays. {GRADES}"), "silent replay"),
        (_set("score_formula", f"BUILD*(0.15*M1+{REST})"), "does not use M2"),
        (_set("score_formula", f"BUILD*(0.3*((M1+M2)/2)+{REST})"), "gives 1.15 when every item is 1"),
        (_set("score_formula", "BUILD*(0.35*M1+0*M2+0.15*D1+0.15*((V1+V2)/2)+0.35*A1)"), "Core Mechanics weighs 0.35"),
        (_set("score_formula", f"0*BUILD+0.15*((M1+M2)/2)+{REST}"), "must be 0 when BUILD is 0"),
        (_set("score_formula", "BUILD*D1/(M1+M2+V1+V2+A1)"), "divides by zero"),
        (_set("categories.0.name", "Mechanics"), "tests/rubric.json: categories: must be"),
        (_set("build_check.cmd", "true"), "tests/rubric.json: build_check: must be"),
        (_set("requirements.0.id", "X1"), "requirements[0].id: 'X1'"),
        (lambda folder: append(folder, "\n- a list\n"), "'- a' is a list"),
        (lambda folder: append(folder, "\nplay some music\n"), "'music' speaks of sound"),
        (lambda folder: append(folder, "\nuse a GDScript file\n"), "'GDScript' says how to build it"),
        (lambda folder: append(folder, "\nthe judge will see\n"), "'judge' speaks of scoring"),
        (lambda folder: append(folder, "\n## Demos\n"), "headings: must be exactly"),
        (lambda folder: append(folder, f"\n{LEAK}\n"), "M1 shares 'a key press toggles the lamp within'"),
        (lambda folder: append(folder, "\nword " * 900), "words; 250 to 900 are allowed"),
        (lambda folder: (folder / "instruction.md").unlink(), "instruction.md: there is no such file"),
        (lambda folder: shutil.rmtree(folder / "solution"), "solution: there is no oracle"),
        (lambda folder: (folder / "solution/x.png").write_bytes(b""), "solution/x.png: no binary"),
        (_write("art.toml", '[copy]\n"/etc" = ["a"]'), "must stay inside"),
        (_write("demo_outputs/01_presses.json", "{"), "demo_outputs/01_presses.json"),
        (_write("coverage.toml", "[shows]\nM1 = ['01_presses@1']"), "M2 is shown by no demo"),
        (_write("coverage.toml", "[shows]\nM1 = ['01_presses@9']"), "a second from 0 to 2"),
        (_write("coverage.toml", "[shows]\nM1 = ['99@1']"), "no such demo"),
        (lambda folder: (folder / "task.toml").write_text("[task]\nname='x/y'"), "task.name: 'x/y' must end in"),
    ],
)  # fmt: skip
def test_the_linter_names_each_broken_rule(package: Path, spoil: Callable[[Path], object], expected: str) -> None:
    spoil(package)
    problems = [str(problem) for problem in check_package(package)]
    assert any(expected in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (_set("score_formula", ""), "tests/rubric.json: score_formula: a text is needed, not ''"),
        (_set("score_formula", "BUILD*D1/(M1-M2)"), "tests/rubric.json: score_formula: 'BUILD*D1/(M1-M2)' divides by"),
        (_set("score_formula", "0*BUILD"), "tests/rubric.json: score_formula: gives 0 at best and 0 at worst"),
        (_set("requirements.0.agg", "median"), "tests/rubric.json: requirements[0].agg: 'median' is neither max nor"),
        (_set("build_check.id", "GATE"), "tests/rubric.json: build_check.id: 'GATE'; formulas know"),
        (lambda folder: (folder / "tests/rubric.json").unlink(), "tests/rubric.json: there is no such file"),
        (lambda folder: (folder / "instruction.md").unlink(), "instruction.md: there is no such file"),
        (lambda folder: (folder / "instruction.md").write_text("\n"), "instruction.md: is empty"),
        (lambda folder: (folder / "task.toml").write_text("[agent"), "task.toml: "),
    ],
)
def test_of_a_package_from_elsewhere_only_what_makes_it_unusable_is_an_error(
    package: Path, spoil: Callable[[Path], object], expected: str
) -> None:
    (package / "tests/test.sh").touch()
    append(package, "\n- a list, music and the judge\n")
    shutil.rmtree(package / "solution")
    assert check_package(package) == ()
    spoil(package)
    problem = str(check_package(package)[0])
    assert problem.startswith(expected)
