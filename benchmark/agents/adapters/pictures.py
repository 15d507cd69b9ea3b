"""Pictures that an agent looked at, taken out of streams: they lie beside the trajectory, which names them."""

import base64
import binascii
import hashlib
import re
from pathlib import Path

from benchmark.agents.trajectory import Picture

MAX_BYTES = 20 << 20
MAX_ALL_BYTES = 400 << 20
# A picture is what its bytes say, whatever the stream calls it.
_KINDS = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png", ".png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg", ".jpg"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp", ".webp"),
    (re.compile(rb"GIF8[79]a"), "image/gif", ".gif"),
)
_ADDRESS = re.compile(r"data:[\w.+/-]{0,60};base64,")


class Pictures:
    """Fills one folder. The same picture, looked at twice, is one file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept: dict[str, Picture] = {}
        self._bytes = 0
        self.lost = 0  # what was said to be a picture and is none, or too much

    def of_address(self, address: object) -> Picture | None:
        """Of a `data:` address."""
        found = _ADDRESS.match(address) if isinstance(address, str) else None
        if found is None:
            self.lost += 1
            return None
        return self.of_base64(found.string[found.end() :])

    def of_base64(self, data: object) -> Picture | None:
        try:
            raw = base64.b64decode(data) if isinstance(data, str) and len(data) < 2 * MAX_BYTES else b""
        except (binascii.Error, ValueError):
            raw = b""
        kind = next(((media, ending) for signature, media, ending in _KINDS if signature.match(raw)), None)
        if kind is None or len(raw) > MAX_BYTES or self._bytes + len(raw) > MAX_ALL_BYTES:
            self.lost += 1
            return None
        name = hashlib.sha256(raw).hexdigest()[:16] + kind[1]
        if name not in self._kept:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / name).write_bytes(raw)
            self._bytes += len(raw)
            self._kept[name] = Picture(f"{self._folder.name}/{name}", kind[0])
        return self._kept[name]
