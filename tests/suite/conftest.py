"""Running the suite the way a user does: pytest in a process of its own, in a folder of its own."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.paths import cache_root
from benchmark.results.store import RunStore
from benchmark.trials import TrialRecord

REPOSITORY = Path(__file__).parents[2]
TASKS = REPOSITORY / "tests/tasks"
CACHE = cache_root()  # now: pytester gives every test a home of its own
CONFTEST = 'pytest_plugins = ["benchmark.suite.plugin"]\n'
RunSuite = Callable[..., pytest.RunResult]


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> RunSuite:
    """`suite("--agent", "nop")` runs the tiny task with these options and returns pytest's result."""
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    monkeypatch.setenv("GAMECRAFT_CACHE", str(CACHE))
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    monkeypatch.delenv("PYTEST_XDIST_WORKER_COUNT", raising=False)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "")
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_mine="from benchmark.suite.test_benchmark import test_trial")

    def go(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess("-p", "no:hypothesispytest", f"--tasks={TASKS}", *arguments)

    return go


@pytest.fixture
def records(pytester: pytest.Pytester) -> Callable[[str], list[TrialRecord]]:
    """All lines of a run."""
    return lambda run: list(RunStore(pytester.path / "reports" / run).history())


def mounting(script: str) -> list[str]:
    """A command before another: runs `script`, which may mount, where nobody else sees it; then the other."""
    rights = [] if os.geteuid() == 0 else ["--user", "--map-current-user", "--keep-caps"]
    return ["unshare", "--mount", *rights, "sh", "-ec", f'{script}; exec "$@"', "sh"]


def is_worker(pid: int) -> bool:
    """Whether a process is one of xdist's workers."""
    return b"sys.stdin.readline" in command_of(pid)  # how execnet starts one


def command_of(pid: int) -> bytes:
    """Its command line; empty if it has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
