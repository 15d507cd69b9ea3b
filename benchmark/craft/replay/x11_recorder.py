"""The reference recorder, as in the paper: a screen, a robot at the keyboard, a camera, real time.

Kept for parity. It starts its clock when the first picture is on screen, and counts what it loses.
"""

import itertools
import os
import secrets
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark.craft.inputs import Input, expand
from benchmark.craft.launch import game_job
from benchmark.craft.prepare import PreparedProject
from benchmark.craft.replay.channel import Channel, Kind, Message
from benchmark.craft.replay.evidence import (
    STILL_HEIGHT,
    STILL_WIDTH,
    Evidence,
    FrameStatistics,
    Outcome,
    RecorderSettings,
    Still,
    Video,
    file_hash,
    sample_window,
)
from benchmark.craft.replay.gamelog import GameLog
from benchmark.craft.replay.writing import finish_evidence, input_log
from benchmark.craft.traces import FPS, Trace
from benchmark.errors import InfrastructureError, MissingRuntimeError
from benchmark.paths import cache_root
from benchmark.runtime.display import HEIGHT, WIDTH, virtual_display
from benchmark.runtime.machine import SETUP_FIX, Machine
from benchmark.runtime.processes import Finished, Supervised
from benchmark.runtime.sandbox import DisplayAddress, Job, Limits, Mount
from benchmark.runtime.workdir import work_folder

SCRIPTS = tuple(Path(__file__).parents[1] / "godot" / name for name in ("onlooker.gd", "observer.gd"))
_START_SEC = 30.0
_CAMERA_START_SEC = 10.0
# Twice the recording rate, as a player's screen has it. At 30 a click that is held for one frame can begin and end
# between two looks at the queue; then Godot reads the button's state as already released and loses the click.
_GAME_FPS = 60
_KEY_NAMES = {
    "ESCAPE": "Escape", "ENTER": "Return", "SPACE": "space", "TAB": "Tab", "BACKSPACE": "BackSpace",
    "DELETE": "Delete", "SHIFT": "Shift_L", "CTRL": "Control_L", "ALT": "Alt_L",
    "UP": "Up", "DOWN": "Down", "LEFT": "Left", "RIGHT": "Right",
}  # fmt: skip
_GODOT_KEYS = {
    "ESCAPE": 4194305, "TAB": 4194306, "BACKSPACE": 4194308, "ENTER": 4194309, "DELETE": 4194312, "LEFT": 4194319,
    "UP": 4194320, "RIGHT": 4194321, "DOWN": 4194322, "SHIFT": 4194325, "CTRL": 4194326, "ALT": 4194328, "SPACE": 32,
}  # fmt: skip
_BUTTONS = {"left": (1, 1), "right": (3, 2)}  # X11's number, Godot's number


@dataclass
class _Sighting:
    """What the onlooker has reported."""

    on_screen: threading.Event = field(default_factory=threading.Event)
    gone: threading.Event = field(default_factory=threading.Event)
    about: dict[str, Any] = field(default_factory=dict)
    drawn: set[int] = field(default_factory=set)
    states: list[dict[str, Any]] = field(default_factory=list)
    inputs: list[tuple[int, dict[str, Any]]] = field(default_factory=list)

    def handle(self, message: Message) -> None:
        if message.kind == Kind.HELLO:
            self.about = message.json() or {}
            self.on_screen.set()
        elif message.kind == Kind.FRAME:
            self.drawn.add(message.a)
        elif message.kind == Kind.STATE:
            self.states.append({"frame": message.a, **(message.json() or {})})
        elif message.kind == Kind.INPUT:
            self.inputs.append((message.b, message.json() or {}))


