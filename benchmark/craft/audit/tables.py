"""An audit as text: terminal, Markdown, CSV, JSON."""

import csv
import io
from dataclasses import asdict
from typing import Any

from benchmark.craft.audit.verdict import (
    ITEM_FLOOR,
    NOTICED_ABSOLUTE,
    NOTICED_RELATIVE,
    Audit,
    AuditRow,
    Detections,
    fallen_items,
)
from benchmark.craft.rubric import CATEGORIES

_HEADER = ("task", "damage", "ΔM", "ΔD", "ΔV", "ΔA", "must fall", "detected", "spilled", "fell most")


def _cells(row: AuditRow) -> list[str]:
    name = row.task.rpartition("/")[2]
    if row.outcome != "scored":
        return [name, row.damage.name, "", "", "", "", row.damage.must, row.outcome, "", row.reason[:80]]
    changes = [_change(row, letter) for letter in CATEGORIES]
    if row.damage.sham:
        verdict = "alarm" if row.false_alarms else "quiet"
    else:
        verdict = {True: "yes", False: "NO", None: ""}[row.detected]
    items = " ".join(f"{item} {change:+.2f}" for item, change in fallen_items(row))
    return [name, row.damage.name, *changes, row.damage.must or "nothing", verdict, row.spilled, items]


def _change(row: AuditRow, letter: str) -> str:
    if letter not in row.change:
        return ""
    return f"{row.change[letter]:+.2f}{'*' if letter in row.noticed else ''}"


def terminal_table(audit: Audit) -> str:
    """Columns as wide as they need to be. A star: noticed."""
    lines = [list(_HEADER), *(_cells(row) for row in audit.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADER) - 1)]
    padded = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), line[-1]]) for line in lines
    ]
    return "\n".join(line.rstrip() for line in padded)


def summary_lines(audit: Audit) -> list[str]:
    """Rates over everything, per damage and per task; then what is wrong."""
    whole = audit.whole
    lines = [f"judge {audit.judge}, version {audit.judge_version}" + (" (a proxy)" if audit.proxy else "")]
    found = f"{whole.detected} of {whole.damages} damages, every category that must fall"
    stayed = f"{whole.pairs - whole.spilled} of {whole.pairs} categories that must stay"
    lines.append(f"detection    {_rate(whole.detection)}  ({found})")
    lines.append(f"specificity  {_rate(whole.specificity)}  ({stayed})")
    lines.append(f"false alarms {len(audit.false_alarms)}")
    lines += [f"  {alarm}" for alarm in audit.false_alarms]
    lines += [f"{damage.name:14}{_short(audit.of_damage(damage))}" for damage in audit.damages if not damage.sham]
    lines += [f"{task:34}{_short(audit.of_task(task))}" for task in audit.tasks]
    lines += [f"not audited: {problem}" for problem in audit.problems]
    return lines


def _rate(value: float | None) -> str:
    return "   –" if value is None else f"{value:4.0%}"


def _short(found: Detections) -> str:
    return f"detected {found.detected} of {found.damages}, spilled {found.spilled} of {found.pairs}"


def markdown(audit: Audit) -> str:
    """For documents."""
    rows = [list(_HEADER), ["---"] * len(_HEADER), *(_cells(row) for row in audit.rows)]
    table = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
    about = (
        f"A star marks a category that was noticed: it fell by at least {NOTICED_ABSOLUTE:g} and by at least "
        f"{NOTICED_RELATIVE:.0%} of what it had."
    )
    return f"# Audit of {audit.judge}\n\n{about}\n\n{table}\n\n```\n" + "\n".join(summary_lines(audit)) + "\n```\n"


def comma_separated(audit: Audit) -> str:
    """One line per task and damage."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [f"{when}_{letter}" for letter in CATEGORIES for when in ("before", "after")]
    writer.writerow(["task", "damage", "outcome", *names, "must", "may", "noticed", "detected", "spilled", "reason"])
    for row in audit.rows:
        numbers = []
        for letter in CATEGORIES:
            for scores in (row.before, row.after):
                numbers.append(f"{scores.categories[letter]:.4f}" if scores and letter in scores.categories else "")
        detected = "" if row.detected is None else int(row.detected)
        writer.writerow(
            [row.task, row.damage.name, row.outcome, *numbers, row.damage.must, row.damage.may, row.noticed, detected,
             row.spilled, row.reason]
        )  # fmt: skip
    return out.getvalue()


def document(audit: Audit) -> dict[str, Any]:
    """Everything, for programs."""
    return {
        "judge": audit.judge,
        "judge_version": audit.judge_version,
        "proxy": audit.proxy,
        "thresholds": {"absolute": NOTICED_ABSOLUTE, "relative": NOTICED_RELATIVE, "item_floor": ITEM_FLOOR},
        **_tally_json(audit.whole),
        "false_alarms": list(audit.false_alarms),
        "problems": list(audit.problems),
        "damages": {damage.name: _tally_json(audit.of_damage(damage)) for damage in audit.damages},
        "tasks": {task: _tally_json(audit.of_task(task)) for task in audit.tasks},
        "rows": [_row_json(row) for row in audit.rows],
    }


def _tally_json(found: Detections) -> dict[str, Any]:
    return {**asdict(found), "detection": found.detection, "specificity": found.specificity}


def _row_json(row: AuditRow) -> dict[str, Any]:
    damage = row.damage
    return {
        "task": row.task,
        "damage": damage.name,
        "sham": damage.sham,
        "outcome": row.outcome,
        "reason": row.reason,
        "must": damage.must,
        "may": damage.may,
        "must_not": damage.must_not,
        "before": asdict(row.before) if row.before else None,
        "after": asdict(row.after) if row.after else None,
        "noticed": row.noticed,
        "detected": row.detected,
        "spilled": row.spilled,
        "false_alarms": list(row.false_alarms),
    }
