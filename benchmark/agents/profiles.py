"""`--agent`: from what a user types to an agent.

oracle | nop                      built in
NAME | NAME@MODEL                 a profile of agents.toml: here, in the user's configuration, or one that comes along
NAME=COMMAND                      a shell command, run in the workspace
path/to/profile.toml              one profile in a file of its own
and what tracks know besides: see `OwnAgents` in tracks.py
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmark.agents.adapters import adapter_of
from benchmark.agents.builtin import NopAgent, OracleAgent
from benchmark.agents.command import DISK_FILES, DISK_MB, CommandAgent
from benchmark.agents.gateway.endpoint import STALL_SEC
from benchmark.agents.gateway.ledger import read_prices
from benchmark.agents.outages import read_outages
from benchmark.agents.program import OUTAGE_SEC, POLICIES, RETRY_SEC, ProgramAgent
from benchmark.agents.protocol import FEEDBACKS, Agent
from benchmark.errors import UsageError
from benchmark.tasks import TaskError, read_toml
from benchmark.tracks import all_tracks

BUILT_IN: dict[str, Agent] = {"oracle": OracleAgent(), "nop": NopAgent()}
PROFILES = "agents.toml"
_OURS = Path(__file__).with_name(PROFILES)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,79}")
_COMMON = {"name", "kind", "env", "read", "network", "feedback", "memory_mb", "disk_mb", "disk_files", "timeout_sec"}
_OF_COMMANDS = _COMMON | {"command", "outage"}
_OF_PROGRAMS = _COMMON | {
    "model", "effort", "base_url", "key", "arguments", "program", "max_turns", "max_cost_usd", "prices", "aliases",
    "stall_sec", "outage_sec", "retry_sec",
}  # fmt: skip


def parse_agent(text: str) -> Agent:
    """The agent that a value of `--agent` names. Cheap: nothing is started."""
    if text in BUILT_IN:
        return BUILT_IN[text]
    for track in all_tracks().values():
        if track.agents and (own := track.agents.parse(text)):
            return own
    if text.endswith(".toml"):
        path = Path(text)
        data = _read(path)
        return _profile(data, path, "", str(data.get("name", path.stem)))
    name, equals, command = text.partition("=")
    if equals and command.strip():
        return CommandAgent(_checked_name(name, "--agent"), command.strip())
    return _named(text)


def ways() -> str:
    """How agents are named, for people."""
    own = [f"{track.agents.words} (track {name})" for name, track in all_tracks().items() if track.agents]
    return ", ".join(["oracle", "nop", "NAME", "NAME@MODEL", "NAME=COMMAND", *own, "or a profile file *.toml"])


def profile_files() -> Iterator[Path]:
    """Where profiles are looked for, the first that has a name counts."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    config = Path(base) if base.startswith("/") else Path.home() / ".config"
    yield from (path for path in (Path(PROFILES), config / "gamecraft-bench" / PROFILES, _OURS) if path.is_file())


def profile_names() -> dict[str, Path]:
    """Every name that `--agent` takes from a file, and which file that is."""
    found: dict[str, Path] = {}
    for path in profile_files():
        for name in _read(path):
            found.setdefault(name, path)
    return found


def _named(text: str) -> Agent:
    name, at, model = text.partition("@")
    if at and not model:
        raise UsageError(f"--agent: {text!r}: no model is behind @", fix=f"{name}@MODEL, or only {name}")
    for path in profile_files():
        data = _read(path)
        if name not in data:
            continue
        if not isinstance(data[name], dict):
            raise UsageError(f"{path}: {name}: a profile is a table", fix=f"write [{name}]")
        if not at:
            return _profile(data[name], path, f"{name}.", name)
        aliases = _table(data[name], "aliases", path, f"{name}.")
        chosen = {**data[name], "model": aliases.get(model, model)}
        return _profile(chosen, path, f"{name}.", re.sub(r"[^A-Za-z0-9._@-]", "-", text))
    raise UsageError(f"--agent: {text!r} is no agent", fix=f"one of: {ways()}; names are {', '.join(profile_names())}")


def _read(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path.resolve())
    except TaskError as error:
        raise UsageError(f"--agent: {error.message.replace(str(path.resolve()), str(path))}") from error


def _profile(data: dict[str, Any], path: Path, where: str, name: str) -> Agent:
    """`where` stands before a key in messages."""
    kind = data.get("kind", "command")
    if not isinstance(kind, str):
        raise UsageError(f"{path}: {where}kind: {kind!r} is not a text")
    if kind != "command":
        try:
            adapter_of(kind)
        except UsageError as error:
            raise UsageError(f"{path}: {where}kind: {error.message}", fix=error.fix) from error
    known = _OF_COMMANDS if kind == "command" else _OF_PROGRAMS
    if unknown := sorted(set(data) - known):
        raise UsageError(
            f"{path}: {where}{', '.join(unknown)}: not known", fix=f"allowed are {', '.join(sorted(known))}"
        )
    feedback = data.get("feedback", "none")
    if feedback not in FEEDBACKS:
        raise UsageError(f"{path}: {where}feedback: {feedback!r} is not one of {', '.join(FEEDBACKS)}")
    name = _checked_name(str(data.get("name", name)) if "@" not in name else name, f"{path}: {where}name")
    return (_command if kind == "command" else _program)(data, path, where, name)