def record(
    prepared: PreparedProject, trace: Trace, settings: RecorderSettings, machine: Machine, out: Path
) -> Evidence:
    """Play one demo in real time and leave its evidence in `out`, an empty folder."""
    if machine.xdotool is None:
        raise MissingRuntimeError("the x11 recorder needs xdotool", fix=SETUP_FIX)
    (out / "frames").mkdir()
    began = time.monotonic()
    window = sample_window(prepared.digest, trace.digest, trace.duration_frames, settings.window_frames)
    inputs = expand(trace)
    typed = tuple(item for item in inputs if not item.echo)  # the X server repeats held keys itself
    sighting = _Sighting()
    log = GameLog(f"\x1e{secrets.token_hex(8)} ")
    with work_folder("camera") as film:
        film.chmod(0o777)
        finished, outcome = _perform(prepared, trace, settings, machine, typed, sighting, log, film)
        played_sec = time.monotonic() - began
        captured, duplicated = _count_frames(film / "frames.md5")
        video = _develop(film, out, window, settings, machine.ffmpeg, captured)
    stills = _stills(out, window, settings)
    expected = trace.duration_frames
    drawn = len({slot for slot in sighting.drawn if 0 <= slot < expected})
    evidence = Evidence(
        demo=trace.name,
        scenario=trace.scenario,
        project_digest=prepared.digest,
        trace_digest=trace.digest,
        engine_version=machine.engine.version,
        settings=settings,
        outcome=outcome,
        window=window,
        frames=FrameStatistics(expected, min(captured, expected), expected - min(drawn, expected), duplicated),
        stills=stills,
        video=video,
        pixels=tuple((still.frame, still.pixels) for still in stills),
        inputs_sent=len(typed),
        inputs_delivered=0,
        messages=log.messages(finished.text),
        pinned={"clock": False, "pointer": False, "sandboxed": machine.sandbox.confined, **sighting.about},
    )
    delivered = _match(inputs, sighting.inputs)
    evidence = Evidence(**{**vars(evidence), "inputs_delivered": len(delivered)})
    timing = {"wall_sec": time.monotonic() - began, "played_sec": played_sec, "frames_captured": captured}
    return finish_evidence(evidence, out, input_log(trace, inputs, delivered), sighting.states, finished.text, timing)


def _perform(
    prepared: PreparedProject,
    trace: Trace,
    settings: RecorderSettings,
    machine: Machine,
    typed: tuple[Input, ...],
    sighting: _Sighting,
    log: GameLog,
    film: Path,
) -> tuple[Finished, Outcome]:
    duration_sec = trace.duration_frames / FPS
    limits = Limits(wall_sec=duration_sec + 2 * _START_SEC, cpu_sec=900)
    configuration = {"marker": log.marker, "still_every": settings.still_every_frames, "seed": settings.seed}
    with (
        virtual_display(machine) as display,
        work_folder("replay") as work,
        work_folder("channel") as channel_folder,
        Channel(channel_folder) as channel,
    ):
        for script in SCRIPTS:
            (work / script.name).write_bytes(script.read_bytes())

        def receive() -> None:
            channel.receive(configuration, sighting.handle)
            sighting.gone.set()

        receiver = threading.Thread(target=receive, daemon=True)
        receiver.start()
        mount = Mount("channel", channel_folder)
        arguments = (
            "--display-driver", "x11", "--rendering-driver", "opengl3", "--resolution", f"{WIDTH}x{HEIGHT}",
            "--position", "0,0", "--max-fps", str(_GAME_FPS), "--disable-vsync",
            *(("--", "--scenario", trace.scenario) if trace.scenario else ()),
        )  # fmt: skip
        env = {"GAMECRAFT_CHANNEL": f"{machine.sandbox.place(mount)}/socket"}
        job = game_job(machine, prepared, work, "onlooker.gd", arguments, limits, env, (mount,))
        with machine.sandbox.start(Job(**{**vars(job), "display": display}), log.watch) as game:
            if _wait(sighting.on_screen, game, _START_SEC):
                _film(machine, display, film, duration_sec, typed, channel, game, settings)
            ended_itself = game.process.poll() is not None
            finished = game.stop()
        channel.close()
        receiver.join(10)
    return finished, _outcome(finished, ended_itself, sighting, log, trace)


