"""What the engine loads of a project before any autoload, and so before our script. All of it may hold code that runs.

These are a theme, a font, the buses for sound, the default environment, textures that shaders share, and classes that
read or write files of a new kind. Where our script is told what the game must not know, they are held back until it
has been told: then it gives them back itself (godot/held_back.gd). Textures that shaders share are not given back.
"""

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from benchmark.projects import settings
from benchmark.projects.indexes import CLASSES
from benchmark.projects.project import PROJECT_FILE

SCRIPT = Path(__file__).with_name("godot") / "held_back.gd"
LIST = "held_back.json"
THEME = "theme.tres"  # empty and ours: the project's own is merged into it
_BUSES = "audio/buses/default_bus_layout"
_SETTINGS = {
    "gui/theme/custom": "",
    "gui/theme/custom_font": "",
    "rendering/environment/defaults/default_environment": "",
    _BUSES: "res://default_bus_layout.tres",  # also where the project says nothing
}
_READERS = re.compile(r'&"ResourceFormat(?:Loader|Saver)"')
_CLASS = re.compile(
    r'"base": &"(?P<base>\w+)",\s*"class": &"(?P<name>\w+)".*?"path": (?P<path>"(?:[^"\\]|\\.)*")', re.DOTALL
)


@dataclass(frozen=True)
class HeldBack:
    """Two files without what is held back, and what that is: settings by name, scripts of readers and writers."""

    settings_text: str
    classes_text: str
    settings: dict[str, str]
    readers: tuple[str, ...]

    def lay_out(self, harness: Path) -> dict[str, Path]:
        """Write everything into our folder; what lies over which file of the project."""
        told = {"settings": self.settings, "readers": self.readers}
        (harness / LIST).write_text(json.dumps(told), encoding="ascii")
        (harness / THEME).write_text('[gd_resource type="Theme" format=3]\n\n[resource]\n', encoding="ascii")
        shutil.copyfile(SCRIPT, harness / SCRIPT.name)
        over = {PROJECT_FILE: self.settings_text} | ({CLASSES: self.classes_text} if self.classes_text else {})
        for name, text in over.items():
            (harness / Path(name).name).write_text(text, encoding="utf-8", errors="surrogateescape")
        return {name: harness / Path(name).name for name in over}


def hold_back(project: Path) -> HeldBack:
    """Of an imported project."""
    text = (project / PROJECT_FILE).read_text(encoding="utf-8", errors="surrogateescape")
    classes_file = project / CLASSES
    classes = classes_file.read_text(encoding="utf-8") if classes_file.is_file() else ""
    found = settings.entries(text)
    chosen = {name: settings.value_of(found, name) or default for name, default in _SETTINGS.items()}
    return HeldBack(
        settings.without(text, _is_early), _READERS.sub('&"RefCounted"', classes),
        {name: value for name, value in chosen.items() if value}, tuple(_readers(classes)),
    )  # fmt: skip


def instead(harness: str) -> dict[str, str]:
    """Settings that stand in for those that are held back; `harness` is our folder as the engine sees it."""
    return {_BUSES: '""', "gui/theme/custom": f'"{harness}/{THEME}"'}


def _is_early(entry: settings.Setting) -> bool:
    if entry.path.startswith("shader_globals/"):
        return "sampler" in entry.value or "\\" in entry.value  # other kinds name no file
    return entry.base_path in _SETTINGS


def _readers(classes: str) -> list[str]:
    """The scripts that the engine would make readers or writers of files, also by way of other global classes."""
    found = {match["name"]: match for match in _CLASS.finditer(classes)}
    wanted: list[str] = []
    for match in found.values():
        base, seen = match["base"], {match["name"]}
        while base in found and base not in seen:
            seen.add(base)
            base = found[base]["base"]
        if base in ("ResourceFormatLoader", "ResourceFormatSaver"):
            wanted.append(json.loads(match["path"], strict=False))
    return wanted
