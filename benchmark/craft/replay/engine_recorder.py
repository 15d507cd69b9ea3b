"""The default recorder: the engine is driven frame by frame, faster than real time, the same on every run."""

import hashlib
import json
import secrets
import shutil
import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmark.craft.inputs import Input, expand
from benchmark.craft.replay.channel import Channel, Kind, Message
from benchmark.craft.replay.evidence import (
    Evidence,
    FrameStatistics,
    Outcome,
    RecorderSettings,
    sample_window,
)
from benchmark.craft.replay.gamelog import GameLog
from benchmark.craft.replay.pictures import PictureSink, VideoWriter
from benchmark.craft.replay.pointer import Pointer, track_pointer
from benchmark.craft.replay.writing import finish_evidence, input_log
from benchmark.craft.traces import FPS, Trace
from benchmark.errors import InfrastructureError
from benchmark.projects.launch import game_job
from benchmark.projects.prepare import PreparedProject
from benchmark.runtime.arithmetic import MATHS, this_processor
from benchmark.runtime.display import HEIGHT, WIDTH, virtual_display
from benchmark.runtime.machine import Machine
from benchmark.runtime.processes import Finished
from benchmark.runtime.sandbox import Access, Job, Limits, Mount
from benchmark.runtime.workdir import work_folder

SCRIPTS = tuple(Path(__file__).parents[1] / "godot" / name for name in ("replayer.gd", "hostlink.gd", "observer.gd"))
LIMITS = Limits(wall_sec=600, cpu_sec=900)
STALL_SEC = 20.0  # without a new frame: the game hangs
_FAREWELL_SEC = 5.0
_MESA_INDEX = "mesa_shader_cache/index"


@dataclass
class _Take:
    """What has arrived from the game so far."""

    sink: PictureSink
    delivered: dict[int, int] = field(default_factory=dict)
    states: list[dict[str, Any]] = field(default_factory=list)
    fingerprints: dict[int, int] = field(default_factory=dict)
    pinned: dict[str, Any] = field(default_factory=dict)
    frames: int = 0
    drawn: int = 0
    summary: dict[str, Any] = field(default_factory=dict)
    failure: InfrastructureError | None = None

    def handle(self, message: Message) -> None:
        if message.kind == Kind.FRAME:
            shape = (message.c, message.b, 4)
            self.sink.add(message.a, np.frombuffer(message.payload, dtype=np.uint8).reshape(shape))
        elif message.kind == Kind.STATE:
            self.states.append({"frame": message.a, **(message.json() or {})})
        elif message.kind == Kind.INPUT:
            self.delivered.setdefault(message.a, message.b)
        elif message.kind == Kind.SAME:
            self.sink.repeat(message.a)
        elif message.kind == Kind.POINTER:
            if self.sink.pointer is not None:
                self.sink.pointer.learn(message.json())
        elif message.kind == Kind.PRINT:
            self.fingerprints[message.a] = message.b
        elif message.kind == Kind.HELLO:
            self.pinned = message.json() or {}
        else:
            self.frames, self.drawn = message.a, message.b
            self.summary = message.json() or {}


