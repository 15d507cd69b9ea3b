"""What each address answers. Everything that comes in is checked here before anything is written."""

import getpass
import hashlib
import hmac
import re
import threading
from collections.abc import Iterable
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from benchmark.craft.report.reading import CraftFiles, read_trial
from benchmark.craft.review.ledger import (
    FOLDER,
    Ledger,
    Review,
    ReviewLine,
    pace_sec,
    valid_note,
    valid_reviewer,
    valid_score,
)
from benchmark.craft.review.pages import STATIC, Sitting, hide_names, places, results_page, start_page, trial_page
from benchmark.craft.review.queue import Case, ReviewQueue, lay_out
from benchmark.craft.review.results import export, served_results
from benchmark.craft.review.web import Application, RefusalError, Response, html_answer, json_answer, redirect
from benchmark.errors import UsageError
from benchmark.results.report.damaged import inside
from benchmark.results.store import TRIALS_FILE, RunStore, now

EXPORT_FOLDER = "export"
_KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
_AS = re.compile(r"as/([A-Za-z0-9._-]+)/(.*)", re.ASCII)
_TRIAL = re.compile(r"trials/([0-9a-f]{16})(/judge)?", re.ASCII)
_MEDIA = re.compile(r"media/([0-9a-f]{16})/(\d{1,3})/(video\.mp4|frames/\d{1,6}\.jpg)", re.ASCII)


