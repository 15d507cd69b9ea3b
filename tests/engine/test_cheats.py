"""Games that would look like better ones: by what they read ahead, by what they say for us, by showing a film."""

import json
import re
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmark.craft.judging.offline.judge import OfflineJudge
from benchmark.craft.judging.offline.statelog import read_looks
from benchmark.craft.judging.protocol import DemoEvidence, DemoJudgement
from benchmark.craft.replay_stage import show
from benchmark.craft.rubric import Rubric, read_rubric
from benchmark.craft.scoring import Scores, aggregate
from benchmark.projects.solutions import lay_out_solution
from benchmark.replay.build_gate import check_build
from benchmark.replay.counterfactual import read_counterfactual
from benchmark.replay.evidence import RecorderSettings
from benchmark.replay.recordings import Studio, record_fresh, replay
from benchmark.replay.take_order import TakeOrder
from benchmark.runtime.machine import Machine
from fixtures.attacks import Saw
from fixtures.recording import Play
from tests.films import make_film

pytestmark = pytest.mark.engine
TASKS = Path(__file__).parents[2] / "tasks/craft"
TINY = Path(__file__).parents[1] / "tasks/craft/puzzle/tiny-switch"


@pytest.mark.attack("craft: a game looks for its inputs before they come", "nothing of later frames is found")
def test_there_is_nothing_to_read_ahead(play: Play, games: Path, tmp_path: Path, saw: Saw) -> None:
    project = tmp_path / "project"
    shutil.copytree(games / "hostile/read_ahead", project)
    for folder in ("Demo_Outputs", "levels/demo_outputs"):
        shutil.copytree(project / "demo_outputs", project / folder)
    played = play(project, fingerprints=True)
    found = re.findall(r"^ATTACK (?:ahead .*|\w+ \S+ found)$", played.log, re.MULTILINE)
    saw(found or "nothing found")
    assert played.evidence.outcome.complete
    assert int(re.findall(r"^ATTACK objects (\d+)", played.log, re.MULTILINE)[0]) > 3  # it did look
    assert len(re.findall(r"^ATTACK demos \S+ nothing", played.log, re.MULTILINE)) == 4
    assert found == []
    assert (played.evidence.inputs_sent, played.evidence.inputs_delivered) == (7, 7)


@pytest.mark.attack("craft: a game speaks for the replayer: {way}", "tampered")
@pytest.mark.parametrize(
    "way",
    ["draw_early", "ask_twice", "ask_release", "end_early", "show_another", "deliver", "flood", "nonsense"],
)
def test_who_speaks_on_the_line_ends_the_demo(
    way: str, machine: Machine, games: Path, tmp_path: Path, saw: Saw
) -> None:
    gate = check_build(games / "hostile/speak_early", machine)
    assert gate.prepared is not None
    (trace,) = gate.traces.traces
    evidence = record_fresh(
        gate.prepared, TakeOrder(replace(trace, scenario=way), RecorderSettings(video_fps=0)), machine, tmp_path, 2
    )
    saw(f"{evidence.outcome.kind}: {evidence.outcome.detail}")
    assert evidence.outcome.kind == "tampered"
    assert "spoke for the replayer" in evidence.outcome.detail
    drawn = re.findall(r"^ATTACK drew .* for frame (\d+)", (tmp_path / "engine.log").read_text("utf-8"), re.MULTILINE)
    assert all(int(frame) <= 30 for frame in drawn)  # a picture of frame 30 is due before the inputs of frame 31
    assert len(evidence.stills) <= 2


@pytest.mark.attack("craft: a game forges its state log: 20,000 boxes, infinity", "left out, noted, judged at once")
def test_a_forged_state_is_left_out_and_noted(play: Play, games: Path, saw: Saw) -> None:
    played = play(games / "hostile/forged_state", fingerprints=True)
    notes = [str(one) for one in played.evidence.messages if "harness" in str(one)]
    began = time.monotonic()
    looks = read_looks(played.folder)
    saw(f"{len(notes)} notes, read in {time.monotonic() - began:.1f} s")
    assert played.evidence.outcome.complete
    assert any("'boxes'" in note for note in notes)
    assert looks == []
    assert (played.folder / "state.jsonl").stat().st_size < 100_000
    assert json.loads((played.folder / "evidence.json").read_text("utf-8"))["digest"] == played.evidence.digest


