"""From a run to its report: pages, pictures, tables, in one folder that replaces the report before it."""

import contextlib
import json
import os
import shutil
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2

from benchmark.errors import UsageError
from benchmark.files import write_json
from benchmark.paths import beside
from benchmark.progress import QUIET, Progress
from benchmark.results.judging import judge_tables
from benchmark.results.report.environment import environment
from benchmark.results.report.loose import inside
from benchmark.results.report.pages import Card, context, index_page, outcome_of, page_id, title_of, trial_page
from benchmark.results.report.reading import DemoFiles, TrialFiles, read_items, read_trial
from benchmark.results.store import RunStore
from benchmark.results.tables import RENDERERS, Table, family_table, leaderboard, summary_document, trial_table
from benchmark.runtime.locking import exclusive
from benchmark.trials import TrialId, TrialRecord

KIND = "gamecraft-bench report"  # how a folder of ours is known
SUMMARY_FILE = "summary.json"
THUMBNAIL_WIDTH = 320
QUIET_FOR_SEC = 2.0


def build_report(store: RunStore, out: Path, progress: Progress = QUIET) -> Path:
    """Write the whole report and return its front page. The one before stays until the new one is complete."""
    out = out.resolve()
    _check_place(out)
    records = sorted(store.latest().values(), key=lambda record: record.id)
    try:
        with exclusive(beside(out, ".lock")):
            partial = beside(out, ".partial")
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir(parents=True)
            try:
                _write(store, records, partial, progress)
                _check_place(out)
                _swap(partial, out)
            finally:
                shutil.rmtree(partial, ignore_errors=True)
                beside(out, ".lock").unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write the report to {out}: {error}", fix="name another folder with --out") from error
    return out / "index.html"


def _check_place(out: Path) -> None:
    """A folder that is not a report is never replaced."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if json.loads((out / SUMMARY_FILE).read_text(encoding="utf-8")).get("kind") == KIND:
            return
    raise UsageError(f"--out: {out} exists and is not a report", fix="name a folder that does not exist yet")


def _swap(partial: Path, out: Path) -> None:
    old = beside(out, ".old")
    shutil.rmtree(old, ignore_errors=True)
    if out.exists():
        out.rename(old)
    try:
        partial.rename(out)
    except OSError:
        if old.exists():
            old.rename(out)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _write(store: RunStore, records: Sequence[TrialRecord], out: Path, progress: Progress) -> None:
    _write_tables(records, out / "tables")
    write_json(out / SUMMARY_FILE, {"kind": KIND, **summary_document(store.name, records)})
    (out / "trials").mkdir()
    template = environment().get_template("trial.html")
    cards = [Card(one, page_id(one.id), title_of(one.task), outcome_of(one), None) for one in records]
    by_task: dict[str, list[Card]] = {}
    for card in cards:
        by_task.setdefault(card.record.task, []).append(card)
    items = cache(read_items)
    thumbnails: dict[TrialId, str] = {}
    began = time.monotonic()
    for index, (record, card) in enumerate(zip(records, cards, strict=True)):
        folder = store.trial_folder(record.id)
        files = read_trial(folder if inside(folder, store.folder / "trials") else None, record)
        media = out / "media" / card.page
        for demo in files.demos:
            _take_media(demo, media / demo.name)
        if _draw_thumbnail(files, media / "thumbnail.jpg"):
            thumbnails[record.id] = f"{card.page}/thumbnail.jpg"
        siblings = [other for other in by_task[record.task] if other is not card]
        neighbours = (cards[index - 1] if index else None, cards[index + 1] if index + 1 < len(cards) else None)
        rubric = items(record.task, record.versions.get("rubric", ""))
        page = trial_page(store.name, record, files, rubric, siblings, neighbours)
        _write_page(out / "trials" / f"{card.page}.html", template.render(context(page)))
        if time.monotonic() - began > QUIET_FOR_SEC:
            progress.update(f"page {index + 1} of {len(records)}", (index + 1) / len(records))
    front = index_page(store.name, store.settings(), records, thumbnails)
    _write_page(out / "index.html", environment().get_template("index.html").render(context(front)))
    progress.done()


def _write_page(path: Path, html: str) -> None:
    path.write_text(html, encoding="utf-8", errors="replace")


def _write_tables(records: Sequence[TrialRecord], folder: Path) -> None:
    folder.mkdir()
    tables: dict[str, Table] = {
        "leaderboard": leaderboard(records), "families": family_table(records), "trials": trial_table(records),
    }  # fmt: skip
    tables |= judge_tables(records)
    for name, table in tables.items():
        for ending, render in RENDERERS.values():
            (folder / f"{name}{ending}").write_text(render(table), encoding="utf-8")


def _take_media(demo: DemoFiles, target: Path) -> None:
    """Hard links where the file system has them: a report of a large run costs no second copy of its films."""
    sources = [(demo.folder / still.file, target / still.file) for still in demo.stills]
    if demo.video is not None:
        sources.append((demo.video, target / demo.video.name))
    for folder in {path.parent for _, path in sources}:
        folder.mkdir(parents=True, exist_ok=True)
    for source, path in sources:
        try:
            os.link(source, path, follow_symlinks=False)
        except OSError:
            shutil.copyfile(source, path, follow_symlinks=False)


def _draw_thumbnail(files: TrialFiles, path: Path) -> bool:
    """The middle still of the first demo that has any, small: a list of a thousand trials is a few megabytes."""
    demo = next((demo for demo in files.demos if demo.stills), None)
    if demo is None:
        return False
    picture = cv2.imread(str(demo.folder / demo.stills[len(demo.stills) // 2].file), cv2.IMREAD_REDUCED_COLOR_2)
    if picture is None:
        return False
    height = max(1, round(picture.shape[0] * THUMBNAIL_WIDTH / picture.shape[1]))
    small = cv2.resize(picture, (THUMBNAIL_WIDTH, height), interpolation=cv2.INTER_AREA)
    return bool(cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, 80]))
