"""The art library: which packs there are, and the sheet of one with the list of its files."""

import cv2

from benchmark.assets.library import InstalledPack, installed, known_packs, library_folder
from benchmark.workbench.answers import FAILED, Answer

_MOST_LISTED = 400
_MAX_SIDE = 1536
PREVIEW = "preview.jpg"


def art(name: str) -> Answer:
    """Without a name all packs, with one its pictures. Names are looked up among the packs, never used as paths."""
    packs = {pack.name: here for pack in known_packs() if (here := installed(pack))}
    if not name:
        lines = [f"{one.pack.name}: {one.pack.title}, {one.files} files, {one.pack.licence}" for one in packs.values()]
        return Answer("\n".join(lines) or "no art is installed: python -m benchmark assets", 0 if lines else FAILED)
    if name not in packs:
        return Answer(f"there is no pack {name!r}; one of {', '.join(packs)}", FAILED)
    return _one(packs[name])


def _one(here: InstalledPack) -> Answer:
    files = sorted(
        path.relative_to(library_folder()).as_posix()
        for path in here.folder.rglob("*")
        if path.is_file() and path.name not in (PREVIEW, "pack.json")
    )
    more = len(files) - _MOST_LISTED
    text = "\n".join(("assets/library/ has", *files[:_MOST_LISTED], *([f"… and {more} more"] if more > 0 else [])))
    return Answer(text, picture=_sheet(here))


def _sheet(here: InstalledPack) -> bytes | None:
    picture = cv2.imread(str(here.folder / PREVIEW), cv2.IMREAD_COLOR)
    if picture is None:
        return None
    scale = min(1.0, _MAX_SIDE / picture.shape[1])
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".png", picture[: 3 * _MAX_SIDE])
    return data.tobytes() if done else None
