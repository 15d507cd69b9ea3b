"""From a run to its report: pages, pictures, tables, in one folder that replaces the report before it."""

import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import cv2

from benchmark.errors import UsageError
from benchmark.files import write_json
from benchmark.paths import beside
from benchmark.progress import QUIET, Progress
from benchmark.redaction import redact
from benchmark.results.averages import by_track
from benchmark.results.exports import run_tables, summary_document, tables_of_behaviour
from benchmark.results.identity import identity_rows, other_model
from benchmark.results.references import Reference, reference_document, reference_tables
from benchmark.results.report.agents_page import AgentsPage
from benchmark.results.report.cards import Card
from benchmark.results.report.damaged import inside, is_plain
from benchmark.results.report.environment import environment_of
from benchmark.results.report.index import index_page
from benchmark.results.report.place import check_place
from benchmark.results.report.section import Siblings
from benchmark.results.report.session_view import read_session
from benchmark.results.store import RunStore
from benchmark.results.tables import RENDERERS, Table
from benchmark.runtime.locking import exclusive
from benchmark.trials import TrialRecord

KIND = "gamecraft-bench report"  # how a folder of ours is known
SUMMARY_FILE = "summary.json"
AGENTS_PAGE = "agents.html"
THUMBNAIL = "thumbnail.jpg"
THUMBNAIL_WIDTH = 320
QUIET_FOR_SEC = 2.0


def build_report(store: RunStore, out: Path, progress: Progress = QUIET, references: Sequence[Reference] = ()) -> Path:
    """Write the whole report and return its front page. The one before stays until the new one is complete."""
    out = out.resolve()
    check_place(out, SUMMARY_FILE, KIND, f"--out: {out} exists and is not a report")
    records = sorted(store.latest().values(), key=lambda record: record.id)
    try:
        with exclusive(beside(out, ".lock")):
            partial = beside(out, ".partial")
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir(parents=True)
            try:
                _write(store, records, partial, progress, tuple(references))
                check_place(out, SUMMARY_FILE, KIND, f"--out: {out} exists and is not a report")
                _swap(partial, out)
            finally:
                shutil.rmtree(partial, ignore_errors=True)
                beside(out, ".lock").unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write the report to {out}: {error}", fix="name another folder with --out") from error
    return out / "index.html"


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
    references: tuple[Reference, ...],
) -> None:
    tables = run_tables(records) | reference_tables(references)
    _write_tables(tables, out / "tables")
    document = summary_document(store.name, records) | reference_document(references)
    write_json(out / SUMMARY_FILE, {"kind": KIND, **document})
    tracks = by_track(records)
    pages = {track.name: track.pages(track) for track, _ in tracks}
    environment = environment_of(pages.values())
    cards = [pages[one.track].card(one) for one in records]
    of_task: dict[str, list[int]] = {}
    for index, card in enumerate(cards):
        of_task.setdefault(card.record.task, []).append(index)
    (out / "trials").mkdir()
    began = time.monotonic()
    for index, card in enumerate(cards):
        folder = store.trial_folder(card.record.id)
        media = out / "media" / card.page
        readable = folder if _is_readable(folder, store) else None
        page = pages[card.record.track].page(
            store.name, card, readable,
            Siblings(
                tuple(cards[place] for place in of_task[card.record.task] if place != index),
                cards[index - 1] if index else None,
                cards[index + 1] if index + 1 < len(cards) else None,
            ),
            media,
        )  # fmt: skip
        html = environment.get_template(page.template).render(
            page=page.value, **_of_agent(card, readable, media), **page.names
        )
        _write_page(out / "trials" / f"{card.page}.html", html)
        if _draw_thumbnail(page.picture, media / THUMBNAIL):
            cards[index] = replace(card, thumbnail=f"{card.page}/{THUMBNAIL}")
        if time.monotonic() - began > QUIET_FOR_SEC:
            progress.update(f"page {index + 1} of {len(records)}", (index + 1) / len(records))
    sections = [pages[track.name].section(own, tables, references, alone=len(tracks) == 1) for track, own in tracks]
    front = index_page(store.name, store.settings(), records, sections, cards, tables)
    _write_page(out / "index.html", environment.get_template("index.html").render(page=front))
    behaviours = tuple(
        pages[track.name].behaviour(section.agents, own) for section, (track, own) in zip(sections, tracks, strict=True)
    )
    told = AgentsPage(store.name, behaviours, tables_of_behaviour(records), front.links)
    _write_page(out / AGENTS_PAGE, environment.get_template(AGENTS_PAGE).render(page=told))
    progress.done()


def _of_agent(card: Card, folder: Path | None, media: Path) -> dict[str, Any]:
    """What the page of any trial says of its agent, whatever its track."""
    identity = card.record.agent_identity
    address = f"../media/{quote(card.page)}"
    return {
        "session": read_session(folder, media, address) if folder is not None and folder.is_dir() else None,
        "identity": identity_rows(identity),
        "other_model": other_model(identity),
    }


def _is_readable(folder: Path, store: RunStore) -> bool:
    """A run may come from elsewhere: its links must not put files of ours onto a page."""
    return inside(folder, store.folder / "trials") and is_plain(folder)


def _write_page(path: Path, html: str) -> None:
    path.write_text(redact(html), encoding="utf-8", errors="replace")


def _write_tables(tables: Mapping[str, Table], folder: Path) -> None:
    folder.mkdir()
    for name, table in tables.items():
        for ending, render in RENDERERS.values():
            (folder / f"{name}{ending}").write_text(redact(render(table)), encoding="utf-8")


def _draw_thumbnail(source: Path | None, path: Path) -> bool:
    """Small: a list of a thousand trials is a few megabytes."""
    picture = cv2.imread(str(source), cv2.IMREAD_REDUCED_COLOR_2) if source else None
    if picture is None:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    height = max(1, round(picture.shape[0] * THUMBNAIL_WIDTH / picture.shape[1]))
    small = cv2.resize(picture, (THUMBNAIL_WIDTH, height), interpolation=cv2.INTER_AREA)
    return bool(cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, 80]))
