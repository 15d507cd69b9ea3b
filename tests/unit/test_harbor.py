"""The drop-in verifier without an engine: its arithmetic, which judge it takes, what it clears away."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark.commands import verify as command
from benchmark.craft.harbor.folder import clear
from benchmark.craft.harbor.judge import choose_judge
from benchmark.craft.judging.model.judge import ModelJudge
from benchmark.craft.rubric import read_rubric_file
from benchmark.craft.scoring import aggregate
from benchmark.errors import UsageError

# Breakdowns in the form of the public verifier, with numbers of our own; results were computed by hand.
BREAKDOWNS: dict[str, dict[str, Any]] = {
    "three demos, max and mean": {
        # M: max(0.2, 0.9, 0.4) = 0.9 and mean(0.3, 0.6, 0.9) = 0.6, together 0.75; D: 0.5; V: mean(1, 0.5, 0) = 0.5;
        # A: mean(0.1, 0.2, 0.6) = 0.3.  0.15·0.75 + 0.35·0.5 + 0.15·0.5 + 0.35·0.3 = 0.1125 + 0.175 + 0.075 + 0.105
        "reward": 0.4675,
        "formula": "BUILD * (0.15*((M1+M2)/2) + 0.35*D1 + 0.15*V1 + 0.35*A1)",
        "build_ok": True,
        "categories": {"M": 0.75, "D": 0.5, "V": 0.5, "A": 0.3},
        "requirements": [
            {"id": "M1", "agg": "max", "aggregated": 0.9, "per_demo": {"01": 0.2, "02": 0.9, "03": 0.4}},
            {"id": "M2", "agg": "mean", "aggregated": 0.6, "per_demo": {"01": 0.3, "02": 0.6, "03": 0.9}},
            {"id": "D1", "agg": "max", "aggregated": 0.5, "per_demo": {"01": 0.5, "02": 0.0, "03": 0.25}},
            {"id": "V1", "agg": "mean", "aggregated": 0.5, "per_demo": {"01": 1.0, "02": 0.5, "03": 0.0}},
            {"id": "A1", "agg": "mean", "aggregated": 0.3, "per_demo": {"01": 0.1, "02": 0.2, "03": 0.6}},
        ],
    },
    "thirds are not rounded before the end": {
        # mean(1, 0, 0) = 1/3 everywhere: the weights sum to 1
        "reward": 1 / 3,
        "formula": "BUILD*(0.15*M1 + 0.35*((D1+D2)/2) + 0.15*V1 + 0.35*A1)",
        "build_ok": True,
        "categories": {"M": 1 / 3, "D": 1 / 3, "V": 1 / 3, "A": 1 / 3},
        "requirements": [
            {"id": name, "agg": "mean", "aggregated": 1 / 3, "per_demo": {"a": 1.0, "b": 0.0, "c": 0.0}}
            for name in ("M1", "D1", "D2", "V1", "A1")
        ],
    },
    "one demo": {
        # 0.15·0.1 + 0.35·0.2 + 0.15·0.3 + 0.35·0.4 = 0.015 + 0.07 + 0.045 + 0.14
        "reward": 0.27,
        "formula": "BUILD * (0.15*M1 + 0.35*D1 + 0.15*V1 + 0.35*A1)",
        "build_ok": True,
        "categories": {"M": 0.1, "D": 0.2, "V": 0.3, "A": 0.4},
        "requirements": [
            {"id": "M1", "agg": "max", "aggregated": 0.1, "per_demo": {"only": 0.1}},
            {"id": "D1", "agg": "mean", "aggregated": 0.2, "per_demo": {"only": 0.2}},
            {"id": "V1", "agg": "MAX", "aggregated": 0.3, "per_demo": {"only": 0.3}},
            {"id": "A1", "aggregated": 0.4, "per_demo": {"only": 0.4}},  # no agg: max
        ],
    },
    "what exceeds 1 is cut": {
        # 0.8 + 0.9 = 1.7
        "reward": 1.0,
        "formula": "BUILD * (M1 + D1)",
        "build_ok": True,
        "categories": {"M": 0.8, "D": 0.9},
        "requirements": [
            {"id": "M1", "agg": "max", "aggregated": 0.8, "per_demo": {"x": 0.8, "y": 0.1}},
            {"id": "D1", "agg": "max", "aggregated": 0.9, "per_demo": {"x": 0.0, "y": 0.9}},
        ],
    },
    "BUILD 0": {
        "reward": 0.0,
        "formula": "BUILD * (0.15*M1 + 0.35*D1 + 0.15*V1 + 0.35*A1)",
        "build_ok": False,
        "categories": dict.fromkeys("MDVA", 0.0),
        "requirements": [
            {"id": name, "agg": "max", "aggregated": 0.0, "per_demo": {}} for name in ("M1", "D1", "V1", "A1")
        ],
    },
}


@pytest.mark.parametrize("name", BREAKDOWNS)
def test_the_public_aggregation_is_reproduced(name: str, tmp_path: Path) -> None:
    public = BREAKDOWNS[name]
    keys = ("id", "agg")
    items = [{k: row[k] for k in keys if k in row} | {"description": "x"} for row in public["requirements"]]
    (tmp_path / "r.json").write_text(json.dumps({"score_formula": public["formula"], "requirements": items}))
    rubric = read_rubric_file(tmp_path / "r.json")
    demos = [
        {row["id"]: row["per_demo"][demo] for row in public["requirements"]}
        for demo in public["requirements"][0]["per_demo"]
    ]
    scores = aggregate(rubric, int(public["build_ok"]), demos)
    assert scores.score == pytest.approx(public["reward"], abs=1e-9)
    assert f"{scores.score:.6f}" == f"{public['reward']:.6f}"
    assert scores.items == pytest.approx({row["id"]: row["aggregated"] for row in public["requirements"]}, abs=1e-9)
    assert scores.categories == pytest.approx(public["categories"], abs=1e-9)


def test_a_rubric_of_the_public_benchmark_loads_as_it_is(tmp_path: Path) -> None:
    data = {
        "score_formula": "BUILD * (0.5*M1 + 0.5*A1)",
        "max_demos": 10,
        "max_demo_seconds": 20,
        "build_check": {"id": "BUILD", "cmd": "true", "timeout_seconds": 60, "description": "it starts"},
        "categories": [{"name": "Core Mechanics", "items": ["M1"]}, {"name": "Presentation & Art", "items": ["A1"]}],
        "requirements": [
            {"id": "M1", "description": "x", "weight": 3},
            {"id": "A1", "agg": "Mean", "description": "y"},
        ],
        "annotator": "somebody",
    }
    (tmp_path / "r.json").write_text(json.dumps(data))
    rubric = read_rubric_file(tmp_path / "r.json")
    assert [(item.id, item.agg) for item in rubric.requirements] == [("M1", "max"), ("A1", "mean")]
    assert rubric.build_command == "true"


def model_of(named: str | None, model: str | None, **environment: str) -> tuple[str, str]:
    judge = choose_judge(named, model, environment)
    assert isinstance(judge, ModelJudge)
    return judge.endpoint.model, judge.endpoint.address


def test_the_variables_of_the_public_verifier_choose_the_model() -> None:
    assert model_of(None, None, OPENAI_API_KEY="k") == ("gpt-5.5", "https://api.openai.com/v1/")
    assert model_of(None, "m", OPENAI_API_KEY="k", GAMECRAFT_BENCH_JUDGE_MODEL="other")[0] == "m"
    assert model_of("openai:m", None, OPENAI_API_KEY="k")[0] == "m"
    variables = {"GAMECRAFT_BENCH_JUDGE": "openai", "GAMECRAFT_BENCH_JUDGE_MODEL": "m"}
    variables |= {"OPENAI_API_KEY": "agent", "OPENAI_BASE_URL": "http://agent/v1"}
    variables |= {"GAMECRAFT_BENCH_JUDGE_OPENAI_BASE_URL": "http://judge/v1"}
    assert model_of(None, None, **variables) == ("m", "http://judge/v1/")
    assert model_of("kimi", None, MOONSHOT_API_KEY="k") == (
        "moonshot-v1-32k-vision-preview",
        "https://api.moonshot.cn/v1/",
    )


def test_without_a_key_there_is_no_judge_to_fall_back_on() -> None:
    with pytest.raises(UsageError, match=r"has no key: \$GAMECRAFT_BENCH_JUDGE_OPENAI_API_KEY and \$OPENAI_API_KEY"):
        choose_judge(None, None, {})
    assert choose_judge("offline", None, {}).proxy  # said aloud
    assert choose_judge(None, None, {"GAMECRAFT_BENCH_JUDGE": "offline"}).proxy


@pytest.mark.parametrize(
    ("flags", "environment", "message"),
    [
        (("claude", None), {}, "there is no 'claude' judge here"),
        ((None, None), {"GAMECRAFT_BENCH_JUDGE": "stub"}, r"\$GAMECRAFT_BENCH_JUDGE: there is no 'stub' judge"),
        (("gemini", None), {}, "is shown films"),
        (("oracle", None), {}, "'oracle' is no judge"),
        (("offline", "gpt"), {}, "--judge-model: offline has no model"),
        (("openai:a", "b"), {"OPENAI_API_KEY": "k"}, "names the model a, --judge-model b"),
        (("recorded:/nonexistent", None), {}, "/nonexistent is not a file"),
        (("openai", None), {"OPENAI_API_KEY": "k", "OPENAI_EXTRA_HEADERS_JSON": "{"}, "HEADERS_JSON: not JSON"),
        (("openai", None), {"OPENAI_API_KEY": "k", "OPENAI_EXTRA_HEADERS_JSON": "[]"}, "an object of header names"),
    ],
)
def test_another_judge_is_never_taken_silently(
    flags: tuple[str | None, str | None], environment: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        choose_judge(*flags, environment)


def test_results_of_an_earlier_call_are_cleared_and_nothing_else(tmp_path: Path) -> None:
    for name in ("reward.txt", "reward.json", "breakdown.json", "ctrf.json", "judge_log.json", "mine.txt"):
        (tmp_path / name).write_text("1")
    (tmp_path / "demos/01/logs").mkdir(parents=True)
    clear(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_demos_that_are_not_ours_are_left_alone_but_the_reward_is_gone(tmp_path: Path) -> None:
    (tmp_path / "reward.txt").write_text("1")
    (tmp_path / "demos/holiday").mkdir(parents=True)
    with pytest.raises(UsageError, match="holiday is in the way"):
        clear(tmp_path)
    assert (tmp_path / "demos/holiday").is_dir()
    assert not (tmp_path / "reward.txt").exists()


def test_a_link_in_place_of_a_result_is_removed_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious/01/logs").mkdir(parents=True)
    (tmp_path / "precious/reward").write_text("1")
    out = tmp_path / "out"
    out.mkdir()
    (out / "reward.txt").symlink_to(tmp_path / "precious/reward")
    (out / "demos").symlink_to(tmp_path / "precious")
    clear(out)
    assert list(out.iterdir()) == []
    assert (tmp_path / "precious/reward").read_text() == "1"
    assert (tmp_path / "precious/01/logs").is_dir()


def test_every_code_of_the_command_line_is_another_one() -> None:
    assert len({0, command.BELOW_THRESHOLD, UsageError.exit_code, command.VOID}) == 4
