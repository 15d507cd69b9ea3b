"""The public benchmark as it is: `tasks/` and `tasks_gt/` with a folder or a zip for each task.

A task's folder is a Godot project with `task_config.json`, `scripts/test.gd` and `scenes/test.tscn` in it. Those are
what the agent never sees, and what is laid over whatever it hands in.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmark.edit.hidden import ImportedTest
from benchmark.edit.package import EditPackage
from benchmark.edit.track import EDITORS, REFERENCES
from benchmark.edit.verdict import DEFAULT_SEC, Mode
from benchmark.projects.archive import Archive
from benchmark.projects.project import PROJECT_FILE
from benchmark.tasks import DIFFICULTIES, UNRATED, UNSORTED, Task, TaskError
from benchmark.untrusted import UnreadableFileError, parse_json

TASKS = "tasks"
CONFIG = "task_config.json"
TEST, SCENE = "scripts/test.gd", "scenes/test.tscn"
# Only these: some projects need other files whose names begin with "test".
_HIDDEN = {CONFIG, "task_validation.md", TEST, f"{TEST}.uid", SCENE}
_AGENT_SEC = 1800.0
# "graphics" or "animation" alone is either of two skills.
_SKILL_SIGNS = {
    "2d": "2d-graphics", "3d": "3d-graphics", "ui|interface": "user-interface",
    "gameplay|game-systems|programming": "gameplay",
}  # fmt: skip


def opened(path: Path) -> Archive:
    """The project of a task, in which nobody who works on it finds the hidden files."""
    return Archive(path, hidden=frozenset(_HIDDEN))


def find_tasks(root: Path, broken: list[TaskError]) -> tuple[Task, ...]:
    """All tasks of a folder of that benchmark."""
    return tuple(find_imported(root, broken))


def find_imported(root: Path, broken: list[TaskError] | None = None) -> Iterator[Task]:
    """All its tasks, without running any. Whoever runs one that cannot be read is told; so is who gives a list here."""
    if not (root / TASKS).is_dir():
        raise TaskError(f"{root}: {REFERENCES}/ is there, but no {TASKS}/ beside it")
    if linked := next((name for name in (TASKS, REFERENCES) if (root / name).is_symlink()), None):
        fix = "name the folder that really holds both"
        raise TaskError(f"{root / linked}: is a symbolic link", fix=fix)
    paths: dict[str, Path] = {}
    for path in sorted((root / TASKS).iterdir()):
        if not path.name.startswith(".") and (path.suffix == ".zip" or _is_project(path)):
            paths.setdefault(path.name.removesuffix(".zip"), path)  # first the folder that a zip was unpacked to
    configs = {name: _readable_config(path, broken) for name, path in paths.items()}
    tasks = {name: _task(path, name, configs[name]) for name, path in paths.items()}
    for name, task in tasks.items():
        origin = _origin(name, configs)
        yield replace(task, variant_of=tasks[origin].id) if origin != name else task


def _origin(name: str, configs: Mapping[str, Mapping[str, Any]]) -> str:
    """The task that this one varies, in the end: a variant may be one of a variant."""
    seen = {name}
    while True:
        metadata = configs[name].get("metadata")
        before = str(metadata.get("variant_of", "")) if isinstance(metadata, dict) else ""
        if before not in configs or before in seen:
            return name
        seen.add(before)
        name = before


def _is_project(path: Path) -> bool:
    """Beside the tasks, the public runner keeps its results in a folder of its own."""
    return any(os.path.lexists(path / name) for name in (PROJECT_FILE, CONFIG))


def _readable_config(path: Path, broken: list[TaskError] | None) -> dict[str, Any]:
    try:
        return _config(opened(path))
    except TaskError as error:
        if broken is not None:
            broken.append(error)
        return {}


def _task(path: Path, name: str, config: dict[str, Any]) -> Task:
    metadata = config.get("metadata") if isinstance(config.get("metadata"), dict) else {}
    assert isinstance(metadata, dict)
    known = {**metadata, **{key: value for key, value in config.items() if isinstance(value, str)}}
    difficulty = str(known.get("difficulty", "")).lower()
    editor = next(
        (e for e in EDITORS if str(known.get("editor", known.get("editor_type", ""))).lower().startswith(e)), ""
    )
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "task"
    return Task(
        track="edit",
        family=_skill(config, metadata),
        slug=slug,
        difficulty=difficulty if difficulty in DIFFICULTIES else UNRATED,
        folder=path,
        agent_timeout_sec=_AGENT_SEC,
        verifier_timeout_sec=DEFAULT_SEC,
        description=str(config.get("name", "")),
        labels={"editor": editor} if editor else {},
        has_oracle=_reference(path) is not None,
    )


def _skill(config: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    """What the task says of itself: its skill, else the first of its categories or tags that is about one."""
    for key in ("skill", "skill_category", "categories", "tags"):
        said = config.get(key, metadata.get(key, ()))
        for words in [said] if isinstance(said, str) else said if isinstance(said, list) else ():
            for sign, skill in _SKILL_SIGNS.items():
                if re.search(rf"\b({sign})\b", str(words).lower()):
                    return skill
    return UNSORTED


def _config(archive: Archive) -> dict[str, Any]:
    try:
        data = parse_json(archive.read(CONFIG))
    except UnreadableFileError as error:
        raise TaskError(f"{archive.path}: {CONFIG}: {error}") from error
    if not isinstance(data, dict):
        raise TaskError(f"{archive.path}: {CONFIG}: an object is needed")
    return data


def _reference(path: Path) -> Path | None:
    name = path.name.removesuffix(".zip")
    folder = path.parent.parent / REFERENCES
    return next((found for found in (folder / name, folder / f"{name}.zip") if os.path.lexists(found)), None)


def read_imported(task: Task) -> EditPackage:
    """What is run and shown of one of its tasks."""
    start = opened(task.folder)
    config = _config(start)
    instruction = config.get("instruction") or config.get("instructions")
    if not isinstance(instruction, str) or not instruction.strip():
        raise TaskError(f"{task.folder}: {CONFIG}: instruction: a text is needed, not {instruction!r}")
    reference = _reference(task.folder)
    return EditPackage(
        instruction=instruction.strip(),
        test=_test(start, opened(reference) if reference else None),
        mode=Mode(display=config.get("requires_display") is True),
        limit_sec=task.verifier_timeout_sec,
        start=start,
        reference=opened(reference) if reference else None,
        explore=True,
    )


def _test(start: Archive, reference: Archive | None) -> ImportedTest:
    """From the start; a task that keeps its test only beside the reference is read there."""
    for archive in (start, reference):
        script, scene = (archive.find(TEST), archive.find(SCENE)) if archive else (None, None)
        if archive and script and scene:
            files = {name: archive.read(name) for name in archive.files if name.lower() in _HIDDEN}
            return ImportedTest(archive.read(script).decode("utf-8", "replace"), files, script, scene)
    raise TaskError(f"{start.path}: it has no {TEST} with {SCENE}")
