"""Judgements as files: exported from runs, imported into the cache, or replayed as a judge of their own.

One JSON object per line: the question (rubric and evidence, by hash), the judge and its version, and what it said.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from benchmark.checked import Fields, parse_object
from benchmark.craft.judging.cache import cache_file, judgements_of, question
from benchmark.craft.judging.protocol import DemoEvidence, DemoJudgement
from benchmark.craft.rubric import Rubric
from benchmark.errors import InfrastructureError, UsageError
from benchmark.files import write_json
from benchmark.jsonl import as_line, read_lines
from benchmark.trials import one_line


@dataclass(frozen=True)
class Recorded:
    """One line: a whole trial, judged."""

    question: str
    judge: str
    version: str
    proxy: bool
    trial: str
    repeat: int
    demos: tuple[DemoJudgement, ...]

    def to_line(self) -> str:
        return as_line(asdict(self))


def read_recorded(path: Path) -> Iterator[Recorded]:
    """All lines of a file. A line that is no judgement is an error with its number."""
    try:
        lines = list(read_lines(path))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error
    for line in lines:
        try:
            given = Fields(parse_object(line.content.decode("utf-8")))
            yield Recorded(
                question=given.text("question"),
                judge=given.text("judge"),
                version=given.text("version"),
                proxy=given.flag("proxy"),
                trial=given.text("trial"),
                repeat=given.whole("repeat", 1, 1 << 20, 1),
                demos=judgements_of(given, "demos"),
            )
        except ValueError as error:
            raise UsageError(f"{path}:{line.number}: not a judgement: {one_line(str(error), 300)}") from error


def import_recorded(path: Path) -> int:
    """Put the judgements of a file into the cache, so that their judges are not asked again. Whole file or nothing."""
    found = list(read_recorded(path))
    for one in found:
        write_json(cache_file(one.judge, one.version, one.question, one.repeat), [asdict(demo) for demo in one.demos])
    return len(found)


@dataclass(frozen=True)
class RecordedJudge:
    """`recorded:<file>`: says what was said before, and nothing about evidence it does not know."""

    path: Path
    needs_untouched: bool = False

    @cached_property
    def _known(self) -> dict[tuple[str, int], Recorded]:
        known = {(one.question, one.repeat): one for one in read_recorded(self.path)}
        if len(judges := sorted({one.judge for one in known.values()})) > 1:
            raise UsageError(
                f"{self.path} holds several judges: {', '.join(judges)}",
                fix="export them one by one: `judgements export --judge NAME`",
            )
        return known

    @property
    def name(self) -> str:
        return f"recorded:{self.path.name}"

    @property
    def version(self) -> str:
        return hashlib.sha256(self.path.read_bytes()).hexdigest()[:12]

    @property
    def proxy(self) -> bool:
        return any(one.proxy for one in self._known.values())

    @property
    def steady(self) -> bool:
        return all(one.repeat == 1 for one in self._known.values())

    def ready(self) -> None:
        """Is the file sound?"""
        assert self._known is not None

    def judge(
        self, rubric: Rubric, demos: Sequence[DemoEvidence], log: Path | None = None, repeat: int = 1
    ) -> tuple[DemoJudgement, ...]:
        """The recorded judgement of this very evidence."""
        known = self._known.get((question(rubric, demos), repeat))
        if known is None:
            which = f"repeat {repeat} of a judgement" if repeat > 1 else "judgement"
            raise InfrastructureError(f"{self.path} holds no {which} of this evidence under this rubric")
        return known.demos
