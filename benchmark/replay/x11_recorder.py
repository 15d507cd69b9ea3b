"""The reference recorder, as in the paper: a screen, a robot at the keyboard, a camera, real time.

Kept for parity. Its clock starts when the first picture is on screen, and it counts what it loses.
"""

import secrets
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmark.errors import InfrastructureError, MissingRuntimeError
from benchmark.projects.launch import GameStart, HostScript, game_job
from benchmark.projects.prepare import PreparedProject
from benchmark.replay.channel import Channel, Kind, Message
from benchmark.replay.evidence import (
    Evidence,
    FrameStatistics,
    Outcome,
    Video,
    sample_window,
)
from benchmark.replay.evidence_files import finish_evidence, input_log
from benchmark.replay.filming import (
    START_SEC,
    LostControlsError,
    count_captured,
    count_duplicates,
    cut,
    develop,
    focus_job,
    play_inputs,
    read_shots,
    robot_job,
    rolling_camera,
    wait_for_focus,
)
from benchmark.replay.gamelog import GameLog, remarks
from benchmark.replay.inputs import Input, expand
from benchmark.replay.pictures import Picture, PictureSink, VideoWriter
from benchmark.replay.pointer import Pointer, track_pointer
from benchmark.replay.saidstate import checked_state, number, short_text
from benchmark.replay.take_order import TakeOrder
from benchmark.replay.traces import FPS, Trace
from benchmark.runtime.display import HEIGHT, WIDTH, virtual_display
from benchmark.runtime.machine import SETUP_FIX, Machine
from benchmark.runtime.processes import Finished, Supervised
from benchmark.runtime.sandbox import Limits, Mount
from benchmark.runtime.workdir import work_folder
from benchmark.trials import one_line

SCRIPTS = tuple(Path(__file__).with_name("godot") / name for name in ("x11_reporter.gd", "hostlink.gd", "observer.gd"))
VERSION = 3  # raise it when camera or robot change, so that old evidence is not taken for new
# Twice the recording rate, as a player's screen has it. At 30 a click that is held for one frame can begin and end
# between two looks at the queue; then Godot reads the button's state as already released and loses the click.
_GAME_FPS = 60
_SHUTDOWN_SEC = 10.0
_GODOT_KEYS = {
    "ESCAPE": 4194305, "TAB": 4194306, "BACKSPACE": 4194308, "ENTER": 4194309, "DELETE": 4194312, "LEFT": 4194319,
    "UP": 4194320, "RIGHT": 4194321, "DOWN": 4194322, "SHIFT": 4194325, "CTRL": 4194326, "ALT": 4194328, "SPACE": 32,
}  # fmt: skip
_BUTTONS = {"left": 1, "right": 2}


@dataclass
class _Sighting:
    """What the observer has reported."""

    most_states: int
    on_screen: threading.Event = field(default_factory=threading.Event)
    about: dict[str, Any] = field(default_factory=dict)
    drawn: set[int] = field(default_factory=set)
    states: list[dict[str, Any]] = field(default_factory=list)
    inputs: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    pointer: list[tuple[int, Any]] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)
    begun_sec: float = 0.0  # since 1970

    def handle(self, message: Message) -> None:
        if message.kind == Kind.HELLO and not self.on_screen.is_set():
            self.begun_sec = time.time()
            said = message.json()
            self.about = {name: short_text(said.get(name), 200) or "" for name in ("adapter", "api")}
            self.on_screen.set()
        elif message.kind == Kind.FRAME:
            self.drawn.add(message.a)
        elif message.kind == Kind.STATE and len(self.states) < self.most_states:
            state, notes = checked_state(message.json())
            self.states.append({"frame": message.a, **state})
            self.notes += [(message.a, note) for note in notes]
        elif message.kind == Kind.INPUT:
            self.inputs.append((message.b, message.json()))
        elif message.kind == Kind.POINTER:
            self.pointer.append((message.a, message.json()))


