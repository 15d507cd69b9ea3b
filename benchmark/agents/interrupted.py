"""What outlives a session that was interrupted: its files, so that the program can go on, and how often it was.

Both lie in the trial's folder, as files: a trial that begins anew clears the folders there.
"""

import contextlib
import hashlib
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmark.checked import Fields
from benchmark.files import write_json
from benchmark.runtime.quota import disk_usage
from benchmark.runtime.workdir import hand_over
from benchmark.untrusted import read_json

ARCHIVE, NOTE, OUTAGES = "session.tar", "session.json", "outages.json"
MOST_BYTES = 2 << 30  # a session that left more begins anew
_MOST_FILES = 200_000
_TAR_SEC = 300.0
_NOTE_BYTES = 1 << 16
_LEFT_OUT = ("./tools", "./assets", "./instruction.md")  # of a workspace: laid out anew
_LONGEST_WAIT_SEC = 900.0


@dataclass(frozen=True)
class KeptSession:
    """By which the program is asked to go on. `agent` and `prompt` must be the same, or it is another attempt."""

    session: str
    agent: str  # its version
    prompt: str  # its hash
    seconds: float  # worked so far
    sessions: int = 1
    begin: str = ""  # the folder of the workspace in which it started: programs know their sessions by it


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def keep_session(folder: Path, kept: KeptSession, home: Path, workspace: Path) -> None:
    """As far as it is possible: without it the trial begins anew."""
    forget_session(folder)
    if not kept.session or any(
        used.too_deep or used.size_bytes > MOST_BYTES or used.files >= _MOST_FILES
        for used in (disk_usage(home, _MOST_FILES), disk_usage(workspace, _MOST_FILES))
    ):
        return
    left_out = [f"--exclude={name}" for name in _LEFT_OUT]
    streams = [name for name in ("stdout.jsonl", "stderr.log") if (folder / "agent" / name).is_file()]
    parts = (
        ("home", home, ["--exclude=./tmp", "."]), ("workspace", workspace, [*left_out, "."]),
        ("agent", folder / "agent", streams),
    )  # fmt: skip
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        for name, place, what in parts:
            if what:
                _tar(["-cf", str(folder / f"{ARCHIVE}.{name}"), "-C", str(place), *what])
        write_json(folder / NOTE, asdict(kept))


def restore_session(folder: Path, agent: str, prompt: str, home: Path, workspace: Path) -> KeptSession | None:
    """Lay out what was kept, if it is of this agent and this prompt. What was kept is used once."""
    try:
        given = Fields.of(read_json(folder / NOTE, _NOTE_BYTES))
        kept = KeptSession(
            session=given.text("session"), agent=given.text("agent"), prompt=given.text("prompt"),
            seconds=given.amount("seconds"), sessions=given.whole("sessions", 1, 1000),
            begin=given.choice("begin", ("", "game")),
        )  # fmt: skip
    except (OSError, ValueError):
        forget_session(folder)
        return None
    found: KeptSession | None = None
    if (kept.agent, kept.prompt) == (agent, prompt):
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            for name, place in (("home", home), ("workspace", workspace), ("agent", folder / "agent")):
                archive = folder / f"{ARCHIVE}.{name}"
                if archive.is_file():
                    place.mkdir(exist_ok=True)
                    _tar(["-xf", str(archive), "--no-same-owner", "-C", str(place)])
            hand_over(home)
            hand_over(workspace)
            found = kept
    forget_session(folder)
    return found


def forget_session(folder: Path) -> None:
    for path in (*folder.glob(f"{ARCHIVE}.*"), folder / NOTE):
        path.unlink(missing_ok=True)


def _tar(words: list[str]) -> None:
    subprocess.run(["tar", *words], check=True, capture_output=True, timeout=_TAR_SEC, stdin=subprocess.DEVNULL)


def note_outage(folder: Path) -> None:
    """One more in a row."""
    with contextlib.suppress(OSError):
        write_json(folder / OUTAGES, {"count": _outages(folder)[0] + 1, "at": int(time.time())})


def forget_outages(folder: Path) -> None:
    with contextlib.suppress(OSError):
        (folder / OUTAGES).unlink(missing_ok=True)


def wait_sec(folder: Path, first_sec: float, now: float) -> float:
    """How long to wait before the next try: twice as long after each outage, from the last one on."""
    count, last = _outages(folder)
    if not count:
        return 0.0
    wait = min(first_sec * 2.0 ** min(count - 1, 30), _LONGEST_WAIT_SEC)
    return min(max(last + wait - now, 0.0), wait)


def _outages(folder: Path) -> tuple[int, float]:
    try:
        given = Fields.of(read_json(folder / OUTAGES, _NOTE_BYTES))
        return given.whole("count", 0, 1 << 20), float(given.whole("at", 0, 1 << 40))
    except (OSError, ValueError):
        return 0, 0.0
