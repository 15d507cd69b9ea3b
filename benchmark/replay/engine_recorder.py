"""The default recorder: the engine is driven frame by frame, faster than real time, the same on every run."""

import hashlib
import json
import secrets
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmark.errors import InfrastructureError
from benchmark.projects.launch import GameStart, HostScript, game_job
from benchmark.projects.prepare import PreparedProject
from benchmark.replay.channel import Channel
from benchmark.replay.evidence import (
    Evidence,
    FrameStatistics,
    Outcome,
    sample_window,
)
from benchmark.replay.evidence_files import finish_evidence, input_log
from benchmark.replay.gamelog import GameLog, remarks
from benchmark.replay.inputs import expand
from benchmark.replay.lockstep import Conversation, Schedule
from benchmark.replay.pictures import PictureSink, VideoWriter
from benchmark.replay.pointer import Pointer, track_pointer
from benchmark.replay.take import Take
from benchmark.replay.take_order import TakeOrder
from benchmark.replay.traces import FPS, Trace
from benchmark.runtime.arithmetic import MATHS, this_processor
from benchmark.runtime.display import HEIGHT, WIDTH, virtual_display
from benchmark.runtime.machine import Machine
from benchmark.runtime.processes import Finished
from benchmark.runtime.sandbox import Access, Job, Limits, Mount
from benchmark.runtime.workdir import work_folder

SCRIPTS = tuple(Path(__file__).with_name("godot") / name for name in ("replayer.gd", "hostlink.gd", "observer.gd"))
LIMITS = Limits(wall_sec=600, cpu_sec=900)
STALL_SEC = 20.0  # without a new frame: the game hangs
_FAREWELL_SEC = 5.0
_MESA_INDEX = "mesa_shader_cache/index"


def record(
    prepared: PreparedProject,
    order: TakeOrder,
    machine: Machine,
    out: Path,
    *,
    software_threads: int = 2,
    witness: Callable[[Machine], None] | None = None,
) -> Evidence:
    """Play one demo and leave its evidence in `out`, an empty folder. `software_threads` draw the picture.

    An order with a window of its own is only compared with: of what is drawn for its video, no video is made.
    `witness` raises if no game can reach us. It is asked about a game that never did: what that one says of it, it may
    say to be void.
    """
    began = time.monotonic()
    (out / "frames").mkdir()
    trace, settings, window = order
    inputs = expand(trace)
    video_every = FPS // settings.video_fps if settings.video_fps else 0
    filmed = video_every > 0 and window is None
    if window is None:
        window = sample_window(prepared.digest, trace.digest, trace.duration_frames, settings.window_frames)
    schedule = Schedule(
        frames=trace.duration_frames,
        inputs=inputs,
        window=window,
        still_every=settings.still_every_frames,
        video_every=video_every,
        fingerprints=settings.fingerprints,
    )
    video = VideoWriter(machine.ffmpeg, out / "video.mp4", settings.video_fps) if filmed else None
    try:
        track = track_pointer(trace, inputs) if settings.pointer else None
        sink = PictureSink(
            folder=out, still_every=settings.still_every_frames, first_frame=window[0], last_frame=window[1],
            quality=settings.still_quality, video=video, video_every=video_every,
            pointer=Pointer(track) if track else None,
        )  # fmt: skip
        take = Take(sink, Conversation(schedule))
        log = GameLog(f"\x1e{secrets.token_hex(8)} ", lambda: take.conversation.frame)
        configuration = {
            "marker": log.marker,
            "fingerprints": settings.fingerprints,
            "seed": settings.seed,
            "draw_all": reads_pixels(prepared),
        }
        make_job = partial(_job, prepared, trace, machine, software_threads)
        try:
            played = _play(machine, make_job, take, log, configuration)
        finally:
            take.close()
        if not played.connected:
            if witness is None:
                raise InfrastructureError("the replayer could not reach the host", fix="python -m benchmark doctor")
            witness(machine)
        played_sec = time.monotonic() - began
        finished_video = video.close() if video else None
    finally:
        if video:
            video.abort()
    evidence = Evidence(
        demo=trace.name,
        scenario=trace.scenario,
        project_digest=prepared.digest,
        trace_digest=trace.digest,
        engine_version=machine.engine.version,
        settings=settings,
        outcome=_outcome(played, take, log),
        window=window,
        frames=FrameStatistics(trace.duration_frames, take.frames_played(log.frame + 1)),
        stills=tuple(sink.stills),
        video=finished_video,
        pixels=tuple(sink.pixels),
        inputs_sent=len(inputs),
        inputs_delivered=len(take.delivered),
        # What the engine says while it shuts down is cut off sooner or later: it is no part of the demo.
        messages=tuple(
            one for one in log.messages(played.finished.text) if (one.frame or 0) < trace.duration_frames
        ) + remarks(take.notes),
        pinned=_pinned(take.about, machine),
    )  # fmt: skip
    timing = {
        "wall_sec": time.monotonic() - began,
        "played_sec": played_sec,
        "frames_drawn": take.drawn,
        "processor": this_processor(),
        "draw_stride": take.draw_stride,
    }
    if settings.fingerprints:
        (out / "fingerprints.json").write_text(json.dumps(sorted(take.fingerprints.items())), encoding="ascii")
    given = input_log(trace, inputs, take.delivered)
    return finish_evidence(evidence, out, given, take.states, played.finished.text, timing)