Score = Callable[[Path, Rubric], tuple[Scores, tuple[DemoJudgement, ...], tuple[DemoEvidence, ...]]]


@pytest.fixture
def score(machine: Machine, tmp_path: Path) -> Score:
    """What the offline judge gives a project."""

    def go(project: Path, rubric: Rubric) -> tuple[Scores, tuple[DemoJudgement, ...], tuple[DemoEvidence, ...]]:
        gate = check_build(project, machine)
        assert gate.prepared is not None, [str(finding) for finding in gate.findings]
        out = tmp_path / f"{project.name}-trial"
        settings = RecorderSettings(video_fps=0)
        demos = show(gate.prepared, gate.traces.traces, settings, Studio(machine), out, untouched=True)
        judged = OfflineJudge().judge(rubric, demos)
        return aggregate(rubric, 1, [one.scores for one in judged]), judged, demos

    return go


def film_of(
    game: Path, target: Path, machine: Machine, *, starts: int = 1, decoy: bool = False, counts: bool = False
) -> Path:
    gate = check_build(game, machine)
    assert gate.prepared is not None
    settings = RecorderSettings(video_fps=0, fingerprints=True)
    recorded = replay(gate.prepared, [(trace, settings) for trace in gate.traces.traces], Studio(machine))
    shown = [(one.trace, one.evidence, one.folder) for one in recorded]
    presses = [event.frame for event in gate.traces.traces[0].events] if starts == 0 else []
    return make_film(target, shown, game / "demo_outputs", starts=starts, decoy=decoy, answers=presses, counts=counts)


FILMS: dict[str, dict[str, Any]] = {
    "starts at the first key": {"starts": 1},
    "knows its inputs by heart": {"starts": 0},
    "a corner blinks at each input": {"starts": 1, "decoy": True},
    "answers where it is drawn seldom": {"starts": 1, "counts": True},
}


@pytest.mark.slow
@pytest.mark.attack("craft: a film of comet-harvest's oracle: {kind}", "less than 0.45, the oracle 0.78")
@pytest.mark.parametrize("kind", FILMS)
def test_a_film_scores_far_below_the_game_it_shows(
    kind: str, machine: Machine, tmp_path: Path, score: Score, saw: Saw
) -> None:
    task = TASKS / "example/comet-harvest"
    game, rubric = tmp_path / "game", read_rubric(task)
    lay_out_solution(task / "solution", game, machine)
    film, judged, _ = score(film_of(game, tmp_path / "film", machine, **FILMS[kind]), rubric)
    saw(f"{film.score:.3f}, M {film.categories['M']:.2f} D {film.categories['D']:.2f}")
    assert film.score < 0.45
    assert film.categories["M"] < 0.2
    assert film.categories["D"] < 0.2
    assert all(one.numbers["played"] < 0.2 for one in judged)


@pytest.mark.attack("craft: a film of a small game that {kind}", "no changed input makes a difference")
@pytest.mark.parametrize("kind", ["starts at the first key", "answers where it is drawn seldom"])
def test_a_film_goes_on_as_it_was_where_the_game_does_not(
    kind: str, machine: Machine, tmp_path: Path, score: Score, saw: Saw
) -> None:
    rubric = read_rubric(TINY)
    game, of_game, demos = score(TINY / "solution", rubric)
    shown = film_of(TINY / "solution", tmp_path / "film", machine, **FILMS[kind])
    film, of_film, filmed = score(shown, rubric)
    saw(f"film {film.score:.2f}, game {game.score:.2f}")
    assert "1 of 1 changed inputs made a difference" in said(demos[0])
    assert "0 of 1 changed inputs made a difference" in said(filmed[0])
    assert [one.numbers["played"] for one in of_game] == [1, 1]
    assert [one.numbers["played"] for one in of_film] == [0, 0]
    assert film.categories["M"] < game.categories["M"] / 3
    assert film.categories["D"] < game.categories["D"] / 3


def said(demo: DemoEvidence) -> str:
    return read_counterfactual(demo.folder).describe()