def record(
    prepared: PreparedProject,
    order: TakeOrder,
    machine: Machine,
    out: Path,
    *,
    witness: Callable[[Machine], None] | None = None,
) -> Evidence:
    """Play one demo in real time and leave its evidence in `out`, an empty folder.

    `witness` raises if no game can be controlled here. It is asked about a game that our robot lost.
    """
    if machine.xdotool is None:
        raise MissingRuntimeError("the x11 recorder needs xdotool", fix=SETUP_FIX)
    (out / "frames").mkdir()
    began = time.monotonic()
    trace, settings, window = order
    if window is None:
        window = sample_window(prepared.digest, trace.digest, trace.duration_frames, settings.window_frames)
    inputs = expand(trace)
    typed = _typed(trace)
    sighting = _Sighting(trace.duration_frames // settings.still_every_frames + 2 * FPS)
    log = GameLog(f"\x1e{secrets.token_hex(8)} ")
    with work_folder("camera") as reel:
        reel.chmod(0o777)
        finished, outcome, lost = _perform(prepared, order, machine, sighting, log, reel)
        if lost and outcome.kind in ("complete", "hang"):
            if witness is None:
                raise InfrastructureError(lost, fix="python -m benchmark doctor")
            witness(machine)
            outcome = Outcome("tampered", max(log.frame, 0), one_line(lost))
        played_sec = time.monotonic() - began
        shots = read_shots(reel / "frames.md5")
        expected = trace.duration_frames
        chosen = cut(shots, sighting.begun_sec, expected) if sighting.on_screen.is_set() else {}
        track = track_pointer(trace, inputs) if settings.pointer else None
        every = FPS // settings.video_fps if settings.video_fps else 0
        sink = PictureSink(
            folder=out, still_every=settings.still_every_frames, first_frame=window[0], last_frame=window[1],
            quality=settings.still_quality, video_every=every, pointer=Pointer(track) if track else None,
            video=VideoWriter(machine.ffmpeg, out / "video.mp4", settings.video_fps) if every else None,
        )  # fmt: skip
        video = _develop(reel, chosen, sink, machine.ffmpeg, sighting.pointer)
    captured = count_captured(shots, chosen, sighting.begun_sec)
    drawn = len({slot for slot in sighting.drawn if 0 <= slot < expected})
    delivered = _match(inputs, sighting.inputs)
    evidence = Evidence(
        demo=trace.name,
        scenario=trace.scenario,
        project_digest=prepared.digest,
        trace_digest=trace.digest,
        engine_version=machine.engine.version,
        settings=settings,
        outcome=outcome,
        window=window,
        frames=FrameStatistics(expected, captured, expected - drawn, count_duplicates(shots, chosen)),
        stills=tuple(sink.stills),
        video=video,
        pixels=tuple((still.frame, still.pixels) for still in sink.stills),
        inputs_sent=len(typed),
        inputs_delivered=len(delivered),
        messages=log.messages(finished.text) + remarks(sighting.notes),
        pinned={"clock": False, "pointer": False, "sandboxed": machine.sandbox.confined, **sighting.about},
    )
    timing = {"wall_sec": time.monotonic() - began, "played_sec": played_sec, "frames_captured": len(shots)}
    return finish_evidence(evidence, out, input_log(trace, inputs, delivered), sighting.states, finished.text, timing)


def _develop(
    reel: Path, chosen: dict[int, int], sink: PictureSink, ffmpeg: Path, told: list[tuple[int, Any]]
) -> Video | None:
    """Stills, video and pointer as the other recorder makes them."""
    waiting, pointer, video = list(told), sink.pointer, sink.video

    def add(frame: int, picture: Picture) -> None:
        while pointer and waiting and waiting[0][0] <= frame:
            pointer.learn(waiting.pop(0)[1])
        sink.add_filmed(frame, picture)

    try:
        develop(reel, chosen, add, ffmpeg)
        return video.close() if video else None
    finally:
        if video:
            video.abort()


def _typed(trace: Trace) -> tuple[Input, ...]:
    """What the robot sends: the X server repeats held keys itself."""
    return tuple(item for item in expand(trace) if not item.echo)


def _perform(
    prepared: PreparedProject, order: TakeOrder, machine: Machine, sighting: _Sighting, log: GameLog, reel: Path
) -> tuple[Finished, Outcome, str]:
    """How it ended, and why our robot could not work the game, if it could not."""
    trace, settings, _ = order
    lost = ""
    duration_sec = trace.duration_frames / FPS
    limits = Limits(wall_sec=duration_sec + 2 * START_SEC, cpu_sec=900)
    configuration = {"marker": log.marker, "still_every": settings.still_every_frames, "seed": settings.seed}
    with (
        virtual_display(machine) as display,
        work_folder("replay") as work,
        work_folder("channel") as channel_folder,
        Channel(channel_folder) as channel,
    ):
        for script in SCRIPTS:
            (work / script.name).write_bytes(script.read_bytes())

        receiver = threading.Thread(target=channel.receive, args=(configuration, sighting.handle), daemon=True)
        receiver.start()
        mount = Mount("channel", channel_folder)
        arguments = (
            "--display-driver", "x11", "--rendering-driver", "opengl3", "--resolution", f"{WIDTH}x{HEIGHT}",
            "--position", "0,0", "--max-fps", str(_GAME_FPS), "--disable-vsync",
            *(("--", "--scenario", trace.scenario) if trace.scenario else ()),
        )  # fmt: skip
        env = {"GAMECRAFT_CHANNEL": f"{machine.sandbox.place(mount)}/socket"}
        job = game_job(
            machine, prepared, HostScript(work, "x11_reporter.gd"), GameStart(arguments, limits, env, (mount,))
        )
        with (
            machine.sandbox.start(robot_job(machine, display, reel, duration_sec), stdin=subprocess.PIPE) as robot,
            rolling_camera(machine, display, reel, duration_sec),
            machine.sandbox.start(replace(job, display=display), log.watch) as game,
            machine.sandbox.start(focus_job(machine, display, reel)) as focus,
        ):
            if _wait(sighting.on_screen, game, START_SEC):
                try:
                    wait_for_focus(focus, game)
                    play_inputs(robot, _typed(trace), sighting.begun_sec, duration_sec, game)
                except LostControlsError as error:
                    lost = str(error)
            if sighting.on_screen.is_set() and _stopped_drawing(trace, log):
                # It hangs, or it is on its way out: on a busy machine an engine takes seconds to shut down.
                grace_over = time.monotonic() + _SHUTDOWN_SEC
                game.wait(until=lambda: time.monotonic() > grace_over)
            ended_itself = game.process.poll() is not None
            finished = game.stop()
        channel.close()
        receiver.join(10)
    return finished, _outcome(finished, ended_itself, sighting, log, trace), lost


def _wait(event: threading.Event, game: Supervised, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if event.wait(0.05):
            return True
        if not game.poll_limits():
            return False
    return False


def _stopped_drawing(trace: Trace, log: GameLog) -> bool:
    """Whether its last frame was well before the end of the demo."""
    return trace.duration_frames - max(log.frame, 0) > FPS


def _outcome(finished: Finished, ended_itself: bool, sighting: _Sighting, log: GameLog, trace: Trace) -> Outcome:
    frame = max(log.frame, 0)
    if not ended_itself and finished.ending == "stopped":
        if not sighting.on_screen.is_set():
            return Outcome("hang", 0, f"no picture after {START_SEC:.0f} s")
        if _stopped_drawing(trace, log):
            return Outcome("hang", frame, "the game stopped drawing")
        return Outcome("complete", trace.duration_frames)
    if finished.ending != "exited":
        return Outcome("limit", frame, f"the game {finished.describe()}")
    if finished.exit_code in (0, 1):
        return Outcome("quit", frame, "the game quit")
    return Outcome("crash", frame, f"the engine {finished.describe()}")


def _match(inputs: tuple[Input, ...], seen: list[tuple[int, dict[str, Any]]]) -> dict[int, int]:
    """Which input arrived on which frame: the n-th of its kind is the n-th that was sent."""
    waiting: dict[tuple[Any, ...], list[int]] = {}
    for index, item in enumerate(inputs):
        if not item.echo:
            waiting.setdefault(_identity(item), []).append(index)
    delivered: dict[int, int] = {}
    for frame, what in seen:
        if what.get("kind") == "motion":
            x, y = number(what.get("x"), 1e6), number(what.get("y"), 1e6)
            identity: tuple[Any, ...] = ("motion", round(x or 0), round(y or 0))
        else:
            control = number(what.get("control"), 1e9)
            identity = (short_text(what.get("kind"), 10), control, what.get("pressed") is True)
        if queue := waiting.get(identity):
            delivered[queue.pop(0)] = frame
    return delivered


def _identity(item: Input) -> tuple[Any, ...]:
    if item.kind == "motion":
        return "motion", item.x, item.y
    if item.kind == "button":
        return "button", _BUTTONS[item.button], item.pressed
    return "key", _GODOT_KEYS.get(item.keycode) or ord(item.keycode), item.pressed
