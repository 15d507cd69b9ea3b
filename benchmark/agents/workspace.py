"""The workspace an agent is given: instruction, empty project folder, art, engine, a tool to see its game."""

import shutil
from collections.abc import Callable
from pathlib import Path

from benchmark.agents.feedback import instruction_sections, tools_left_out
from benchmark.assets.library import library_folder
from benchmark.errors import InfrastructureError
from benchmark.runtime.display import HEIGHT, WIDTH, outside_its_root
from benchmark.runtime.machine import Machine
from benchmark.runtime.native import Library, build, library_path
from benchmark.runtime.sandbox import Mount
from benchmark.runtime.workdir import hand_over
from benchmark.workbench.look import SCRIPT

INSTRUCTION = "instruction.md"
PLACE = "workspace"  # in a sandbox, at the root
_ROOT_PLACE = "opt/gamecraft/root"
_KEYBOARD_PLACE = "opt/gamecraft/keyboard.so"
_TOOLS = Path(__file__).with_name("tools")


def lay_out_workspace(
    folder: Path, machine: Machine, write: Callable[[str], str], lay_out_start: Callable[[Path], None],
    feedback: str = "none",
) -> str:  # fmt: skip
    """Fill an empty folder; returns the instruction as the agent reads it.

    `write` makes the instruction for the place where the agent will find itself, `lay_out_start` its project folder.
    """
    confined = machine.sandbox.confined
    place = f"/{PLACE}" if confined else str(folder)
    instruction = write(place) + instruction_sections(place, feedback)
    (folder / INSTRUCTION).write_text(instruction, encoding="utf-8")
    lay_out_start(folder / "game")
    assets = folder / "assets"
    (assets / "library-oga").mkdir(parents=True)
    if confined:
        (assets / "library").mkdir()
    else:
        (assets / "library").symlink_to(library_folder())
    tools = folder / "tools"
    shutil.copytree(_TOOLS, tools, copy_function=shutil.copyfile)
    for name in tools_left_out(feedback):
        (tools / name).unlink()
    shutil.copyfile(SCRIPT, tools / SCRIPT.name)
    shutil.copyfile(relay(machine), tools / "bin/relay")
    for program in (*tools.iterdir(), *(tools / "bin").iterdir()):
        if program.is_file() and program.read_bytes()[:2] in (b"#!", b"\x7fE"):
            program.chmod(0o755)
    (tools / "runtime.sh").write_text(_runtime_script(machine), encoding="utf-8")
    hand_over(folder)
    return instruction


def relay(machine: Machine) -> Path:
    """The program by which tools reach the workbench."""
    return _built("relay", machine)


def porter(machine: Machine) -> Path:
    """The program that leads a sandbox without network to the gateway."""
    return _built("porter", machine)


def _built(name: Library, machine: Machine) -> Path:
    """Built now if this machine was set up before there was one."""
    if not library_path(name).exists():
        build(machine.userland, machine.sandbox)
    return library_path(name)


def sandboxed_mounts(workspace: Path, machine: Machine) -> list[Mount]:
    """What an agent sees of this machine besides the system's own programs."""
    mounts = [Mount(PLACE, workspace, "write")]
    if library_folder().is_dir():
        mounts.append(Mount(f"{PLACE}/assets/library", library_folder()))
    if machine.userland.is_host:
        mounts.append(Mount(str(machine.engine.program).lstrip("/"), machine.engine.program))
    else:
        mounts.append(Mount(_ROOT_PLACE, machine.userland.root))
        mounts.append(Mount(_KEYBOARD_PLACE, library_path("keyboard")))
    return mounts


def tool_environment(workspace: str) -> dict[str, str]:
    """Where an agent's tools are, by name."""
    return {"GAMECRAFT_WORKSPACE": workspace, "GAMECRAFT_TOOLS": f"{workspace}/tools"}


def _runtime_script(machine: Machine) -> str:
    """Shell functions that start engine and display, with the paths that the agent sees."""
    userland = machine.userland
    if not machine.engine.program.is_relative_to(userland.root):
        raise InfrastructureError(f"{machine.engine.program} is not part of {userland.root}")
    variables = {"GODOT_SILENCE_ROOT_WARNING": "1", "LIBGL_ALWAYS_SOFTWARE": "1", **userland.environment()}
    preload, options = outside_its_root(userland)
    lines = ["# how to start the engine and a virtual display here; written by the harness"]
    lines += [f"export {name}='{value}'" for name, value in variables.items()]
    lines += ["start_godot() {", f'\t{_words(userland.command(machine.engine.program))} "$@"', "}"]
    settings = " ".join(f"{name}='{value}'" for name, value in preload.items())
    screen = f"-screen 0 {WIDTH}x{HEIGHT}x24 -noreset -nolisten tcp"
    lines += [
        "start_display() {  # writes its number to the file $1",
        f"\t{settings} exec {_words(userland.command(machine.xvfb))} -displayfd 3 {screen} {_words(options)} \\",
        '\t\t3>"$1" >/dev/null 2>&1',
        "}",
    ]
    script = "\n".join(lines) + "\n"
    if machine.sandbox.confined and not userland.is_host:
        script = script.replace(str(library_path("keyboard")), f"/{_KEYBOARD_PLACE}")
        script = script.replace(str(userland.root), f"/{_ROOT_PLACE}")
    return script


def _words(command: tuple[str, ...]) -> str:
    return " ".join(f"'{word}'" for word in command)
