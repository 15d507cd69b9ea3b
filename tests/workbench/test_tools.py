"""What an agent's own tools tell it, inside its sandbox: the same as the verifier finds."""

import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmark.agents.workspace import lay_out_workspace
from benchmark.assets.library import bring
from benchmark.craft.workbench import report_build
from benchmark.projects.submission import take_submission
from benchmark.replay.build_gate import check_build
from benchmark.runtime.machine import Machine
from benchmark.runtime.workdir import hand_over, work_folder
from tests.workbench.conftest import EDIT, Work

pytestmark = pytest.mark.engine
SLOW_HERE = {"hang_in_ready", "hang_on_quit"}  # half a minute each, twice


def checked(log: str) -> dict[str, tuple[int, str]]:
    """What a loop over projects printed: name → exit code and words."""
    parts = re.findall(r"^=== (\S+)\n(.*?)^--- (\d+)$", log, re.MULTILINE | re.DOTALL)
    return {name: (int(code), text.strip()) for name, text, code in parts}


def loop(games: Path) -> str:
    """Checks each of the projects in turn, as if the agent had just written it."""
    return (
        f'for one in {games}/*/; do name=$(basename "$one"); rm -rf /workspace/game/* /workspace/game/.[!.]*;'
        ' cp -r "$one". /workspace/game/; echo "=== $name"; /workspace/tools/check 2>&1; echo "--- $?"; done'
    )


@pytest.fixture
def corpus(games: Path) -> Iterator[Path]:
    """Broken projects and a good one, where an agent's user can read them."""
    with work_folder("corpus", on_disk=True) as folder:
        for project in (*sorted((games / "broken").iterdir()), games / "bench/tinker_market"):
            if project.is_dir() and project.name not in SLOW_HERE:
                shutil.copytree(project, folder / project.name)
        hand_over(folder)
        yield folder


@pytest.mark.timeout(900)  # a crowded machine takes minutes
def test_check_says_what_the_verifier_says(machine: Machine, corpus: Path, work: Work, tmp_path: Path) -> None:
    found = checked(work(loop(corpus), read=(corpus,)).log)
    assert found.keys() == {project.name for project in corpus.iterdir()}
    for name, (code, text) in found.items():
        take_submission(corpus / name, tmp_path / "taken" / name)
        gate = check_build(tmp_path / "taken" / name, machine)
        expected = report_build(gate)
        assert text == expected.text, name
        assert code == expected.code, name
        assert text.startswith(f"BUILD {gate.build}")
    assert found["tinker_market"][0] == 0
    assert "can be replayed" in found["bad_traces"][1]
    assert found["bad_traces"][0] == 1, "a trace that is not as asked is an error, though the game counts as built"


@pytest.mark.timeout(900)  # a crowded machine takes minutes
def test_replay_makes_a_sheet_of_the_agent_s_own_demos(games: Path, work: Work) -> None:
    demo = {
        "duration_frames": 45,
        "events": [{"frame": 10, "type": "mouse_click", "x": 640, "y": 360}, {"frame": 30, "type": "wait"}],
    }
    game = games / "bench/tinker_market"
    worked = work(
        f"cp -r {game}/. game/; rm game/demo_outputs/*; echo '{json.dumps(demo)}' > game/demo_outputs/one.json;"
        " tools/replay --out game/sheet.png; echo code $?; echo '{' > /tmp/bad; tools/replay --trace /tmp/bad;"
        " tools/replay --demo ../../../etc/passwd; tools/replay --demo one --video game/clip.mp4 --out /tmp/x",
        read=(game,),
    )
    assert "one.json: complete; 45 of 45 frames" in worked.log
    assert "inputs followed by a change: " in worked.log
    assert "code 0" in worked.log
    assert "error: trace.json: " in worked.log
    assert "there is no demo '../../../etc/passwd' that can be replayed" in worked.log
    sheet = cv2.imread(str(worked.submission / "sheet.png"))
    assert sheet is not None
    assert sheet.shape[1] == 1536
    assert float(np.std(sheet)) > 20, "the sheet is blank"
    film = cv2.VideoCapture(str(worked.submission / "clip.mp4"))
    assert film.get(cv2.CAP_PROP_FRAME_COUNT) == 15
    film.release()


def test_edit_projects_are_checked_and_played_too(work: Work) -> None:
    worked = work(
        "/workspace/tools/check; echo code $?; /workspace/tools/replay --seconds 1 --out sheet.png;"
        " echo 'extends Node\nfunc _ready( -> void:' > broken.gd; /workspace/tools/check; echo code $?",
        task=EDIT,
    )
    assert "the project starts, 0 error(s)" in worked.log, worked.log
    assert "no-inputs.json: complete; 30 of 30 frames" in worked.log
    assert "error  script-error: res://broken.gd:2" in worked.log
    assert re.findall(r"code (\d)", worked.log) == ["0", "1"]
    assert "trace" not in worked.log
    assert (worked.submission / "sheet.png").stat().st_size > 5000


def test_feedback_decides_which_tools_there_are(work: Work) -> None:
    command = "ls tools; tools/bin/relay tools/.workbench editor; tools/bin/relay tools/.workbench mcp </dev/null"
    none, video = work(command), work(command, feedback="video")
    for worked in (none, video):
        assert not {"mcp", "editor.sh", "errors.sh"} & set(worked.log.split())
        assert "'editor' is not to be had here; there is check, replay" in worked.log
        assert "the MCP server is not handed over" in worked.log
        assert "gamecraft" not in worked.instruction
    assert "--video" not in none.instruction
    assert "tools/replay --seconds 6 --video /workspace/clip.mp4" in video.instruction
    both = work("ls tools", feedback="both")
    assert {"mcp", "editor.sh", "errors.sh", "check", "replay"} <= set(both.log.split())
    assert "`editor_screenshot`" in both.instruction
    assert "--video" in both.instruction


def test_a_workspace_is_laid_out_in_less_than_a_second(machine: Machine, tmp_path: Path) -> None:
    bring()
    seconds = []
    for _ in range(3):
        with work_folder("workspace", on_disk=True) as folder:
            began = time.monotonic()
            lay_out_workspace(folder, machine, lambda place: f"task in {place}", Path.mkdir, "both")
            seconds.append(time.monotonic() - began)
            copied = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            assert copied < 2 << 20, "art is mounted, never copied"
    assert min(seconds) < 1, seconds
