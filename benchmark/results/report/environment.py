"""The templates and what they are filled through. Every value is hostile: escaped, with nothing hidden in it."""

import base64
import hashlib
import re
from collections.abc import Iterable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from benchmark.results.report.section import Pages
from benchmark.results.tables import NOTHING, shown, visible

TEMPLATES = Path(__file__).with_name("templates")


@cache
def environment() -> Environment:
    """Autoescape for all templates; unknown names are errors of ours and are not hidden."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, finalize=_finalize,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    env.filters |= {
        "percent": percent, "score": score, "heat": heat, "duration": duration, "moment": moment, "width": width,
        "lead": lead, "rest": rest, "shown": shown, "clock": clock,
    }  # fmt: skip
    style = "".join((TEMPLATES / name).read_text(encoding="utf-8") for name in ("style.css", "session.css"))
    script = "".join((TEMPLATES / name).read_text(encoding="utf-8") for name in ("demo.js", "player.js", "session.js"))
    env.globals |= {"style": Markup(style), "script": Markup(script), "policy": _policy(style, script)}
    return env


def environment_of(tracks: Iterable[Pages]) -> Environment:
    """With the templates of these tracks beside the shared ones, and what they bring of sheets and scripts."""
    shared = environment()
    folders = [one.templates for one in tracks if one.templates is not None]
    found = shared.overlay(loader=FileSystemLoader([TEMPLATES, *folders]))
    style, script = (
        str(shared.globals[name]) + "".join(path.read_text(encoding="utf-8") for path in _all(folders, ending))
        for name, ending in (("style", "*.css"), ("script", "*.js"))
    )
    # a dict of its own: overlays share that of the environment which they cover
    own = {"style": Markup(style), "script": Markup(script), "policy": _policy(style, script)}
    found.globals = {**shared.globals, **own}
    return found


def _all(folders: Iterable[Path], ending: str) -> list[Path]:
    return [path for folder in folders for path in sorted(folder.glob(ending))]


def _policy(style: str, script: str) -> str:
    """Only this very style and script, only pictures and films from where the page lies; no request goes anywhere.

    `'self'` alone does not cover pages opened from a disk in every browser, hence `file:`.
    """
    sources = {"style-src": style, "script-src": script}
    inline = [f"{kind} 'sha256-{_hash(text)}'" for kind, text in sources.items()]
    local = [f"{kind} 'self' file:" for kind in ("img-src", "media-src")]
    return "; ".join(["default-src 'none'", *inline, *local, "base-uri 'none'", "form-action 'none'"])


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _finalize(value: Any) -> Any:
    """Applied to whatever a template prints; Markup is ours alone."""
    if value is None:
        return NOTHING
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def percent(value: float | None) -> str:
    """As the paper prints it."""
    return NOTHING if value is None else f"{value * 100:.2f}"


def score(value: float | None) -> str:
    """Of an item, where two decimals are what a judge gives."""
    return NOTHING if value is None else f"{value:.2f}"


def heat(value: float | None) -> str:
    """The class of a cell's colour, in ten steps."""
    return "heat-none" if value is None else f"heat-{min(max(round(value * 10), 0), 10)}"


def width(value: float | None) -> str:
    """For the attribute of a bar."""
    return f"{min(max(value or 0.0, 0.0), 1.0) * 100:.2f}%"


def duration(value: float | None) -> str:
    """`3.4 s`, `8 min`, `2.1 h`."""
    if value is None:
        return NOTHING
    if value < 60:
        return f"{value:.1f} s"
    return f"{value / 60:.0f} min" if value < 5400 else f"{value / 3600:.1f} h"


def clock(value: float | None) -> str:
    """`3.4 s`, `8:05`, `1:02:03`: where seconds of a long time matter."""
    if value is None:
        return NOTHING
    if value < 60:
        return f"{value:.0f} s" if value == int(value) else f"{value:.1f} s"
    minutes, seconds = divmod(round(value), 60)
    return f"{minutes}:{seconds:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def moment(value: str) -> str:
    """A time of a record, to the minute."""
    try:
        return datetime.fromisoformat(value).strftime("%Y-%m-%d %H:%M UTC")
    except ValueError:
        return value or NOTHING


_SENTENCE = re.compile(r"(.{3,200}?[.])\s+(\S.*)", re.DOTALL)


def lead(text: str) -> str:
    """The first sentence of a rubric item, which names what is looked for."""
    match = _SENTENCE.match(text)
    return match[1] if match else text


def rest(text: str) -> str:
    match = _SENTENCE.match(text)
    return match[2] if match else ""