def _command(data: dict[str, Any], path: Path, where: str, name: str) -> CommandAgent:
    timeout = data.get("timeout_sec")
    return CommandAgent(
        name=name,
        command=_typed(data, "command", str, path, None, where),
        env=tuple(_strings(data, "env", path, where)),
        read=_folders(data, path, where),
        network=_typed(data, "network", bool, path, True, where),
        memory_mb=_typed(data, "memory_mb", int, path, 8192, where),
        timeout_sec=float(timeout) if isinstance(timeout, int | float) else None,
        feedback=data.get("feedback", "none"),
        disk_mb=_typed(data, "disk_mb", int, path, DISK_MB, where),
        disk_files=_typed(data, "disk_files", int, path, DISK_FILES, where),
        outages=read_outages(data, path),
        folder=path.resolve().parent,
    )


def _program(data: dict[str, Any], path: Path, where: str, name: str) -> ProgramAgent:
    adapter = adapter_of(data["kind"])
    network = data.get("network", "model")
    if network not in POLICIES:
        raise UsageError(f"{path}: {where}network: {network!r} is not one of {', '.join(POLICIES)}")
    aliases = _table(data, "aliases", path, where)
    model = _typed(data, "model", str, path, "", where) or adapter.model
    if not model:
        raise UsageError(f"agent {name}: which model?", fix=f"--agent {name}@MODEL, or `model` in {PROFILES}")
    base_url = _typed(data, "base_url", str, path, "", where)
    if base_url and not re.fullmatch(r"https?://[^\s/?#@]+(/[^\s?#]*)?", base_url):
        raise UsageError(f"{path}: {where}base_url: {base_url!r} is not http(s)://HOST[:PORT][/PATH]")
    turns = data.get("max_turns")
    if turns is not None and (type(turns) is not int or not 1 <= turns <= 100_000):
        raise UsageError(f"{path}: {where}max_turns: {turns!r} is not a whole number from 1 to 100000")
    return ProgramAgent(
        name=name,
        kind=data["kind"],
        model=aliases.get(model, model),
        effort=_typed(data, "effort", str, path, "", where),
        base_url=base_url,
        key_variable=_typed(data, "key", str, path, "", where),
        arguments=tuple(_strings(data, "arguments", path, where)),
        env=tuple(_strings(data, "env", path, where)),
        program=tuple(_strings(data, "program", path, where)),
        read=_folders(data, path, where),
        network=network,
        feedback=data.get("feedback", "none"),
        timeout_sec=_amount(data, "timeout_sec", path, where),
        max_turns=turns,
        max_cost_usd=_amount(data, "max_cost_usd", path, where),
        prices=read_prices(data.get("prices"), f"{path}: {where}prices"),
        memory_mb=_typed(data, "memory_mb", int, path, 8192, where),
        disk_mb=_typed(data, "disk_mb", int, path, DISK_MB, where),
        disk_files=_typed(data, "disk_files", int, path, DISK_FILES, where),
        stall_sec=_amount(data, "stall_sec", path, where) or STALL_SEC,
        outage_sec=_amount(data, "outage_sec", path, where) or OUTAGE_SEC,
        retry_sec=_amount(data, "retry_sec", path, where) or RETRY_SEC,
    )


def _typed(data: dict[str, Any], key: str, kind: type, path: Path, default: Any, where: str) -> Any:
    value = data.get(key, default)
    if type(value) is not kind:
        raise UsageError(f"{path}: {where}{key}: {value!r} is not a {kind.__name__}")
    return value


def _amount(data: dict[str, Any], key: str, path: Path, where: str) -> float | None:
    value = data.get(key)
    if value is None:
        return None
    if type(value) not in (int, float) or not 0 < value <= 1e9:
        raise UsageError(f"{path}: {where}{key}: {value!r} is not a number above 0")
    return float(value)


def _strings(data: dict[str, Any], key: str, path: Path, where: str) -> list[str]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise UsageError(f"{path}: {where}{key}: a list of texts is needed, not {value!r}")
    return value


def _folders(data: dict[str, Any], path: Path, where: str) -> tuple[Path, ...]:
    """Relative to the profile."""
    return tuple(path.resolve().parent / Path(item).expanduser() for item in _strings(data, "read", path, where))


def _table(data: dict[str, Any], key: str, path: Path, where: str) -> dict[str, str]:
    value = data.get(key, {})
    if not isinstance(value, dict) or not all(isinstance(item, str) and item for item in value.values()):
        raise UsageError(f"{path}: {where}{key}: a table of texts is needed, not {value!r}")
    return value


def _checked_name(name: str, where: str) -> str:
    if not _NAME.fullmatch(name) or name in BUILT_IN:
        raise UsageError(f"{where}: {name!r} cannot name an agent", fix="use letters, digits, dots, hyphens")
    return name
