"""A run that came from elsewhere: replayed, compared, computed again, and never believed."""

import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from benchmark.cli import main
from benchmark.craft.judging.opinions import read_opinions
from benchmark.craft.record import GameFacts
from benchmark.craft.rubric import read_rubric
from benchmark.craft.trial import weigh
from benchmark.errors import UsageError
from benchmark.replay.evidence import file_hash
from benchmark.replay.evidence_files import content_digest
from benchmark.results.store import RunStore
from benchmark.trials import TrialRecord
from tests.suite.conftest import TASKS, RunSuite

pytestmark = pytest.mark.engine
Edit = Callable[[dict[str, Any], Path], None]


class Run:
    """A real run with the oracle, whose trial can be copied and damaged."""

    def __init__(self, folder: Path) -> None:
        self.store = RunStore(folder)
        self.record = next(one for one in self.store.history() if one.agent == "oracle")

    def add(self, agent: str, **changes: Any) -> Path:
        """Another trial like the oracle's, with its first demo only; returns its folder."""
        folder = self.store.trial_folder(replace(self.record, agent=agent).id)
        shutil.copytree(self.store.trial_folder(self.record.id), folder)
        (folder / "submission/demo_outputs/02_evening.json").unlink()
        (folder / "evidence/demos.json").write_text('[{"name": "01_presses", "untouched": null}]', encoding="utf-8")
        opinions = json.loads((folder / "opinions.json").read_text(encoding="utf-8"))
        first = [{**opinion, "demos": opinion["demos"][:1]} for opinion in opinions]
        (folder / "opinions.json").write_text(json.dumps(first), encoding="utf-8")
        weighed, chosen = weigh(read_rubric(TASKS / self.record.task), read_opinions(folder))
        scores = {name: getattr(weighed[chosen], name) for name in ("score", "categories", "items")}
        self.store.append(replace(self.record, agent=agent, **{**scores, **changes}))
        return folder

    def rewrite(self, folder: Path, edit: Edit, *, forge: bool = True) -> None:
        """Change the evidence of the first demo; forged evidence has the digest of what it says."""
        path = folder / "evidence/01_presses/evidence.json"
        data = json.loads(path.read_text(encoding="utf-8"))
        edit(data, path.parent)
        if forge:
            data["digest"] = content_digest(data)
        path.write_text(json.dumps(data), encoding="utf-8")


def repaint(change: Callable[[Any], Any]) -> Edit:
    """As if the third still had been drawn otherwise on the other machine."""

    def edit(data: dict[str, Any], folder: Path) -> None:
        still = data["stills"][2]
        picture = cv2.imread(str(folder / still["file"]))
        assert picture is not None
        cv2.imwrite(str(folder / still["file"]), change(picture), [cv2.IMWRITE_JPEG_QUALITY, 90])
        data["files"][still["file"]] = file_hash(folder / still["file"])
        still["pixels"] = "0" * 64
        data["pixels"] = [[f, "0" * 64 if f == still["frame"] else p] for f, p in data["pixels"]]

    return edit


def rounded(picture: Any) -> Any:
    """One level more in every fiftieth pixel."""
    random = np.random.default_rng(1)
    return cv2.add(picture, (random.random(picture.shape) < 0.02).astype(np.uint8))


def with_a_coin(picture: Any) -> Any:
    return cv2.circle(picture.copy(), (400, 200), 6, (0, 220, 255), -1)


@pytest.fixture
def run(suite: RunSuite, pytester: pytest.Pytester) -> Run:
    suite("--run", "r", "--agent", "oracle", "--agent", "nop")
    return Run(pytester.path / "reports/r")


def verify(capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, dict[str, dict[str, dict[str, Any]]]]:
    """Exit code, and trial → what → finding."""
    capsys.readouterr()
    code = main(["verify-run", "r", "--tasks", str(TASKS), "--json", *more])
    document = json.loads(capsys.readouterr().out)
    return code, {
        re.sub(r".*\[(.*)\]", r"\1", trial["trial"]): {finding["what"]: finding for finding in trial["findings"]}
        for trial in document["trials"]
    }


