"""Gate, replay, judge, aggregate: the stages of a craft trial, without a task, an agent or a run around them."""

import itertools
import time
from dataclasses import dataclass, replace
from pathlib import Path

from benchmark.craft.harbor.folder import ATTEMPTS_FILE, keep_demo, write_build_log
from benchmark.craft.judging.opinions import Opinion, hear
from benchmark.craft.judging.protocol import DemoEvidence, Judge
from benchmark.craft.replay_stage import show
from benchmark.craft.rubric import Rubric
from benchmark.craft.scoring import Scores, aggregate
from benchmark.progress import Progress
from benchmark.projects.prepare import folder_for_imports
from benchmark.projects.submission import take_submission
from benchmark.replay.build_gate import BuildReport, check_build
from benchmark.replay.evidence import RecorderSettings
from benchmark.replay.recordings import Studio
from benchmark.replay.traces import FPS
from benchmark.runtime.machine import Machine
from benchmark.runtime.workdir import work_folder


@dataclass(frozen=True)
class Request:
    """What is to be scored, by which rubric, and where everything goes."""

    project: Path
    rubric: Rubric
    output: Path
    still_every_frames: int = RecorderSettings.still_every_frames
    fresh: bool = False  # past every cache
    notes: tuple[str, ...] = ()  # what was asked for and is done otherwise


@dataclass(frozen=True)
class Reward:
    """A score and all it was made of."""

    request: Request
    gate: BuildReport
    demos: tuple[DemoEvidence, ...]
    opinion: Opinion
    scores: Scores
    sandboxed: bool
    began: float  # seconds since 1970
    seconds: float

    @property
    def errors(self) -> tuple[str, ...]:
        """What went wrong with the submission without making the score impossible."""
        found = [str(finding) for finding in self.gate.findings if finding.blocks or finding.reason == "trace"]
        for demo in self.demos:
            outcome = demo.evidence.outcome
            if not outcome.complete:
                found.append(f"{demo.name}: ended early, {outcome.kind} at frame {outcome.frame}: {outcome.detail}")
        return tuple(found)


def verify(request: Request, machine: Machine, judge: Judge, progress: Progress) -> Reward:
    """The score of a project. What is seen on the way is kept in the output folder, even if no score comes of it.

    Raises InfrastructureError where the harness or the judge failed.
    """
    began = time.time()
    judge.ready()
    # A submission may be a gigabyte: not in memory. Copied first, so that nothing it left running changes it meanwhile.
    with work_folder("verify", on_disk=True) as work, folder_for_imports(fresh=request.fresh) as anew:
        progress.say("build gate …")
        take_submission(request.project, work / "submission")
        gate = check_build(work / "submission", machine, request.rubric.max_demos, anew=anew)
        write_build_log(request.output, gate)
        demos: tuple[DemoEvidence, ...] = ()
        opinion = Opinion(judge=judge.name, version=judge.version, proxy=judge.proxy, repeat=1, demos=())
        if gate.build and gate.prepared:
            traces, recorded = gate.traces.traces, itertools.count(1)
            takes = len(traces) + len({trace.scenario for trace in traces}) * judge.needs_untouched
            progress.say(f"replay of {len(traces)} demo(s) …")
            settings = RecorderSettings(
                window_frames=round(request.rubric.max_demo_seconds * FPS),
                still_every_frames=request.still_every_frames,
            )
            studio = Studio(
                machine, fresh=request.fresh, on_done=lambda _: progress.update("recorded", next(recorded) / takes)
            )
            shown = show(gate.prepared, traces, settings, studio, work, untouched=judge.needs_untouched)
            demos = tuple(replace(demo, folder=keep_demo(request.output, demo)) for demo in shown)
            progress.say(f"judge {judge.name} …")
            (opinion,) = hear(
                (judge,), 1, request.rubric, demos, fresh=request.fresh, log=request.output / ATTEMPTS_FILE
            )
    scores = aggregate(request.rubric, gate.build, [demo.scores for demo in opinion.demos])
    return Reward(
        request=request, gate=gate, demos=demos, opinion=opinion, scores=scores,
        sandboxed=machine.sandbox.confined, began=began, seconds=time.time() - began,
    )  # fmt: skip
