"""`--agent`: from what a user types to an agent.

oracle | nop                      built in
NAME=COMMAND                      a shell command, run in the workspace
path/to/profile.toml              the same with keys, folders and limits named in a file
and what tracks know besides: see `OwnAgents` in tracks.py
"""

import re
from pathlib import Path
from typing import Any

from benchmark.agents.builtin import NopAgent, OracleAgent
from benchmark.agents.command import DISK_FILES, DISK_MB, CommandAgent
from benchmark.agents.outages import read_outages
from benchmark.agents.protocol import FEEDBACKS, Agent
from benchmark.errors import UsageError
from benchmark.tasks import TaskError, read_toml
from benchmark.tracks import all_tracks

BUILT_IN: dict[str, Agent] = {"oracle": OracleAgent(), "nop": NopAgent()}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


def parse_agent(text: str) -> Agent:
    """The agent that a value of `--agent` names. Cheap: nothing is started."""
    if text in BUILT_IN:
        return BUILT_IN[text]
    for track in all_tracks().values():
        if track.agents and (own := track.agents.parse(text)):
            return own
    if text.endswith(".toml"):
        return _from_file(Path(text))
    name, equals, command = text.partition("=")
    if equals and command.strip():
        return CommandAgent(_checked_name(name, "--agent"), command.strip())
    raise UsageError(f"--agent: {text!r} is no agent", fix=f"one of: {ways()}")


def ways() -> str:
    """How agents are named, for people."""
    own = [f"{track.agents.words} (track {name})" for name, track in all_tracks().items() if track.agents]
    return ", ".join(["oracle", "nop", "NAME=COMMAND", *own, "or a profile file *.toml"])


def _from_file(path: Path) -> CommandAgent:
    try:
        data = read_toml(path.resolve())
    except TaskError as error:
        raise UsageError(f"--agent: {error.message.replace(str(path.resolve()), str(path))}") from error
    kind = data.get("kind", "command")
    if kind != "command":
        raise UsageError(f"{path}: kind: {kind!r} is not known; 'command' is")
    limits = {"memory_mb", "disk_mb", "disk_files", "timeout_sec"}
    known = {"name", "kind", "command", "env", "read", "network", "feedback", "outage", *limits}
    if unknown := sorted(set(data) - known):
        raise UsageError(f"{path}: {', '.join(unknown)}: not known", fix=f"allowed are {', '.join(sorted(known))}")
    timeout = data.get("timeout_sec")
    feedback = data.get("feedback", "none")
    if feedback not in FEEDBACKS:
        raise UsageError(f"{path}: feedback: {feedback!r} is not one of {', '.join(FEEDBACKS)}")
    return CommandAgent(
        _checked_name(str(data.get("name", path.stem)), f"{path}: name"),
        _typed(data, "command", str, path, None),
        tuple(_strings(data, "env", path)),
        tuple(path.resolve().parent / Path(item).expanduser() for item in _strings(data, "read", path)),
        _typed(data, "network", bool, path, True),
        _typed(data, "memory_mb", int, path, 8192),
        float(timeout) if isinstance(timeout, int | float) else None,
        feedback,
        _typed(data, "disk_mb", int, path, DISK_MB),
        _typed(data, "disk_files", int, path, DISK_FILES),
        read_outages(data, path),
        path.resolve().parent,
    )


def _typed(data: dict[str, Any], key: str, kind: type, path: Path, default: Any) -> Any:
    value = data.get(key, default)
    if type(value) is not kind:
        raise UsageError(f"{path}: {key}: {value!r} is not a {kind.__name__}")
    return value


def _strings(data: dict[str, Any], key: str, path: Path) -> list[str]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise UsageError(f"{path}: {key}: a list of texts is needed, not {value!r}")
    return value


def _checked_name(name: str, where: str) -> str:
    if not _NAME.fullmatch(name) or name in BUILT_IN:
        raise UsageError(f"{where}: {name!r} cannot name an agent", fix="use letters, digits, dots, hyphens")
    return name
