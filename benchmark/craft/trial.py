"""A craft trial after production: gate, replay, judge, aggregate."""

import itertools
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmark.craft.instruction import read_instruction, render_instruction
from benchmark.craft.judging.cache import from_json
from benchmark.craft.judging.opinions import FILE as OPINIONS
from benchmark.craft.judging.opinions import Opinion, hear, read_opinions, write_opinions
from benchmark.craft.judging.protocol import DemoEvidence, DemoJudgement
from benchmark.craft.record import DemoRecord, GameFacts, facts_of
from benchmark.craft.replay_stage import read_showing, require_whole, show
from benchmark.craft.rubric import Rubric, read_rubric
from benchmark.craft.scoring import Scores, aggregate
from benchmark.files import write_json, write_whole
from benchmark.limits import STORED_BYTES
from benchmark.project_trial import ProjectTrial
from benchmark.projects.prepare import folder_for_imports
from benchmark.projects.solutions import lay_out_solution
from benchmark.replay.build_gate import check_build
from benchmark.replay.recordings import Studio
from benchmark.replay.traces import FPS
from benchmark.running import Check, Result, Tools
from benchmark.runtime.machine import Machine
from benchmark.tasks import Task
from benchmark.trials import OpinionRecord, Stage, TrialId, TrialRecord, one_line
from benchmark.untrusted import read_json
from benchmark.versions import text_digest, tree_digest