def reads_pixels(prepared: PreparedProject) -> bool:
    """A game that looks at its own picture must have every frame drawn."""
    scripts = (path for path in prepared.folder.rglob("*.gd") if path.is_file())  # a folder may have such a name
    return any(b"get_image(" in path.read_bytes() for path in scripts)


@dataclass(frozen=True)
class _Played:
    """How a run ended. `ended`: the replayer said so itself; `fault`: what the game said that it does not say."""

    finished: Finished
    ended: bool
    fault: str
    connected: bool


def _play(
    machine: Machine, make_job: Callable[[Path, Path], Job], take: Take, log: GameLog, configuration: dict[str, Any]
) -> _Played:
    """Run the game to its end. Its job is made from a folder to work in, and the one with the socket."""
    with work_folder("replay") as work, virtual_display(machine) as display:
        for script in SCRIPTS:
            (work / script.name).write_bytes(script.read_bytes())
        with work_folder("channel") as channel_folder, Channel(channel_folder) as channel:
            ended: list[bool] = []
            failures: list[Exception] = []
            gone = threading.Event()

            def receive() -> None:
                try:
                    ended.append(channel.receive(configuration, take.handle))
                except Exception as error:  # raised below, in the thread that records
                    failures.append(error)
                finally:
                    gone.set()

            receiver = threading.Thread(target=receive, daemon=True)
            receiver.start()
            job = make_job(work, channel_folder)
            with machine.sandbox.start(replace(job, display=display), log.watch) as running:
                running.wait(until=lambda: gone.is_set() or log.stalled_for() > STALL_SEC)
                if gone.is_set() and not (ended and ended[0]) and not channel.fault:
                    # The connection ends a moment before a game that quits or crashes is gone itself.
                    lost = time.monotonic()
                    running.wait(until=lambda: time.monotonic() - lost > _FAREWELL_SEC)
                finished = running.stop()
            if finished.ending != "stopped":  # it ended by itself: what it sent last is still on its way
                gone.wait(5)
            channel.close()
            receiver.join(10)
    if failures:
        raise failures[0]
    return _Played(finished, bool(ended and ended[0]), channel.fault, channel.connected)


def _job(
    prepared: PreparedProject, trace: Trace, machine: Machine, software_threads: int, work: Path, channel_folder: Path
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
    ours = HostScript(work, "replayer.gd")
    return game_job(machine, prepared, ours, GameStart(arguments, LIMITS, env, tuple(extra)))


def _outcome(played: _Played, take: Take, log: GameLog) -> Outcome:
    finished = played.finished
    if played.ended:
        return Outcome("complete", take.conversation.schedule.frames)
    frame = max(log.frame, 0)
    if played.fault:
        return Outcome("tampered", frame, f"the game spoke for the replayer: {played.fault}")
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
        "clock": reported.get("clock", False),
        "pointer": reported.get("pointer", False),
        "library": machine.clock_library.name if machine.clock_library else None,
        "sandboxed": machine.sandbox.confined,
        "adapter": reported.get("adapter") or "",
        "api": reported.get("api") or "",
        "arithmetic": reported.get("arithmetic") or None,
    }


def scripts_digest() -> str:
    """Changes when what we run inside the game changes, so that old evidence is not taken for new."""
    return hashlib.sha256(json.dumps([p.read_text(encoding="utf-8") for p in SCRIPTS]).encode()).hexdigest()[:16]
