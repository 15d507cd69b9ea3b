"""Frames on their way to disk: hashed as drawn, scaled once, stored as stills and as video."""

import hashlib
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmark.errors import InfrastructureError
from benchmark.replay.evidence import STILL_HEIGHT, STILL_WIDTH, Still, Video, file_hash
from benchmark.replay.pointer import Pointer
from benchmark.replay.traces import FPS, HEIGHT, WIDTH

Picture = np.ndarray[Any, np.dtype[np.uint8]]
_LARGEST_STILL_BYTES = 1 << 22

BARE_FOLDER = "bare"  # the stills without the pointer

cv2.setNumThreads(1)  # the cores belong to the games; one frame is too small to split


def fitting(columns: int, rows: int) -> tuple[float, int, int]:
    """How a picture lies in a still: its scale, and the width of the bars left of it and above it."""
    scale = min(STILL_WIDTH / columns, STILL_HEIGHT / rows)
    return scale, (STILL_WIDTH - max(1, round(columns * scale))) // 2, (STILL_HEIGHT - max(1, round(rows * scale))) // 2


def fit(picture: Picture) -> Picture:
    """Scale into the still size as a screen would show it: centred, with black bars where shapes differ."""
    rows, columns = picture.shape[:2]
    scale, left, top = fitting(columns, rows)
    size = (max(1, round(columns * scale)), max(1, round(rows * scale)))
    # From 1280 to 854 linear sampling still weighs every pixel, at a quarter of the cost of averaging.
    method = cv2.INTER_NEAREST if scale >= 1 else cv2.INTER_LINEAR if scale > 0.6 else cv2.INTER_AREA
    scaled = cv2.resize(picture, size, interpolation=method)
    if size == (STILL_WIDTH, STILL_HEIGHT):
        return np.asarray(scaled, dtype=np.uint8)
    canvas = np.zeros((STILL_HEIGHT, STILL_WIDTH, picture.shape[2]), dtype=np.uint8)
    canvas[top : top + size[1], left : left + size[0]] = scaled
    return canvas


def read_still(path: Path) -> Picture | None:
    """A still, or None. Looked at small first: a file from elsewhere may claim to be as large as memory."""
    try:
        if path.stat().st_size > _LARGEST_STILL_BYTES:
            return None
    except OSError:
        return None
    small = cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_8)
    if small is None or small.shape[:2] != (-(-STILL_HEIGHT // 8), -(-STILL_WIDTH // 8)):
        return None
    picture = cv2.imread(str(path))
    return None if picture is None else np.asarray(picture, dtype=np.uint8)


class VideoWriter:
    """H.264 through ffmpeg. One thread and bit-exact muxing: the file is the same on every run."""

    def __init__(self, ffmpeg: Path, path: Path, fps: int) -> None:
        self._path, self._fps, self._frames = path, fps, 0
        command = [
            str(ffmpeg), "-hide_banner", "-loglevel", "error", "-nostdin", "-y",
            "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{STILL_WIDTH}x{STILL_HEIGHT}", "-r", str(fps),
            "-i", "pipe:0",
            "-c:v", "libx264", "-preset", "superfast", "-crf", "24", "-threads", "1", "-pix_fmt", "yuv420p",
            "-x264-params", "cpu-independent=1",  # with AVX it would otherwise decide another way; costs nothing
            "-fflags", "+bitexact", "-flags:v", "+bitexact", "-movflags", "+faststart", str(path),
        ]  # fmt: skip
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def add(self, picture: Picture) -> None:
        """A BGR picture of still size."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420).tobytes())
        except BrokenPipeError as error:
            raise InfrastructureError(f"ffmpeg ended early: {self._error()}") from error
        self._frames += 1

    def _error(self) -> str:
        assert self._process.stderr is not None
        return self._process.stderr.read().decode(errors="replace").strip()[-300:]

    def close(self) -> Video | None:
        """Finish the file; None if no frame came."""
        assert self._process.stdin is not None
        assert self._process.stderr is not None
        self._process.stdin.close()
        error = self._error()
        self._process.stderr.close()
        if self._process.wait() != 0 and self._frames:
            raise InfrastructureError(f"ffmpeg failed: {error}")
        if not self._frames:
            self._path.unlink(missing_ok=True)
            return None
        return Video(self._path.name, self._fps, self._frames, file_hash(self._path))

    def abort(self) -> None:
        """Nothing stays behind when a recording fails."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stderr):
            if pipe is not None and not pipe.closed:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue


@dataclass
class PictureSink:
    """Takes frames in order and keeps what the evidence needs. Hashes are of the game's picture, without pointer."""

    folder: Path
    still_every: int
    first_frame: int
    last_frame: int
    quality: int
    video: VideoWriter | None
    video_every: int
    pointer: Pointer | None = None
    stills: list[Still] = field(default_factory=list)
    pixels: list[tuple[int, str]] = field(default_factory=list)
    _latest: tuple[str, Picture, tuple[float, int, int]] | None = None  # hash, scaled picture, how it was fitted

    def add(self, frame: int, rgba: Picture) -> None:
        """A frame as the engine drew it. Stills are hashed as drawn, video frames as scaled: a third of the cost."""
        small = np.asarray(cv2.cvtColor(fit(rgba), cv2.COLOR_RGBA2BGR), dtype=np.uint8)
        still = (frame - self.first_frame) % self.still_every == 0
        digest = hashlib.sha256(rgba.data if still else small.data).hexdigest()
        self._latest = (digest, small, fitting(rgba.shape[1], rgba.shape[0]))
        self.repeat(frame)

    def add_filmed(self, frame: int, small: Picture) -> None:
        """A BGR picture of the whole screen, scaled already."""
        self._latest = (hashlib.sha256(small.data).hexdigest(), small, fitting(WIDTH, HEIGHT))
        self.repeat(frame)

    def repeat(self, frame: int) -> None:
        """A frame in which the game shows what it showed in the one before; the pointer may have moved."""
        if self._latest is None:
            return
        digest, small, fitted = self._latest
        self.pixels.append((frame, digest))
        offset = frame - self.first_frame
        inside = self.first_frame <= frame <= self.last_frame
        still = inside and offset % self.still_every == 0
        moving = inside and self.video is not None and offset % self.video_every == 0
        if not still and not moving:
            return
        shown = self.pointer.over(small, frame, fitted) if self.pointer else small
        if moving and self.video is not None:
            self.video.add(shown)
        if still:
            name, bare = f"frames/{frame:05d}.jpg", None
            self._write(name, shown)
            if shown is not small:
                bare = f"{BARE_FOLDER}/{frame:05d}.jpg"
                self._write(bare, small)
            self.stills.append(Still(frame=frame, time_sec=round(frame / FPS, 3), file=name, pixels=digest, bare=bare))

    def _write(self, name: str, picture: Picture) -> None:
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        if not done:
            raise InfrastructureError(f"cannot encode {name}")
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data.tobytes())
