"""A run of edit trials made by hand, as the harness would have left it, in which every text is hostile."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from benchmark.craft.record import GameFacts
from benchmark.files import write_json
from benchmark.results.store import RunStore
from benchmark.trials import TrialRecord

IMG = "</script><img src=x onerror=window.pwned=1>"
HOSTILE = f"{IMG}<script>window.pwned=1</script> \u202egnp.exe\x1b[2J"
CHECKS = {"the alien jumps twice": True, f"it lands {IMG}": False, "jumps are signalled": False}

DIFF = f"""--- start/scripts/alien.gd
+++ submission/scripts/alien.gd
@@ -1,4 +1,5 @@
 extends CharacterBody2D
--- {IMG}
+++ {IMG}
+\tvar jumps := 2
 const GRAVITY := 1400.0
 @onready var {IMG}
--- /dev/null
+++ submission/notes {IMG}.txt
@@ -0,0 +1,2 @@
+--- start/forged.gd
+{HOSTILE}
# art/alien.png: changed
"""


def edit(task: str, agent: str, passed: bool | None, **changes: object) -> TrialRecord:
    """One trial; `passed` is None where it is void."""
    family = task.partition("/")[0]
    held = {name: float(bool(passed) or ok) for name, ok in CHECKS.items()}
    base = TrialRecord(
        task=f"edit/{task}", agent=agent, attempt=1, family=family, difficulty="easy", outcome="scored",
        reason="" if passed else f"it lands: {IMG}", labels={"editor": "script", "feedback": "none"},
        judge="hidden test",
        facts=GameFacts(build=1).to_json(),
        score=float(bool(passed)), items=held, agent_ended="finished", cost_usd=0.1,
        seconds={"verify": 2.0, "produce": 60.0}, finished="2025-01-02T03:04:05+00:00",
        versions={"harness": "0.1.0", "engine": "4.6", "judge": "kit123", "rubric": "test456", "project": ""},
    )  # fmt: skip
    if passed is None:
        base = replace(
            base,
            outcome="void",
            score=None,
            facts=GameFacts(build=None).to_json(),
            items={},
            reason="disk full",
            seconds={},
        )
    return replace(base, **changes)  # type: ignore[arg-type]


FAILED = edit("gameplay/moon-hop", "codex", False)
SEEN = edit("gameplay/moon-hop", "claude", False, labels={"editor": "script", "feedback": "both"}, cost_usd=0.3)
RECORDS = (
    FAILED,
    edit("gameplay/moon-hop", "codex", True, attempt=2),
    edit("2d-graphics/gem", "codex", True, labels={"editor": "scene", "feedback": "none"}, difficulty="hard"),
    edit("2d-graphics/gem", "codex", True, attempt=2, labels={"editor": "scene", "feedback": "none"}),
    SEEN,
    edit("2d-graphics/gem", "claude", True, labels={"editor": "scene", "feedback": "both"}, cost_usd=0.5),
    edit("user-interface/menu", "claude", None, labels={"editor": "contextual", "feedback": "both"}, cost_usd=0.0),
    edit("gameplay/moon-hop", "<img src=x onerror=window.pwned=1>", False, cost_usd=0.0),
)


def write_edit_trial(folder: Path, record: TrialRecord) -> None:
    checks = [
        {"name": name, "ok": bool(held), "message": "" if held else f"is 1, expected 2 {HOSTILE}", "test": "test_jumps"}
        for name, held in record.items.items()
    ]
    how = "passed" if record.score else "failed"
    verdict = {
        "how": how,
        "reason": record.reason,
        "checks": checks,
        "seconds": {"import": 0.5, "test": 1.5},
        "log": "",
    }
    write_json(folder / "verdict.json", verdict)
    (folder / "test.log").write_text(f"Godot Engine\n\n\n\n\n{HOSTILE}\n", encoding="utf-8")
    (folder / "changes.diff").write_text(DIFF if record is FAILED else "", encoding="utf-8")
    (folder / "agent.json").write_text(json.dumps({"ended": "finished", "detail": HOSTILE}), encoding="utf-8")
    (folder / "agent.log").write_text("\n".join(map(str, range(500))), encoding="utf-8")
    (folder / "instruction.md").write_text(f"# Light the lamp\n\n{HOSTILE}\n", encoding="utf-8")
    if record is FAILED:
        picture = np.full((720, 1280, 3), 60, np.uint8)
        picture[300:420, 500:620] = (40, 160, 240)
        cv2.imwrite(str(folder / "picture.png"), picture)


def write_edit_run(folder: Path, more: tuple[TrialRecord, ...] = ()) -> RunStore:
    store = RunStore(folder)
    store.writing()
    store.describe({"judge": "offline", "harness": "0.1.0"})
    for record in (*RECORDS, *more):
        store.append(record)
        if record.track == "edit" and record.scored:
            write_edit_trial(store.trial_folder(record.id), record)
    store.close()
    return store
