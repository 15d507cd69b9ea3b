"""Asking a model about each demo until every item has a valid number, or saying why it has none."""

import hashlib
import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark.craft.judging.model.answers import ModelAnswer, read_answer
from benchmark.craft.judging.model.frames import LADDER, fitting
from benchmark.craft.judging.model.prompt import answer_schema, messages, prompt_version
from benchmark.craft.judging.protocol import DemoEvidence, DemoJudgement, ItemScore
from benchmark.craft.rubric import Requirement, Rubric
from benchmark.errors import InfrastructureError
from benchmark.jsonl import append, as_line
from benchmark.judges.costs import Budget, Price, estimated_tokens
from benchmark.judges.deadlines import DEMO_SEC, DEMO_VARIABLE
from benchmark.judges.endpoint import Endpoint, FaultError, Reply, TokenUsage

MAX_ATTEMPTS = 8
FIRST_PAUSE_SEC = 1.0
LONGEST_PAUSE_SEC = 60.0
ANSWER_TOKENS = 6000  # ample for 24 items; the public implementation's answers were cut off at a small limit
MAX_REQUEST_BYTES = 18_000_000
_MAX_PROBLEM = 600  # characters of what was wrong, when a model is asked again


@dataclass(frozen=True)
class ModelJudge:
    """`openai:<model>`. `slot` limits how many requests are under way at once, over all workers."""

    endpoint: Endpoint
    price: Price | None
    budget: Budget | None = None
    slot: Callable[[], AbstractContextManager[None]] = nullcontext
    pause: Callable[[float], None] = time.sleep
    proxy: bool = False
    needs_untouched: bool = False
    steady: bool = False  # even at temperature 0
    max_attempts: int = MAX_ATTEMPTS
    demo_sec: float = DEMO_SEC  # requests and pauses about one demo; waiting for a slot does not count

    @property
    def name(self) -> str:
        return f"openai:{self.endpoint.model}"

    @property
    def version(self) -> str:
        """The prompt, and where the model is asked: two endpoints may mean different things by one name."""
        place = hashlib.sha256(self.endpoint.address.encode()).hexdigest()[:6]
        return f"prompt-{prompt_version()}-{place}"

    def ready(self) -> None:
        """Is there money for one more demo?"""
        if self.budget is not None and self.price is not None:
            expected = self.price.of(*estimated_tokens(40, 20, 2000))
            self.budget.promise(expected)
            self.budget.settle(expected, 0.0)

    def judge(
        self, rubric: Rubric, demos: Sequence[DemoEvidence], log: Path | None = None, repeat: int = 1
    ) -> tuple[DemoJudgement, ...]:
        """All demos at once. If one cannot be judged, the others are finished first: what they cost is not lost."""
        notes = _Notes(log, repeat)

        def one(demo: DemoEvidence) -> DemoJudgement | InfrastructureError:
            try:
                return _Inquiry(self, rubric, demo, notes).run()
            except InfrastructureError as error:
                return error

        with ThreadPoolExecutor(max_workers=max(1, len(demos))) as pool:
            results = list(pool.map(one, demos))
        for result in results:
            if isinstance(result, InfrastructureError):
                raise result
        return tuple(result for result in results if isinstance(result, DemoJudgement))


class _Notes:
    """Every attempt in a file, one line each, without secrets."""

    def __init__(self, path: Path | None, repeat: int) -> None:
        self._path = path
        self._repeat = repeat

    def write(self, **note: Any) -> None:
        if self._path is not None:
            append(self._path, (as_line({"repeat": self._repeat, **note}) + "\n").encode())


