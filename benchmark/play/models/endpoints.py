"""Which protocol a model speaks, where it is asked, and which variable holds its key."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from benchmark.errors import BenchmarkError, InfrastructureError, MissingRuntimeError
from benchmark.judges.endpoint import check_header, checked_address
from benchmark.play.models.wire import ModelWire
from benchmark.redaction import keep_secret

Api = Literal["responses", "chat", "anthropic", "gemini"]
APIS: tuple[Api, ...] = ("responses", "chat", "anthropic", "gemini")
_WHO = "the model player"


@dataclass(frozen=True)
class Provider:
    """What is usual for a protocol."""

    key_variable: str
    address_variable: str
    address: str


PROVIDERS: dict[Api, Provider] = {
    "responses": Provider("OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "chat": Provider("OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "anthropic": Provider("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    "gemini": Provider("GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "https://generativelanguage.googleapis.com"),
}


@dataclass(frozen=True)
class Account:
    """Where and with what a model is asked. The key is in no text that anybody prints."""

    model: str
    address: str
    address_variable: str
    key: str


def api_of(model: str) -> Api:
    """By its name; what is not known is asked as most servers are that people run themselves."""
    name = model.rpartition("/")[2].lower()
    if name.startswith("claude"):
        return "anthropic"
    if name.startswith("gemini"):
        return "gemini"
    return "responses" if name.startswith(("gpt-", "o1", "o3", "o4", "computer-use")) else "chat"


def open_wire(api: Api, model: str, base_url: str, key_variable: str) -> ModelWire:
    """Raises InfrastructureError for what is missing on this machine: no player can be blamed for it."""
    usual = PROVIDERS[api]
    variable = key_variable or usual.key_variable
    key = os.environ.get(variable, "")
    if not key:
        raise InfrastructureError(f"{_WHO} {model} cannot start: ${variable} is not set", fix=f"set {variable}")
    keep_secret(variable, key)
    try:
        address = checked_address(
            base_url or os.environ.get(usual.address_variable) or usual.address, _WHO, usual.address_variable, variable
        )
        check_header("Authorization", key, _WHO, variable)
        return _opener(api)(Account(model, address.rstrip("/"), usual.address_variable, key))
    except BenchmarkError as error:
        raise InfrastructureError(error.message, fix=error.fix) from error


def _opener(api: Api) -> Callable[[Account], ModelWire]:
    """The clients are heavy, and only the one that is meant needs to be there."""
    try:
        if api == "anthropic":
            from benchmark.play.models.anthropic_wire import AnthropicWire

            return AnthropicWire
        if api == "gemini":
            from benchmark.play.models.gemini_wire import GeminiWire

            return GeminiWire
        from benchmark.play.models.openai_wire import ChatWire, ResponsesWire

        return ChatWire if api == "chat" else ResponsesWire
    except ImportError as error:
        raise MissingRuntimeError(
            f"the client for {api} is not installed ({error})", fix="pip install 'gamecraft-bench[models]'"
        ) from error
