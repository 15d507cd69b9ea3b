"""Files that are either whole or not there, whoever is killed or writes at the same time."""

import json
import secrets
from pathlib import Path
from typing import Any


def write_whole(path: Path, text: str) -> None:
    """Write beside, then move into place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)


def write_json(path: Path, data: Any) -> None:
    """Readable JSON, whole or not at all. NaN is refused: a number that is none has no place in a record."""
    write_whole(path, json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
