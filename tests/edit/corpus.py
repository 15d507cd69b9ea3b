"""A small corpus in the layout of the public benchmark, made from one hand-made task and a few other tests."""

import shutil
import zipfile
from pathlib import Path

from tests.edit.conftest import HERE

PUBLIC = HERE / "public"
TESTS = HERE / "public_tests"
SIDES = ("tasks", "tasks_gt")


def add_task(root: Path, number: int, test: str = "") -> tuple[Path, Path]:
    """The hand-made task under another number, with another of the tests. Start and reference."""
    made = []
    for side in SIDES:
        folder = root / side / f"task_{number:04}"
        shutil.copytree(PUBLIC / side / "task_0001", folder)
        if test:
            shutil.copyfile(TESTS / f"{test}.gd", folder / "scripts/test.gd")
        made.append(folder)
    return made[0], made[1]


def to_zip(folder: Path, top: str = "") -> Path:
    """The folder becomes a zip beside it, its files below a folder `top` inside."""
    target = folder.with_name(f"{folder.name}.zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, top + path.relative_to(folder).as_posix())
    shutil.rmtree(folder)
    return target
