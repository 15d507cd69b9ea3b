"""Hostile games: each has its expected outcome, and nothing of it stays behind."""

import os
import re
import shutil
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.replay.build_gate import check_build
from benchmark.replay.evidence import RecorderSettings
from benchmark.replay.recordings import record_fresh
from benchmark.replay.take_order import TakeOrder
from benchmark.runtime.machine import Machine
from fixtures.attacks import Saw
from fixtures.recording import Play

pytestmark = pytest.mark.engine


def our_processes() -> set[str]:
    """Engines, displays and sandboxes started by this test process."""
    mine = str(os.getpid())
    found = set()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            stat = (folder / "stat").read_text(encoding="utf-8", errors="replace")
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        parent, state = stat.rpartition(")")[2].split()[1], stat.rpartition(")")[2].split()[0]
        if state != "Z" and parent == mine and re.search(rb"godot|Xvfb|bwrap|ffmpeg", command):
            found.add(folder.name)
    return found


@pytest.fixture(autouse=True)
def nothing_left_behind(machine: Machine) -> Iterator[None]:
    before = {path for path in Path("/dev/shm").iterdir() if not path.name.startswith("gamecraft-")}
    yield
    assert not our_processes()
    assert {path for path in Path("/dev/shm").iterdir() if not path.name.startswith("gamecraft-")} <= before
    assert not Path("/tmp/escape.txt").exists()
    assert not Path("/escape.txt").exists()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("fork_bomb", "limit"),
        ("thread_bomb", "crash"),
        ("quit_at_once", "quit"),
        ("free_replayer", "quit"),
        ("endless_output", "limit"),
        pytest.param("allocate_8gb", "limit", marks=pytest.mark.slow),
        pytest.param("loop_in_ready", "hang", marks=pytest.mark.slow),
    ],
)
def test_a_game_that_attacks_at_once_is_not_built(machine: Machine, games: Path, name: str, reason: str) -> None:
    report = check_build(games / "hostile" / name, machine)
    assert report.build == 0
    assert [f.reason for f in report.findings if f.blocks] == [reason]


@pytest.mark.parametrize(
    ("name", "kind", "frame"),
    [
        ("quit_mid_demo", "quit", 29),
        ("crash", "crash", 19),
        ("slow_motion", "complete", 60),
        ("native_extension", "complete", 60),
        ("tool_script_loop", "complete", 60),
        ("spoof_marker", "complete", 60),
        pytest.param("huge_window", "complete", 60, marks=pytest.mark.slow),
        pytest.param("loop_mid_demo", "hang", 29, marks=pytest.mark.slow),
    ],
)
def test_what_happens_during_a_demo_is_recorded_with_its_frame(
    play: Play, games: Path, name: str, kind: str, frame: int
) -> None:
    outcome = play(games / "hostile" / name).evidence.outcome
    assert outcome.kind == kind, outcome
    assert outcome.frame == frame


@pytest.mark.attack("craft: a project that does not compile forges the launch report", "BUILD 0, the word is nowhere")
def test_the_launch_check_cannot_be_spoken_for(machine: Machine, games: Path, saw: Saw) -> None:
    report = check_build(games / "hostile/forge_gate", machine)
    saw(f"BUILD {report.build}: {next((str(finding) for finding in report.findings if finding.blocks), '')}")
    assert "ATTACK words 1\n" in report.log  # its own guess
    assert "ATTACK memory closed" in report.log
    assert report.build == 0
    assert [finding.reason for finding in report.findings if finding.blocks] == ["script-error"]


@pytest.mark.attack(
    "craft: a theme, font, buses, environment, reader, writer forge the launch report before our probe",
    "each is told nothing, BUILD 0",
)
def test_nothing_of_the_game_is_there_before_the_probe(machine: Machine, games: Path, saw: Saw) -> None:
    report = check_build(games / "hostile/forge_early", machine)
    told = dict(re.findall(r"^ATTACK (\w+) was told (\d+) bytes", report.log, re.MULTILINE))
    saw(f"BUILD {report.build}; told, in bytes: {told}")
    # All of it was given back, after the probe had read what it is told.
    assert told == dict.fromkeys(("theme", "font", "buses", "environment", "reader", "writer"), "0")
    assert [finding.reason for finding in report.findings if finding.blocks] == ["script-error"]


