"""Other projects in an environment where the benchmark is installed: nothing of it gets in their way."""

import re
from pathlib import Path

import pytest

from tests.wheel.conftest import Run

SUITE = ("--pyargs", "benchmark.suite")
OPTIONS = ("--run", "--agent", "--tasks", "--track", "--gate", "--redo", "--judge", "--fresh")
THEIRS = """
import pytest

def pytest_addoption(parser):
    for name in {options}:
        parser.addoption(name, default="theirs")

@pytest.fixture
def judge():
    return "theirs"
"""
TEST = """
import sys

def test_theirs(judge, pytestconfig):
    assert judge == "theirs"
    assert pytestconfig.getoption("--run") == "theirs"
    assert pytestconfig.getoption("maxschedchunk") is None

def test_what_was_loaded():
    heavy = {"numpy", "cv2", "jinja2", "benchmark.tracks", "benchmark.suite.plugin"}
    assert not heavy & sys.modules.keys()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with options and fixtures that are called like ours."""
    (tmp_path / "conftest.py").write_text(THEIRS.format(options=OPTIONS))
    (tmp_path / "test_theirs.py").write_text(TEST)
    return tmp_path


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_their_run_is_as_if_we_were_not_installed(workers: tuple[str, ...], installed: Run, project: Path) -> None:
    given = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "--strict-markers", *workers)
    with_us, without = installed("pytest", *given), installed("pytest", *given, "-p", "no:gamecraft")
    assert with_us.returncode == without.returncode == 0, with_us.stdout + with_us.stderr
    times = re.compile(r"in \d+\.\d+s|, gamecraft-bench-[\d.]+|gamecraft-bench-[\d.]+, ")
    assert times.sub("", with_us.stdout).strip("= \n") == times.sub("", without.stdout).strip("= \n")
    assert {path.name for path in project.iterdir()} <= {"conftest.py", "test_theirs.py", "__pycache__"}


def test_no_option_marker_or_fixture_of_ours_is_shown(installed: Run, tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text("def test_one():\n    pass\n")
    shown = "".join(installed("pytest", word).stdout for word in ("--help", "--markers", "--fixtures"))
    assert "GameCraft" not in shown
    assert "trials of this track" not in shown
    assert "workspace" not in shown


def test_where_nothing_is_collected_the_exit_code_is_pytests_own(installed: Run) -> None:
    done = installed("pytest", "-p", "no:cacheprovider")
    assert (done.returncode, "no trials" in done.stdout) == (5, False)


def test_an_unknown_option_of_theirs_is_refused_as_ever(installed: Run) -> None:
    done = installed("pytest", "--not-known")
    assert done.returncode == 4
    assert "unrecognized arguments: --not-known" in done.stderr


@pytest.mark.parametrize(("option", "kind"), [("--run", "plugin"), ("--run", "conftest"), ("--agent", "conftest")])
def test_where_the_suite_is_asked_for_one_line_says_what_collides(
    option: str, kind: str, installed: Run, tmp_path: Path
) -> None:
    name = "conftest.py" if kind == "conftest" else "theirs.py"
    (tmp_path / name).write_text(THEIRS.format(options=(option,)))
    done = installed("pytest", *(("-p", "theirs") if kind == "plugin" else ()), *SUITE, "-k", "comet", "--co")
    assert done.returncode == 4
    assert f"ERROR: {option}: GameCraft-Bench has an option of this name" in done.stderr
    assert "Traceback" not in done.stderr


def test_our_option_given_beside_tests_of_others_is_answered(installed: Run, tmp_path: Path) -> None:
    done = installed("pytest", str(tmp_path), "--agent=nop", "-p", "no:cacheprovider")
    assert done.returncode == 5
    assert "no trials: the suite is not in what pytest looks at" in done.stdout


def test_our_option_alone_asks_for_the_suite(installed: Run) -> None:
    done = installed("pytest", "--agent=nop", "-k", "comet", "--co", "-q", "-p", "no:cacheprovider")
    assert "comet-harvest[nop]" in done.stdout, done.stdout + done.stderr


def test_our_test_without_our_plugin_says_how_to_get_it(installed: Run, tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text("from benchmark.suite.test_benchmark import test_trial\n")
    done = installed("pytest", "-q")
    assert done.returncode == 2
    assert 'next: put pytest_plugins = ["benchmark.suite.plugin"] into conftest.py' in done.stdout
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["benchmark.suite.plugin"]\n')
    assert "comet-harvest" in installed("pytest", "-q", "--collect-only", "-k", "comet").stdout