@dataclass
class CraftTrial(ProjectTrial):
    """A game made from scratch, shown in demos, scored by judges."""

    rubric: Rubric = field(kw_only=True)
    gate: dict[str, Any] = field(default_factory=dict)
    evidence: tuple[DemoEvidence, ...] = ()
    opinions: tuple[Opinion, ...] = ()
    weighed: tuple[Scores, ...] = ()  # of each opinion
    judgements: tuple[DemoJudgement, ...] = ()  # those that count
    scores: Scores | None = None

    def instruction(self, workspace: str) -> str:
        return render_instruction(self.task, workspace)

    def lay_out_reference(self, machine: Machine, game: Path) -> None:
        lay_out_solution(self.task.folder / "solution", game, machine)

    def check_ready(self, tools: Tools) -> None:
        for judge in tools.judges:
            judge.ready()

    def score(self, tools: Tools, start: Stage) -> None:
        if start in ("produce", "gate"):
            self._gate_and_replay(tools)
        else:
            self.gate = self.read("gate.json")
            self.evidence = read_showing(self.folder) if self.gate["build"] else ()
            if start == "judge":
                require_whole(self.evidence)
        if not self.gate["build"]:
            self.scores = aggregate(self.rubric, 0, ())
            return
        if start == "aggregate":
            self.opinions = read_opinions(self.folder)
        else:
            with self.timed(tools, "judge"):
                self.opinions = hear(
                    tools.judges, tools.repeats, self.rubric, self.evidence, fresh=tools.fresh,
                    log=self.folder / "judge.log.jsonl",
                )  # fmt: skip
                write_opinions(self.folder, self.opinions)
        with self.timed(tools, "aggregate"):
            self._aggregate()

    def _gate_and_replay(self, tools: Tools) -> None:
        with folder_for_imports(fresh=tools.fresh) as anew:
            self._gate_and_replay_in(anew, tools)

    def _gate_and_replay_in(self, anew: Path | None, tools: Tools) -> None:
        with self.timed(tools, "gate"):
            gate = check_build(self.require_submission(), tools.machine, self.rubric.max_demos, anew=anew)
            self.gate = {**gate.to_json(), "bad_traces": len(gate.traces.problems)}
            write_json(self.folder / "gate.json", self.gate)
            write_whole(self.folder / "gate.log", gate.log)
        for name in ("evidence", "untouched", "judgement"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        (self.folder / OPINIONS).unlink(missing_ok=True)
        if gate.build and gate.prepared:
            window = round(self.rubric.max_demo_seconds * FPS)
            with self.timed(tools, "replay"):
                recorded = itertools.count(1)
                studio = Studio(
                    machine=tools.machine, jobs=tools.jobs, fresh=tools.fresh,
                    on_done=lambda _: tools.on_stage(f"replay, {next(recorded)} recorded"),
                )  # fmt: skip
                self.evidence = show(
                    gate.prepared, gate.traces.traces, replace(tools.settings, window_frames=window), studio,
                    self.folder, untouched=any(judge.needs_untouched for judge in tools.judges),
                )  # fmt: skip

    def _aggregate(self) -> None:
        self.weighed, chosen = weigh(self.rubric, self.opinions)
        self.judgements, self.scores = self.opinions[chosen].demos, self.weighed[chosen]
        shutil.rmtree(self.folder / "judgement", ignore_errors=True)
        for judgement in self.judgements:
            write_json(self.folder / "judgement" / f"{judgement.demo}.json", asdict(judgement))

    def describe(self, record: TrialRecord, tools: Tools) -> TrialRecord:
        judge = self._first_judge(tools)
        return replace(
            record, judge=judge.judge, proxy=judge.proxy,
            cost_usd=record.cost_usd + sum(one.cost_usd for one in self.opinions),
            versions={**record.versions, **self._versions(judge)},
        )  # fmt: skip

    def result(self) -> Result:
        scores = self.scores
        assert scores is not None
        blockers = [one_line(str(f["message"])) for f in self.gate.get("findings", ()) if f["blocks"]]
        facts = GameFacts(
            build=scores.build, launches=self.gate.get("launches"), has_trace=self.gate.get("has_trace"),
            bad_traces=self.gate.get("bad_traces", 0), demos=tuple(_demo_record(demo) for demo in self.evidence),
        )  # fmt: skip
        return Result(
            score=scores.score, reason="" if scores.build else "; ".join(blockers[:3]), categories=scores.categories,
            items=scores.items, opinions=self._opinion_records() if len(self.opinions) > 1 else (),
            facts=facts.to_json(),
        )  # fmt: skip

    def checks(self) -> tuple[Check, ...]:
        assert self.record is not None
        return _checks(self.record, self.judgements)

    def _first_judge(self, tools: Tools) -> Opinion:
        """Whose scores count: as it was when it judged, or as it would be asked now."""
        if self.opinions:
            return self.opinions[0]
        first = tools.judges[0]
        return Opinion(judge=first.name, version=first.version, proxy=first.proxy, repeat=1, demos=())

    def _opinion_records(self) -> tuple[OpinionRecord, ...]:
        return tuple(
            OpinionRecord(
                judge=opinion.judge,
                version=opinion.version,
                proxy=opinion.proxy,
                repeat=opinion.repeat,
                score=scores.score,
                categories=scores.categories,
                items=scores.items,
                cost_usd=opinion.cost_usd,
            )
            for opinion, scores in zip(self.opinions, self.weighed, strict=True)
        )

    def _versions(self, judge: Opinion) -> dict[str, str]:
        """What the number depends on, by name and hash."""
        return {
            "judge": judge.version,
            "project": str(self.gate.get("project_digest", ""))[:16],
        }


def weigh(rubric: Rubric, opinions: tuple[Opinion, ...]) -> tuple[tuple[Scores, ...], int]:
    """The scores of each opinion, and which counts: the first judge's; of its repeats the one with the median score.

    A whole opinion, not a median of each number: its reasons, items and score belong together. Of an even
    number the lower of the two in the middle.
    """
    weighed = tuple(aggregate(rubric, 1, [demo.scores for demo in opinion.demos]) for opinion in opinions)
    own = [place for place, opinion in enumerate(opinions) if opinion.judge == opinions[0].judge]
    own.sort(key=lambda place: weighed[place].score)
    return weighed, own[(len(own) - 1) // 2]


def begin(trial: TrialId, task: Task, folder: Path) -> CraftTrial:
    return CraftTrial(trial, task, folder, rubric=read_rubric(task.folder))


def task_versions(task: Task, solution: bool) -> dict[str, str]:
    """By hash: what is asked, what it is scored by, and what an oracle hands in."""
    versions = {"rubric": read_rubric(task.folder).digest[:16], "instruction": text_digest(read_instruction(task))}
    return versions | ({"solution": tree_digest(task.folder / "solution")} if solution else {})


def stored_checks(folder: Path, record: TrialRecord) -> tuple[Check, ...]:
    """As they were, from the trial's folder. Raises what reading raises."""
    files = sorted((folder / "judgement").glob("*.json"))
    return _checks(record, [from_json(read_json(path, STORED_BYTES)) for path in files])


def stored_evidence(folder: Path) -> tuple[DemoEvidence, ...]:
    return read_showing(folder)


def _checks(record: TrialRecord, judgements: Sequence[DemoJudgement]) -> tuple[Check, ...]:
    """BUILD, then each item with what the judge said of it, first in the demo that shows it best."""
    built = facts_of(record).build
    title = "BUILD 1" if built else f"BUILD 0: {record.reason}"
    checks = [Check(name="BUILD", score=float(built or 0), reason=record.reason, title=title, decides_all=True)]
    for name, score in record.items.items() if built else ():
        said = [(one.demo, one.items[name]) for one in judgements if name in one.items]
        best = max(said, key=lambda pair: pair[1].score)[1].reason if said else ""
        checks.append(Check(name, score, best, tuple(f"{demo}: {one.score:.2f} — {one.reason}" for demo, one in said)))
    return tuple(checks)


def _demo_record(demo: DemoEvidence) -> DemoRecord:
    evidence, outcome = demo.evidence, demo.evidence.outcome
    seconds = evidence.frames.expected / FPS
    return DemoRecord(
        name=demo.name,
        seconds=seconds,
        ended=outcome.kind,
        detail=one_line(outcome.detail),
        inputs=evidence.inputs_sent,
    )
