"""Which judge a Harbor task gets: by our own names, or by the flags and variables of the public verifier.

There is no judge to fall back on. The offline judge would always answer, but its scores are a proxy; taken silently
they would be trained on and ranked like a judgement. So it is used only where somebody wrote `offline`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from benchmark.craft.judging.protocol import Judge
from benchmark.craft.judging.registry import NAMES, check_judge, make_judge, model_judge
from benchmark.errors import UsageError

JUDGE_VARIABLE = "GAMECRAFT_BENCH_JUDGE"
MODEL_VARIABLE = "GAMECRAFT_BENCH_JUDGE_MODEL"
HEADERS_VARIABLE = "OPENAI_EXTRA_HEADERS_JSON"
DEFAULT = "openai"


@dataclass(frozen=True)
class JudgeService:
    """An endpoint that speaks the OpenAI protocol, and the variables that hold its key and address, first one first."""

    default_model: str
    keys: tuple[str, ...]
    addresses: tuple[str, ...]
    default_address: str | None = None


SERVICES = {
    "openai": JudgeService(
        "gpt-5.5",
        ("GAMECRAFT_BENCH_JUDGE_OPENAI_API_KEY", "OPENAI_API_KEY"),
        ("GAMECRAFT_BENCH_JUDGE_OPENAI_BASE_URL", "OPENAI_BASE_URL"),
    ),
    "kimi": JudgeService(
        "moonshot-v1-32k-vision-preview",
        ("GAMECRAFT_BENCH_JUDGE_MOONSHOT_API_KEY", "MOONSHOT_API_KEY"),
        ("GAMECRAFT_BENCH_JUDGE_MOONSHOT_BASE_URL", "MOONSHOT_BASE_URL"),
        "https://api.moonshot.cn/v1",
    ),
}
_COMPATIBLE = (
    "ask it through an OpenAI-compatible address: --judge openai:MODEL with OPENAI_BASE_URL and OPENAI_API_KEY"
)
# Judges of the public verifier that we do not have. Another judge in their place would be another reward.
_REFUSED = {
    "claude": ("speaks a protocol of its own", _COMPATIBLE),
    "opus": ("speaks a protocol of its own", _COMPATIBLE),
    "gemini": ("is shown films, ours are shown stills", _COMPATIBLE),
    "stub": ("gives every item the same number, which is no judgement", "for a run without a model: --judge offline"),
}


def choose_judge(judge: str | None, model: str | None, environment: Mapping[str, str]) -> Judge:
    """`judge` and `model` are what the flags say. Raises UsageError, with what is allowed."""
    name, said = judge or environment.get(JUDGE_VARIABLE) or DEFAULT, "--judge"
    if not judge and environment.get(JUDGE_VARIABLE):
        said = f"${JUDGE_VARIABLE}"
    kind, _, named = name.strip().partition(":")
    kind = kind.lower()
    if kind in _REFUSED:
        reason, fix = _REFUSED[kind]
        raise UsageError(f"{said}: there is no {kind!r} judge here: it {reason}", fix=fix)
    if kind in SERVICES:
        if named and model and named != model:
            raise UsageError(f"{said} names the model {named}, --judge-model {model}", fix="leave one of them away")
        return _service_judge(kind, named or model or environment.get(MODEL_VARIABLE, ""), environment)
    if kind not in ("offline", "recorded"):
        allowed = ", ".join((*SERVICES, *NAMES))
        raise UsageError(f"{said}: {name!r} is no judge", fix=f"one of: {allowed}")
    if model:
        raise UsageError(f"--judge-model: {name} has no model", fix="leave it away")
    return make_judge(check_judge(f"{kind}:{named}" if named else kind, None))


def _service_judge(kind: str, model: str, environment: Mapping[str, str]) -> Judge:
    service = SERVICES[kind]
    key = _first(service.keys, environment)
    if not key:
        raise UsageError(
            f"the judge {kind!r} has no key: {' and '.join(f'${name}' for name in service.keys)} are not set",
            fix="set one of them; or say --judge offline for scores that are a proxy and no judgement",
        )
    from benchmark.judges.endpoint import Endpoint

    address = _first(service.addresses, environment) or service.default_address
    headers = _headers(environment.get(HEADERS_VARIABLE, "")) if kind == "openai" else None
    return model_judge(Endpoint(model or service.default_model, base_url=address, api_key=key, headers=headers))


def _first(names: tuple[str, ...], environment: Mapping[str, str]) -> str | None:
    return next((value for name in names if (value := environment.get(name))), None)


def _headers(text: str) -> dict[str, str] | None:
    if not text.strip():
        return None
    try:
        headers = json.loads(text)
    except ValueError as error:
        raise UsageError(f"${HEADERS_VARIABLE}: not JSON: {error}") from error
    if not isinstance(headers, dict):
        raise UsageError(f"${HEADERS_VARIABLE}: an object of header names and values is needed")
    return {str(name): str(value) for name, value in headers.items()}
