"""Camera and robot of the x11 recorder: x11grab films the screen while xdotool works the controls."""

import bisect
import contextlib
import itertools
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmark.errors import InfrastructureError
from benchmark.paths import cache_root
from benchmark.replay.evidence import STILL_HEIGHT, STILL_WIDTH
from benchmark.replay.inputs import Input
from benchmark.replay.pictures import Picture
from benchmark.replay.traces import FPS
from benchmark.runtime.display import HEIGHT, WIDTH
from benchmark.runtime.machine import Machine
from benchmark.runtime.processes import Supervised
from benchmark.runtime.sandbox import DisplayAddress, Job, Limits, Mount

START_SEC = 30.0
# What is sent for a frame is on screen a frame later: the game draws it within a 60th and the X server shows it.
_EXPOSURE_SEC = 1 / FPS
_MISSED_SEC = 3.5 / FPS  # a frame of the demo without a shot this near was not filmed
_CAMERA_START_SEC = 10.0
_KEY_NAMES = {
    "ESCAPE": "Escape", "ENTER": "Return", "SPACE": "space", "TAB": "Tab", "BACKSPACE": "BackSpace",
    "DELETE": "Delete", "SHIFT": "Shift_L", "CTRL": "Control_L", "ALT": "Alt_L",
    "UP": "Up", "DOWN": "Down", "LEFT": "Left", "RIGHT": "Right",
}  # fmt: skip
_BUTTONS = {"left": 1, "right": 3}  # as X11 numbers them


class LostControlsError(Exception):
    """The robot cannot work the game. A game can bring that about: it speaks to the same X server."""


@contextmanager
def rolling_camera(machine: Machine, display: DisplayAddress, reel: Path, duration_sec: float) -> Iterator[Supervised]:
    """A camera that films already. On leaving it has stopped and `reel` holds the film and the time of every frame."""
    rolling = threading.Event()

    def watch(line: bytes) -> bool:
        if line.startswith(b"frame=") and line[6:].strip() not in (b"", b"0"):
            rolling.set()
        return True

    mount = Mount("film", reel, "write")
    where = machine.sandbox.place(mount)
    scale = f"scale={STILL_WIDTH}:{STILL_HEIGHT}:flags=bilinear"
    arguments = (
        "-hide_banner", "-loglevel", "error", "-y", "-progress", "pipe:1", "-stats_period", "0.05", "-copyts",
        # no pointer: the sink draws it, so that the pictures can be measured and compared without it
        "-f", "x11grab", "-draw_mouse", "0", "-framerate", str(FPS), "-video_size", f"{WIDTH}x{HEIGHT}",
        "-i", f":{display.number}",
        "-filter_complex", f"[0:v]split=2[a][b];[a]setpts=PTS-STARTPTS,{scale}[v]",
        "-map", "[v]", "-fps_mode", "passthrough", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "16",
        f"{where}/film.mkv",
        "-map", "[b]", "-fps_mode", "passthrough", "-enc_time_base", "1:1000000",
        "-f", "framemd5", f"{where}/frames.md5",
    )  # fmt: skip
    limits = Limits(wall_sec=duration_sec + 3 * START_SEC, cpu_sec=900)
    job = Job(_reachable(machine.ffmpeg), arguments, (mount,), limits=limits, display=display, home=reel)
    with machine.sandbox.start(job, watch, stdin=subprocess.PIPE) as camera:
        if not rolling.wait(_CAMERA_START_SEC):
            raise InfrastructureError(f"the screen recorder did not start: {camera.stop().text.strip()[-300:]}")
        yield camera
        assert camera.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            camera.process.stdin.write(b"q")
            camera.process.stdin.flush()
        deadline = time.monotonic() + _CAMERA_START_SEC
        while camera.poll_limits() and time.monotonic() < deadline:
            time.sleep(0.02)


def play_inputs(
    robot: Supervised, typed: tuple[Input, ...], begun_sec: float, duration_sec: float, game: Supervised
) -> None:
    """The inputs on the wall clock, whose zero is `begun_sec`; then wait for the end of the demo."""
    for item in typed:
        pause = begun_sec + item.frame / FPS - time.time()
        if pause > 0:
            time.sleep(pause)
        if game.process.poll() is not None:
            return
        _type(robot, item)
    while time.time() < begun_sec + duration_sec + _EXPOSURE_SEC and game.poll_limits():
        time.sleep(0.02)


def focus_job(machine: Machine, display: DisplayAddress, home: Path) -> Job:
    """Give the game's window the keyboard, as soon as there is one.

    There is no window manager. Without this no key arrives before the first click, and that click gives the window its
    focus, which makes Godot forget which button was pressed. In a process of its own: an xdotool that has searched
    sends its keys to what it found, past the server's idea of modifiers. It begins before the game has drawn anything,
    because a game that waits for it would be ahead of its demo.
    """
    assert machine.xdotool is not None
    words = ("search", "--sync", "--onlyvisible", "--class", ".", "windowfocus", "--sync")
    return Job(machine.xdotool, words, limits=Limits(wall_sec=2 * START_SEC), display=display, home=home)