def test_a_run_of_this_machine_is_identical(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    untouched = sorted(path.relative_to(run.store.folder) for path in run.store.folder.rglob("*"))
    code, trials = verify(capsys)
    assert code == 0
    assert {what: one["status"] for what, one in trials["oracle"].items()} == {
        "01_presses": "identical", "02_evening": "identical", "score": "identical",
    }  # fmt: skip
    assert trials["nop"]["gate"]["status"] == "identical"
    assert trials["nop"]["gate"]["detail"].startswith("BUILD 0 again (no project.godot")
    assert sorted(path.relative_to(run.store.folder) for path in run.store.folder.rglob("*")) == untouched
    assert not Path("verification-of-r").exists()


def test_differences_are_named_drawn_and_weighed(run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run.rewrite(run.add("rounded"), repaint(rounded))
    run.rewrite(run.add("coin"), repaint(with_a_coin))
    code, trials = verify(capsys, "--out", str(tmp_path / "out"), "-k", "oun")
    assert code == 0
    near = trials["rounded"]["01_presses"]
    assert near["status"] == "same to the eye"
    assert near["data"]["frame"] == near["data"]["still"] == 30
    assert 0 < near["data"]["largest_levels"] <= 24
    assert 0 < near["data"]["mean_levels"] < 0.5
    code, trials = verify(capsys, "--out", str(tmp_path / "out"), "-k", "coin")
    assert code == 1
    far = trials["coin"]["01_presses"]
    assert far["status"] == "different"
    assert far["data"]["far_pixels"] > 20
    assert trials["coin"]["score"]["status"] == "identical"
    picture = cv2.imread(far["data"]["picture"])
    assert picture is not None
    assert picture.shape == (480, 3 * 854, 3)
    assert picture[200, 400].tolist() != picture[200, 854 + 400].tolist()


def test_what_was_altered_afterwards_is_different(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    def other_hash(data: dict[str, Any], _: Path) -> None:
        data["stills"][1]["pixels"] = "f" * 64

    run.rewrite(run.add("hash"), other_hash, forge=False)
    still = run.add("still") / "evidence/01_presses/frames/00015.jpg"
    still.write_bytes(still.read_bytes() + b"\0")
    run.add("score", score=0.9)
    unjudged = run.add("unjudged") / "opinions.json"
    unjudged.write_text(unjudged.read_text(encoding="utf-8").replace("01_presses", "01_better"), encoding="utf-8")
    script = run.add("game") / "submission/main.gd"
    script.chmod(0o644)
    script.write_text(script.read_text(encoding="utf-8") + "\n# better now\n", encoding="utf-8")
    run.add("built", facts={**run.record.facts, "build": 0}, score=0.0)
    code, trials = verify(capsys)
    assert code == 1
    for agent, what, told in (
        ("hash", "01_presses", "evidence.json was changed after the recording"),
        ("still", "01_presses", "frames/00015.jpg is not the file that was recorded"),
        ("score", "score", "recorded is 0.9"),
        ("unjudged", "score", "not the same: demos judged"),
        ("game", "01_presses", "project_digest"),
        ("built", "gate", "BUILD 1 here"),
    ):
        finding = trials[agent][what]
        assert finding["status"] == "different", finding
        assert told in finding["detail"]
    assert trials["score"]["01_presses"]["status"] == "identical"


def test_a_hostile_run_leads_nowhere_and_hides_nothing(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "evidence.json").write_text('{"hidden": "treasure"}', encoding="utf-8")
    link = run.add("link") / "evidence/01_presses"
    shutil.rmtree(link)
    link.symlink_to(secret)
    os.mkfifo(run.add("pipe") / "submission/demo_outputs/03.json")
    (run.add("upwards") / "evidence/demos.json").write_text('[{"name": "../../../secret", "untouched": null}]')
    run.store.append(replace(run.record, agent="x/../../../../secret"))
    run.store.append(replace(run.record, agent="a\x00b"))
    for agent, key, value in (("zero", "still_every_frames", 0), ("text", "video_fps", "10"), ("new", "unknown", 1)):
        run.rewrite(run.add(agent), lambda data, _, key=key, value=value: data["settings"].update({key: value}))  # type: ignore[misc]
    run.rewrite(run.add("path"), lambda data, _: data["files"].update({"../../../../../secret/evidence.json": "0"}))
    (run.add("deep") / "evidence/01_presses/evidence.json").write_text("[" * 100_000)
    (run.add("opinions") / "opinions.json").write_text('[{"judge": "offline"}]')
    with (run.store.folder / "trials.jsonl").open("a", encoding="utf-8") as lines:
        lines.write('{"task": "craft/\x1b[31mred", "agent"\n["no record"]\n')
        lines.write(json.dumps({**json.loads(run.record.to_line()), "task": 5}) + "\n")
    capsys.readouterr()
    assert main(["verify-run", "r", "--tasks", str(TASKS)]) == 1
    said = capsys.readouterr().out
    for told in (
        "evidence/01_presses is a link or a special file",
        "submission/demo_outputs/03.json is a link or a special file",
        "evidence/demos.json: '../../../secret' is not the name of a demo",
        "agent: 'x/../../../../secret' is not a name",
        "settings: stills and window are counted in",
        "settings.video_fps: '10' is not of the kind of 10",
        "settings.unknown is of another version of the harness",
        "../../../../../secret/evidence.json is not the file that was recorded",
        "evidence.json is missing or damaged",
        "opinions.json cannot be read",
        "trials.jsonl:",
    ):
        assert told in said, told
    assert re.search(r"tiny-switch\[oracle\]\n(?:  note: .*\n)*  01_presses  identical", said)
    assert "treasure" not in said
    assert "\x1b" not in said
    assert "\x00" not in said


def test_edit_trials_are_verified_by_their_hidden_test(
    suite: RunSuite, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.edit.conftest import TASKS as EDIT_TASKS

    edit = ("--track", "edit", f"--tasks={EDIT_TASKS}", "-k", "not bright")
    suite(*edit, "--run", "r", "--agent", "oracle", "--agent", "nop")
    store = RunStore(pytester.path / "reports/r")
    oracle = next(record for record in store.history() if record.agent == "oracle")
    nop = next(record for record in store.history() if record.agent == "nop")
    store.append(replace(oracle, agent="boast"))
    shutil.copytree(store.trial_folder(nop.id), store.trial_folder(replace(oracle, agent="boast").id))
    code, trials = verify(capsys, "--tasks", str(EDIT_TASKS))
    assert code == 1
    assert trials["oracle"]["verdict"]["status"] == trials["nop"]["verdict"]["status"] == "identical"
    assert trials["oracle"]["verdict"]["detail"] == "passed again"
    assert trials["boast"]["verdict"]["status"] == "different"
    code, trials = verify(capsys, "-k", "oracle")
    assert (code, trials["oracle"]["verdict"]["status"]) == (0, "not replayed")


def test_nothing_to_verify_is_a_wrong_call(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify-run", "r", "-k", "nobody"]) == 2 == UsageError.exit_code
    assert "no trial of 'r' contains 'nobody'" in capsys.readouterr().err
    assert main(["verify-run", "unknown"]) == 2
    assert main(["verify-run", "r", "--jobs", "0"]) == 2
    void = replace(
        run.record, agent="void", outcome="void", score=None, facts=GameFacts(build=None).to_json(), reason="no disk"
    )
    run.store.append(TrialRecord.from_line(void.to_line()))
    code, trials = verify(capsys, "-k", "void")
    assert (code, trials["void"]["trial"]["detail"]) == (0, "void: no disk")
