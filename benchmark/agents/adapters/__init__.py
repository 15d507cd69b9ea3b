"""One module per program that people use as an agent. Each is loaded by its kind, when a profile names it.

`module:Class` names an adapter outside this repository.
"""

import importlib
import re
from functools import cache

from benchmark.agents.adapters.protocol import Adapter
from benchmark.errors import UsageError

# kind → where; the order is that of lists
BUILT_IN = {
    "claude": "benchmark.agents.adapters.claude:Claude",
    "codex": "benchmark.agents.adapters.codex:Codex",
    "gemini": "benchmark.agents.adapters.gemini:Gemini",
    "kimi": "benchmark.agents.adapters.kimi:Kimi",
    "codebuddy": "benchmark.agents.adapters.codebuddy:CodeBuddy",
    "openhands": "benchmark.agents.adapters.openhands:OpenHands",
    "opencode": "benchmark.agents.adapters.opencode:OpenCode",
    "qwen": "benchmark.agents.adapters.qwen:Qwen",
    "mini": "benchmark.agents.adapters.mini_swe:MiniSwe",
}
_EXTERNAL = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


@cache
def adapter_of(kind: str) -> Adapter:
    """Raises UsageError for a kind that nobody knows, or a class that cannot be loaded."""
    place = BUILT_IN.get(kind, kind)
    if not _EXTERNAL.fullmatch(place):
        raise UsageError(
            f"agent kind {kind!r} is not known", fix=f"one of {', '.join(BUILT_IN)}, command, or MODULE:CLASS"
        )
    module, _, name = place.partition(":")
    try:
        found: Adapter = getattr(importlib.import_module(module), name)()
    except Exception as error:  # whatever a module of others does
        raise UsageError(f"agent kind {kind!r} cannot be loaded: {type(error).__name__}: {error}") from error
    return found