def wait_for_focus(focus: Supervised, game: Supervised) -> None:
    """Usually it is there long before the first picture."""
    deadline = time.monotonic() + _CAMERA_START_SEC
    while focus.poll_limits() and game.poll_limits() and time.monotonic() < deadline:
        time.sleep(0.01)
    if focus.process.poll() != 0 and game.process.poll() is None:
        raise LostControlsError(f"the game's window cannot be given the keyboard: {focus.stop().text.strip()[-200:]}")


def robot_job(machine: Machine, display: DisplayAddress, home: Path, duration_sec: float) -> Job:
    """Takes one command per line."""
    assert machine.xdotool is not None
    limits = Limits(wall_sec=duration_sec + 3 * START_SEC, cpu_sec=900)
    return Job(machine.xdotool, ("-",), limits=limits, display=display, home=home)


def _reachable(ffmpeg: Path) -> Path:
    """A copy where a sandbox that runs as nobody can read it."""
    if os.geteuid() != 0:
        return ffmpeg
    copy = cache_root() / "tools" / ffmpeg.name
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        partial = copy.with_suffix(f".{os.getpid()}")
        shutil.copy(ffmpeg, partial)
        partial.chmod(0o755)
        partial.replace(copy)
    return copy


def _type(robot: Supervised, item: Input) -> None:
    if item.kind == "motion":
        words = f"mousemove {item.x} {item.y}"
    elif item.kind == "button":
        words = f"mouse{'down' if item.pressed else 'up'} {_BUTTONS[item.button]}"
    else:
        words = f"key{'down' if item.pressed else 'up'} {_KEY_NAMES.get(item.keycode, item.keycode.lower())}"
    _say(robot, words)


def _say(robot: Supervised, words: str) -> None:
    assert robot.process.stdin is not None
    try:
        robot.process.stdin.write(words.encode() + b"\n")
        robot.process.stdin.flush()
    except BrokenPipeError as error:
        raise LostControlsError(f"xdotool ended: {robot.stop().text.strip()[-200:]}") from error


@dataclass(frozen=True)
class Shot:
    """One frame of the film: when it was taken (seconds since 1970) and a hash of what it shows."""

    at_sec: float
    picture: str


def read_shots(listing: Path) -> tuple[Shot, ...]:
    """What the camera noted. A last line that was cut short is left out."""
    try:
        lines = listing.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return ()
    shots = []
    for line in lines:
        fields = [part.strip() for part in line.split(",")]
        if len(fields) == 6 and len(fields[5]) == 32 and fields[2].isdigit():
            shots.append(Shot(int(fields[2]) / 1e6, fields[5]))
    return tuple(shots)


def cut(shots: tuple[Shot, ...], begun_sec: float, frames: int) -> dict[int, int]:
    """Which shot shows which frame of the demo; those after the end of the film have none.

    By the time it was taken, not by its number: a camera that loses frames must not shift all that follow. Where it
    lost some the nearest stands in for them.
    """
    times = [shot.at_sec for shot in shots]
    chosen: dict[int, int] = {}
    for frame in range(frames):
        due = _due_sec(begun_sec, frame)
        if not times or due > times[-1] + _MISSED_SEC:
            break
        after = bisect.bisect(times, due)
        near = (index for index in (after - 1, after) if 0 <= index < len(times))
        chosen[frame] = min(near, key=lambda index: abs(times[index] - due))
    return chosen


def _due_sec(begun_sec: float, frame: int) -> float:
    return begun_sec + frame / FPS + _EXPOSURE_SEC


def count_captured(shots: tuple[Shot, ...], chosen: dict[int, int], begun_sec: float) -> int:
    """Frames of the demo that were filmed when they were due, or nearly."""
    return sum(abs(shots[i].at_sec - _due_sec(begun_sec, frame)) <= _MISSED_SEC for frame, i in chosen.items())


def count_duplicates(shots: tuple[Shot, ...], chosen: dict[int, int]) -> int:
    """Frames of the demo that show the same picture as the one before."""
    shown = [shots[index].picture for index in chosen.values()]
    return sum(a == b for a, b in itertools.pairwise(shown))


def develop(reel: Path, chosen: dict[int, int], develop_frame: Callable[[int, Picture], None], ffmpeg: Path) -> None:
    """Hand over the frames of the demo in order, as BGR pictures of still size."""
    if not chosen:
        return
    wanted: dict[int, list[int]] = {}
    for frame, shot in chosen.items():
        wanted.setdefault(shot, []).append(frame)
    command = [
        str(ffmpeg), "-hide_banner", "-loglevel", "error", "-nostdin", "-i", str(reel / "film.mkv"),
        "-f", "rawvideo", "-pix_fmt", "bgr24", "-fps_mode", "passthrough", "pipe:1",
    ]  # fmt: skip
    size = STILL_WIDTH * STILL_HEIGHT * 3
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as reader:
        assert reader.stdout is not None
        assert reader.stderr is not None
        for shot in itertools.count():
            data = reader.stdout.read(size)
            if len(data) < size:
                break
            picture = np.frombuffer(data, dtype=np.uint8).reshape(STILL_HEIGHT, STILL_WIDTH, 3)
            for frame in wanted.get(shot, ()):
                develop_frame(frame, picture)
        said = reader.stderr.read().decode(errors="replace").strip()
    if reader.returncode != 0:
        raise InfrastructureError(f"ffmpeg cannot read what was recorded: {said[-300:]}")
