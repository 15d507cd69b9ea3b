"""Files of judgements are untrusted like everything that comes from outside."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.craft.judging.cache import cache_file, judge_once, question
from benchmark.craft.judging.offline.judge import OfflineJudge
from benchmark.craft.judging.opinions import read_opinions
from benchmark.craft.judging.protocol import DemoJudgement, ItemScore
from benchmark.craft.judging.recorded import Recorded, RecordedJudge, import_recorded, read_recorded
from benchmark.craft.rubric import Requirement, Rubric
from benchmark.errors import InfrastructureError, UsageError
from benchmark.expressions import parse_formula
from tests.samples import make_demo

SAID = (DemoJudgement("01", {"M1": ItemScore(0.5, "ä")}),)
GOOD = Recorded(
    question="q" * 40, judge="openai:m", version="v", proxy=False, trial="craft/a/b[c]", repeat=1, demos=SAID
)


def test_lines_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text(GOOD.to_line() + "\n\n" + GOOD.to_line() + "\n", encoding="utf-8")
    assert list(read_recorded(path)) == [GOOD, GOOD]


def test_what_is_imported_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path / "cache"))
    demo = make_demo(tmp_path / "01")
    rubric = Rubric(
        requirements=(Requirement("M1", "mean", "x"),),
        formula=parse_formula("BUILD*M1"),
        max_demos=10,
        max_demo_seconds=20.0,
        digest="digest",
    )
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


@pytest.mark.attack("recorded judgements: a line that is none", "refused with its number; nothing is imported")
@pytest.mark.parametrize(
    "line",
    [
        "", "{}", "[]", "nonsense", "null", GOOD.to_line().replace("0.5", "7"), GOOD.to_line().replace("0.5", "NaN"),
        GOOD.to_line().replace('"items"', '"things"'), GOOD.to_line().replace('"openai:m"', "3"),
        GOOD.to_line().replace("0.5", '"0.5"'), GOOD.to_line().replace("0.5", "true"), "[" * 100_000,
        GOOD.to_line().replace("0.5", "9" * 400), GOOD.to_line().replace("0.0}", "-1.0}"),
        GOOD.to_line().replace("0.0}", "NaN}"), GOOD.to_line().replace('"repeat": 1', '"repeat": 0'),
        GOOD.to_line().replace('"proxy": false', '"proxy": "no"'), GOOD.to_line().replace('"ä"', "[[]]"),
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


def test_a_line_may_hold_what_some_take_for_a_line_end(tmp_path: Path) -> None:
    odd = replace(GOOD, demos=(DemoJudgement("01", {"M1": ItemScore(0.5, "one\u2028two\x85three")}),))
    (tmp_path / "f.jsonl").write_text(odd.to_line() + "\n", encoding="utf-8")
    assert list(read_recorded(tmp_path / "f.jsonl")) == [odd]


SOUND = {"demo": "01", "items": {"M1": {"score": 0.5, "reason": "r"}}, "numbers": {}, "cost_usd": 0.0}
DAMAGED: dict[str, object] = {
    "no list": {},
    "nothing": [],
    "another demo": [{**SOUND, "demo": "02"}],
    "a demo twice": [SOUND, SOUND],
    "a demo that leads elsewhere": [{**SOUND, "demo": "../../../elsewhere"}],
    "no items": [{**SOUND, "items": {}}],
    "an item more": [{**SOUND, "items": {**SOUND["items"], "M2": {"score": 1, "reason": ""}}}],  # type: ignore[dict-item]
    "a score of 7": [{**SOUND, "items": {"M1": {"score": 7, "reason": "r"}}}],
    "a score that is NaN": [{**SOUND, "items": {"M1": {"score": float("nan"), "reason": "r"}}}],
    "a score that is true": [{**SOUND, "items": {"M1": {"score": True, "reason": "r"}}}],
    "a score beyond all bounds": [{**SOUND, "items": {"M1": {"score": 10**400, "reason": "r"}}}],
    "a negative cost": [{**SOUND, "cost_usd": -5}],
    "a cost that is none": [{**SOUND, "cost_usd": float("inf")}],
    "a reason that is none": [{**SOUND, "items": {"M1": {"score": 0.5, "reason": {"a": 1}}}}],
    "numbers that are a list": [{**SOUND, "numbers": [1]}],
}


@pytest.mark.parametrize("what", [*DAMAGED, "a hundred thousand levels", "half a file", "bytes that are no text"])
@pytest.mark.attack("cache of judgements: {what}", "asked anew")
def test_a_damaged_cache_is_asked_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path / "cache"))
    demo = make_demo(tmp_path / "01")
    rubric = Rubric(
        requirements=(Requirement("M1", "mean", "x"),),
        formula=parse_formula("BUILD*M1"),
        max_demos=10,
        max_demo_seconds=20.0,
        digest="digest",
    )
    judge = OfflineJudge()
    said = judge_once(judge, rubric, [demo])
    path = cache_file(judge.name, judge.version, question(rubric, [demo]))
    sound = path.read_bytes()
    broken = {"a hundred thousand levels": b"[" * 100_000, "half a file": sound[:-9], "bytes that are no text": b"\xff"}
    path.write_bytes(broken[what] if what in broken else json.dumps(DAMAGED[what]).encode())
    assert judge_once(judge, rubric, [demo]) == said
    assert path.read_bytes() == sound


@pytest.mark.attack("recorded judgements: of fewer items than were asked for", "void with the reason")
def test_a_judgement_of_other_items_is_void(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path / "cache"))
    demo = make_demo(tmp_path / "01")
    items = tuple(Requirement(name, "mean", "x") for name in ("M1", "M2"))
    rubric = Rubric(
        requirements=items,
        formula=parse_formula("BUILD*(M1+M2)/2"),
        max_demos=10,
        max_demo_seconds=20.0,
        digest="digest",
    )
    path = tmp_path / "f.jsonl"
    path.write_text(replace(GOOD, question=question(rubric, [demo])).to_line(), encoding="utf-8")
    with pytest.raises(InfrastructureError, match="01: the judgement is of other items: M2"):
        judge_once(RecordedJudge(path), rubric, [demo])


@pytest.mark.parametrize("what", [*DAMAGED, "a hundred thousand levels"])
@pytest.mark.attack("opinions.json of a stored trial: {what}", "void with the way on")
def test_damaged_opinions_are_judged_again(tmp_path: Path, what: str) -> None:
    row = {"judge": "m", "version": "v", "proxy": False, "repeat": 1}
    said = DAMAGED.get(what)
    text = json.dumps([{**row, "demos": said}]) if what in DAMAGED else "[" * 100_000
    (tmp_path / "opinions.json").write_text(text)
    if what in ("nothing", "another demo", "a demo twice", "no items", "an item more"):
        assert len(read_opinions(tmp_path)) == 1  # sound in itself; what it is of, only the rubric can say
    else:
        with pytest.raises(InfrastructureError, match=r"opinions\.json cannot be read"):
            read_opinions(tmp_path)
