"""What can be asked of the workbench, as words of a command line. They come from agents: nothing is trusted."""

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

FPS = 30
MAX_FRAMES = 1800  # of a picture or a run: a minute of the game
MAX_SECONDS = 20
MAX_WORD_BYTES = 1 << 20  # a trace; native/relay.c reads no larger one
MAX_REQUEST_BYTES = MAX_WORD_BYTES + (64 << 10)
MAX_WORDS = 64
MCP = "mcp"
SCREENS = ("2D", "3D", "Script")  # of the editor

_SCENE = re.compile(r"(res|uid)://[^\x00-\x1f]{1,400}")
_PLAIN = re.compile(r"[^\x00-\x1f]{1,200}")


class MisuseError(ValueError):
    """What is wrong with a request, with how it is meant to be."""


@dataclass(frozen=True)
class ReplayRequest:
    """Which inputs are replayed: a trace that was sent along, demos of the project, or none for a while."""

    demo: str = ""
    trace: str | None = None  # the content of a trace file
    seconds: float | None = None
    video: bool = False


@dataclass(frozen=True)
class RunRequest:
    """The game, started at a scene, for some frames."""

    frames: int
    scene: str = ""
    scenario: str = ""


@dataclass(frozen=True)
class EditorRequest:
    scene: str = ""  # empty: the main scene
    screen: str = ""  # empty: the one that fits the scene


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise MisuseError(f"{message}\n{self.format_usage().strip()}")


def _scene(text: str) -> str:
    if not _SCENE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text[:80]!r} is no scene; one looks like res://main.tscn")
    return text


def _plain(text: str) -> str:
    if not _PLAIN.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text[:80]!r} is empty, too long, or has control characters")
    return text


def _frames(text: str) -> int:
    if not re.fullmatch(r"\d{1,5}", text) or not 1 <= int(text) <= MAX_FRAMES:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number from 1 to {MAX_FRAMES}")
    return int(text)


def _seconds(text: str) -> float:
    if not re.fullmatch(r"\d{1,2}(\.\d{1,3})?", text) or not 0.1 <= float(text) <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number of seconds from 0.1 to {MAX_SECONDS}")
    return float(text)


def _parser(command: str) -> _Parser:
    """One for each command, because the words before the command are the tool's own."""
    parser = _Parser(prog=command, add_help=False, allow_abbrev=False)
    if command == "replay":
        parser.add_argument("--demo", type=_plain, metavar="NAME")
        parser.add_argument("--trace", metavar="FILE")
        parser.add_argument("--seconds", type=_seconds, metavar="SEC")
        parser.add_argument("--video", action="store_true")
    elif command in ("screenshot", "errors"):
        parser.add_argument("--frames", type=_frames, default=60, metavar="N")
        parser.add_argument("--scene", type=_scene, metavar="res://…")
        parser.add_argument("--scenario", type=_plain, metavar="ID")
    elif command == "editor":
        parser.add_argument("--scene", type=_scene, metavar="res://…")
        parser.add_argument("--screen", choices=SCREENS)
    elif command == "art":
        parser.add_argument("pack", type=_plain, nargs="?")
    return parser


COMMANDS = ("check", "replay", "screenshot", "editor", "errors", "art")

Request = str | ReplayRequest | RunRequest | EditorRequest | None


def parse(words: Sequence[str]) -> tuple[str, Request]:
    """The command, and what it is asked. Raises MisuseError."""
    command = words[0] if words else ""
    if command not in COMMANDS:
        raise MisuseError(f"{command[:40]!r} is not known; one of {', '.join(COMMANDS)}")
    found = _parser(command).parse_args(list(words[1:]))
    if command == "replay":
        if sum(bool(one) for one in (found.demo, found.trace is not None, found.seconds)) > 1:
            raise MisuseError("--demo, --trace and --seconds do not go together")
        return command, ReplayRequest(found.demo or "", found.trace, found.seconds, found.video)
    if command in ("screenshot", "errors"):
        return command, RunRequest(found.frames, found.scene or "", found.scenario or "")
    if command == "editor":
        return command, EditorRequest(found.scene or "", found.screen or "")
    return command, (found.pack or "") if command == "art" else None
