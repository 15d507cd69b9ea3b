"""Evidence: what was observed while a demo ran. Everything in `evidence.json` is the same on every run."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchmark.cache import key_of
from benchmark.limits import STORED_BYTES
from benchmark.projects.runlog import EngineMessage
from benchmark.untrusted import read_json

FORMAT = 1
STILL_WIDTH, STILL_HEIGHT = 854, 480

OutcomeKind = Literal["complete", "crash", "hang", "quit", "limit", "tampered"]


@dataclass(frozen=True)
class RecorderSettings:
    """What a recording depends on besides project, trace and engine. Part of the cache key."""

    recorder: Literal["engine", "x11"] = "engine"
    video_fps: int = 10
    still_every_frames: int = 15
    window_frames: int = 600
    seed: int = 20_250_101
    fingerprints: bool = False  # a hash of the game's state every frame, for counterfactuals
    still_quality: int = 90
    pointer: bool = True  # draw it into the pictures of demos that use the mouse


@dataclass(frozen=True)
class Outcome:
    """How the demo ended. Anything but `complete` is the game's doing, not the harness's."""

    kind: OutcomeKind
    frame: int
    detail: str = ""

    @property
    def complete(self) -> bool:
        return self.kind == "complete"


@dataclass(frozen=True)
class Still:
    """One frame for the judge. `pixels` is the hash of the picture as the engine drew it, without the pointer."""

    frame: int
    time_sec: float
    file: str
    pixels: str
    bare: str | None = None  # the same without the pointer, where `file` has one

    @property
    def measured(self) -> str:
        """The file that shows the game alone: what is measured must not be our own drawing."""
        return self.bare or self.file


@dataclass(frozen=True)
class Video:
    file: str
    fps: int
    frames: int
    sha256: str


@dataclass(frozen=True)
class FrameStatistics:
    """Honesty about the recording itself. The engine recorder never drops a frame."""

    expected: int
    played: int
    dropped: int = 0
    duplicated: int = 0


@dataclass(frozen=True)
class Evidence:
    """The record of one demo; files are relative to its folder."""

    demo: str
    scenario: str | None
    project_digest: str
    trace_digest: str
    engine_version: str
    settings: RecorderSettings
    outcome: Outcome
    window: tuple[int, int]
    frames: FrameStatistics
    stills: tuple[Still, ...]
    video: Video | None
    pixels: tuple[tuple[int, str], ...]  # (frame, hash) of every captured frame
    inputs_sent: int
    inputs_delivered: int
    messages: tuple[EngineMessage, ...]
    pinned: dict[str, Any] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    digest: str = ""
    format: int = FORMAT


def cache_key(project_digest: str, trace_digest: str, engine: str, recorder: str, settings: RecorderSettings) -> str:
    """Names a recording by all it depends on. `recorder` is the hash of our own recording scripts."""
    parts = [FORMAT, project_digest, trace_digest, engine, recorder, asdict(settings)]
    return key_of(parts)


def sample_window(project_digest: str, trace_digest: str, duration: int, window: int) -> tuple[int, int]:
    """First and last frame that are sampled. Drawn from content, so that a file name cannot choose it."""
    if duration <= window:
        return 0, duration - 1
    draw = hashlib.sha256(f"window {project_digest} {trace_digest} {window}".encode()).digest()
    first = int.from_bytes(draw[:8], "big") % (duration - window + 1)
    return first, first + window - 1


def file_hash(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def write_evidence(evidence: Evidence, folder: Path) -> None:
    """`evidence.json`, one line per key so that differences can be read."""
    (folder / "evidence.json").write_text(
        json.dumps(asdict(evidence), indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def read_evidence(folder: Path) -> Evidence:
    """The inverse of `write_evidence`."""
    data = read_json(folder / "evidence.json", STORED_BYTES, encodable=False)
    return Evidence(
        **{
            **data,
            "settings": RecorderSettings(**data["settings"]),
            "outcome": Outcome(**data["outcome"]),
            "window": (data["window"][0], data["window"][1]),
            "frames": FrameStatistics(**data["frames"]),
            "stills": tuple(Still(**still) for still in data["stills"]),
            "video": Video(**data["video"]) if data["video"] else None,
            "pixels": tuple((frame, digest) for frame, digest in data["pixels"]),
            "messages": tuple(EngineMessage(**message) for message in data["messages"]),
        }
    )
