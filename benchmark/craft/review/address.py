"""Where a run's page is served. Kept from start to start, so that an open page finds its server again."""

import contextlib
import hashlib
import json
import os
import re
import secrets
import stat
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmark.paths import cache_root

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32,64}")


@dataclass(frozen=True)
class Address:
    """Port 0 takes any that is free."""

    port: int
    token: str


def new_address(port: int = 0) -> Address:
    return Address(port, secrets.token_urlsafe(32))


def remembered(run: Path) -> Address | None:
    """The address this user had for this run, if nobody else could read or write it."""
    try:
        descriptor = os.open(_file(run), os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return None
    with os.fdopen(descriptor, encoding="utf-8") as handle:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
            return None
        try:
            data = json.loads(handle.read(1000))
            address = Address(int(data["port"]), str(data["token"]))
        except (ValueError, KeyError, TypeError):
            return None
    return address if _TOKEN.fullmatch(address.token) and 0 < address.port < 65536 else None


def remember(run: Path, address: Address) -> None:
    """For the next start. Kept outside the run: a run is handed to others, the key to its page is not."""
    path = _file(run)
    with contextlib.suppress(OSError):  # without it the page works as well, only not across starts
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as handle:
            json.dump(asdict(address), handle)
        partial.replace(path)


def _file(run: Path) -> Path:
    name = hashlib.sha256(os.fsencode(run.resolve())).hexdigest()[:16]
    return cache_root() / "review" / f"{name}.json"
