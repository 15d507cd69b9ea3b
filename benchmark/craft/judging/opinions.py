"""Several opinions on one trial: a judge asked more than once, and other judges beside it."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmark.checked import Fields
from benchmark.craft.judging.cache import judge_once, judgements_of
from benchmark.craft.judging.protocol import DemoEvidence, DemoJudgement, Judge
from benchmark.craft.rubric import Rubric
from benchmark.errors import InfrastructureError
from benchmark.files import write_json
from benchmark.limits import STORED_BYTES
from benchmark.untrusted import read_json

FILE = "opinions.json"
_AGAIN = "judge it again with --rejudge"


@dataclass(frozen=True)
class Opinion:
    """What one judge said of all demos, the first time it was asked or a later one."""

    judge: str
    version: str
    proxy: bool
    repeat: int
    demos: tuple[DemoJudgement, ...]

    @property
    def cost_usd(self) -> float:
        return sum(demo.cost_usd for demo in self.demos)


def hear(
    judges: Sequence[Judge],
    repeats: int,
    rubric: Rubric,
    demos: Sequence[DemoEvidence],
    *,
    fresh: bool = False,
    log: Path | None = None,
) -> tuple[Opinion, ...]:
    """All judges, all at once; one that always says the same is asked once. The first judge's opinions come first.

    If one cannot judge, the others are finished first and stay in the cache: what they cost is not lost.
    """
    asked = [(judge, repeat) for judge in judges for repeat in range(1, 2 if judge.steady else repeats + 1)]

    def one(question: tuple[Judge, int]) -> Opinion | InfrastructureError:
        judge, repeat = question
        try:
            said = judge_once(judge, rubric, demos, repeat=repeat, fresh=fresh, log=log)
        except InfrastructureError as error:
            return error
        return Opinion(judge=judge.name, version=judge.version, proxy=judge.proxy, repeat=repeat, demos=said)

    with ThreadPoolExecutor(max_workers=len(asked)) as pool:
        heard = list(pool.map(one, asked))
    for opinion in heard:
        if isinstance(opinion, InfrastructureError):
            raise opinion
    return tuple(opinion for opinion in heard if isinstance(opinion, Opinion))


def write_opinions(folder: Path, opinions: Sequence[Opinion]) -> None:
    """All that was said, into a trial's folder."""
    write_json(folder / FILE, [asdict(opinion) for opinion in opinions])


def _opinion(row: Any) -> Opinion:
    given = Fields.of(row)
    return Opinion(
        judge=given.text("judge"),
        version=given.text("version"),
        proxy=given.flag("proxy"),
        repeat=given.whole("repeat", 1, 1 << 20),
        demos=judgements_of(given, "demos"),
    )


def read_opinions(folder: Path) -> tuple[Opinion, ...]:
    """The inverse. Raises InfrastructureError where they are not there or damaged."""
    try:
        rows = read_json(folder / FILE, STORED_BYTES)
        opinions = tuple(map(_opinion, rows))
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise InfrastructureError(f"{folder / FILE} cannot be read: {error}", fix=_AGAIN) from error
    if not opinions:
        raise InfrastructureError(f"{folder / FILE} is empty", fix=_AGAIN)
    return opinions
