"""`verify` as a Harbor task calls it: real engine, real HTTP, real shell."""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.judges.server import Act, JudgeServer, true_score

pytestmark = pytest.mark.engine
TINY = Path(__file__).parents[1] / "tasks/craft/puzzle/tiny-switch"
GAME, RUBRIC = TINY / "solution", TINY / "tests/rubric.json"
ITEMS = ("M1", "M2", "D1", "V1", "V2", "A1")
KEY = "sk-nobody-may-see-this"


def verify(out: Path, *words: str | Path, project: Path = GAME, rubric: Path = RUBRIC, **variables: str) -> Any:
    command = [sys.executable, "-m", "benchmark", "verify", "--project", project, "--rubric", rubric, "--output", out]
    quiet = {
        name: value for name, value in os.environ.items() if "OPENAI" not in name and "GAMECRAFT_BENCH" not in name
    }
    return subprocess.run([*map(str, command), *map(str, words)], capture_output=True, text=True,
                          env={**quiet, **variables}, timeout=280)  # fmt: skip


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def answering() -> Iterator[JudgeServer]:
    with JudgeServer() as server:
        yield server


@pytest.fixture(scope="module")
def scored(answering: JudgeServer, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """One call with a model judge, by the public verifier's own variables."""
    out = tmp_path_factory.mktemp("verifier")
    done = verify(
        out, "--fps", "30", "--width", "1280", "--record-height", "480", "--max-demos", "10",
        GAMECRAFT_BENCH_JUDGE="openai", GAMECRAFT_BENCH_JUDGE_MODEL="some-model",
        OPENAI_API_KEY=KEY, OPENAI_BASE_URL=answering.url,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return out, done


def test_all_files_of_the_public_verifier_are_there(scored: tuple[Path, Any]) -> None:
    out, _ = scored
    assert {path.name for path in out.iterdir()} == {
        "reward.txt", "breakdown.json", "judge_log.json", "build.log", "ctrf.json", "demos", "judge_attempts.jsonl",
    }  # fmt: skip
    for demo in ("01_presses", "02_evening"):
        folder = out / "demos" / demo
        assert cv2.VideoCapture(str(folder / f"{demo}.mp4")).get(cv2.CAP_PROP_FRAME_WIDTH) == 854
        assert len(list((folder / "frames").iterdir())) == 4  # two seconds, one per half second
        assert "Godot Engine" in (folder / "logs/godot.log").read_text(encoding="utf-8")
    everything = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert KEY.encode() not in everything


def test_the_reward_is_the_formula_over_what_the_judge_said(scored: tuple[Path, Any]) -> None:
    out, _ = scored
    s = {name: true_score(name) for name in ITEMS}
    expected = 0.15 * (s["M1"] + s["M2"]) / 2 + 0.35 * s["D1"] + 0.15 * (s["V1"] + s["V2"]) / 2 + 0.35 * s["A1"]
    assert (out / "reward.txt").read_text(encoding="utf-8") == f"{expected:.6f}\n"
    assert read(out / "breakdown.json")["reward"] == pytest.approx(expected, abs=1e-12)


def test_the_breakdown_has_the_public_keys_and_ours(scored: tuple[Path, Any]) -> None:
    out, _ = scored
    data = read(out / "breakdown.json")
    public = {"reward", "formula", "build_ok", "judge", "variables", "requirements", "demos", "errors"}
    ours = {"proxy", "launches", "has_trace", "findings", "digests", "categories", "notes", "sandboxed"}
    assert public | ours <= data.keys()
    assert data["build_ok"] is data["launches"] is data["has_trace"] is True
    assert (data["judge"]["name"], data["judge"]["model"], data["proxy"]) == ("openai:some-model", "some-model", False)
    assert data["variables"] == {"BUILD": 1.0, **{name: true_score(name) for name in ITEMS}}
    item = data["requirements"][0]
    assert item.keys() == {"id", "description", "agg", "aggregated", "per_demo"}
    assert item["per_demo"] == dict.fromkeys(("01_presses", "02_evening"), true_score("M1"))
    for demo in data["demos"]:
        assert demo.keys() >= {"demo_id", "trace", "mp4", "duration_seconds", "frames"}
        assert all(Path(path).is_file() for path in (demo["trace"], demo["mp4"], *demo["frames"]))
        assert demo["duration_seconds"] == 2.0
        assert data["digests"]["evidence"][demo["demo_id"]] == demo["digest"]


def test_the_judge_log_has_an_entry_for_each_demo_and_item(scored: tuple[Path, Any]) -> None:
    out, _ = scored
    rows = read(out / "judge_log.json")
    assert [(row["demo_id"], row["requirement_id"]) for row in rows] == [
        (demo, name) for demo in ("01_presses", "02_evening") for name in ITEMS
    ]
    for row in rows:
        assert row["score"] == true_score(row["requirement_id"])
        assert row["rationale"] == "seen"
        assert row["latency_seconds"] >= 0
        assert bool(row["raw"]) == (row["requirement_id"] == "M1")


def test_the_ctrf_report_has_the_build_check_and_every_item(scored: tuple[Path, Any]) -> None:
    out, _ = scored
    results = read(out / "ctrf.json")["results"]
    assert [test["name"] for test in results["tests"]] == ["build_check", *(f"requirement::{name}" for name in ITEMS)]
    passed = 1 + sum(true_score(name) >= 0.5 for name in ITEMS)
    summary = results["summary"]
    assert (summary["tests"], summary["passed"], summary["failed"]) == (7, passed, 7 - passed)
    assert summary.keys() == {"tests", "passed", "failed", "pending", "skipped", "other", "start", "stop"}
    assert results["extra"].keys() >= {"reward", "formula", "judge", "errors", "proxy"}
    assert results["tests"][1].keys() >= {"name", "status", "duration", "rawStatus", "message", "extra"}


def test_a_threshold_decides_the_code_only_where_it_is_given(answering: JudgeServer, tmp_path: Path) -> None:
    for threshold, code in (("1", 1), ("0.01", 0)):
        done = verify(
            tmp_path, "--judge", "openai:some-model", "--pass-threshold", threshold,
            OPENAI_API_KEY=KEY, OPENAI_BASE_URL=answering.url,
        )  # fmt: skip
        assert done.returncode == code
        assert (tmp_path / "reward.txt").exists()


def _stale(out: Path) -> None:
    out.mkdir()
    for name in ("reward.txt", "breakdown.json", "ctrf.json"):
        (out / name).write_text("1", encoding="utf-8")


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (Act("status", status=500, headers={"retry-after": "0"}, text="broken"), "HTTP 500: broken"),
        (Act("refusal"), "the model refused"),
        (Act("status", status=401, text="wrong key"), "HTTP 401: wrong key"),
        (Act(text='{"scores": {"M1": NaN}}'), "no valid score for"),
    ],
)
def test_a_judge_that_cannot_answer_is_void_and_leaves_no_reward(act: Act, message: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    _stale(out)
    with JudgeServer(lambda *_: act) as server:
        done = verify(out, OPENAI_API_KEY=KEY, OPENAI_BASE_URL=server.url)
    assert done.returncode == 3
    assert message in done.stderr
    assert "void, there is no reward" in done.stderr
    assert "Traceback" not in done.stderr
    assert {path.name for path in out.iterdir()} == {"build.log", "demos", "judge_attempts.jsonl"}  # what was seen


def test_nobody_at_the_judges_address_is_void(tmp_path: Path) -> None:
    with socket.socket() as taken:  # bound, never listening: every connection is refused
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        # Refused connections are tried again with growing pauses, two minutes in all: here they are short.
        script = (
            "import sys; from benchmark.craft.judging.model import judge; judge.FIRST_PAUSE_SEC = 0.001; "
            "from benchmark.cli import main; sys.exit(main(sys.argv[1:]))"
        )
        words = ["verify", "--project", GAME, "--rubric", RUBRIC, "--output", tmp_path]
        done = subprocess.run([sys.executable, "-c", script, *map(str, words)], capture_output=True, text=True,
                              env={**os.environ, "OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": address})  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert "connection" in done.stderr
    assert not (tmp_path / "reward.txt").exists()


def test_a_machine_without_an_engine_is_void(tmp_path: Path) -> None:
    out = tmp_path / "out"
    _stale(out)
    done = verify(out, "--judge", "offline", GAMECRAFT_BENCH_GODOT_BIN="/bin/true")
    assert (done.returncode, list(out.iterdir())) == (3, [])
    assert "/bin/true is not Godot 4" in done.stderr


def test_a_disk_without_room_is_void(tmp_path: Path) -> None:
    """From the first result on no file may have more than 64 bytes, which the system refuses like a full disk."""
    script = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "import benchmark.craft.harbor.outputs as o; before = o.write_json\n"
        "def full(path, data):\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)); before(path, data)\n"
        "o.write_json = full\n"
        "from benchmark.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    words = ["verify", "--project", GAME, "--rubric", RUBRIC, "--output", tmp_path, "--judge", "offline"]
    done = subprocess.run([sys.executable, "-c", script, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 3
    assert "File too large" in done.stderr
    assert not (tmp_path / "reward.txt").exists()


def test_a_game_that_does_not_build_is_a_real_zero(games: Path, tmp_path: Path) -> None:
    done = verify(tmp_path, "--judge", "offline", project=games / "broken/parse_error_main")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "reward.txt").read_text(encoding="utf-8") == "0.000000\n"
    data = read(tmp_path / "breakdown.json")
    assert (data["reward"], data["build_ok"], data["variables"]["BUILD"], data["demos"]) == (0.0, False, 0.0, [])
    assert any("res://main.gd:5: Parse Error" in error for error in data["errors"])
    assert "script-error" in (tmp_path / "build.log").read_text(encoding="utf-8")
    assert read(tmp_path / "ctrf.json")["results"]["tests"][0]["status"] == "failed"
    assert read(tmp_path / "judge_log.json") == []


def test_a_game_that_launches_without_a_demo_is_built_and_worth_nothing(tmp_path: Path) -> None:
    game = tmp_path / "game"
    shutil.copytree(GAME, game, ignore=shutil.ignore_patterns("demo_outputs"))
    done = verify(tmp_path / "out", "--judge", "offline", project=game)
    assert done.returncode == 0
    data = read(tmp_path / "out/breakdown.json")
    assert (data["reward"], data["build_ok"], data["has_trace"]) == (0.0, True, False)
    assert any("no usable trace" in error for error in data["errors"])


def test_an_agent_that_left_nothing_gets_its_zero(tmp_path: Path) -> None:
    done = verify(tmp_path / "out", "--judge", "offline", project=tmp_path / "game")
    assert done.returncode == 0
    assert float((tmp_path / "out/reward.txt").read_text(encoding="utf-8")) == 0


def test_a_link_in_place_of_the_project_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "game").symlink_to(GAME)
    done = verify(tmp_path / "out", "--judge", "offline", project=tmp_path / "game")
    assert float((tmp_path / "out/reward.txt").read_text(encoding="utf-8")) == 0
    assert "links in a submission are not followed" in done.stderr


def test_a_broken_demo_does_not_stop_the_others(tmp_path: Path) -> None:
    game = tmp_path / "game"
    shutil.copytree(GAME, game)
    (game / "demo_outputs/00_broken.json").write_text("{", encoding="utf-8")
    done = verify(tmp_path / "out", "--judge", "offline", project=game)
    assert done.returncode == 0
    data = read(tmp_path / "out/breakdown.json")
    assert [demo["demo_id"] for demo in data["demos"]] == ["01_presses", "02_evening"]
    assert any("00_broken.json" in error for error in data["errors"])


def test_the_offline_judge_says_that_it_is_a_proxy(tmp_path: Path) -> None:
    done = verify(tmp_path, "--judge", "offline", "--max-demos", "1", "--frame-interval-seconds", "0.25")
    assert "gives a proxy, not a judgement" in done.stderr
    data = read(tmp_path / "breakdown.json")
    assert data["proxy"] is data["judge"]["proxy"] is read(tmp_path / "ctrf.json")["results"]["extra"]["proxy"] is True
    assert len(data["demos"]) == 1
    assert len(data["demos"][0]["frames"]) == 8
    assert "a still every 8 frames" in data["notes"][0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--judge", "offline", "--rubric", "BROKEN"], "requirements: a list of at least one item is needed"),
        (["--judge", "offline", "--rubric", "/nonexistent"], "/nonexistent: there is no such file"),
        (["--judge", "offline", "--rubric", "/"], "/: is not a regular file"),
        (["--judge", "offline", "--project", "/nonexistent/game"], "--project: /nonexistent is not a folder"),
        (["--judge", "offline", "--fps", "60"], "--fps: 60 is not possible, only 30"),
        (["--judge", "offline", "--record-width", "1280"], "--record-width: 1280 is not possible, only 854"),
        (["--judge", "offline", "--max-demos", "0"], "--max-demos: 0 is outside 1–100"),
        (["--judge", "offline", "--max-demo-seconds", "-1"], "--max-demo-seconds: -1.0 is outside 0–90"),
        (["--judge", "offline", "--frame-interval-seconds", "0"], "--frame-interval-seconds: 0.0 is less than 0.1"),
        (["--judge", "offline", "--frame-interval-seconds", "nan"], "nan is less than 0.1"),
        (["--judge", "offline", "--pass-threshold", "40"], "--pass-threshold: 40.0 is outside 0–1"),
        ([], "the judge 'openai' has no key"),
    ],
)
def test_wrong_use_is_one_line_and_leaves_no_reward(words: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"score_formula": "M1", "requirements": []}', encoding="utf-8")
    out = tmp_path / "out"
    _stale(out)
    done = verify(out, *(str(tmp_path / "broken.json") if word == "BROKEN" else word for word in words))
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert list(out.iterdir()) == []


# As test scripts of the public packages are built: a call, and after it a zero for whatever went wrong.
TEST_SCRIPT = """set -u
set +e
{call} --project "$PROJECT" --rubric "$RUBRIC" --output "$OUTPUT" --judge openai:m
set -e
[ -f "$OUTPUT/reward.txt" ] || echo 0 > "$OUTPUT/reward.txt"
exit 0
"""


@pytest.mark.parametrize("call", ["{python} -m benchmark verify", "exec {python} -m benchmark verify"])
def test_with_exec_the_scripts_own_zero_is_never_written(call: str, tmp_path: Path) -> None:
    script = tmp_path / "test.sh"
    script.write_text(TEST_SCRIPT.format(call=call.format(python=sys.executable)), encoding="utf-8")
    variables = {"PROJECT": str(GAME), "RUBRIC": str(RUBRIC), "OUTPUT": str(tmp_path / "out"), "OPENAI_API_KEY": ""}
    done = subprocess.run(["bash", script], env={**os.environ, **variables}, capture_output=True, text=True)
    replaced = call.startswith("exec")
    assert done.returncode == (2 if replaced else 0)
    assert (tmp_path / "out/reward.txt").exists() != replaced
