"""A trajectory while it is read: events come in pieces and out of order, steps have to be whole.

A step of the agent is one answer of its model. What a tool gave back belongs to the step that called it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from benchmark.agents.adapters.pictures import Pictures
from benchmark.agents.adapters.protocol import Left
from benchmark.agents.adapters.values import arguments, moment, table, tables, text
from benchmark.agents.trajectory import Picture, Source, Step, Tokens, ToolCall, ToolResult, Trajectory

MAX_STEPS = 50_000
MAX_TEXT = 200_000  # of one message or result; the raw stream has all of it
INTERRUPTED = "The session was interrupted here, and goes on."


@dataclass
class DraftStep:
    """What is known of one step so far."""

    source: Source
    time: str = ""
    model: str = ""
    message: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    calls: dict[str, ToolCall] = field(default_factory=dict)
    results: dict[str, ToolResult] = field(default_factory=dict)
    tokens: Tokens | None = None
    cost_usd: float | None = None

    def step(self) -> Step:
        return Step(
            source=self.source, message=_short("\n".join(filter(None, self.message))), time=self.time, model=self.model,
            reasoning=_short("\n".join(filter(None, self.reasoning))), calls=tuple(self.calls.values()),
            results=tuple(self.results.values()), tokens=self.tokens, cost_usd=self.cost_usd,
        )  # fmt: skip


class Draft:
    """Collects steps in the order in which they are first heard of. It begins with the prompt."""

    def __init__(self, left: Left) -> None:
        self.prompt = left.prompt
        self.pictures = Pictures(left.pictures)
        self.steps: list[DraftStep] = []
        self._by_key: dict[str, DraftStep] = {}
        self._by_call: dict[str, DraftStep] = {}
        self._lost: Counter[str] = Counter()
        if left.prompt:
            self.say("user", left.prompt)

    def say(self, source: Source, message: str, time: object = "") -> None:
        self._add(DraftStep(source, moment(time), message=[message]))

    def agent(self, key: object = "", time: object = "", model: object = "") -> DraftStep:
        """The step of this key, or, without one, a new step."""
        name = text(key)
        found = self._by_key.get(name) if name else None
        if found is None:
            found = self._add(DraftStep("agent", moment(time), text(model)))
            if name:
                self._by_key[name] = found
        return found

    def known(self, key: object) -> DraftStep | None:
        return self._by_key.get(text(key))

    def again(self, key: object, step: DraftStep) -> DraftStep:
        """The same step, by another key as well."""
        if name := text(key):
            self._by_key[name] = step
        return step

    def called(self, step: DraftStep, name: object, call: object, given: object) -> None:
        """A call of a tool, by its id. One that comes twice, begun and ended, is one call."""
        key = text(call) or f"call {len(step.calls) + 1}"
        step.calls.setdefault(key, ToolCall(key, text(name) or "unnamed", arguments(given)))
        self._by_call.setdefault(key, step)

    def answered(
        self,
        call: object,
        content: object,
        *,
        failed: bool = False,
        time: object = "",
        pictures: Iterable[Picture] = (),
    ) -> None:
        """What a call came back with: a text, or a list of texts and pictures, in any of the usual forms."""
        step = self._by_call.get(text(call))
        if step is None:
            self._lost["results that belong to no call"] += 1
            return
        said, pictures = self.content(content)
        step.results[text(call)] = ToolResult(
            call=text(call), text=_short(said), pictures=pictures, failed=failed, time=moment(time)
        )

    def content(self, content: object) -> tuple[str, tuple[Picture, ...]]:
        """Text and pictures of a message, as Anthropic, OpenAI, Google and MCP write them."""
        if isinstance(content, str):
            return content, ()
        said, seen = [], []
        for one in tables(content):
            if (picture := self._picture(one)) is not None:
                seen.append(picture)
            else:
                said.append(text(one.get("text")))
        return "\n".join(filter(None, said)), tuple(seen)

    def _picture(self, one: dict[str, Any]) -> Picture | None:
        if one.get("type") == "image" and (data := table(one.get("source")).get("data") or one.get("data")):
            return self.pictures.of_base64(data)
        if one.get("type") in ("image_url", "input_image"):
            address = one.get("image_url") or one.get("imageUrl")
            return self.pictures.of_address(table(address).get("url") if isinstance(address, dict) else address)
        if inline := table(one.get("inlineData")):
            return self.pictures.of_base64(inline.get("data"))
        return None

    @property
    def tokens(self) -> Tokens:
        """Of all steps that tell them."""
        return sum((step.tokens for step in self.steps if step.tokens), Tokens())

    def total(self, told: Tokens | None) -> Tokens | None:
        """What the program says of the whole, unless its steps alone are more: it forgot what came before its end."""
        known = self.tokens
        if told is None or told.prompt < known.prompt:
            return None
        return replace(told, reasoning=max(told.reasoning, known.reasoning))

    def trajectory(self, *, notes: Iterable[str] = (), **known: Any) -> Trajectory:
        lost = {**self._lost, "pictures that are none or too large": self.pictures.lost}
        left_out = [f"left out: {number} {what}" for what, number in lost.items() if number]
        return Trajectory(steps=tuple(step.step() for step in self.steps), notes=(*notes, *left_out), **known)

    def _add(self, step: DraftStep) -> DraftStep:
        if len(self.steps) < MAX_STEPS:
            self.steps.append(step)
        else:
            self._lost[f"steps after the first {MAX_STEPS}"] += 1
        return step


def _short(said: str) -> str:
    return said if len(said) <= MAX_TEXT else f"{said[:MAX_TEXT]}\n… {len(said) - MAX_TEXT} more characters"