@pytest.mark.attack("craft: an autoload named OS reads what the probe is told", "BUILD 0, it is not launched")
def test_no_autoload_stands_in_the_way_of_the_probe(machine: Machine, games: Path, saw: Saw) -> None:
    report = check_build(games / "hostile/forge_autoload", machine)
    (blocker,) = [finding for finding in report.findings if finding.blocks]
    saw(f"BUILD {report.build}: {blocker}")
    assert (blocker.reason, report.log) == ("autoload-name", "")


@pytest.mark.attack("craft: a game keeps our replayer from the host, and says so: {way}", "a finding, no void")
@pytest.mark.parametrize("way", ["says so", "takes the line", "in time"])
def test_no_game_makes_the_host_unreachable(play: Play, games: Path, tmp_path: Path, way: str, saw: Saw) -> None:
    project = tmp_path / "project"
    shutil.copytree(games / "hostile/never_arrives", project)
    (project / "way.txt").write_text(way, encoding="utf-8")
    outcome = play(project).evidence.outcome
    saw(f"{outcome.kind}: {outcome.detail}")
    assert not outcome.complete


@pytest.mark.attack("craft: a game goes for its display: {way}", "a finding, no void; the display's memory is bounded")
@pytest.mark.parametrize("way", ["keep pictures", "keep others waiting", "end all"])
def test_the_display_is_no_way_out(way: str, machine: Machine, games: Path, tmp_path: Path, saw: Saw) -> None:
    gate = check_build(games / "hostile/display", machine)
    assert gate.prepared is not None
    demo = replace(gate.traces.traces[0], scenario=way)
    outcome = record_fresh(gate.prepared, TakeOrder(demo, RecorderSettings(video_fps=0)), machine, tmp_path, 2).outcome
    kept = re.search(r"^ATTACK display kept (\d+) of 64", (tmp_path / "engine.log").read_text("utf-8"), re.MULTILINE)
    saw(f"{outcome.kind}{f', {kept[1]} pictures of 244 MiB kept' if kept else ''}")
    assert outcome.complete == (way == "keep pictures")
    assert (kept is not None) == (way == "keep pictures")
    assert kept is None or int(kept[1]) <= 4


