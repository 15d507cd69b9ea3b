"""The definitions of the audit, with numbers made by hand."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmark.craft.audit.damages import BY_NAME
from benchmark.craft.audit.picture import draw_audit
from benchmark.craft.audit.tables import comma_separated, document, markdown, summary_lines, terminal_table
from benchmark.craft.audit.verdict import Audit, AuditRow, fallen_items, fell, tally
from benchmark.craft.scoring import Scores


def scored(**categories: float) -> Scores:
    return Scores(1, {f"{letter}1": value for letter, value in categories.items()}, categories, 0.5)


GOOD = scored(M=0.8, D=0.8, V=0.8, A=0.8)


def row(damage: str, task: str = "craft/a/b", **after: float) -> AuditRow:
    categories = GOOD.categories | after
    return AuditRow(
        task=task, damage=BY_NAME[damage], outcome="scored", reason="", before=GOOD, after=scored(**categories)
    )


@pytest.mark.parametrize(
    ("before", "after", "noticed"),
    [
        (0.9, 0.72, True),  # exactly a fifth, and 0.18
        (0.9, 0.73, False),  # 0.17, but less than a fifth
        (0.5, 0.36, False),  # more than a fifth, but only 0.14
        (0.5, 0.35, True),
        (0.75, 0.60, True),  # exactly both
        (0.1, 0.0, False),  # there was nothing to lose
        (0.5, 0.9, False),
    ],
)
def test_a_fall_is_noticed_if_it_is_far_enough_in_points_and_in_proportion(
    before: float, after: float, noticed: bool
) -> None:
    assert fell(before, after) is noticed


def test_detected_means_every_category_that_must_fall() -> None:
    assert row("frozen", M=0.2, D=0.2).detected is True
    assert row("frozen", M=0.2).detected is False
    assert row("frozen").detected is False
    assert row("repacked").detected is None
    assert AuditRow(task="t", damage=BY_NAME["cut"], outcome="not defined", reason="why", before=GOOD).detected is None


def test_spilled_means_a_category_that_had_to_stay() -> None:
    assert row("plain", A=0.1, D=0.1).spilled == "D"
    assert row("deaf", M=0.1, D=0.1, V=0.1).spilled == ""
    assert row("bare-theme", A=0.1, V=0.1, M=0.3).spilled == "M"


def test_a_rubric_without_a_category_is_not_asked_for_it() -> None:
    before, after = scored(M=0.8, A=0.8), scored(M=0.1, A=0.8)
    half = AuditRow(task="t", damage=BY_NAME["frozen"], outcome="scored", reason="", before=before, after=after)
    assert half.detected is True
    assert tally([half]).pairs == 0
    assert (
        AuditRow(task="t", damage=BY_NAME["no-hud"], outcome="scored", reason="", before=before, after=before).detected
        is None
    )


def test_false_alarms_are_falls_of_shams_and_weak_items_of_oracles() -> None:
    assert row("repacked").false_alarms == ()
    assert row("repacked", M=0.5).false_alarms == ("craft/a/b, repacked: M fell by 0.30",)
    assert row("untouched", V=0.49).false_alarms[-1] == "craft/a/b: V1 of the undamaged oracle has 0.49"
    assert row("plain", A=0.1).false_alarms == ()


def test_rates_count_damages_and_pairs() -> None:
    rows = [row("plain", A=0.1), row("plain", A=0.1, M=0.1), row("no-hud"), row("repacked"), row("deaf", M=0.0)]
    found = tally(rows)
    assert (found.damages, found.detected) == (4, 3)
    assert (found.pairs, found.spilled) == (9, 1)
    assert found.detection == 0.75
    assert found.specificity == pytest.approx(8 / 9)
    assert tally([row("repacked")]).detection is None


def test_an_audit_passes_with_enough_detected_no_alarm_and_no_hole() -> None:
    good = (row("plain", A=0.1), row("no-hud", V=0.1), row("untouched"))
    assert Audit("j", "1", False, good).passed(0.9)
    assert not Audit("j", "1", False, (*good, row("deaf"))).passed(0.9)
    assert Audit("j", "1", False, (*good, row("deaf"))).passed(0.6)
    assert not Audit("j", "1", False, (*good, row("repacked", A=0.2))).passed(0.9)
    assert not Audit(
        "j",
        "1",
        False,
        (*good, AuditRow(task="t", damage=BY_NAME["deaf"], outcome="void", reason="no answer", before=GOOD)),
    ).passed(0.9)
    assert Audit(
        "j",
        "1",
        False,
        (*good, AuditRow(task="t", damage=BY_NAME["cut"], outcome="not defined", reason="", before=GOOD)),
    ).passed(0.9)
    assert not Audit("j", "1", False, ()).passed(0.0)


def test_tables_and_picture_hold_what_was_found(tmp_path: Path) -> None:
    tile = tmp_path / "tile.jpg"
    cv2.imwrite(str(tile), np.full((180, 320, 3), 200, np.uint8))
    audit = Audit(
        judge="offline", judge_version="9", proxy=True,
        rows=(
            row("untouched"), row("plain", A=0.1, D=0.2),
            AuditRow(task="craft/a/b", damage=BY_NAME["cut"], outcome="not defined", reason="no | file", before=GOOD),
        ),
        problems=("craft/c/d: BUILD is 0",), tiles={("craft/a/b", ""): str(tile), ("craft/a/b", "plain"): str(tile)},
    )  # fmt: skip
    text = terminal_table(audit)
    assert "-0.70*" in text
    assert "not defined" in text
    lines = "\n".join(summary_lines(audit))
    assert "detection    100%" in lines
    assert "not audited: craft/c/d: BUILD is 0" in lines
    assert "| b | plain |" in markdown(audit)
    assert "no \\| file" in markdown(audit)
    assert comma_separated(audit).splitlines()[2].startswith("craft/a/b,plain,scored,0.8000,0.8000,0.8000,0.2000")
    data = json.loads(json.dumps(document(audit), allow_nan=False))
    assert data["rows"][1]["spilled"] == "D"
    assert data["damages"]["plain"]["detection"] == 1.0
    draw_audit(audit, tmp_path / "audit.png")
    picture = cv2.imread(str(tmp_path / "audit.png"))
    assert picture is not None
    reds = (picture[..., 2].astype(int) - picture[..., 1] > 120).sum()
    assert reds > 3000  # the two cells that fell
    draw_audit(Audit("offline", "9", True, ()), tmp_path / "empty.png")
    assert (tmp_path / "empty.png").exists()


def test_the_deepest_falls_come_first() -> None:
    found = row("frozen", M=0.7, D=0.1, V=0.78)
    assert [name for name, _ in fallen_items(found)] == ["D1", "M1"]
