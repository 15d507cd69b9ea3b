"""Server-sent events, as they go over the wire."""

import json
from typing import Any

DONE = b"data: [DONE]\n\n"


def named(event: dict[str, Any]) -> bytes:
    """An event that is called by its `type`."""
    return f"event: {event['type']}\n".encode() + plain(event)


def plain(event: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(event)}\n\n".encode()
