"""Camera and robot of the x11 recorder: x11grab films the screen while xdotool works the controls."""

import itertools
import os
import shutil
import subprocess
import threading
import time
from pathlib import Path

from benchmark.craft.inputs import Input
from benchmark.craft.replay.channel import Channel
from benchmark.craft.replay.evidence import STILL_HEIGHT, STILL_WIDTH, RecorderSettings, Still, Video, file_hash
from benchmark.craft.traces import FPS
from benchmark.errors import InfrastructureError
from benchmark.paths import cache_root
from benchmark.runtime.display import HEIGHT, WIDTH
from benchmark.runtime.machine import Machine
from benchmark.runtime.processes import Supervised
from benchmark.runtime.sandbox import DisplayAddress, Job, Limits, Mount

START_SEC = 30.0
_CAMERA_START_SEC = 10.0
_KEY_NAMES = {
    "ESCAPE": "Escape", "ENTER": "Return", "SPACE": "space", "TAB": "Tab", "BACKSPACE": "BackSpace",
    "DELETE": "Delete", "SHIFT": "Shift_L", "CTRL": "Control_L", "ALT": "Alt_L",
    "UP": "Up", "DOWN": "Down", "LEFT": "Left", "RIGHT": "Right",
}  # fmt: skip
_BUTTONS = {"left": 1, "right": 3}  # as X11 numbers them


def film(
    machine: Machine,
    display: DisplayAddress,
    reel: Path,
    duration_sec: float,
    typed: tuple[Input, ...],
    channel: Channel,
    game: Supervised,
) -> None:
    """Camera on, then the inputs on the wall clock."""
    assert machine.xdotool is not None
    rolling = threading.Event()

    def watch(line: bytes) -> bool:
        if line.startswith(b"frame=") and line[6:].strip() not in (b"", b"0"):
            rolling.set()
        return True

    mount = Mount("film", reel, "write")
    where = machine.sandbox.place(mount)
    scale = f"scale={STILL_WIDTH}:{STILL_HEIGHT}:flags=bilinear"
    arguments = (
        "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-progress", "pipe:1", "-stats_period", "0.05",
        "-f", "x11grab", "-draw_mouse", "0", "-framerate", str(FPS), "-video_size", f"{WIDTH}x{HEIGHT}",
        "-t", f"{duration_sec:.3f}", "-i", f":{display.number}",
        "-filter_complex", f"[0:v]split=2[a][b];[a]{scale}[v]",
        "-map", "[v]", "-fps_mode", "passthrough", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "16",
        f"{where}/film.mkv",
        "-map", "[b]", "-fps_mode", "passthrough", "-f", "framemd5", f"{where}/frames.md5",
    )  # fmt: skip
    limits = Limits(wall_sec=duration_sec + 2 * START_SEC, cpu_sec=900)
    camera_job = Job(_reachable(machine.ffmpeg), arguments, (mount,), limits=limits, display=display, home=reel)
    robot_job = Job(machine.xdotool, ("-",), limits=limits, display=display, home=reel)
    _focus(machine, display, reel, game)
    with (
        machine.sandbox.start(robot_job, stdin=subprocess.PIPE) as robot,
        machine.sandbox.start(camera_job, watch) as camera,
    ):
        if not rolling.wait(_CAMERA_START_SEC):
            raise InfrastructureError(f"the screen recorder did not start: {camera.stop().text.strip()[-300:]}")
        channel.send(b"\x01")
        start = time.monotonic()
        for item in typed:
            pause = start + item.frame / FPS - time.monotonic()
            if pause > 0:
                time.sleep(pause)
            if game.process.poll() is not None:
                break
            _type(robot, item)
        while camera.process.poll() is None and game.poll_limits():
            time.sleep(0.02)
        if camera.process.poll() is None:  # the game ended first: keep what was filmed
            camera.process.terminate()
            time.sleep(0.3)


def _focus(machine: Machine, display: DisplayAddress, home: Path, game: Supervised) -> None:
    """Give the game's window the keyboard.

    There is no window manager. Without this no key arrives before the first click, and that click gives the window its
    focus, which makes Godot forget which button was pressed. In a process of its own: an xdotool that has searched
    sends its keys to what it found, past the server's idea of modifiers.
    """
    assert machine.xdotool is not None
    words = ("search", "--sync", "--onlyvisible", "--class", ".", "windowfocus", "--sync")
    limits = Limits(wall_sec=_CAMERA_START_SEC)
    done = machine.sandbox.run(Job(machine.xdotool, words, limits=limits, display=display, home=home))
    if (done.ending, done.exit_code) != ("exited", 0) and game.process.poll() is None:
        raise InfrastructureError(f"the game's window cannot be given the keyboard: {done.text.strip()[-200:]}")


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
        raise InfrastructureError(f"xdotool ended: {robot.stop().text.strip()[-200:]}") from error


def count_frames(listing: Path) -> tuple[int, int]:
    """Frames the camera took, and how many of them show the same picture as the one before."""
    try:
        lines = listing.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0, 0
    hashes = [line.rsplit(",", 1)[-1].strip() for line in lines if line and not line.startswith("#")]
    return len(hashes), sum(a == b for a, b in itertools.pairwise(hashes))


def develop(
    reel: Path, out: Path, window: tuple[int, int], settings: RecorderSettings, ffmpeg: Path, captured: int
) -> Video | None:
    """Cut the sampled window into stills and, if asked for, a video."""
    if not captured:
        return None
    first, last = window
    every = settings.still_every_frames
    chosen = f"between(n\\,{first}\\,{last})"
    command = [
        str(ffmpeg),
        "-hide_banner",
        "-loglevel",
        "error",
        "-nostdin",
        "-y",
        "-i",
        str(reel / "film.mkv"),
    ]
    command += [
        "-map",
        "0:v",
        "-vf",
        f"select={chosen}*not(mod(n-{first}\\,{every}))",
        "-fps_mode",
        "passthrough",
    ]
    command += ["-q:v", "2", str(out / "frames/%05d.jpg")]
    if settings.video_fps:
        step = FPS // settings.video_fps
        frames = f"select={chosen}*not(mod(n-{first}\\,{step})),setpts=N/{settings.video_fps}/TB"
        command += [
            "-map",
            "0:v",
            "-vf",
            frames,
            "-r",
            str(settings.video_fps),
            "-c:v",
            "libx264",
            "-preset",
            "superfast",
        ]
        command += ["-crf", "24", "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(out / "video.mp4")]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise InfrastructureError(f"ffmpeg cannot read what was recorded: {done.stderr.strip()[-300:]}")
    path = out / "video.mp4"
    if not settings.video_fps or not path.exists():
        return None
    count = len(range(0, min(captured - 1, last) - first + 1, FPS // settings.video_fps))
    return Video(path.name, settings.video_fps, count, file_hash(path))


def collect_stills(out: Path, window: tuple[int, int], settings: RecorderSettings) -> tuple[Still, ...]:
    """Rename ffmpeg's running numbers to frame numbers."""
    stills = []
    for number, path in enumerate(sorted((out / "frames").glob("*.jpg"))):
        frame = window[0] + number * settings.still_every_frames
        target = path.with_name(f"x{frame:05d}.jpg")
        path.rename(target)
        stills.append((frame, target))
    result = []
    for frame, path in stills:
        final = path.rename(path.with_name(path.name[1:]))
        result.append(Still(frame, round(frame / FPS, 3), f"frames/{final.name}", file_hash(final)))
    return tuple(result)