class Routes:
    """A run in the queue, and the answers about it."""

    def __init__(
        self, store: RunStore, secret: str, tasks: Iterable[Path], *, reviewer: str | None = None, blind: bool = False
    ) -> None:
        self.store = store
        self.ledger = Ledger(store.folder)
        self.blind = blind
        self._secret = secret.encode()
        self._tasks = tuple(tasks)
        self._reviewer = reviewer
        self._name = hmac.new(self._secret, b"desk", hashlib.sha256).hexdigest()[:12]
        self._lock = threading.Lock()
        self._queue: tuple[object, ReviewQueue] | None = None
        self._read_once = lru_cache(maxsize=32)(self._read_files)

    @property
    def application(self) -> Application:
        return Application(self.get, self.post)

    @property
    def queue(self) -> ReviewQueue:
        """As the run is now: trials that end while somebody reviews are added."""
        with self._lock:
            found = (self.store.folder / TRIALS_FILE).stat()
            state = (found.st_size, found.st_mtime_ns)
            if self._queue is None or self._queue[0] != state:
                self._queue = (state, lay_out(self.store, self._secret, self._tasks))
            return self._queue[1]

    def get(self, path: str) -> Response:
        if path == "":
            return self._start()
        if path == "alive":
            return json_answer({"desk": self._name})
        if path.startswith("static/") and (file := STATIC.get(path.removeprefix("static/"))):
            return Response(_KINDS[file.suffix], file=file)
        if match := _MEDIA.fullmatch(path):
            return self._media(match[1], int(match[2]), match[3])
        review, rest = self._as(path)
        if rest == "":
            return self._continue(review)
        if rest == "results":
            found = served_results(self.store, self.queue, self.ledger, review, blind=self.blind)
            return html_answer(results_page(found, reviewer=review.reviewer))
        if match := _TRIAL.fullmatch(rest):
            case = self._case(match[1])
            return self._judge(case, review) if match[2] else self._trial(case, review)
        raise _nothing_there()

    def post(self, path: str, data: dict[str, Any]) -> Response:
        review, rest = self._as(path)
        if rest == "marks":
            return self._mark(review, data)
        if rest == "export":
            files = export(self.store, self.queue, self.ledger, self.store.folder / FOLDER / EXPORT_FOLDER)
            return json_answer({"folder": f"{FOLDER}/{EXPORT_FOLDER}", "files": [file.name for file in files]})
        raise _nothing_there()

    def _as(self, path: str) -> tuple[Review, str]:
        match = _AS.fullmatch(path)
        if match is None:
            raise _nothing_there()
        try:
            return self.ledger.read(valid_reviewer(match[1])), match[2]
        except UsageError as error:
            raise RefusalError(HTTPStatus.BAD_REQUEST, error.message) from error

    def _case(self, key: Any) -> Case:
        case = self.queue.case(key)
        if case is None:
            raise RefusalError(HTTPStatus.NOT_FOUND, "there is no such trial in this queue")
        return case

    def _start(self) -> Response:
        if self._reviewer is not None:
            return redirect(f"as/{self._reviewer}/")
        queue = self.queue
        known = [(review.reviewer, queue.finished_by(review)) for review in self.ledger.read_all()]
        return html_answer(start_page(self._run_name, queue, login_name(), known))

    def _continue(self, review: Review) -> Response:
        """Where the reviewer stopped: the first trial with an open item, or the results."""
        order = places(self.queue, review, blind=self.blind)
        going_on = next((place.case.key for place in order if not place.done), None)
        return redirect(f"trials/{going_on}" if going_on else "results")

    @property
    def _run_name(self) -> str:
        return "" if self.blind else self.store.name

    def _trial(self, case: Case, review: Review) -> Response:
        order = places(self.queue, review, blind=self.blind)
        files = self._files(case)
        return html_answer(trial_page(Sitting(self._run_name, self._name, review, self.blind), case, files, order))

    def _judge(self, case: Case, review: Review) -> Response:
        """What the judge said; before all items are scored it would lead the reviewer."""
        if not case.finished(review):
            raise RefusalError(HTTPStatus.FORBIDDEN, "the judge's scores are shown when all items have one of yours")
        judgements = self._files(case).judgements
        items = {}
        for item in case.rubric.ids:
            said = [one.items[item] for one in judgements.values() if item in one.items]
            best = max(said, key=lambda one: one.score if one.score is not None else -1.0, default=None)
            reason = best.reason if best else ""
            items[item] = {
                "score": case.record.items[item],
                "reason": hide_names(reason, self._agents) if self.blind else reason,
            }
        return json_answer({"judge": case.record.judge, "proxy": case.record.proxy, "items": items})

    @property
    def _agents(self) -> set[str]:
        return {case.record.agent for case in self.queue.cases}

    def _files(self, case: Case) -> CraftFiles:
        return self._read_once(case.key, case.record.finished)

    def _read_files(self, key: str, finished: str) -> CraftFiles:
        """Evidence does not change while its trial has not `finished` again."""
        case = self._case(key)
        return read_trial(case.folder, case.record)

    def _media(self, key: str, number: int, name: str) -> Response:
        """Only what the evidence itself lists and what is a whole picture or film inside the trial's folder."""
        case = self._case(key)
        demos = self._files(case).demos
        if not 1 <= number <= len(demos):
            raise _nothing_there()
        demo = demos[number - 1]
        if name == "video.mp4":
            path, kind = demo.video, "video/mp4"
        else:
            path, kind = next((demo.folder / one.file for one in demo.stills if one.file == name), None), "image/jpeg"
        if path is None or path.is_symlink() or not inside(path, case.folder) or not path.is_file():
            raise _nothing_there()
        return Response(kind, file=path)

    def _mark(self, review: Review, data: dict[str, Any]) -> Response:
        case = self._case(data.get("trial"))
        item = data.get("item")
        if item is not None and item not in case.rubric.ids:
            raise RefusalError(HTTPStatus.BAD_REQUEST, f"item: {str(item)[:40]!r} is not in this trial's rubric")
        try:
            score, note = valid_score(data.get("score")), valid_note(data.get("note"))
            if item is None and score is not None:
                raise ValueError("score: a trial as a whole has none; only its items have")
        except ValueError as error:
            raise RefusalError(HTTPStatus.BAD_REQUEST, str(error)) from error
        time = now()
        change = ReviewLine(
            time=time,
            trial=case.label,
            item=item,
            score=score,
            note=note,
            rubric=case.rubric_digest,
            submission=case.submission,
        )
        self.ledger.append(review.reviewer, change)
        return json_answer({"saved": time, "pace": pace_sec((*review.changes, change))})


def _nothing_there() -> RefusalError:
    return RefusalError(HTTPStatus.NOT_FOUND, "there is nothing at this address")


def login_name() -> str:
    """A name to suggest, if the system's is one we can take."""
    try:
        return valid_reviewer(getpass.getuser())
    except (UsageError, OSError, KeyError):
        return ""
