"""How much an agent may put on the disk, and what becomes of one that puts more."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.agents.command import DISK_FILES, DISK_MB, CommandAgent
from benchmark.agents.protocol import AgentReport, Assignment
from benchmark.projects.submission import take_submission
from benchmark.runtime.quota import MAX_FOLDER_DEPTH, DiskQuota, disk_usage
from benchmark.runtime.workdir import hand_over, work_folder
from benchmark.tasks import read_task
from benchmark.trials import TrialRecord
from fixtures.attacks import Saw
from tests.suite.conftest import RunSuite, records, suite

__all__ = ["records", "suite"]
pytestmark = pytest.mark.engine
TINY = Path(__file__).parents[1] / "tasks/craft/puzzle/tiny-switch"
Work = Callable[..., tuple[AgentReport, str, int]]


@pytest.fixture
def work(attack: Path, tmp_path: Path) -> Work:
    """`work("deep /workspace 300", disk_mb=64)`: how an agent that does this ends, its log, the files it left."""

    def go(words: str, disk_mb: int = DISK_MB, disk_files: int = DISK_FILES) -> tuple[AgentReport, str, int]:
        with work_folder("workspace", on_disk=True) as workspace:
            (workspace / "game").mkdir()
            (workspace / "assets/library").mkdir(parents=True)
            hand_over(workspace)
            command = f"echo x > game/left.txt; exec {attack} {words}"
            agent = CommandAgent("hostile", command, read=(attack,), disk_mb=disk_mb, disk_files=disk_files)
            log = tmp_path / "agent.log"
            report = agent.work(
                Assignment(
                    task=read_task(TINY),
                    workspace=workspace,
                    instruction="",
                    timeout_sec=60,
                    log=log,
                    reference=lambda _: None,
                )
            )
            left = take_submission(workspace / "game", tmp_path / "submission")
        assert not workspace.exists()
        return report, log.read_text(), left.files

    return go


@pytest.mark.attack("agent: talks on while the disk under its log is full", "void at once, it is not held up")
def test_a_log_that_cannot_be_written_is_ours_and_nobody_waits_for_it(tmp_path: Path, saw: Saw) -> None:
    with work_folder("workspace", on_disk=True) as workspace:
        (workspace / "game").mkdir()
        (workspace / "assets/library").mkdir(parents=True)
        hand_over(workspace)
        agent = CommandAgent("talks", "seq 100000; sleep 600")  # more than a pipe holds
        began = time.monotonic()
        with pytest.raises(OSError, match="No space left") as told:
            agent.work(
                Assignment(
                    task=read_task(TINY), workspace=workspace, instruction="", timeout_sec=600, log=Path("/dev/full"),
                    reference=lambda _: None,
                )
            )  # fmt: skip
    saw(f"{told.value.strerror}, after {time.monotonic() - began:.1f} s")
    assert time.monotonic() - began < 300


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("large files in the workspace", "many-files /workspace 200 1048576"),
        ("large files in its home", "many-files /home 200 1048576"),
        ("large files in /tmp", "many-files /tmp 200 1048576"),
        ("a removed file that stays open", "removed /workspace 200"),
        ("a file in a folder that forbids looking", "forbidden /workspace 200"),
        ("a file below 2,000 folders", "deep /workspace 2000"),
        ("20,000 small files", "many-files /workspace 20000 1"),
    ],
)
@pytest.mark.attack("agent: over its disk by {what}", "stopped at its disk limit, what it left counts")
def test_an_agent_over_its_disk_is_stopped(work: Work, what: str, words: str, saw: Saw) -> None:
    report, log, left = work(words, disk_mb=64, disk_files=10_000)
    saw(f"{report.ended}: {report.detail}; {left} file left")
    assert (report.ended, report.detail) == ("resource limit", "ended at its disk limit"), log
    assert "held on" not in log
    assert left == 1


@pytest.mark.attack("agent: a file of 1 TiB without content", "EFBIG, nothing is stopped")
def test_a_sparse_file_of_an_agent_ends_at_the_limit(work: Work, saw: Saw) -> None:
    report, log, _ = work("sparse /workspace")
    saw(log)
    assert (report.ended, log) == ("finished", "ftruncate EFBIG\npwrite EFBIG\n")


def test_an_agent_below_its_disk_goes_on(work: Work) -> None:
    report, log, _ = work("many-files /workspace 5000 1000", disk_mb=64, disk_files=10_000)
    assert (report.ended, log) == ("finished", "made 5000\nheld on\n")


def test_without_a_sandbox_the_disk_is_limited_too(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMECRAFT_SANDBOX", "none")
    report, log, _ = work('many-files "$GAMECRAFT_WORKSPACE" 200 1048576', disk_mb=64)
    assert report.detail == "ended at its disk limit", log


@pytest.mark.attack("agent: fills its disk and would go on for a minute", "scored on what it left, not void")
def test_an_agent_over_its_disk_is_scored(
    suite: RunSuite, records: Callable[[str], list[TrialRecord]], pytester: pytest.Pytester, saw: Saw
) -> None:
    command = "echo x > game/left.txt; dd if=/dev/zero of=/home/big bs=1M count=200; sleep 60"
    pytester.path.joinpath("full.toml").write_text(f'command = "{command}"\ndisk_mb = 64\n', encoding="utf-8")
    suite("--run", "r", "--agent", "full.toml")
    (record,) = records("r")
    saw(f"{record.outcome}, {record.agent_ended}")
    assert (record.outcome, record.agent_ended, record.facts["build"]) == ("scored", "resource limit", 0)
    assert (pytester.path / "reports/r/trials" / record.id.folder / "submission/left.txt").is_file()


def test_blocks_count_and_not_sizes_and_hard_links_once(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as handle:
        handle.truncate(1 << 30)
    (tmp_path / "a").write_bytes(b"x" * (1 << 20))
    (tmp_path / "b").hardlink_to(tmp_path / "a")
    (tmp_path / "out").symlink_to("/usr")
    (tmp_path / "below").mkdir()
    used = disk_usage(tmp_path, 100)
    assert used.files == 5
    assert 1 << 20 <= used.size_bytes < 2 << 20


def test_counting_ends_at_the_limit_and_leaves_no_descriptor_open(tmp_path: Path) -> None:
    deepest = tmp_path
    for _ in range(MAX_FOLDER_DEPTH + 5):
        deepest = deepest / "d"
        deepest.mkdir()
    for number in range(50):
        (tmp_path / str(number)).touch()
    before = len(list(Path("/proc/self/fd").iterdir()))
    assert disk_usage(tmp_path, 10_000).too_deep
    assert disk_usage(tmp_path, 20).files == 21
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert DiskQuota((tmp_path,), 1 << 30, 10_000)(set()) == "disk"
    assert DiskQuota((deepest,), 1 << 30, 10_000)(set()) is None