@dataclass
class _Inquiry:
    """One demo: what is still missing, what did not work so far."""

    judge: ModelJudge
    rubric: Rubric
    demo: DemoEvidence
    notes: _Notes
    scores: dict[str, ItemScore] = field(default_factory=dict)
    step: int = 0
    left_out: set[str] = field(default_factory=set)  # parameters this endpoint does not take
    tokens: list[int] = field(default_factory=lambda: [0, 0])
    cost: float = 0.0
    last: str = ""
    problem: str = ""  # with the model's last answer, for the model to read
    taken_sec: float = 0.0

    def run(self) -> DemoJudgement:
        if not self.demo.evidence.stills:  # nothing was drawn before it ended: nothing was shown
            shown = f"the demo has no picture ({self.demo.evidence.outcome.kind})"
            return DemoJudgement(self.demo.name, {name: ItemScore(0.0, shown) for name in self.rubric.ids})
        self.step = fitting(self.demo, MAX_REQUEST_BYTES)
        for attempt in range(1, self.judge.max_attempts + 1):
            wanted = [item for item in self.rubric.requirements if item.id not in self.scores]
            if not wanted:
                break
            self._attempt(attempt, wanted)
        if any(name not in self.scores for name in self.rubric.ids):
            raise self._gives_up(f"after {self.judge.max_attempts} attempts")
        ordered = {name: self.scores[name] for name in self.rubric.ids}
        numbers = {"tokens_in": float(self.tokens[0]), "tokens_out": float(self.tokens[1])}
        return DemoJudgement(self.demo.name, ordered, numbers, self.cost)

    def _gives_up(self, when: str, fix: str | None = None) -> InfrastructureError:
        missing = ", ".join(name for name in self.rubric.ids if name not in self.scores)
        where = f"{self.judge.name}: {self.demo.name}"
        return InfrastructureError(f"{where}: no valid score for {missing} {when}; the last: {self.last}", fix=fix)

    def _left_sec(self, needed: float = 0.0) -> float:
        """Of the time for this demo. Raises InfrastructureError if less than `needed` is left."""
        left = self.judge.demo_sec - self.taken_sec
        if left <= needed:
            raise self._gives_up(
                f"within {self.judge.demo_sec:g} s", fix=f"a slow endpoint may need a larger ${DEMO_VARIABLE}"
            )
        return left

    def _attempt(self, attempt: int, wanted: list[Requirement]) -> None:
        ids = [item.id for item in wanted]
        note: dict[str, Any] = {"demo": self.demo.name, "attempt": attempt, "asked": ids}
        note |= {"frames": len(self.demo.evidence.stills), "width": LADDER[self.step].width}
        try:
            reply = self._ask(wanted)
        except FaultError as fault:
            self.last, self.problem = fault.message, fault.message if fault.about_answer else ""
            self.notes.write(**note, fault=fault.kind, message=fault.message)
            self._after(fault, attempt)
            return
        answer = read_answer(reply.text, ids)
        for name, score in answer.scores.items():
            self.scores[name] = ItemScore(score, answer.reasons.get(name, ""))
        self.last = _complaint(answer)
        self.problem = self.last[:_MAX_PROBLEM]
        self.notes.write(
            **note, model=reply.model, seconds=round(reply.seconds, 2), tokens_in=reply.usage.tokens_in,
            tokens_out=reply.usage.tokens_out, rejected=answer.rejected, extra=list(answer.extra),
            answer=reply.text[:20_000], **({"usage": reply.usage.problem} if reply.usage.problem else {}),
        )  # fmt: skip

    def _ask(self, wanted: list[Requirement]) -> Reply:
        judge, price = self.judge, self.judge.price
        words = sum(len(item.description.split()) for item in wanted)
        expected = price.of(*estimated_tokens(len(self.demo.evidence.stills), len(wanted), words)) if price else 0.0
        options: dict[str, Any] = {
            "temperature": 0,
            "max_completion_tokens": ANSWER_TOKENS,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "scores", "strict": True, "schema": answer_schema(item.id for item in wanted)},
            },
        }
        chosen = {name: value for name, value in options.items() if name not in self.left_out}
        question = messages(wanted, self.demo, LADDER[self.step], self.problem)
        left = self._left_sec()
        if judge.budget is not None:
            judge.budget.promise(expected)
        usage: TokenUsage | None = None
        actual = 0.0
        try:
            with judge.slot(), self._timed():
                reply = judge.endpoint.ask(question, chosen, left)
            usage = reply.usage
        except FaultError as fault:
            usage = fault.usage
            raise
        finally:
            if usage is not None:
                # tokens that nobody counted are paid for all the same: then the estimate stands
                actual = expected if usage.problem or not price else price.of(usage.tokens_in, usage.tokens_out)
                self.tokens[0] += usage.tokens_in
                self.tokens[1] += usage.tokens_out
                self.cost += actual
            if judge.budget is not None:
                judge.budget.settle(expected, actual)
        return reply

    @contextmanager
    def _timed(self) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self.taken_sec += time.monotonic() - began

    def _after(self, fault: FaultError, attempt: int) -> None:
        """Change what the fault is about, wait, or give up."""
        if fault.kind == "too large":
            if self.step + 1 == len(LADDER):
                where = f"{self.judge.name}: {self.demo.name}"
                raise InfrastructureError(f"{where}: {fault.message}, even at the smallest size")
            self.step += 1
        elif fault.kind == "parameter" and fault.parameter not in self.left_out:
            self.left_out.add(fault.parameter)
        elif fault.passing:
            pause = min(FIRST_PAUSE_SEC * 2 ** (attempt - 1), LONGEST_PAUSE_SEC) * random.uniform(0.75, 1.25)
            pause = fault.retry_after_sec if fault.retry_after_sec is not None else pause
            if attempt < self.judge.max_attempts:
                self._left_sec(pause)
                self.judge.pause(pause)
                self.taken_sec += pause
        else:
            raise InfrastructureError(f"{self.judge.name}: {self.demo.name}: {fault.message}", fix=fault.fix)


def _complaint(answer: ModelAnswer) -> str:
    if answer.problem:
        return answer.problem
    return "; ".join(f"{name}: {why}" for name, why in answer.rejected.items())
