"""`--tasks DIR` wherever DIR lies: it is no folder of tests, and its repository's settings are not ours."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmark.results.store import RunStore
from tests.suite.conftest import CACHE, REPOSITORY, TASKS, RunSuite

pytestmark = pytest.mark.engine
TRIAL = "benchmark/suite/test_benchmark.py::test_trial[craft/puzzle/tiny-switch"
SETTINGS = {
    "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--not-ours"\npythonpath = ["lib"]\n',
    "pytest.ini": "[pytest]\naddopts = --not-ours\ntestpaths = checks\npythonpath = lib\n",
    "tox.ini": "[pytest]\naddopts = --not-ours\ntestpaths = checks\n",
    "setup.cfg": "[tool:pytest]\naddopts = --not-ours\ntestpaths = checks\n",
}


def foreign(folder: Path, settings: str) -> Path:
    """A repository with settings, tests and a conftest of its own; returns its tasks."""
    shutil.copytree(TASKS, folder / "tasks")
    (folder / settings).write_text(SETTINGS[settings])
    (folder / "conftest.py").write_text("raise RuntimeError('this conftest is not ours')\n")
    (folder / "tasks/conftest.py").write_text("raise RuntimeError('nor is this one')\n")
    for name in ("checks/test_theirs.py", "lib/fixtures/__init__.py"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("raise RuntimeError('not ours')\n")
    return folder / "tasks"


def run(cwd: Path, *arguments: str, addopts: str = "") -> "subprocess.CompletedProcess[str]":
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    env |= {"PYTEST_ADDOPTS": addopts, "GAMECRAFT_CACHE": str(CACHE)}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_folders_own_settings_are_not_used(settings: str, tmp_path: Path) -> None:
    tasks = foreign(tmp_path, settings)
    result = run(REPOSITORY, "--tasks", str(tasks), "--collect-only", "-q")
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.splitlines()[0] == f"{TRIAL}[oracle]]"
    verbose = run(REPOSITORY, "--tasks", str(tasks), "--collect-only")
    assert f"rootdir: {REPOSITORY}\nconfigfile: pyproject.toml" in verbose.stdout


@pytest.mark.parametrize("written", ["--tasks {}", "--tasks={}", "--alluredir allure --tasks {}"])
def test_blank_or_equals_sign_absolute_or_relative(written: str, tmp_path: Path) -> None:
    tasks = foreign(tmp_path, "pyproject.toml")
    for place in (str(tasks), os.path.relpath(tasks, REPOSITORY)):
        result = run(REPOSITORY, *written.replace("allure ", f"{tmp_path} ").format(place).split(), "--co")
        assert result.returncode == 0, result.stdout + result.stderr
        assert "tiny-switch[oracle]" in result.stdout


def test_an_agents_profile_elsewhere_is_no_place_for_tests(tmp_path: Path) -> None:
    foreign(tmp_path, "pyproject.toml")
    profile = tmp_path / "mine.toml"
    profile.write_text('name = "mine"\ncommand = "true"\n')
    result = run(REPOSITORY, "--agent", os.path.relpath(profile, REPOSITORY), "--collect-only", "-q", "-k", "lantern")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "lantern-keeper[mine]]" in result.stdout


def test_options_of_the_environment_are_read_the_same_way(tmp_path: Path) -> None:
    tasks = foreign(tmp_path, "pytest.ini")
    result = run(REPOSITORY, "--collect-only", "-q", addopts=f"--tasks '{tasks}'")
    assert result.stdout.startswith(TRIAL), result.stdout + result.stderr


def test_workers_use_our_settings_too(tmp_path: Path) -> None:
    tasks = foreign(tmp_path, "pyproject.toml")
    runs = ("--runs-dir", str(tmp_path / "runs"), "--run", "r")
    result = run(REPOSITORY, "--tasks", str(tasks), "-n", "2", "--agent", "nop", *runs)
    assert result.returncode == 1, result.stdout + result.stderr
    assert f"FAILED {TRIAL}[nop]]" in result.stdout
    (record,) = RunStore(tmp_path / "runs/r").history()
    assert (record.agent, record.outcome) == ("nop", "scored")


def test_workers_read_the_line_as_it_was_before_the_run_was_made(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    runs = ("--runs-dir", ".", "--run", "r", "--alluredir", "allure")
    result = run(tmp_path / "new", str(REPOSITORY / "benchmark/suite"), f"--tasks={TASKS}", "-n1", "--agent=nop", *runs)
    assert result.returncode == 1, result.stdout + result.stderr
    assert len(RunStore(tmp_path / "new/r").history()) == 1


def test_from_elsewhere_the_suite_is_named(tmp_path: Path) -> None:
    tasks = foreign(tmp_path, "pyproject.toml")
    outside = tmp_path / "outside"
    outside.mkdir()
    for cwd, place in ((outside, "../tasks"), (tmp_path, "tasks"), (outside, str(tasks))):
        result = run(cwd, str(REPOSITORY / "benchmark/suite"), "--tasks", place, "--collect-only", "-q")
        assert result.stdout.startswith(TRIAL), result.stdout + result.stderr
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "pytest.ini").touch()
    result = run(empty, str(empty), "--tasks", "../tasks")
    assert result.returncode == pytest.ExitCode.NO_TESTS_COLLECTED
    assert f"the suite is not in what pytest looks at in {empty}; name it: pytest {REPOSITORY}" in result.stdout


@pytest.mark.parametrize("settings", ["[pytest]\n", "[pytest]\ntestpaths = theirs\n"])
def test_from_elsewhere_an_option_of_ours_is_enough(tmp_path: Path, settings: str) -> None:
    tasks = foreign(tmp_path, "pyproject.toml")
    outside = tmp_path / "outside"
    (outside / "theirs").mkdir(parents=True)
    (outside / "theirs/test_theirs.py").write_text("def test_theirs(): pass\n")
    (outside / "pytest.ini").write_text(settings)
    for place in ("../tasks", str(tasks)):
        result = run(outside, "--tasks", place, "--collect-only", "-q")
        assert "tiny-switch[oracle]" in result.stdout, result.stdout + result.stderr
        assert "theirs" not in result.stdout
    runs = ("--runs-dir", str(tmp_path / "runs"), "--run", "r")
    result = run(outside, "--tasks", "../tasks", "--agent", "nop", "-n", "1", *runs)
    assert len(RunStore(tmp_path / "runs/r").history()) == 1, result.stdout + result.stderr


def test_the_exit_code_and_plugins_of_a_program_that_calls_pytest_are_kept(tmp_path: Path) -> None:
    tasks = foreign(tmp_path, "pyproject.toml")
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, pytest\n"
        "class Counter:\n"
        "    def pytest_collection_finish(self, session):\n"
        "        print('items:', len(session.items))\n"
        f"print('code:', int(pytest.main(['--tasks', {str(tasks)!r}, '--co', '-q', '-k', sys.argv[1]], [Counter()])))\n"
    )
    for keyword, said in (("tiny", ("items: 1", "code: 0")), ("nothing", ("items: 0", "code: 5"))):
        command = [sys.executable, str(program), keyword]
        result = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
        assert all(result.stdout.count(line) == 1 for line in said), result.stdout + result.stderr


def test_the_debugger_has_its_input(tmp_path: Path) -> None:
    tasks = foreign(tmp_path, "pyproject.toml")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--pdb",
        "--tasks",
        str(tasks),
        "--agent",
        "nop",
        "--runs-dir",
        str(tmp_path),
    ]
    env = {**os.environ, "GAMECRAFT_CACHE": str(CACHE)}
    result = subprocess.run(
        command, cwd=REPOSITORY, env=env, input="record.agent\nq\n", capture_output=True, text=True, check=False
    )
    assert "(Pdb) 'nop'" in result.stdout, result.stdout + result.stderr


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_without_trials_nothing_is_collected_and_one_line_says_why(
    workers: tuple[str, ...], suite: RunSuite, pytester: pytest.Pytester
) -> None:
    pytester.mkdir("empty")
    (pytester.mkdir("unsolved") / "task.toml").write_text("[metadata]\ntrack = 'craft'\n")
    for arguments, why in (
        (("--tasks", "empty"), "no trials: there is no task package (task.toml or game.yaml) below empty"),
        (("--tasks", "unsolved"), "no trials: none of the 1 task(s) below unsolved has a solution for the oracle; *"),
        (("--tasks", "unsolved", "--track", "edit"), "no trials: --track edit: the 1 task(s) below * are of craft"),
    ):
        result = pytester.runpytest_subprocess("-p", "no:hypothesispytest", *arguments, *workers)
        assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
        result.stdout.fnmatch_lines([why])
        assert "NOTSET" not in result.stdout.str()
