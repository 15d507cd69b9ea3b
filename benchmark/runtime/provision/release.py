"""The official Godot release archive, for machines that can reach it.

The download is checked against the checksum file published beside it; no checksum is kept here,
so a new pin is one line.
"""

import hashlib
import platform
import shutil
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

from benchmark.errors import SetupError

VERSION = "4.6.3-stable"
_BASE = f"https://github.com/godotengine/godot/releases/download/{VERSION}"
_ARCHITECTURES = {"x86_64": "x86_64", "aarch64": "arm64"}
_CONNECT_TIMEOUT_SEC = 20


def fetch_release(into: Path, report: Callable[[str, float], None]) -> Path:
    """Download and verify the pinned editor build; returns the program."""
    architecture = _ARCHITECTURES.get(platform.machine())
    if architecture is None:
        raise SetupError(f"no official Godot build for {platform.machine()}")
    stem = f"Godot_v{VERSION}_linux.{architecture}"
    into.mkdir(parents=True, exist_ok=True)
    archive = into / f"{stem}.zip"
    _download(f"{_BASE}/SHA512-SUMS.txt", into / "SHA512-SUMS.txt", report)
    _download(f"{_BASE}/{archive.name}", archive, report)
    verify(archive, (into / "SHA512-SUMS.txt").read_text(encoding="utf-8"))
    return unpack(archive, stem, into / "godot")


def verify(archive: Path, checksums: str) -> None:
    """Compare an archive with its line in a `sha512sum` listing."""
    listed = {name: digest for digest, name in (line.split() for line in checksums.splitlines() if line.strip())}
    expected = listed.get(archive.name)
    if expected is None:
        raise SetupError(f"{archive.name} is not in the release's checksum file")
    with archive.open("rb") as handle:
        actual = hashlib.file_digest(handle, "sha512").hexdigest()
    if actual != expected.lower():
        archive.unlink()
        raise SetupError(
            f"{archive.name}: sha512 is {actual[:16]}…, the release says {expected[:16]}…",
            fix="run the same command again; the damaged download is removed",
        )


def unpack(archive: Path, member: str, program: Path) -> Path:
    """Take the one program out of the archive; half-written files never carry the final name."""
    partial = program.with_suffix(".partial")
    with zipfile.ZipFile(archive) as bundle, bundle.open(member) as source, partial.open("wb") as target:
        shutil.copyfileobj(source, target)
    partial.chmod(0o755)
    return partial.replace(program)


def _download(url: str, path: Path, report: Callable[[str, float], None]) -> None:
    partial = path.with_name(path.name + ".partial")
    try:
        with (
            urllib.request.urlopen(url, timeout=_CONNECT_TIMEOUT_SEC) as response,
            partial.open("wb") as target,
        ):
            size = int(response.headers.get("Content-Length") or 0)
            while block := response.read(1 << 18):
                target.write(block)
                report(path.name, target.tell() / size if size else 0.0)
    except (urllib.error.URLError, OSError) as error:
        raise SetupError(f"cannot download {path.name} of the official release: {error}") from error
    partial.replace(path)
