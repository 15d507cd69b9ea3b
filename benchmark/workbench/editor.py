"""A picture of Godot's editor with a scene open, on a virtual display.

A plugin of ours takes the picture from inside the editor, because only there can be known when the editor has come to
rest. It runs on a copy of the project in which no other plugin is enabled; tool scripts of the scene do run, in the
sandbox, since what they draw is what people see in the editor.
"""

import shutil
from dataclasses import replace
from pathlib import Path

from benchmark.projects import settings
from benchmark.projects.project import PROJECT_FILE
from benchmark.projects.runlog import parse_log
from benchmark.runtime.display import virtual_display
from benchmark.runtime.machine import Machine
from benchmark.runtime.processes import Finished
from benchmark.runtime.sandbox import Job, Limits, Mount
from benchmark.runtime.tokens import cpu_token
from benchmark.runtime.workdir import hand_over, work_folder
from benchmark.untrusted import UnreadableFileError, read_bytes
from benchmark.workbench.answers import FAILED, OK, Answer
from benchmark.workbench.look import MAX_PICTURE_BYTES, ready, told
from benchmark.workbench.requests import EditorRequest

WIDTH, HEIGHT = 1536, 864  # the docks and the scene both need room; models scale down what is much larger
LIMITS = Limits(wall_sec=300, cpu_sec=300)  # on a crowded machine it takes minutes
_PLUGIN = Path(__file__).with_name("godot") / "editor.gd"
_SETTINGS = _PLUGIN.with_name("editor_settings.tres")  # no magnification, no naps
_NAME = "gamecraft_editor_picture"
_ENABLED = "editor_plugins/enabled"
_CONFIG = '[plugin]\nname="{name}"\ndescription=""\nauthor=""\nversion="1"\nscript="editor.gd"\n'


def editor_picture(folder: Path, machine: Machine, imports: Path, request: EditorRequest) -> Answer:
    """The whole window: the scene's tree, the files, the inspector on the scene's root."""
    prepared = ready(folder, machine, imports)
    if isinstance(prepared, Answer):
        return prepared
    with work_folder("editor", on_disk=True) as work, virtual_display(machine, WIDTH, HEIGHT) as display:
        project = Mount("project", work / "project", "write")
        shutil.copytree(prepared.folder, project.host, copy_function=shutil.copyfile)
        _add_plugin(project.host)
        out = Mount("out", work / "out", "write")
        out.host.mkdir()
        config = Mount("home/.config/godot", work / ".config/godot", "write")
        config.host.mkdir(parents=True)
        version = ".".join(map(str, machine.engine.number))
        shutil.copyfile(_SETTINGS, config.host / f"editor_settings-{version}.tres")
        for mount in (project, out, config):
            hand_over(mount.host)
        place = machine.sandbox.place
        shown = ("--scene", request.scene) if request.scene else ()
        arguments = (
            "--path", place(project), "--editor", "--single-window", "--audio-driver", "Dummy",
            "--display-driver", "x11", "--rendering-driver", "opengl3", "--rendering-method", "gl_compatibility",
            "--resolution", f"{WIDTH}x{HEIGHT}", "--position", "0,0", "--disable-vsync",
            "--", "--out", f"{place(out)}/editor.png", *shown,
            *(("--screen", request.screen) if request.screen else ()),
        )  # fmt: skip
        job = Job(
            machine.engine.program, arguments, (project, out, config), limits=LIMITS, home=work,
            env={"GODOT_SILENCE_ROOT_WARNING": "1", "LIBGL_ALWAYS_SOFTWARE": "1"},
        )  # fmt: skip
        with cpu_token():
            finished = machine.sandbox.run(replace(job, display=display))
        said = [line.removeprefix("editor: ") for line in finished.text.splitlines() if line.startswith("editor: ")]
        try:
            picture = read_bytes(out.host / "editor.png", MAX_PICTURE_BYTES)
        except UnreadableFileError:
            why = said[-1] if said else f"the editor {finished.describe()}"
            return Answer(f"no picture of the editor: {why}\n{_told(finished)}", FAILED)
    return Answer("\n".join((*said[-1:], _told(finished))), OK, picture)


def _told(finished: Finished) -> str:
    """What concerns the project: the editor also complains of what our display and sandbox lack."""
    return told(tuple(one for one in parse_log(finished.text) if one.file or "res://" in one.text))


def _add_plugin(project: Path) -> None:
    """Enable ours alone."""
    addon = project / "addons" / _NAME
    shutil.rmtree(addon, ignore_errors=True)
    addon.mkdir(parents=True)
    shutil.copyfile(_PLUGIN, addon / _PLUGIN.name)
    (addon / "plugin.cfg").write_text(_CONFIG.format(name=_NAME), encoding="utf-8")
    path = project / PROJECT_FILE
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    text = settings.without(text, lambda entry: entry.base_path == _ENABLED)
    text += f'\n[editor_plugins]\nenabled=PackedStringArray("res://addons/{_NAME}/plugin.cfg")\n'
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
