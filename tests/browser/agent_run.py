"""A run whose agents left trajectories, made by hand; every text of theirs is hostile."""

from dataclasses import replace
from pathlib import Path

from benchmark.agents.activity import activity_of
from benchmark.craft.record import DemoRecord, GameFacts
from benchmark.files import write_json
from benchmark.results.store import RunStore
from benchmark.trials import TrialRecord
from tests.browser.edit_run import edit
from tests.sessions import make_session

HOSTILE = '</script></title><img src=x onerror="window.pwned=1"> \u202egnp.exe\x1b[2J'
IDENTITY = {
    "program": "claude", "program_version": f"2.1.326 {HOSTILE}", "model": "opus-4.7", "model_answered": "haiku-4.7",
    "effort": "high", "adapter": "1", "prompt": "ab12", "network": "model", "sessions": "2",
}  # fmt: skip
BASE = TrialRecord(
    task="craft/puzzle/ice-post", agent="claude", attempt=1, family="puzzle", difficulty="easy", outcome="scored",
    judge="openai:x", score=0.5, categories={"M": 0.2, "D": 0.4, "V": 0.6, "A": 0.8}, agent_ended="finished",
    facts=GameFacts(build=1, launches=True, has_trace=True, demos=(DemoRecord("01", 12.0, "complete"),)).to_json(),
    seconds={"produce": 600.0, "judge": 20.0}, finished="2025-01-02T03:04:05+00:00",
)  # fmt: skip
LONG = replace(BASE, agent_identity=IDENTITY)  # the trial of 500 steps
UNTIMED = replace(BASE, task="craft/puzzle/moon", agent="codex")
SILENT = replace(BASE, agent="mine")  # left no trajectory
OTHERS = tuple(
    replace(
        BASE, task=f"craft/puzzle/t{number}", agent=agent, score=score,
        categories={"M": score, "D": score * score, "V": 1 - score, "A": 0.3 + score / 2},
    )
    for agent in ("claude", "codex")
    for number, score in enumerate((0.1, 0.5, 0.3, 0.8))
)  # fmt: skip


def write_agent_run(folder: Path) -> RunStore:
    store = RunStore(folder)
    store.writing()
    store.describe({"judge": "openai:x", "harness": "0.1.0"})
    _add(store, LONG, steps=500, words=HOSTILE)
    _add(store, UNTIMED, steps=20, timed=False)
    for seed, record in enumerate(OTHERS):
        _add(store, record, steps=10 + seed * 7)
    store.append(SILENT)
    _add(store, edit("gameplay/moon-hop", "claude", True), steps=8)
    store.close()
    return store


def _add(store: RunStore, record: TrialRecord, *, steps: int, words: str = "", timed: bool = True) -> None:
    folder = store.trial_folder(record.id)
    activity = activity_of(make_session(folder, steps, seed=steps, words=words, timed=timed))
    store.append(replace(record, activity={**activity, "cost_usd": steps / 100}, cost_usd=steps / 100))
    (folder / "agent").mkdir()
    row = f'{{"refused": "github.com:443 {"<b>x</b>"}", "why": "this host is not allowed", "count": 3}}\n'
    (folder / "agent/network.jsonl").write_text(row + "[1]\nno json\n", encoding="utf-8")
    write_json(folder / "agent.json", {"ended": "finished", "detail": HOSTILE})
