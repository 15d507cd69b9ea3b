"""A model at the game: one question per step, one answer, which the loop judges."""

import math
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchmark.errors import InfrastructureError
from benchmark.judges.endpoint import FaultError
from benchmark.play.models.functions import REASONING, functions_for
from benchmark.play.models.prompt import Round, parts_of, prompt_digest, system_prompt, turn_text
from benchmark.play.models.settings import PlayModel
from benchmark.play.models.wire import ModelWire, PlayAnswer, PlayQuestion
from benchmark.play.parsing import ActionCall
from benchmark.play.players import Proposal, Seat, Turn
from benchmark.results.identity import ANSWERED, ASKED

ATTEMPTS = 4
MOST_NAMES = 5
_ACROSS = ("x", "x1", "x2", "from_x", "to_x")
_DOWN = ("y", "y1", "y2", "from_y", "to_y")


class ModelPlayer:
    """Sees pictures and nothing else. What it could not be asked is nobody's zero: it raises InfrastructureError."""

    looks = True
    sees_state = False

    def __init__(self, model: PlayModel, seat: Seat, wire: ModelWire) -> None:
        self._model = model
        self._seat = seat
        self._wire = wire
        size = (1000, 1000) if model.thousandths else (seat.game.width, seat.game.height)
        self._question = PlayQuestion(
            system=system_prompt(seat, model.interface, thousandths=model.thousandths),
            parts=(),
            functions=functions_for(seat.role, model.interface, size),
            max_tokens=model.max_tokens,
            temperature=model.temperature,
        )
        self._rounds: deque[Round] = deque(maxlen=model.memory)
        self._answered_by: dict[str, None] = {}  # an endpoint may say another name at each step

    @property
    def identity(self) -> Mapping[str, str]:
        model, dropped = self._model, self._question.dropped
        return {
            ASKED: model.model,
            ANSWERED: ", ".join(self._answered_by),
            "endpoint": self._wire.address.partition("?")[0],
            "api": model.api,
            "interface": model.interface,
            "memory": str(model.memory),
            "temperature": "the model's own" if "temperature" in dropped else f"{model.temperature:g}",
            "prompt": prompt_digest(),
            "prices": model.priced,
        }

    def propose(self, turn: Turn) -> Proposal:
        text = turn_text(turn)
        self._question = replace(self._question, parts=parts_of(tuple(self._rounds), text, turn.picture))
        answer, seconds = self._asked()
        if answer.model and len(self._answered_by) < MOST_NAMES:
            self._answered_by[answer.model] = None
        thought = "\n".join(one for call in answer.calls if (one := self._reason(call)))
        self._rounds.append(Round(text, turn.picture, thought or answer.text, answer.calls))
        return Proposal(
            calls=tuple(map(self._for_loop, answer.calls)),
            interface=self._model.interface,
            thought=thought,
            said=answer.text,
            latency_sec=seconds,
            tokens=answer.tokens,
            cost_usd=self._model.cost_of(answer.tokens),
        )

    def close(self) -> None:
        self._wire.close()

    def _asked(self) -> tuple[PlayAnswer, float]:
        """The answer, and how long it took; pauses between attempts are the endpoint's and do not count."""
        end = time.monotonic() + self._model.turn_sec
        attempt = 0
        while True:
            began = time.monotonic()
            try:
                answer = self._wire.ask(self._question, min(self._model.request_sec, max(0.001, end - began)))
                return answer, time.monotonic() - began
            except FaultError as fault:
                if fault.kind == "parameter" and fault.parameter not in self._question.dropped:
                    self._question = replace(self._question, dropped=self._question.dropped | {fault.parameter})
                    continue
                attempt += 1
                pause = self._model.retry_sec * 2 ** (attempt - 1) if fault.retry_after_sec is None else (
                    fault.retry_after_sec
                )  # fmt: skip
                if not fault.passing or attempt >= ATTEMPTS or time.monotonic() + pause >= end:
                    raise InfrastructureError(
                        f"the model {self._model.model} could not be asked ({attempt} attempts): {fault.message}",
                        fix=fault.fix or "run the trial again when the endpoint answers",
                    ) from fault
                time.sleep(pause)

    def _own(self, call: ActionCall) -> bool:
        """Whether the action has an argument of its own that is called like ours."""
        action = self._seat.role.action(call.name) if self._model.interface == "semantic" else None
        return action is not None and any(one.name == REASONING for one in action.parameters)

    def _reason(self, call: ActionCall) -> str:
        given = call.arguments.get(REASONING)
        return given if isinstance(given, str) and not self._own(call) else ""

    def _for_loop(self, call: ActionCall) -> ActionCall:
        """Without the reason, and with pixels. What is no number stays as it is, and is refused."""
        arguments = dict(call.arguments)
        if not self._own(call):
            arguments.pop(REASONING, None)
        if self._model.interface == "computer":
            arguments.pop("action", None)  # the name of the function says which one is meant
            if self._model.thousandths:
                game = self._seat.game
                arguments |= {key: _scaled(arguments[key], game.width) for key in _ACROSS if key in arguments}
                arguments |= {key: _scaled(arguments[key], game.height) for key in _DOWN if key in arguments}
        return ActionCall(call.name, arguments)


def _scaled(value: Any, side: int) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return value * side / 1000 if number and abs(value) <= 1e6 else value
