"""From the wheel, with no repository in sight: the suite runs with the tasks that come along."""

import subprocess
import zipfile
from pathlib import Path

import pytest

from benchmark.results.store import RunStore
from benchmark.tracks import track_names
from tests.wheel.conftest import REPOSITORY, Run

SUITE = ("--pyargs", "benchmark.suite")


def test_the_wheel_holds_every_file_of_the_package_and_all_tasks(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
        executable = {one.filename for one in archive.infolist() if one.external_attr >> 16 & 0o111}
    command = ["git", "ls-files", "benchmark", "tasks", "reports/reference", "tests/games/bench", "tests/edit/public"]
    tracked = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout.split("\n")
    names = [name for name in tracked if name and (REPOSITORY / name).is_file()]
    wanted = {name if name.startswith("benchmark/") else f"benchmark/_bundled/{name}" for name in names}
    assert len(wanted) > 500
    assert wanted - inside == set()
    assert {name for name in names if (REPOSITORY / name).stat().st_mode & 0o111} <= executable
    fixtures = {name.rpartition("/")[2] for name in inside if "/fixtures/" in name}
    ours = {f"{name}.py" for name in ("__init__", "suite", *track_names())}
    assert {"suite.py", "craft.py"} <= fixtures <= ours  # not those of our own tests


def test_it_is_the_wheel_that_runs(installed: Run, environment: Path) -> None:
    where = installed("benchmark", "bench-replay", "none").stderr
    assert str(environment) in where
    assert "/_bundled/tests/games/bench" in where


def test_the_bundled_tasks_are_collected(installed: Run) -> None:
    done = installed("pytest", *SUITE, "-k", "comet", "--collect-only", "-q", "-p", "no:cacheprovider")
    assert done.stdout.splitlines()[0] == "test_benchmark.py::test_trial[craft/example/comet-harvest[oracle]]", done
    assert done.returncode == 0


@pytest.mark.engine
def test_a_trial_runs_and_is_reported(installed: Run, tmp_path: Path) -> None:
    done = installed("pytest", *SUITE, "-k", "comet", "--agent", "nop", "--run", "r", "-n", "1")
    assert done.returncode == 1, done.stdout + done.stderr
    (record,) = RunStore(tmp_path / "reports/r").history()
    assert (record.id.label, record.outcome, record.score) == ("craft/example/comet-harvest[nop]", "scored", 0.0)
    report = installed("benchmark", "report", "r", "--reference", "all", "--quiet")
    assert report.returncode == 0, report.stderr
    assert "Published elsewhere" in (tmp_path / "reports/r/report/index.html").read_text(encoding="utf-8")


def test_a_conftest_overrides_the_fixtures_of_the_suite(installed: Run, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("import pytest\n\n@pytest.fixture\ndef run():\n    pytest.exit('mine', 7)\n")
    assert installed("pytest", *SUITE, "-k", "comet", "--agent", "nop").returncode == 7


def test_fixtures_of_our_own_tests_are_not_there(installed: Run) -> None:
    shown = installed("pytest", *SUITE, "--fixtures", "-p", "no:playwright").stdout
    names = {line.split()[0] for line in shown.splitlines() if line.strip() and not line.startswith(" ")}
    assert {"run", "judge", "engine", "recorder"} <= names
    assert not {"browser", "page", "context", "chromium", "saw", "play", "games"} & names


@pytest.mark.slow
@pytest.mark.engine
@pytest.mark.timeout(1200)  # nothing may be cached, and other programs may be busy
def test_the_demo_ends_with_a_report(installed: Run, tmp_path: Path) -> None:
    for _ in range(2):  # the second is no resumed one
        done = installed("benchmark", "demo", "--quick")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "settled before" not in done.stdout
        assert done.stdout.splitlines()[-1] == str(tmp_path / "reports/demo/report/index.html")
    assert (tmp_path / "reports/demo/report/index.html").is_file()
