"""Pictures of changed projects, for people: the main scene after a second, where the hidden test drew nothing."""

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmark.edit.hidden import KitTest
from benchmark.edit.hidden_run import HiddenRun
from benchmark.edit.trial import PICTURE
from benchmark.edit.verdict import Mode
from benchmark.edit.verify import verify_once
from benchmark.progress import Progress
from benchmark.projects.project import scan_project
from benchmark.results.report.damaged import inside
from benchmark.results.store import RunStore
from benchmark.runtime.machine import Machine
from benchmark.runtime.tokens import core_count
from benchmark.trials import TrialRecord

SCENE = "scene.png"
_SHOW = Path(__file__).with_name("godot") / "show.gd"
_LIMIT_SEC = 20.0


def draw_scenes(store: RunStore, records: Iterable[TrialRecord], machine: Machine, progress: Progress) -> None:
    """Into the folder of each edit trial that has no picture. A project that was drawn before is not drawn again."""
    folders = [store.trial_folder(record.id) for record in records if record.track == "edit" and record.scored]
    alike: dict[str, list[Path]] = {}
    for folder in folders:
        # a run may come from elsewhere: its names and links must not lead us out of it
        if not inside(folder, store.folder / "trials") or not _wants_picture(folder):
            continue
        alike.setdefault(scan_project(folder / "submission").digest, []).append(folder)
    show = KitTest(_SHOW.read_text(encoding="utf-8"))

    def draw(same: list[Path]) -> bool:
        for folder in same:
            verify_once(folder / "submission", HiddenRun(show, Mode(display=True), _LIMIT_SEC), machine, folder / SCENE)
        return (same[0] / SCENE).exists()

    drawn = 0
    with ThreadPoolExecutor(core_count()) as pool:
        for number, done in enumerate(pool.map(draw, alike.values()), 1):
            drawn += done
            progress.update(f"picture {number} of {len(alike)}", number / len(alike))
    progress.done()
    if drawn < len(alike):
        progress.say(f"{len(alike) - drawn} project(s) did not show a scene and have no picture")


def _wants_picture(folder: Path) -> bool:
    return (folder / "submission").is_dir() and not any(os.path.lexists(folder / name) for name in (PICTURE, SCENE))
