"""What agents did: tool calls by kind, looks at the game, and what records add up to."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.agents.activity import MOST, activity_of, inspections_of
from benchmark.agents.calls import ALL_KINDS, kind_of, summary_of
from benchmark.agents.trajectory import Picture, Step, Tokens, ToolCall, ToolResult, Trajectory
from benchmark.craft.record import GameFacts
from benchmark.craft.results.correlations import correlations
from benchmark.results.behaviour import behaviour_of, behaviour_tables
from benchmark.results.exports import run_tables
from benchmark.results.identity import identity_rows, other_model
from benchmark.results.release_gate import gate_values
from benchmark.results.statistics import pearson
from benchmark.results.tables import RENDERERS
from benchmark.trials import TrialRecord
from tests.sessions import make_session

# As nine programs call their tools.
NAMES = {
    "shell": """Bash BashOutput KillShell exec_command write_stdin shell local_shell command_execution run_shell_command
        execute_bash terminal bash Shell execute_ipython_cell mcp__gamecraft__run_game""",
    "write": """Edit MultiEdit Write NotebookEdit apply_patch file_change write_file replace edit StrReplaceFile
        WriteFile str_replace_editor file_editor patch""",
    "read": "Read read_file read_many_files ReadFile read",
    "search": "Glob Grep LS grep glob list list_directory search_file_content grep_search",
    "plan": """TodoWrite todo_write todowrite todoread SetTodoList write_todos todo_list update_plan ExitPlanMode Task
        task Agent think save_memory task_tracker""",
    "web": "WebFetch WebSearch webfetch websearch web_search google_web_search web_fetch SearchWeb FetchURL",
    "look": """view_image ReadMediaFile mcp__gamecraft__screenshot mcp_gamecraft_screenshot screenshot_game
        mcp__gamecraft__replay_to_contact_sheet""",
    "other": "ToolSearch tool_search tool_call DeferExecuteTool finish ask_user mcp__probe__probe_echo",
}  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in NAMES.items() for name in names.split()])
def test_tools_are_of_one_kind_whatever_a_program_calls_them(kind: str, name: str) -> None:
    assert kind_of(ToolCall("1", name, {})) == kind


def test_one_editor_for_everything_reads_when_it_is_told_to() -> None:
    assert kind_of(ToolCall("1", "str_replace_editor", {"command": "view", "path": "a"})) == "read"


def shell(command: object) -> ToolCall:
    return ToolCall("1", "Bash", {"command": command})


def read(path: str) -> ToolCall:
    return ToolCall("1", "Read", {"file_path": path})


DRAW = shell("tools/screenshot.sh --path game -- --out /tmp/a.png")


@pytest.mark.parametrize(
    ("calls", "looks"),
    [
        ([DRAW], 1),
        ([DRAW, read("/tmp/a.png")], 1),  # one look, not two
        ([DRAW, read("/tmp/a.png"), read("/tmp/b.png")], 2),
        ([DRAW, DRAW, read("/tmp/a.png")], 2),
        ([read("shots/a.PNG")], 1),
        ([read("assets/library/hero.png")], 0),  # art, not the game
        ([read("main.gd"), shell("ls *.png"), ToolCall("1", "Write", {"path": "a.png"})], 0),
        ([shell(["bash", "-lc", "godot --write-movie out.avi --path game"])], 1),
        ([ToolCall("1", "mcp__gamecraft__screenshot", {"scene": "main"})], 1),
        ([ToolCall("1", "view_image", {"path": "/tmp/a.png"})], 1),
    ],
)
def test_a_look_is_a_picture_of_the_game_that_was_drawn_or_opened_again(calls: list[ToolCall], looks: int) -> None:
    steps = tuple(Step("agent", calls=(call,)) for call in calls)
    assert inspections_of(Trajectory(steps)) == looks


def test_activity_is_counted_over_all_steps() -> None:
    result = ToolResult("1", "no", (Picture("a.png"),), failed=True)
    steps = (Step("user", "go"), Step("agent", calls=(DRAW, read("x")), results=(result,), tokens=Tokens(9, 2, 3, 1)))
    assert activity_of(Trajectory(steps)) == {
        "turns": 1, "tool_calls": 2, "failed_calls": 1, "inspections": 1, "pictures": 1, "calls_shell": 1,
        "calls_read": 1, "prompt_tokens": 9, "cached_tokens": 3, "completion_tokens": 2, "reasoning_tokens": 1,
    }  # fmt: skip
    assert activity_of(Trajectory())["tool_calls"] == 0


@pytest.mark.parametrize("count", [10**400, -5, float("inf"), float("nan"), 1.5e300])
def test_no_number_of_a_hostile_trajectory_is_more_than_a_record_takes(count: float) -> None:
    hostile = Trajectory(total=Tokens(count, count, count, count), turns=count)  # type: ignore[arg-type]
    found = activity_of(hostile)
    assert all(0 <= value <= MOST for value in found.values())
    line = scored("a", 0.5, found).to_line()
    assert TrialRecord.from_line(line).activity == pytest.approx(found)


def test_calls_that_no_program_makes_are_calls_of_another_kind() -> None:
    deep: object = "x"
    for _ in range(5000):
        deep = [deep]
    for call in (
        ToolCall("", "", {}),
        ToolCall("1", "x" * 10**6, {}),
        shell(deep),
        shell(None),
        shell([1, {"a": deep}]),
    ):
        assert kind_of(call) in ALL_KINDS
        activity_of(Trajectory((Step("agent", calls=(call,)),)))
    assert summary_of(shell("a\n  b")) == "a b"
    assert summary_of(ToolCall("1", "x", {"n": 3})) == "3"
    assert len(summary_of(shell("word " * 1000))) == 180


# --- what records add up to ---------------------------------------------------------------------------------------


def scored(name: str, score: float, activity: dict[str, float], agent: str = "a", **changes: object) -> TrialRecord:
    record = TrialRecord(
        task=f"craft/puzzle/{name}", agent=agent, attempt=1, family="puzzle", difficulty="easy", outcome="scored",
        judge="offline", score=score, facts=GameFacts(build=1).to_json(), activity=activity,
        categories={"M": score, "D": 1 - score, "V": score, "A": 0.5}, seconds={"produce": 60.0, "judge": 9.0},
    )  # fmt: skip
    return replace(record, **changes)  # type: ignore[arg-type]


RECORDS = [
    scored("one", 0.2, {"tool_calls": 10, "turns": 5, "calls_shell": 10, "inspections": 1, "cost_usd": 1.0}),
    scored("two", 0.4, {"tool_calls": 20, "turns": 9, "calls_write": 5, "calls_shell": 15, "inspections": 2}),
    scored("three", 0.6, {"tool_calls": 30, "turns": 4, "inspections": 0, "cost_usd": 3.0}),
    scored("four", 0.9, {}),  # left no trajectory
    replace(scored("five", 0.0, {"tool_calls": 999}), outcome="void", score=None, facts={}, categories={}),
]


def test_means_are_over_the_trials_that_know_a_number() -> None:
    one = behaviour_of("a", RECORDS)
    assert (one.trials, one.known) == (4, 3)
    assert one.means["tool_calls"] == 20
    assert one.means["inspections"] == 1
    assert one.means["calls_shell"] == pytest.approx(25 / 3)
    assert one.means["cost_usd"] == 2.0
    assert one.seconds == 60.0
    assert dict(one.kinds) == pytest.approx({"shell": 25 / 3, "write": 5 / 3})
    assert one.correlation == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([(1, 0.1), (2, 0.2)], None),
        ([(1, 0.1), (1, 0.2), (1, 0.3)], None),
        ([(1, 0.5), (2, 0.5), (3, 0.5)], None),
        ([(1, 0.3), (2, 0.2), (3, 0.1)], -1.0),
        ([(1, 0.0), (2, 1.0), (3, 0.0)], 0.0),
        ([(1e9, 0.0), (0, 1.0), (5e8, 0.4)], -0.9934),
    ],
)
def test_a_correlation_needs_three_pairs_that_differ(pairs: list[tuple[float, float]], expected: float | None) -> None:
    found = pearson(pairs)
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-3))


def test_a_gate_may_ask_what_an_agent_did() -> None:
    values = gate_values(RECORDS)
    assert {name: values[name] for name in ("tool_calls", "turns", "inspections", "cost_per_trial")} == {
        "tool_calls": 20, "turns": 6, "inspections": 1, "cost_per_trial": 2.0,
    }  # fmt: skip
    assert "tool_calls" not in gate_values([scored("four", 0.9, {})])


def test_tables_say_what_agents_did_where_anything_is_known() -> None:
    assert behaviour_tables([scored("four", 0.9, {})]) == {}
    tables = run_tables(RECORDS)
    (row,) = tables["activity"].rows
    named = dict(zip([column.name for column in tables["activity"].columns], row, strict=True))
    assert (named["agent"], named["known"], named["tool_calls"], named["agent_seconds"]) == ("a", 3, 20, 60.0)
    assert named["calls_score_correlation"] == pytest.approx(1.0)
    names = [column.name for column in tables["trials"].columns]
    first = dict(zip(names, next(row for row in tables["trials"].rows if "one" in str(row[1])), strict=True))
    assert (first["tool_calls"], first["agent_cost_usd"], first["pictures"]) == (10, 1.0, None)
    for table in tables.values():
        for _, render in RENDERERS.values():
            assert render(table)


def test_categories_are_correlated_over_tasks_whose_game_was_built() -> None:
    broken = scored("six", 0.0, {}, facts=GameFacts(build=0).to_json(), categories=dict.fromkeys("MDVA", 0.0))
    (found,) = correlations([*RECORDS, broken])
    cells = {letter: dict(zip("MDVA", row, strict=True)) for letter, row in found.rows}
    assert found.tasks == 4
    assert cells["M"]["D"] == pytest.approx(-1)  # with the game that was not built it would be less
    assert cells["M"]["V"] == pytest.approx(1)
    assert cells["M"]["A"] is None  # one is the same everywhere
    assert correlations(RECORDS[:2]) == ()


def test_identity_is_told_in_order_and_another_model_is_noticed() -> None:
    known = {"zz": "own", "model_answered": "gpt-5.5-2026-01-02", "model": "openai/gpt-5.5", "program": "codex"}
    assert [name for name, _ in identity_rows(known)] == ["Program", "Model asked for", "Model that answered", "zz"]
    assert not other_model(known)
    assert not other_model({"model": "opus", "model_answered": "haiku, opus"})
    assert not other_model({"model": "opus"})
    assert other_model({"model": "gpt-5", "model_answered": "gpt-5-mini"})


def test_a_real_session_adds_up(tmp_path: Path) -> None:
    found = activity_of(make_session(tmp_path, 60))
    assert found["tool_calls"] == 58
    assert sum(value for name, value in found.items() if name.startswith("calls_")) == 58
    assert math.isclose(found["turns"], 59)
