"""From a run to its report: pages, pictures, tables, in one folder that replaces the report before it."""

import contextlib
import json
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2

from benchmark.errors import UsageError
from benchmark.files import write_json
from benchmark.paths import beside
from benchmark.progress import QUIET, Progress
from benchmark.results.exports import run_tables, summary_document
from benchmark.results.passrates import pass_standings
from benchmark.results.references import Reference, reference_document, reference_tables
from benchmark.results.report.edit_trial import edit_page, read_edit_trial
from benchmark.results.report.environment import environment
from benchmark.results.report.loose import inside
from benchmark.results.report.pages import Card, card_of, context, index_page, trial_page
from benchmark.results.report.reading import DemoFiles, TrialFiles, read_items, read_trial
from benchmark.results.store import RunStore
from benchmark.results.tables import RENDERERS, Table
from benchmark.runtime.locking import exclusive
from benchmark.trials import TrialId, TrialRecord

KIND = "gamecraft-bench report"  # how a folder of ours is known
SUMMARY_FILE = "summary.json"
THUMBNAIL = "thumbnail.jpg"
THUMBNAIL_WIDTH = 320
QUIET_FOR_SEC = 2.0

Neighbours = tuple[Card | None, Card | None]


def build_report(store: RunStore, out: Path, progress: Progress = QUIET, references: Sequence[Reference] = ()) -> Path:
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
                _write(store, records, partial, progress, references)
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


def _write(
    store: RunStore,
    records: Sequence[TrialRecord],
    out: Path,
    progress: Progress,
    references: Sequence[Reference],
) -> None:
    passes = pass_standings(records)
    tables = run_tables(records, passes) | reference_tables(references)
    _write_tables(tables, out / "tables")
    document = summary_document(store.name, records, passes) | reference_document(references)
    write_json(out / SUMMARY_FILE, {"kind": KIND, **document})
    (out / "trials").mkdir()
    cards = [card_of(one) for one in records]
    by_task: dict[str, list[Card]] = {}
    for card in cards:
        by_task.setdefault(card.record.task, []).append(card)
    write_trial = _TrialWriter(store.name, out)
    thumbnails: dict[TrialId, str] = {}
    began = time.monotonic()
    for index, (record, card) in enumerate(zip(records, cards, strict=True)):
        folder = store.trial_folder(record.id)
        siblings = [other for other in by_task[record.task] if other is not card]
        neighbours = (cards[index - 1] if index else None, cards[index + 1] if index + 1 < len(cards) else None)
        kind = write_trial.edit if record.track == "edit" else write_trial.craft
        if kind(card, folder if inside(folder, store.folder / "trials") else None, siblings, neighbours):
            thumbnails[record.id] = f"{card.page}/{THUMBNAIL}"
        if time.monotonic() - began > QUIET_FOR_SEC:
            progress.update(f"page {index + 1} of {len(records)}", (index + 1) / len(records))
    front = index_page(store.name, store.settings(), records, passes, tables, thumbnails)
    front = replace(front, references=tuple(references))
    _write_page(out / "index.html", environment().get_template("index.html").render(context(front)))
    progress.done()


class _TrialWriter:
    """Writes the page of a trial with its pictures, and tells whether it has a small one for the list."""

    def __init__(self, run: str, out: Path) -> None:
        self.run = run
        self.out = out
        self.items = cache(read_items)

    def craft(self, card: Card, folder: Path | None, siblings: Sequence[Card], neighbours: Neighbours) -> bool:
        record = card.record
        files = read_trial(folder, record)
        media = self.out / "media" / card.page
        for demo in files.demos:
            _take_media(demo, media / demo.name)
        rubric = self.items(record.task, record.versions.get("rubric", ""))
        self._page("craft.html", card, trial_page(self.run, record, files, rubric, siblings, neighbours))
        return _draw_thumbnail(_middle_still(files), media / THUMBNAIL)

    def edit(self, card: Card, folder: Path | None, siblings: Sequence[Card], neighbours: Neighbours) -> bool:
        files = read_edit_trial(folder, card.record)
        media = self.out / "media" / card.page
        if files.picture is not None:
            media.mkdir(parents=True)
            _take(files.picture, media / files.picture.name)
        self._page("edit.html", card, edit_page(self.run, card.record, files, siblings, neighbours))
        return _draw_thumbnail(files.picture, media / THUMBNAIL)

    def _page(self, template: str, card: Card, page: object) -> None:
        html = environment().get_template(template).render(context(page))
        _write_page(self.out / "trials" / f"{card.page}.html", html)


def _write_page(path: Path, html: str) -> None:
    path.write_text(html, encoding="utf-8", errors="replace")


def _write_tables(tables: Mapping[str, Table], folder: Path) -> None:
    folder.mkdir()
    for name, table in tables.items():
        for ending, render in RENDERERS.values():
            (folder / f"{name}{ending}").write_text(render(table), encoding="utf-8")


def _take_media(demo: DemoFiles, target: Path) -> None:
    sources = [(demo.folder / still.file, target / still.file) for still in demo.stills]
    if demo.video is not None:
        sources.append((demo.video, target / demo.video.name))
    for folder in {path.parent for _, path in sources}:
        folder.mkdir(parents=True, exist_ok=True)
    for source, path in sources:
        _take(source, path)


def _take(source: Path, path: Path) -> None:
    """Hard links where the file system has them: a report of a large run costs no second copy of its films."""
    try:
        os.link(source, path, follow_symlinks=False)
    except OSError:
        shutil.copyfile(source, path, follow_symlinks=False)


def _middle_still(files: TrialFiles) -> Path | None:
    """Of the first demo that has any."""
    demo = next((demo for demo in files.demos if demo.stills), None)
    return demo.folder / demo.stills[len(demo.stills) // 2].file if demo else None


def _draw_thumbnail(source: Path | None, path: Path) -> bool:
    """Small: a list of a thousand trials is a few megabytes."""
    picture = cv2.imread(str(source), cv2.IMREAD_REDUCED_COLOR_2) if source else None
    if picture is None:
        return False
    height = max(1, round(picture.shape[0] * THUMBNAIL_WIDTH / picture.shape[1]))
    small = cv2.resize(picture, (THUMBNAIL_WIDTH, height), interpolation=cv2.INTER_AREA)
    return bool(cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, 80]))
