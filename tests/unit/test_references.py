"""Results published elsewhere: the data, how rows are chosen, and what they never touch."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.cli import main
from benchmark.craft.record import GameFacts
from benchmark.errors import UsageError
from benchmark.results.references import BOARD, choose_references, read_references
from benchmark.results.store import RunStore
from benchmark.results.tables import RENDERERS
from benchmark.trials import TrialRecord

RECORD = TrialRecord(
    task="craft/puzzle/ice-post", agent="codex", attempt=1, family="puzzle", difficulty="easy", outcome="scored",
    judge="offline", proxy=True,
    facts=GameFacts(build=1).to_json(),
    score=0.1, categories=dict.fromkeys("MDVA", 0.1), items={"M1": 0.1},
)  # fmt: skip


def write_run(folder: Path, *records: TrialRecord) -> Path:
    store = RunStore(folder)
    store.writing()
    for record in records:
        store.append(record)
    store.close()
    return folder


def test_the_board_holds_the_papers_rows_and_later_ones() -> None:
    board = {row.model: row for row in read_references(BOARD)}
    with (BOARD.parent / "gamecraft-bench-paper.csv").open(encoding="utf-8") as handle:
        paper = {(row["model"], row["metric"]): float(row["benchmark"]) / 100 for row in csv.DictReader(handle)}
    for (model, metric), value in paper.items():
        row = board[model]
        assert (row.overall if metric == "overall" else row.categories[metric]) == pytest.approx(value, abs=1e-9)
        assert (row.date, row.judge) == ("2026-06-16", "GPT-5.5")
    later = {name: row.date for name, row in board.items() if row.date > "2026-06-16"}
    assert later == {
        "Fable 5 high": "2026-07-20", "GPT-5.6-sol high": "2026-07-17", "Seele02-pro": "2026-07-15",
    }  # fmt: skip
    assert len(board) == 10


def test_on_the_board_overall_is_the_formula_over_the_categories() -> None:
    """A number copied wrongly would show."""
    weights = {"M": 0.15, "D": 0.35, "V": 0.15, "A": 0.35}
    for row in read_references(BOARD):
        expected = sum(weight * row.categories[letter] for letter, weight in weights.items())
        assert row.overall == pytest.approx(expected, abs=0.0004), row.name  # five tasks have other weights


def test_tokens_are_of_models_on_the_board() -> None:
    names = [row.model for row in read_references(BOARD)]
    with (BOARD.parent / "gamecraft-bench-tokens.csv").open(encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    assert len(rows) == 4
    for row in rows:
        assert any(name.startswith(row["model"]) for name in names)
        assert int(row["tasks"]) == 140
        assert int(row["input_tokens"]) > int(row["cached_tokens"]) > int(row["output_tokens"])


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (["opus"], ["Opus-4.7 high"]),
        (["gpt-5.5 high", "FABLE"], ["Fable 5 high", "GPT-5.5 high"]),  # best first
        (["Codex DeepSeek", "v4-pro"], ["DeepSeek-V4-Pro"]),  # the same row once
        (["Claude Code MiMo"], ["MiMo-V2.5-Pro"]),
        ([str(BOARD) + ":seele"], ["Seele02-pro"]),
    ],
)
def test_a_row_is_chosen_by_words_of_its_name(wanted: list[str], found: list[str]) -> None:
    assert [row.model for row in choose_references(wanted)] == found


def test_all_rows_can_be_chosen_and_a_file_of_ones_own(tmp_path: Path) -> None:
    assert len(choose_references(["all"])) == len(choose_references([str(BOARD)])) == 10
    own = tmp_path / "ours, last year.csv"
    own.write_text("model,overall\nv1,12.5\n", encoding="utf-8")
    (row,) = choose_references([str(own)])
    assert (row.name, row.overall, row.categories, row.date) == ("v1", 0.125, {}, "")


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("gpt", "'gpt' means 2 rows\n.*Codex GPT-5.6-sol high; Codex GPT-5.5 high"),
        ("llama", "'llama' is in no row of gamecraft-bench-board.csv\n.*all, or words of one of: Claude Code Fable 5"),
        ("", "'' is in no row"),
        ("/nonexistent.csv", "/nonexistent.csv cannot be read"),
        (f"{BOARD}:llama", "is in no row"),
    ],
)
def test_what_means_no_row_or_several_lists_them(wanted: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        choose_references([wanted])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "r.csv:1: no column model and overall"),
        ("model,overall\nx,high\n", "r.csv:2: overall: 'high' is not a number from 0 to 100"),
        ("model,overall\nx,nan\n", "r.csv:2: overall: 'nan'"),
        ("model,overall,M\nx,1,101\n", "r.csv:2: M: '101'"),
        ("model,overall\n,1\n", "r.csv:2: model: is empty"),
        ("model,overall\nx\n", "r.csv:2: overall: '' is not a number"),
        ("", "no column"),
    ],
)
def test_a_damaged_file_says_where(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        choose_references([str(tmp_path / "r.csv")])


@pytest.mark.parametrize("form", RENDERERS)
def test_other_formats_have_them_in_a_table_of_their_own(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = write_run(tmp_path / "nightly", RECORD)
    assert main(["report", str(run), "--format", form]) == 0
    alone = capsys.readouterr().out
    assert main(["report", str(run), "--format", form, "--reference", "opus"]) == 0
    with_reference = capsys.readouterr().out
    if form == "json":
        document = json.loads(with_reference)
        assert document.pop("reference")[0]["model"] == "Opus-4.7 high"
        assert document == json.loads(alone)
    else:
        assert with_reference.startswith(alone)  # nothing of ours has changed
        assert "Opus-4.7 high" in with_reference.removeprefix(alone)


def test_a_run_without_scores_has_nothing_to_set_them_beside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit = replace(RECORD, task="edit/gameplay/jump", family="gameplay", score=1.0, categories={})
    run = write_run(tmp_path / "edits", edit)
    assert main(["report", str(run), "--reference", "opus"]) == 2
    assert "--reference: edits has no scored games" in capsys.readouterr().err
