"""What a program prints while it works: kept as it is but for secrets, and told to whoever watches."""

import contextlib
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmark.agents.adapters.protocol import Adapter
from benchmark.agents.gateway.ledger import CallLedger
from benchmark.files import write_json
from benchmark.redaction import LogRedactor
from benchmark.text import clock
from benchmark.trials import one_line
from benchmark.untrusted import UnreadableFileError, parse_json

MAX_STREAM_BYTES = 512 << 20  # a day's session with pictures in it has a tenth of that
LIVE_FILE = "agent/live.json"  # in the trial's folder while its agent works
_MAX_LINE_BYTES = 16 << 20
_MAX_DID = 300
_LIVE_SEC = 2.0


class StreamFile:
    """A file of raw output; the beginning of an endless one. Secrets are taken out."""

    def __init__(self, path: Path, watch: Callable[[bytes], None] = lambda _: None) -> None:
        self._handle = path.open("ab", buffering=0)
        self._redactor = LogRedactor()
        self._watch = watch

    def __call__(self, line: bytes) -> bool:
        self._write(self._redactor.feed(line))
        self._watch(line)
        return True

    def close(self) -> None:
        self._write(self._redactor.rest())
        self._handle.close()

    def _write(self, data: bytes) -> None:
        if self._handle.tell() < MAX_STREAM_BYTES:
            self._handle.write(data)


@dataclass
class Onlooker:
    """Reads a program's events as they come: a line of the log for each, and what the terminal says of the trial."""

    adapter: Adapter
    ledger: CallLedger
    log: Path
    limit_sec: float
    did: str = ""
    turns: int = 0
    _began: float = field(default_factory=time.monotonic)
    _since: str = field(default_factory=lambda: datetime.now(UTC).isoformat())
    _kept: bytearray = field(default_factory=bytearray)
    _over: threading.Event = field(default_factory=threading.Event)

    def feed(self, piece: bytes) -> None:
        """Lines may come in pieces; one without end is passed over."""
        self._kept += piece
        if not piece.endswith(b"\n"):
            if len(self._kept) > _MAX_LINE_BYTES:
                self._kept.clear()
            return
        line, self._kept = bytes(self._kept), bytearray()
        with contextlib.suppress(UnreadableFileError):
            event = parse_json(line, encodable=False)
            if isinstance(event, dict):
                self._see(event)

    def _see(self, event: dict[str, Any]) -> None:
        try:
            glance = self.adapter.glance(event)
        except Exception:  # an adapter of others, or an event that nobody thought of: it is for onlookers only
            return
        if glance is None:
            return
        self.turns += glance.turns
        if glance.did:
            did = one_line(" ".join(glance.did.split()), _MAX_DID)
            self.did = did.removesuffix(":")  # of a tool that was called without arguments
            self.say(self.did)

    def say(self, text: str) -> None:
        """A line of the agent's log, for `follow`."""
        redactor = LogRedactor()
        line = redactor.feed(f"[{clock(time.monotonic() - self._began)}] {text}\n".encode("utf-8", "replace"))
        with contextlib.suppress(OSError), self.log.open("ab") as handle:
            handle.write(line)

    @contextlib.contextmanager
    def watched(self) -> Any:
        """Tell how it stands every few seconds."""
        thread = threading.Thread(target=self._tell, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._over.set()
            thread.join()
            with contextlib.suppress(OSError):
                (self.log.parent / LIVE_FILE).unlink(missing_ok=True)

    def _tell(self) -> None:
        while True:
            tokens = self.ledger.tokens
            with contextlib.suppress(OSError):
                write_json(
                    self.log.parent / LIVE_FILE,
                    {
                        "did": self.did, "turns": max(self.turns, self.ledger.answered), "prompt_tokens": tokens.prompt,
                        "completion_tokens": tokens.completion, "cost_usd": self.ledger.cost_usd, "since": self._since,
                        "limit_sec": self.limit_sec, "trouble": self.ledger.trouble, "pid": os.getpid(),
                    },
                )  # fmt: skip
            if self._over.wait(_LIVE_SEC):
                return