def _wait(event: threading.Event, game: Supervised, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if event.wait(0.05):
            return True
        if not game.poll_limits():
            return False
    return False


def _film(
    machine: Machine,
    display: DisplayAddress,
    film: Path,
    duration_sec: float,
    typed: tuple[Input, ...],
    channel: Channel,
    game: Supervised,
    settings: RecorderSettings,
) -> None:
    """Camera on, then the inputs on the wall clock."""
    assert machine.xdotool is not None
    rolling = threading.Event()

    def watch(line: bytes) -> bool:
        if line.startswith(b"frame=") and line[6:].strip() not in (b"", b"0"):
            rolling.set()
        return True

    mount = Mount("film", film, "write")
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
    limits = Limits(wall_sec=duration_sec + 2 * _START_SEC, cpu_sec=900)
    camera_job = Job(_reachable(machine.ffmpeg), arguments, (mount,), limits=limits, display=display, home=film)
    robot_job = Job(machine.xdotool, ("-",), limits=limits, display=display, home=film)
    window: list[str] = []
    found = threading.Event()

    def listen(line: bytes) -> bool:
        if line.startswith(b"WINDOW="):
            window.append(line[7:].decode().strip())
            found.set()
        return True

    with (
        machine.sandbox.start(robot_job, listen, stdin=subprocess.PIPE) as robot,
        machine.sandbox.start(camera_job, watch) as camera,
    ):
        # There is no window manager. Without this the first click gives the window its focus, and a focus that
        # changes makes Godot forget which button was pressed.
        _say(robot, "getmouselocation --shell")
        if found.wait(_CAMERA_START_SEC):
            _say(robot, f"windowfocus {window[0]}")
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
        words = f"mouse{'down' if item.pressed else 'up'} {_BUTTONS[item.button][0]}"
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


def _outcome(finished: Finished, ended_itself: bool, sighting: _Sighting, log: GameLog, trace: Trace) -> Outcome:
    frame = max(log.frame, 0)
    if not ended_itself and finished.ending == "stopped":
        if not sighting.on_screen.is_set():
            return Outcome("hang", 0, f"no picture after {_START_SEC:.0f} s")
        if trace.duration_frames - frame > FPS:
            return Outcome("hang", frame, "the game stopped drawing")
        return Outcome("complete", trace.duration_frames)
    if finished.ending != "exited":
        return Outcome("limit", frame, f"the game {finished.describe()}")
    if finished.exit_code in (0, 1):
        return Outcome("quit", frame, "the game quit")
    return Outcome("crash", frame, f"the engine {finished.describe()}")


def _count_frames(listing: Path) -> tuple[int, int]:
    """Frames the camera took, and how many of them show the same picture as the one before."""
    try:
        lines = listing.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0, 0
    hashes = [line.rsplit(",", 1)[-1].strip() for line in lines if line and not line.startswith("#")]
    return len(hashes), sum(a == b for a, b in itertools.pairwise(hashes))


def _develop(
    film: Path, out: Path, window: tuple[int, int], settings: RecorderSettings, ffmpeg: Path, captured: int
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
        str(film / "film.mkv"),
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


def _stills(out: Path, window: tuple[int, int], settings: RecorderSettings) -> tuple[Still, ...]:
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


def _match(inputs: tuple[Input, ...], seen: list[tuple[int, dict[str, Any]]]) -> dict[int, int]:
    """Which input arrived on which frame: the n-th of its kind is the n-th that was sent."""
    waiting: dict[tuple[Any, ...], list[int]] = {}
    for index, item in enumerate(inputs):
        if not item.echo:
            waiting.setdefault(_identity(item), []).append(index)
    delivered: dict[int, int] = {}
    for frame, what in seen:
        if what.get("kind") == "motion":
            identity: tuple[Any, ...] = ("motion", round(what["x"]), round(what["y"]))
        else:
            identity = (what.get("kind"), what.get("control"), what.get("pressed"))
        if queue := waiting.get(identity):
            delivered[queue.pop(0)] = frame
    return delivered


def _identity(item: Input) -> tuple[Any, ...]:
    if item.kind == "motion":
        return "motion", item.x, item.y
    if item.kind == "button":
        return "button", _BUTTONS[item.button][1], item.pressed
    return "key", _GODOT_KEYS.get(item.keycode) or ord(item.keycode), item.pressed
