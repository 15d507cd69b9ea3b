"""Tables of a run: their numbers, and that nothing in a cell is more than text wherever it is opened."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.cli import main
from benchmark.craft.record import DemoRecord, GameFacts
from benchmark.craft.results.tables import family_table, leaderboard
from benchmark.results.baseline import read_baseline
from benchmark.results.exports import run_tables, summary_document
from benchmark.results.store import RunStore
from benchmark.results.tables import (
    RENDERERS,
    Column,
    Table,
    to_csv,
    to_json,
    to_latex,
    to_markdown,
    visible,
)
from benchmark.trials import TrialRecord


def scored(task: str, agent: str = "codex", score: float | None = 0.5, **changes: object) -> TrialRecord:
    base = TrialRecord(
        task=f"craft/{task}", agent=agent, attempt=1, family=task.partition("/")[0], difficulty="easy",
        outcome="scored", judge="openai:x",
        facts=GameFacts(
            build=1, demos=(DemoRecord("01", 10.0, "complete", inputs=3), DemoRecord("02", 20.0, "complete")),
        ).to_json(),
        score=score, categories={"M": 0.25, "D": 0.5, "V": 0.75, "A": 1.0}, cost_usd=0.5,
        seconds={"produce": 60.0, "judge": 3.0},
    )  # fmt: skip
    return replace(base, **changes)  # type: ignore[arg-type]


def void(task: str, agent: str = "codex", reason: str = "judge unreachable") -> TrialRecord:
    return scored(
        task,
        agent,
        outcome="void",
        score=None,
        facts=GameFacts(build=None, demos=()).to_json(),
        categories={},
        reason=reason,
        cost_usd=0.0,
    )


def rows(table: Table) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(to_csv(table))))


RECORDS = (
    scored("puzzle/a", score=0.4),
    scored("puzzle/b", score=0.6),
    scored("platformer/c", score=0.8),
    void("platformer/d"),
    scored("puzzle/a", "better", score=0.9),
    scored(
        "puzzle/b",
        "better",
        score=0.0,
        facts=GameFacts(build=0, launches=False, has_trace=True, demos=()).to_json(),
        categories=dict.fromkeys("MDVA", 0.0),
        reason="no main",
    ),
    scored("platformer/c", "better", score=0.95),
)


def test_the_best_agent_comes_first_with_its_mean_over_tasks() -> None:
    best, other = rows(leaderboard(RECORDS))
    assert (best["agent"], other["agent"]) == ("better", "codex")
    assert float(best["overall"]) == pytest.approx((0.9 + 0.0 + 0.95) / 3)
    assert float(best["build"]) == pytest.approx(2 / 3)
    assert [float(best[name]) for name in ("launch_rate", "valid_trace_rate")] == pytest.approx([2 / 3, 1.0])
    assert float(other["overall"]) == pytest.approx(0.6)


def test_launching_and_having_a_trace_are_two_rates_and_older_records_do_not_lower_them() -> None:
    broken = scored("puzzle/a", score=0.0, facts=GameFacts(build=0, demos=()).to_json(), categories={})
    launched = replace(broken, task="craft/puzzle/b", facts=GameFacts(launches=True, has_trace=False).to_json())
    (row,) = rows(leaderboard([scored("puzzle/c"), launched, broken]))
    found = [float(row[name]) for name in ("build", "launch_rate", "valid_trace_rate")]
    assert found == pytest.approx([1 / 3, 1.0, 0.5])


def test_a_void_has_no_number_and_lowers_coverage_only() -> None:
    other = rows(leaderboard(RECORDS))[1]
    assert (other["trials"], other["void"], other["tasks"]) == ("4", "1", "3")
    assert float(other["coverage"]) == pytest.approx(0.75)
    row = next(row for row in rows(run_tables(RECORDS)["trials"]) if row["outcome"] == "void")
    assert (row["score"], row["build"], row["M"], row["reason"]) == ("", "", "", "judge unreachable")


def test_demos_cost_and_time_are_reported() -> None:
    other = rows(leaderboard(RECORDS))[1]
    assert (float(other["demos_per_trial"]), float(other["demo_seconds"])) == (2.0, 15.0)
    assert (float(other["cost_usd"]), float(other["seconds"])) == (1.5, 4 * 63.0)


def test_the_interval_holds_the_mean_and_one_task_has_none() -> None:
    best = rows(leaderboard(RECORDS))[0]
    assert float(best["overall_low"]) < float(best["overall"]) < float(best["overall_high"])
    alone = rows(leaderboard(RECORDS[:1]))[0]
    assert (alone["overall_low"], alone["overall_high"]) == ("", "")


def test_families_come_in_the_order_of_the_benchmark_with_their_total_last() -> None:
    found = [(row["agent"], row["family"], row["tasks"]) for row in rows(family_table(RECORDS))]
    assert found == [
        ("better", "platformer", "1"), ("better", "puzzle", "2"), ("better", "all", "3"),
        ("codex", "platformer", "1"), ("codex", "puzzle", "2"), ("codex", "all", "3"),
    ]  # fmt: skip


def test_people_read_percent_and_programs_read_raw_numbers() -> None:
    table = leaderboard(RECORDS)
    assert "| 61.67 |" in to_markdown(table)
    assert " & 61.67 & " in to_latex(table)
    assert json.loads(to_json(table))[0]["overall"] == pytest.approx(0.616667, abs=1e-6)
    assert json.loads(to_json(table))[0]["proxy"] is False


def table_of(*cells: str) -> Table:
    return Table("T", (Column("x", "X"),), tuple((cell,) for cell in cells))


@pytest.mark.parametrize("cell", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", " =1", "＝1", "-1_0", "+"])
def test_no_cell_is_a_formula_to_a_spreadsheet(cell: str) -> None:
    assert rows(table_of(cell))[0]["x"] == f"'{cell}"


@pytest.mark.parametrize("cell", ["-1.5", "+3", "-2e-3", "a=b", "claude-opus", ""])
def test_numbers_and_harmless_texts_stay_as_they_are(cell: str) -> None:
    assert to_csv(table_of(cell)).splitlines()[1] in (cell, '""')


def test_numbers_below_zero_stay_numbers() -> None:
    table = Table("T", (Column("x", "X", "number"),), ((-0.5,),))
    assert to_csv(table) == "x\n-0.5\n"
    assert "-0.50" in to_markdown(table)


def test_markdown_cells_cannot_leave_their_cell() -> None:
    line = to_markdown(table_of("a|b\n<img src=x> `c` *d* [e](f)")).splitlines()[-1]
    assert line == r"| a\|b \<img src=x\> \`c\` \*d\* \[e\](f) |"


def test_latex_cells_are_text() -> None:
    line = to_latex(table_of(r"\input{/etc/passwd} 50% & $x_1^2$ #~")).splitlines()[-4]
    assert line == (r"\textbackslash{}input\{/etc/passwd\} 50\% \& \$x\_1\textasciicircum{}2\$ \#\textasciitilde{} \\")


def test_latex_draws_a_rule_between_agents() -> None:
    assert to_latex(family_table(RECORDS)).count("\\midrule") == 2


def test_hidden_characters_are_spelled_out() -> None:
    assert visible("plain ü 漢 مرحبا") == "plain ü 漢 مرحبا"
    assert visible("a\u202eb\x00c\x1b[31m\ud800\u2028") == "a[U+202E]b[U+0000]c[U+001B][31m[U+D800][U+2028]"
    assert visible("two\nlines") == "two\nlines"


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("records", [(), (void("puzzle/a"),)], ids=["empty", "void only"])
def test_a_run_without_a_score_still_has_tables(name: str, records: tuple[TrialRecord, ...]) -> None:
    render = RENDERERS[name][1]
    for table in (leaderboard(records), family_table(records), run_tables(records)["trials"]):
        assert render(table)
    found = rows(leaderboard(records))
    assert [(row["overall"], row["void"]) for row in found] == [("", "1")] * len(records)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    store = RunStore(tmp_path / "reports/nightly")
    store.writing()
    for record in RECORDS:
        store.append(record)
    store.close()
    (tmp_path / "reports/latest").symlink_to("nightly")
    return store.folder


def test_the_summary_is_a_baseline_for_a_later_run(tmp_path: Path) -> None:
    path = tmp_path / "summary.json"
    path.write_text(json.dumps(summary_document("nightly", RECORDS)), encoding="utf-8")
    baseline = read_baseline(path)
    assert set(baseline.agents) == {"better", "codex"}
    better = baseline.agents["better"]
    assert better.means == {"craft": pytest.approx(0.616667, abs=1e-6)}
    assert better.tasks["craft/puzzle/a"] == (0.9,)
    assert better.judges == {"craft": "openai:x"}


@pytest.mark.parametrize("name", RENDERERS)
def test_the_command_prints_leaderboard_and_families(run: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run), "--format", name]) == 0
    printed = capsys.readouterr().out
    assert "better" in printed
    assert "platformer" in printed
    assert not (run / "report").exists()


def test_a_run_is_found_by_name_and_latest_is_called_by_its_own_name(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", "latest", "--runs-dir", str(run.parent), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["run"] == "nightly"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nosuch"], "there is no run 'nosuch'"),
        (["nightly", "--format", "csv", "--out", "x"], "--out: --format csv is printed"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    run: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", "--runs-dir", str(run.parent), *words]) == 2
    assert message in capsys.readouterr().err
