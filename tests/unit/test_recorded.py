"""Files of judgements are untrusted like everything that comes from outside."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.craft.rubric import Requirement, Rubric
from benchmark.errors import InfrastructureError, UsageError
from benchmark.expressions import parse_formula
from benchmark.judges.cache import judge_once, question
from benchmark.judges.offline.judge import OfflineJudge
from benchmark.judges.protocol import DemoJudgement, ItemScore
from benchmark.judges.recorded import Recorded, RecordedJudge, import_recorded, read_recorded
from tests.samples import make_demo

SAID = (DemoJudgement("01", {"M1": ItemScore(0.5, "ä")}),)
GOOD = Recorded("q" * 40, "openai:m", "v", False, "craft/a/b[c]", 1, SAID)


def test_lines_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text(GOOD.to_line() + "\n\n" + GOOD.to_line() + "\n", encoding="utf-8")
    assert list(read_recorded(path)) == [GOOD, GOOD]


def test_what_is_imported_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path / "cache"))
    demo = make_demo(tmp_path / "01")
    rubric = Rubric((Requirement("M1", "mean", "x"),), parse_formula("BUILD*M1"), 10, 20.0, "digest")
    path = tmp_path / "f.jsonl"
    path.write_text(replace(GOOD, question=question(rubric, [demo])).to_line(), encoding="utf-8")

    class Deaf(OfflineJudge):
        def judge(self, rubric, demos, log=None, repeat=1):  # type: ignore[no-untyped-def]
            raise AssertionError("it was asked")

    assert import_recorded(path) == 1
    assert judge_once(Deaf("openai:m", "v"), rubric, [demo]) == GOOD.demos
    assert RecordedJudge(path).judge(rubric, [demo]) == GOOD.demos
    with pytest.raises(InfrastructureError, match="holds no judgement of this evidence"):
        RecordedJudge(path).judge(replace(rubric, digest="other"), [demo])


@pytest.mark.parametrize(
    "line",
    [
        "", "{}", "[]", "nonsense", "null", GOOD.to_line().replace("0.5", "7"), GOOD.to_line().replace("0.5", "NaN"),
        GOOD.to_line().replace('"items"', '"things"'), GOOD.to_line().replace('"openai:m"', "3"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named_and_nothing_is_imported(
    tmp_path: Path, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "f.jsonl"
    path.write_text(f"{GOOD.to_line()}\n{line or '{'}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"f\.jsonl:2: not a judgement"):
        import_recorded(path)
    assert not (tmp_path / "cache").exists()
