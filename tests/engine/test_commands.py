"""The commands as a user types them."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmark.runtime.sandbox import SANDBOX_VARIABLE

pytestmark = pytest.mark.engine


def benchmark(*words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmark", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables}, timeout=280)


def test_setup_has_nothing_to_do_the_second_time() -> None:
    started = time.monotonic()
    done = benchmark("setup")
    assert "everything is already there" in done.stderr
    assert done.returncode == 0
    assert time.monotonic() - started < 5  # under a second on an idle machine


def test_doctor_draws_a_frame_and_says_where() -> None:
    done = benchmark("doctor", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["usable"]) == (0, True)
    drawn = next(check for check in report["checks"] if check["name"] == "a frame is drawn")
    assert Path(drawn["found"]).stat().st_size > 10_000


def test_doctor_without_an_engine_fails_and_says_what_to_do(tmp_path: Path) -> None:
    done = benchmark("doctor", GAMECRAFT_CACHE=str(tmp_path), PATH="/nonexistent", GODOT="")
    assert done.returncode == 1
    assert "fix: python -m benchmark setup" in done.stdout


def test_a_replay_leaves_evidence_that_can_be_read(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out folder"
    done = benchmark("replay", "--project", games / "torture", "--out", out, "--certify", "--counterfactual", "--json")
    assert done.returncode == 0, done.stderr
    demo = json.loads(done.stdout)["demos"][0]
    assert demo["outcome"]["kind"] == "complete"
    assert demo["certificate"]["identical"]
    assert demo["counterfactual"]["first_departure"] is not None
    names = {path.name for path in (out / "01").iterdir()}
    assert names >= {
        "frames", "video.mp4", "inputs.jsonl", "state.jsonl", "engine.log", "evidence.json", "certificate.json",
        "counterfactual.json", "timing.json",
    }  # fmt: skip
    assert json.loads((out / "gate.json").read_text(encoding="utf-8"))["build"] == 1


def test_a_project_that_is_not_built_is_reported_not_replayed(games: Path, tmp_path: Path) -> None:
    done = benchmark("replay", "--project", games / "broken/parse_error_main", "--out", tmp_path)
    assert done.returncode == 1
    assert "BUILD 0  script-error: res://main.gd:5: Parse Error" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["replay", "--project", "/nonexistent", "--out", "x"], "--project: /nonexistent is not a folder"),
        (["replay", "--project", ".", "--out", "x", "--window", "99"], "--window: 99.0 is outside"),
        (["replay", "--project", ".", "--out", "x", "--trace", "/etc/hostname"], "--trace: hostname: is not JSON"),
        (["replay", "--project", ".", "--out", "x", "--jobs", "0"], "--jobs: 0 is less than 1"),
        (["replay", "--project", ".", "--out", "x", "--recorder", "x11", "--counterfactual"], "--recorder engine"),
        (["lint", "/nonexistent"], "/nonexistent is not a folder"),
        (["lint", "--project", "/nonexistent"], "is not a folder"),
        (["gate", "/nonexistent"], "is not a folder"),
        (["replay", "--project", ".", "--out", "x", "--video-fps", "7"], "invalid choice"),
    ],
)
def test_wrong_use_is_one_line_without_a_traceback(words: list[str], message: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "benchmark", *words], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_named_engine_that_is_none_is_an_error(games: Path, tmp_path: Path) -> None:
    done = benchmark("gate", games / "broken/warning_only", "--godot", "/bin/true")
    assert done.returncode == 1
    assert "/bin/true is not Godot 4" in done.stderr


def test_a_file_in_the_way_of_evidence_is_not_removed(games: Path, tmp_path: Path) -> None:
    (tmp_path / "01").mkdir()
    (tmp_path / "01/precious").touch()
    done = benchmark("replay", "--project", games / "broken/warning_only", "--out", tmp_path)
    assert done.returncode == 2
    assert "is in the way" in done.stderr
    assert (tmp_path / "01/precious").exists()


def test_without_a_sandbox_it_says_so_and_draws_the_same(games: Path, tmp_path: Path) -> None:
    results = []
    for value, out in (("", tmp_path / "in"), ("none", tmp_path / "out")):
        done = benchmark(
            "replay", "--project", games / "broken/warning_only", "--out", out, "--video-fps", "0",
            **{SANDBOX_VARIABLE: value},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert ("no sandbox" in done.stderr) == (value == "none")
        results.append(json.loads((out / "01/evidence.json").read_text(encoding="utf-8")))
    assert [r["pinned"]["sandboxed"] for r in results] == [True, False]
    assert results[0]["pixels"] == results[1]["pixels"]


@pytest.mark.parametrize("sandbox", ["", "none"])
def test_nothing_is_left_of_a_replay_whose_caller_is_killed(games: Path, tmp_path: Path, sandbox: str) -> None:
    project = tmp_path / "game"
    shutil.copytree(games / "hostile/loop_mid_demo", project)
    (project / "unique.txt").write_text(f"{tmp_path}", encoding="utf-8")
    command = [sys.executable, "-m", "benchmark", "replay", "--project", str(project), "--out", str(tmp_path / "out")]
    caller = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, SANDBOX_VARIABLE: sandbox}
    )
    deadline = time.monotonic() + 60
    while not _engines_of(caller.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(4)  # gate passed, the demo hangs by now
    engines = _engines_of(caller.pid)
    folders = _folders_of(caller.pid)
    assert engines
    assert folders
    caller.send_signal(signal.SIGKILL)
    caller.wait()
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline and (any(map(_alive, engines)) or any(f.exists() for f in folders)):
        time.sleep(0.1)
    assert not [pid for pid in engines if _alive(pid)]
    assert not [folder for folder in folders if folder.exists()]


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _descendants(pid: int) -> set[int]:
    from benchmark.runtime.processes import tree

    return tree(pid) - {pid}


def _engines_of(pid: int) -> set[int]:
    found = set()
    for child in _descendants(pid):
        try:
            command = Path(f"/proc/{child}/cmdline").read_bytes()
        except OSError:
            continue
        if re.search(rb"godot|Xvfb", command):
            found.add(child)
    return found


def _folders_of(pid: int) -> set[Path]:
    """The work folder is the janitor's argument."""
    found = set()
    for child in _descendants(pid):
        words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        if any(word.endswith(b"janitor.sh") for word in words):
            found.add(Path(os.fsdecode(words[2])))
    return found


@pytest.mark.slow
def test_ten_set_ups_at_once_do_the_work_once(tmp_path: Path) -> None:
    """From nothing, with downloads: one works, nine wait, none uses what is half there."""
    cache = Path("/var/tmp/gamecraft-test-setup") if os.geteuid() == 0 else tmp_path
    shutil.rmtree(cache, ignore_errors=True)
    try:
        environment = {**os.environ, "GAMECRAFT_CACHE": str(cache)}
        command = [sys.executable, "-m", "benchmark", "setup"]
        first = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        time.sleep(8)
        first.kill()  # in the middle of the download
        first.wait()
        many = [subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(10)]
        outputs = [process.communicate(timeout=250)[1] for process in many]
        assert [process.returncode for process in many] == [0] * 10
        assert sum("fetching" in output for output in outputs) == 1
        done = subprocess.run([*command[:-1], "doctor"], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
    finally:
        shutil.rmtree(cache, ignore_errors=True)
