"""The game started once, at a frame and a scene: a picture of it, or what it printed."""

from dataclasses import replace
from pathlib import Path

from benchmark.projects.prepare import PreparedProject, prepare
from benchmark.projects.project import PROJECT_FILE, scan_project
from benchmark.projects.runlog import EngineMessage, parse_log
from benchmark.runtime.display import HEIGHT, WIDTH, virtual_display
from benchmark.runtime.machine import Machine
from benchmark.runtime.processes import Finished
from benchmark.runtime.sandbox import Job, Limits, Mount
from benchmark.runtime.tokens import cpu_token
from benchmark.runtime.workdir import hand_over, work_folder
from benchmark.untrusted import UnreadableFileError, read_bytes
from benchmark.workbench.answers import FAILED, OK, Answer
from benchmark.workbench.requests import FPS, RunRequest

SCRIPT = Path(__file__).with_name("godot") / "screenshot.gd"
LIMITS = Limits(wall_sec=300, cpu_sec=300)  # on a crowded machine it takes minutes
MAX_PICTURE_BYTES = 32 << 20
_MOST_TOLD = 40
_TAIL_LINES = 30


def ready(folder: Path, machine: Machine, imports: Path) -> PreparedProject | Answer:
    """The imported copy of a project, or why there is none."""
    project = scan_project(folder)
    if project.problem:
        return Answer(f"the project has {project.problem}", FAILED)
    if not project.has(PROJECT_FILE):
        return Answer(f"no {PROJECT_FILE} in the project folder", FAILED)
    prepared = prepare(project, machine, imports)
    return Answer(prepared.problem, FAILED) if prepared.problem else prepared


def screenshot(folder: Path, machine: Machine, imports: Path, request: RunRequest) -> Answer:
    """The game's own picture at a frame, 1280×720, with the errors it printed on the way there."""
    prepared = ready(folder, machine, imports)
    if isinstance(prepared, Answer):
        return prepared
    with work_folder("screenshot") as work, virtual_display(machine) as display:
        out = Mount("out", work / "out", "write")
        out.host.mkdir()
        hand_over(out.host)
        harness = Mount("harness", SCRIPT.parent)
        place = machine.sandbox.place
        arguments = (
            "--display-driver", "x11", "--rendering-driver", "opengl3", "--resolution", f"{WIDTH}x{HEIGHT}",
            "--position", "0,0", "--disable-vsync", "--script", f"{place(harness)}/{SCRIPT.name}", "--",
            "--out", f"{place(out)}/frame.png", "--frames", str(request.frames), *_where(request),
        )  # fmt: skip
        job = replace(_job(machine, prepared, work, arguments, (harness, out)), display=display)
        with cpu_token():
            finished = machine.sandbox.run(job)
        try:
            picture = read_bytes(out.host / "frame.png", MAX_PICTURE_BYTES)
        except UnreadableFileError:
            return Answer(f"no picture was drawn: {_ended(finished)}\n{_told(finished)}", FAILED)
    return Answer(f"frame {request.frames} ({request.frames / FPS:.1f} s)\n{_told(finished)}", OK, picture)


def errors(folder: Path, machine: Machine, imports: Path, request: RunRequest) -> Answer:
    """Run without a window for some frames; every error and warning, and the end of what the game printed."""
    prepared = ready(folder, machine, imports)
    if isinstance(prepared, Answer):
        return prepared
    where = ("--scene", request.scene) if request.scene else ()
    arguments = (
        "--headless", *where, "--quit-after", str(request.frames),
        *(("--", "--scenario", request.scenario) if request.scenario else ()),
    )  # fmt: skip
    with work_folder("errors") as work:
        job = _job(machine, prepared, work, arguments, ())
        with cpu_token():
            finished = machine.sandbox.run(job)
    failed = any(one.severity == "error" for one in parse_log(finished.text)) or finished.exit_code != 0
    said = "\n".join(finished.text.splitlines()[-_TAIL_LINES:])
    text = f"{request.frames} frames: {_ended(finished)}\n{_told(finished)}\n\nthe end of what it printed:\n{said}"
    return Answer(text, FAILED if failed else OK)


def told(messages: tuple[EngineMessage, ...]) -> str:
    """One line for each distinct message."""
    lines = [
        f"{one.severity}: {one}" + (f" (frame {one.frame})" if one.frame is not None and one.frame >= 0 else "")
        + (f" ×{one.count}" if one.count > 1 else "")
        for one in messages[:_MOST_TOLD]
    ]  # fmt: skip
    more = len(messages) - _MOST_TOLD
    return "\n".join([*lines, *([f"… and {more} more"] if more > 0 else [])]) or "no errors, no warnings"


def _told(finished: Finished) -> str:
    return told(parse_log(finished.text))


def _ended(finished: Finished) -> str:
    return "it ended as it should" if finished.exit_code == 0 and finished.ending == "exited" else finished.describe()


def _where(request: RunRequest) -> tuple[str, ...]:
    scene = ("--scene", request.scene) if request.scene else ()
    return (*scene, *(("--scenario", request.scenario) if request.scenario else ()))


def _job(
    machine: Machine, prepared: PreparedProject, home: Path, arguments: tuple[str, ...], more: tuple[Mount, ...]
) -> Job:
    project = Mount("project", prepared.folder)
    return Job(
        machine.engine.program,
        ("--path", machine.sandbox.place(project), "--audio-driver", "Dummy", "--fixed-fps", str(FPS), *arguments),
        (project, *more),
        env={"GODOT_SILENCE_ROOT_WARNING": "1", "LIBGL_ALWAYS_SOFTWARE": "1"},
        limits=LIMITS,
        home=home,
    )