def record(
    prepared: PreparedProject,
    trace: Trace,
    settings: RecorderSettings,
    machine: Machine,
    out: Path,
    *,
    software_threads: int = 2,
) -> Evidence:
    """Play one demo and leave its evidence in `out`, an empty folder. `software_threads` draw the picture."""
    began = time.monotonic()
    (out / "frames").mkdir()
    window = sample_window(prepared.digest, trace.digest, trace.duration_frames, settings.window_frames)
    video_every = FPS // settings.video_fps if settings.video_fps else 0
    video = VideoWriter(machine.ffmpeg, out / "video.mp4", settings.video_fps) if video_every else None
    try:
        inputs = expand(trace)
        track = track_pointer(trace, inputs) if settings.pointer else None
        sink = PictureSink(
            out, settings.still_every_frames, *window, settings.still_quality, video, video_every,
            Pointer(track) if track else None,
        )  # fmt: skip
        take = _Take(sink)
        log = GameLog(f"\x1e{secrets.token_hex(8)} ")
        configuration = _configuration(trace, inputs, settings, window, video_every, log, prepared)
        finished, ended = _play(prepared, trace, machine, take, log, configuration, software_threads)
        played_sec = time.monotonic() - began
        if take.failure is not None:
            raise take.failure
        finished_video = video.close() if video else None
    finally:
        if video:
            video.abort()
    outcome = _outcome(finished, ended, take, log, trace)
    evidence = Evidence(
        demo=trace.name,
        scenario=trace.scenario,
        project_digest=prepared.digest,
        trace_digest=trace.digest,
        engine_version=machine.engine.version,
        settings=settings,
        outcome=outcome,
        window=window,
        frames=FrameStatistics(trace.duration_frames, take.frames or log.frame + 1),
        stills=tuple(sink.stills),
        video=finished_video,
        pixels=tuple(sink.pixels),
        inputs_sent=len(inputs),
        inputs_delivered=len(take.delivered),
        # What the engine says while it shuts down is cut off sooner or later: it is no part of the demo.
        messages=tuple(one for one in log.messages(finished.text) if (one.frame or 0) < trace.duration_frames),
        pinned=_pinned(take.pinned, machine),
    )
    timing = {
        "wall_sec": time.monotonic() - began,
        "played_sec": played_sec,
        "frames_drawn": take.drawn,
        "processor": this_processor(),
        **take.summary,
    }
    if settings.fingerprints:
        (out / "fingerprints.json").write_text(json.dumps(sorted(take.fingerprints.items())), encoding="ascii")
    return finish_evidence(evidence, out, input_log(trace, inputs, take.delivered), take.states, finished.text, timing)


def _configuration(
    trace: Trace,
    inputs: tuple[Input, ...],
    settings: RecorderSettings,
    window: tuple[int, int],
    video_every: int,
    log: GameLog,
    prepared: PreparedProject,
) -> dict[str, Any]:
    rows = [[i.frame, i.kind, i.x, i.y, i.button or i.keycode, i.pressed, i.echo] for i in inputs]
    return {
        "marker": log.marker,
        "frames": trace.duration_frames,
        "first": window[0],
        "last": window[1],
        "still_every": settings.still_every_frames,
        "video_every": video_every,
        "fingerprints": settings.fingerprints,
        "inputs": rows,
        "seed": settings.seed,
        "draw_all": reads_pixels(prepared),
    }


def reads_pixels(prepared: PreparedProject) -> bool:
    """A game that looks at its own picture must have every frame drawn."""
    return any(b"get_image(" in path.read_bytes() for path in prepared.folder.rglob("*.gd"))


def _play(
    prepared: PreparedProject,
    trace: Trace,
    machine: Machine,
    take: _Take,
    log: GameLog,
    configuration: dict[str, Any],
    software_threads: int,
) -> tuple[Finished, bool]:
    """Run the game to its end; True if the replayer said END itself."""
    with work_folder("replay") as work, virtual_display(machine) as display:
        for script in SCRIPTS:
            (work / script.name).write_bytes(script.read_bytes())
        with work_folder("channel") as channel_folder, Channel(channel_folder) as channel:
            ended: list[bool] = []
            gone = threading.Event()

            def receive() -> None:
                try:
                    ended.append(channel.receive(configuration, take.handle))
                except InfrastructureError as error:
                    take.failure = error
                finally:
                    gone.set()

            receiver = threading.Thread(target=receive, daemon=True)
            receiver.start()
            job = _job(prepared, trace, machine, work, channel_folder, software_threads)
            with machine.sandbox.start(replace(job, display=display), log.watch) as running:
                running.wait(until=lambda: gone.is_set() or log.stalled_for() > STALL_SEC)
                if gone.is_set() and not (ended and ended[0]):
                    # The connection ends a moment before a game that quits or crashes is gone itself.
                    lost = time.monotonic()
                    running.wait(until=lambda: time.monotonic() - lost > _FAREWELL_SEC)
                finished = running.stop()
            if finished.ending != "stopped":  # it ended by itself: what it sent last is still on its way
                gone.wait(5)
            channel.close()
            receiver.join(10)
    return finished, bool(ended and ended[0])


