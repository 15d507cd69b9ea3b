"""`--judge`: from what a user types to a judge."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from benchmark.craft.judging.protocol import Judge
from benchmark.errors import UsageError

if TYPE_CHECKING:
    from benchmark.judges.endpoint import Endpoint

NAMES = ("offline", "openai:MODEL", "recorded:FILE")
KEY_VARIABLE = "OPENAI_API_KEY"


def check_judge(text: str, max_cost: float | None) -> str:
    """Before a run: is there such a judge, has it a key, is its price known where a limit is set?"""
    kind, _, model = text.partition(":")
    if text == "offline":
        return text
    if kind == "recorded":
        if not Path(model).is_file():
            raise UsageError(
                f"--judge: {model or 'recorded:'} is not a file", fix="see `python -m benchmark judgements export`"
            )
        return text
    if kind != "openai" or not model:
        raise UsageError(f"--judge: {text!r} is no judge", fix=f"one of: {', '.join(NAMES)}")
    if not os.environ.get(KEY_VARIABLE):
        raise UsageError(f"--judge {text}: ${KEY_VARIABLE} is not set", fix=f"export {KEY_VARIABLE}=…")
    from benchmark.judges.costs import PRICES_VARIABLE, price_of
    from benchmark.judges.deadlines import demo_sec, request_sec

    request_sec(), demo_sec()  # a wrong limit is told before the run, not in each of its trials
    if max_cost is not None and price_of(model) is None:
        raise UsageError(
            f"--max-cost: the price of {model} is not known", fix=f"put it into a file, see ${PRICES_VARIABLE}"
        )
    return text


def is_registered(name: str) -> bool:
    """Whether a judge of that name is one that `--judge` makes; others come from somebody's conftest."""
    return name == "offline" or name.startswith(("openai:", "recorded:"))


def make_judge(text: str, run: Path | None = None, max_cost: float | None = None) -> Judge:
    """The judge of that name. Imports it only now: collecting tests needs none. `run` keeps what it spends."""
    if text == "offline":
        from benchmark.craft.judging.offline.judge import OfflineJudge

        return OfflineJudge()
    if text.startswith("recorded:"):
        from benchmark.craft.judging.recorded import RecordedJudge

        return RecordedJudge(Path(text.partition(":")[2]))
    from benchmark.judges.endpoint import Endpoint

    return model_judge(Endpoint(check_judge(text, max_cost).partition(":")[2]), run, max_cost)


def model_judge(endpoint: "Endpoint", run: Path | None = None, max_cost: float | None = None) -> Judge:
    """A model as judge, wherever it is asked."""
    from benchmark.craft.judging.model.judge import ModelJudge
    from benchmark.judges.costs import SPEND_FILE, Budget, price_of
    from benchmark.judges.deadlines import demo_sec
    from benchmark.runtime.tokens import request_slot

    budget = Budget(run / SPEND_FILE, max_cost) if run is not None else None
    return ModelJudge(
        endpoint, price_of(endpoint.model), budget, lambda: request_slot(endpoint.address), demo_sec=demo_sec()
    )