@pytest.mark.attack("craft: a folder with the name of a script", "played like any other")
def test_a_folder_named_like_a_script_is_no_script(play: Play, games: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(games / "hostile/slow_motion", project)
    (project / "levels.gd").mkdir()
    (project / "levels.gd/one.txt").write_text("1", encoding="utf-8")
    assert play(project).evidence.outcome.complete


def attacks(log: str, verb: str) -> dict[str, str]:
    return dict(re.findall(rf"^ATTACK {verb} (\S+) (\w+)", log, re.MULTILINE))


def test_writing_stays_inside_a_private_tmpfs(play: Play, games: Path, machine: Machine) -> None:
    results = attacks(play(games / "hostile/write_outside").log, "write")
    allowed = {path for path, result in results.items() if result == "ok"}
    private = ("/tmp/", "/dev/shm/", "/home/", "user://", "link", "open:/proc/self/")
    assert len(results) > 12
    assert all(path.startswith(private) for path in allowed), allowed


def test_secrets_and_the_rubric_cannot_be_read(play: Play, games: Path, tmp_path: Path) -> None:
    project = tmp_path / "task/solution"
    shutil.copytree(games / "hostile/read_secrets", project)
    (tmp_path / "task/rubric.json").write_text('{"secret": true}', encoding="utf-8")
    results = attacks(play(project).log, "read")
    assert results["/etc/passwd"] == results["/etc/shadow"] == results["/root/.ssh"] == "refused"
    assert not any("rubric" in path for path, result in results.items() if result == "ok")


def test_there_is_no_network_not_even_to_this_machine(play: Play, games: Path, tmp_path: Path) -> None:
    project = tmp_path / "game"
    shutil.copytree(games / "hostile/network", project)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        script = (project / "main.gd").read_text(encoding="utf-8")
        (project / "main.gd").write_text(script.replace("port: int = 80", f"port: int = {port}"), encoding="utf-8")
        results = attacks(play(project).log, "connect")
        server.setblocking(False)
        with pytest.raises(BlockingIOError):  # nobody is waiting to be accepted
            server.accept()
    assert results[f"127.0.0.1:{port}"] == "refused"  # it did try
    assert {result for target, result in results.items() if not target.startswith("listen")} == {"refused"}


def test_programs_of_the_host_cannot_be_run(play: Play, games: Path) -> None:
    log = play(games / "hostile/os_execute").log
    assert re.search(r"^ATTACK execute /usr/bin/id code 127", log, re.MULTILINE)
    assert re.search(r"^ATTACK execute /usr/bin/python3 .* code 127", log, re.MULTILINE)
    assert "uid=0" not in log


def test_killing_reaches_no_process_of_ours(play: Play, games: Path) -> None:
    played = play(games / "hostile/kill_others")
    assert played.evidence.outcome.complete
    assert "ATTACK kill saw 1 others" in played.log  # the sandbox's own init


def test_a_large_file_ends_at_the_limit_of_the_private_disk(play: Play, games: Path) -> None:
    played = play(games / "hostile/big_file")
    found = re.search(r"stopped after (\d+) MB", played.log)
    assert found
    assert int(found.group(1)) <= 128


def test_settings_of_the_game_do_not_win_over_ours(play: Play, games: Path) -> None:
    log = play(games / "hostile/override_settings").log
    assert "ATTACK prepend ran" not in log
    assert "window (1280, 720)" in log


def test_editor_plugins_do_not_run_during_import(machine: Machine, games: Path) -> None:
    report = check_build(games / "hostile/editor_plugin", machine)
    assert report.prepared is not None
    assert "ATTACK" not in report.log
    assert not any("ATTACK" in message.text for message in report.prepared.messages)


def test_symbolic_links_out_of_the_project_are_not_followed(play: Play, games: Path, tmp_path: Path) -> None:
    project = tmp_path / "game"
    shutil.copytree(games / "broken/warning_only", project)
    (project / "stolen").symlink_to("/etc")
    (project / "passwd.txt").symlink_to("/etc/passwd")
    played = play(project)
    assert played.evidence.outcome.complete
    assert played.gate.prepared is not None
    assert not any(path.name in ("stolen", "passwd.txt") for path in played.gate.prepared.folder.iterdir())
    assert sum("symbolic link" in str(finding) for finding in played.gate.findings) == 2


def test_awkward_names_are_only_names(play: Play, games: Path, tmp_path: Path) -> None:
    name = 'it\'s "a" $(touch pwned) `game` — наша игра ✓ %s {0}'
    project = tmp_path / name
    shutil.copytree(games / "broken/warning_only", project)
    settings = (project / "project.godot").read_text(encoding="utf-8")
    quoted = name.replace('"', '\\"')
    settings = re.sub(r'config/name=".*"', lambda _: f'config/name="{quoted}"', settings)
    (project / "project.godot").write_text(settings, encoding="utf-8")
    (project / f"{name}.gd").write_text("extends Node\n", encoding="utf-8")
    trace = (project / "demo_outputs/01.json").read_text(encoding="utf-8")
    scenario = '{"scenario": "--quit $(id) \'x\' \\"y\\" ✓", '
    (project / "demo_outputs/01.json").write_text(trace.replace("{", scenario, 1), encoding="utf-8")
    played = play(project)
    assert played.evidence.outcome.complete
    assert played.evidence.scenario == "--quit $(id) 'x' \"y\" ✓"
    assert not (tmp_path / "pwned").exists()