def _job(
    prepared: PreparedProject,
    trace: Trace,
    machine: Machine,
    work: Path,
    channel_folder: Path,
    software_threads: int,
) -> Job:
    channel = Mount("channel", channel_folder)
    extra = [channel]
    env = {
        "GAMECRAFT_CHANNEL": f"{machine.sandbox.place(channel)}/socket",
        "LP_NUM_THREADS": str(software_threads),
        # a frame is 3.7 MB: by default each one is mapped, faulted in and unmapped again
        "GLIBC_TUNABLES": f"{MATHS}:glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=268435456",
    }
    if machine.clock_library is not None:
        library = Mount("clock.so", machine.clock_library)
        extra.append(library)
        env["LD_PRELOAD"] = machine.sandbox.place(library)
    if machine.graphics_cache is not None and machine.sandbox.confined:
        access: Access = "write" if machine.graphics_writable else "read"
        extra.append(Mount("home/.cache", machine.graphics_cache, access))
        index = machine.graphics_cache / _MESA_INDEX
        if access == "read" and index.exists():  # Mesa reads its cache only if it can write this one file
            private = channel_folder / "mesa-index"
            shutil.copyfile(index, private)
            private.chmod(0o666)
            extra.append(Mount(f"home/.cache/{_MESA_INDEX}", private, "write"))
    arguments = (
        "--display-driver", "x11", "--rendering-driver", "opengl3", "--resolution", f"{WIDTH}x{HEIGHT}",
        "--position", "0,0", "--fixed-fps", str(FPS), "--disable-vsync",
        *(("--", "--scenario", trace.scenario) if trace.scenario else ()),
    )  # fmt: skip
    return game_job(machine, prepared, work, "replayer.gd", arguments, LIMITS, env, tuple(extra))


def _outcome(finished: Finished, ended: bool, take: _Take, log: GameLog, trace: Trace) -> Outcome:
    if ended and take.frames == trace.duration_frames:
        return Outcome("complete", trace.duration_frames)
    frame = max(log.frame, 0)
    if not take.pinned and finished.ending == "exited" and "replayer: no host" in finished.text:
        raise InfrastructureError("the replayer could not reach the host", fix="python -m benchmark doctor")
    if ended:
        return Outcome("tampered", frame, f"the replay ended after {take.frames} frames")
    if finished.ending == "stopped":
        if log.stalled_for() > STALL_SEC:
            return Outcome("hang", frame, f"no new frame for {STALL_SEC:.0f} s")
        return Outcome("tampered", frame, "the game removed the replayer")
    if finished.ending == "wall time":
        return Outcome("hang", frame, f"not finished after {LIMITS.wall_sec:.0f} s")
    if finished.ending != "exited":
        return Outcome("limit", frame, f"the game {finished.describe()}")
    if finished.exit_code in (0, 1):
        return Outcome("quit", frame, "the game quit")
    return Outcome("crash", frame, f"the engine {finished.describe()}")


def _pinned(reported: dict[str, Any], machine: Machine) -> dict[str, Any]:
    """What was pinned in this run, as checked inside it, and what drew the picture."""
    return {
        "clock": reported.get("clock") is True,
        "pointer": reported.get("pointer") is True,
        "library": machine.clock_library.name if machine.clock_library else None,
        "sandboxed": machine.sandbox.confined,
        "adapter": str(reported.get("adapter", ""))[:200],
        "api": str(reported.get("api", ""))[:200],
        "arithmetic": str(reported.get("arithmetic", ""))[:200] or None,
    }


def scripts_digest() -> str:
    """Changes when what we run inside the game changes, so that old evidence is not taken for new."""
    return hashlib.sha256(json.dumps([p.read_text(encoding="utf-8") for p in SCRIPTS]).encode()).hexdigest()[:16]
