"""What a page may use before it counts as hanging."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PageLimits:
    """How long one thing may take in real time. A page that needs longer hangs."""

    load_sec: float = 60.0
    advance_sec: float = 30.0
    evaluate_sec: float = 20.0
    memory_bytes: int = 2 << 30  # of a page's process; looked at five times a second, inside the sandbox only
