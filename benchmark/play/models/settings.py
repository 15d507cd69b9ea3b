"""`--agent model:…`: which model plays, and how it is asked.

model:NAME[,interface=semantic|computer][,memory=N][,api=responses|chat|anthropic|gemini]
model:path/to/profile.toml[,…]
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from benchmark import __version__
from benchmark.agents.protocol import AgentReport, Assignment
from benchmark.checked import Fields
from benchmark.errors import UsageError
from benchmark.judges.costs import price_of
from benchmark.play.models.endpoints import APIS, Api, api_of, open_wire
from benchmark.play.models.prompt import prompt_digest
from benchmark.play.parsing import INTERFACES, Interface
from benchmark.play.players import Player, Seat
from benchmark.tasks import TaskError, read_toml
from benchmark.versions import text_digest

PREFIX = "model:"
MAX_MEMORY = 20
_TYPED = ("interface", "memory", "api")  # what can be said on the command line
_NO_NAME = re.compile(r"[^A-Za-z0-9._@-]+")


@dataclass(frozen=True)
class PlayModel:
    """A model as a player. Prices are dollars per million tokens: in, out."""

    model: str
    api: Api
    interface: Interface = "semantic"
    memory: int = 2  # rounds before the present one
    base_url: str = ""
    key_variable: str = ""
    temperature: float = 0.0
    max_tokens: int = 8192
    thousandths: bool = False  # positions from 0 to 999 instead of pixels
    prices: tuple[float, float] | None = None
    prices_of: str = ""  # the day of the prices
    request_sec: float = 180.0
    turn_sec: float = 600.0  # all attempts and pauses of one step
    retry_sec: float = 5.0
    label: str = ""

    def cost_of(self, tokens: Mapping[str, float]) -> float:
        amounts = tokens.get("input", 0.0), tokens.get("output", 0.0)
        if self.prices:
            return (amounts[0] * self.prices[0] + amounts[1] * self.prices[1]) / 1e6
        known = price_of(self.model)
        return known.of(int(amounts[0]), int(amounts[1])) if known else 0.0

    @property
    def priced(self) -> str:
        """Where the prices are from, for the record."""
        if self.prices:
            return f"{self.prices[0]:g} in, {self.prices[1]:g} out{f', {self.prices_of}' if self.prices_of else ''}"
        return "of the table of models" if price_of(self.model) else "not known"


@dataclass(frozen=True)
class ModelAgent:
    """The agent that `--agent model:…` names."""

    settings: PlayModel
    feedback: str = "none"
    track: str = "play"

    @property
    def name(self) -> str:
        settings = self.settings
        words = [settings.label or settings.model.rpartition("/")[2], settings.interface]
        words += [] if settings.memory == 2 else [f"memory{settings.memory}"]
        return _NO_NAME.sub("-", "-".join(words)).strip("-.")[:80]

    @property
    def version(self) -> str:
        """What changes its play: not where it is asked, how patiently, or for how much."""
        s = self.settings
        counted = (s.model, s.api, s.interface, s.memory, s.temperature, s.max_tokens, s.thousandths)
        return text_digest(f"{__version__} {counted} {prompt_digest()}")

    def sit_down(self, seat: Seat) -> Player:
        from benchmark.play.models.player import ModelPlayer

        settings = self.settings
        wire = open_wire(settings.api, settings.model, settings.base_url, settings.key_variable)
        return ModelPlayer(settings, seat, wire)

    def work(self, assignment: Assignment) -> AgentReport:
        raise UsageError(f"{self.name} plays games; it builds none")


def parse_model(text: str) -> ModelAgent | None:
    """None for what does not begin with `model:`. Raises UsageError."""
    if not text.startswith(PREFIX):
        return None
    name, *settings = text.removeprefix(PREFIX).split(",")
    if not name.strip():
        raise UsageError(f"--agent: {text!r} names no model", fix="model:NAME or model:profile.toml")
    said: dict[str, str] = {}
    for one in settings:
        key, equals, value = one.partition("=")
        if key not in _TYPED or not equals:
            raise UsageError(f"--agent: {one!r} in {text!r} is not known", fix=f"KEY=VALUE with {', '.join(_TYPED)}")
        said[key] = value
    data = _profile(Path(name)) if name.endswith(".toml") else {"model": name}
    where = f"{name}: " if name.endswith(".toml") else f"--agent {PREFIX}{name}: "
    memory = said.pop("memory", None)
    if memory is not None and not re.fullmatch(r"[0-9]{1,3}", memory):
        raise UsageError(f"{where}memory: {memory!r} is not a number of rounds from 0 to {MAX_MEMORY}")
    try:
        return ModelAgent(_read({**data, **said, **({"memory": int(memory)} if memory is not None else {})}, where))
    except ValueError as error:
        raise UsageError(f"--agent: {error}", fix="see docs/play.md") from error


def _profile(path: Path) -> dict[str, Any]:
    try:
        return dict(read_toml(path.resolve()))
    except TaskError as error:
        raise UsageError(f"--agent: {error.message}") from error


def _read(data: dict[str, Any], where: str) -> PlayModel:
    """Raises ValueError."""
    given = Fields(data, where)
    known = {one.name for one in fields(PlayModel)} - {"key_variable", "label", "thousandths"}
    given.refuse_others((*known, "key", "name", "positions"))
    model = given.text("model")
    api: Api = given.choice("api", APIS) if given.has("api") else api_of(model)
    positions = given.choice("positions", ("pixels", "thousandths")) if given.has("positions") else ""
    usual = PlayModel(model, api)
    return replace(
        usual,
        interface=given.choice("interface", INTERFACES) if given.has("interface") else "semantic",
        memory=given.whole("memory", 0, MAX_MEMORY, usual.memory),
        base_url=given.text("base_url", ""),
        key_variable=given.text("key", ""),
        temperature=given.measure("temperature", 0.0, low=0.0),
        max_tokens=given.whole("max_tokens", 16, 1_000_000, usual.max_tokens),
        thousandths=positions == "thousandths" or (not positions and api == "gemini"),
        prices=_prices(given, where),
        prices_of=str(given.raw("prices_of") or ""),
        request_sec=_seconds(given, "request_sec", usual.request_sec, where),
        turn_sec=_seconds(given, "turn_sec", usual.turn_sec, where),
        retry_sec=given.amount("retry_sec", usual.retry_sec),
        label=given.text("name", ""),
    )


def _prices(given: Fields, where: str) -> tuple[float, float] | None:
    value = given.raw("prices")
    if value is None:
        return None
    sound = isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) and 0 <= v < 1e6 for v in value)
    if not sound:
        raise ValueError(f"{where}prices: {value!r} is not [dollars in, dollars out] per million tokens")
    return float(value[0]), float(value[1])


def _seconds(given: Fields, key: str, usual: float, where: str) -> float:
    value = given.amount(key, usual)
    if not 0 < value <= 86_400:
        raise ValueError(f"{where}{key}: {value!r} is not a number of seconds above 0, up to 86400")
    return value
