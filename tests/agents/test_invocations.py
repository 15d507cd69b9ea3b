"""How Claude Code, Codex, Gemini CLI and CodeBuddy are started: what is written, said and kept back."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.agents.adapters import adapter_of
from benchmark.agents.adapters.claude import full_name
from benchmark.agents.adapters.protocol import Session

KEY = "a-stand-in-for-the-key"
KINDS = ("claude", "codex", "gemini", "codebuddy")
PROMPT = "--help\n$HOME `ls` “quoted”"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(
        program=("/opt/program",), home="/home", home_outside=tmp_path, workspace="/workspace", prompt=PROMPT,
        model="some-model", base_url="http://127.0.0.1:1/v1", key=KEY,
    )  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_prompt_and_key_stand_in_no_process_list(kind: str, session: Session) -> None:
    invocation = adapter_of(kind).invocation(session)
    assert invocation.stdin == PROMPT
    words = " ".join(invocation.command)
    assert PROMPT not in words
    assert KEY not in words
    assert KEY in invocation.env.values()
    assert invocation.command[0] == "/opt/program"


@pytest.mark.parametrize("kind", KINDS)
def test_a_profile_s_own_arguments_come_last(kind: str, session: Session) -> None:
    command = adapter_of(kind).invocation(replace(session, arguments=("--more", "x"))).command
    assert [word for word in command if word != "-"][-2:] == ["--more", "x"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_session_can_be_started_twice_in_the_same_home(kind: str, session: Session) -> None:
    adapter = adapter_of(kind)
    first = adapter.invocation(session)
    again = adapter.invocation(replace(session, resume="the-session"))
    assert "the-session" in again.command
    assert "the-session" not in first.command


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_server_of_ours_it_hears_of_none(kind: str, session: Session, tmp_path: Path) -> None:
    plain = adapter_of(kind).invocation(session)
    written = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert "gamecraft" not in " ".join(plain.command) + written
    told = adapter_of(kind).invocation(replace(session, mcp=("/opt/python", "-m", "x", 'a"b\\c')))
    written = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert "gamecraft" in " ".join(told.command) + written


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("opus-4.7", "claude-opus-4-7"), ("haiku-4.5", "claude-haiku-4-5"), ("opus", "opus"),
        ("claude-sonnet-4-5", "claude-sonnet-4-5"), ("my-opus-4.7", "my-opus-4.7"),
    ],
)  # fmt: skip
def test_a_claude_model_may_be_named_as_people_say_it(short: str, full: str) -> None:
    assert full_name(short) == full


def test_helpers_of_claude_code_are_the_same_model(session: Session) -> None:
    env = adapter_of("claude").invocation(replace(session, model="opus-4.7")).env
    assert {env[name] for name in env if name.endswith("_MODEL")} == {"claude-opus-4-7"}
    family = adapter_of("claude").invocation(replace(session, model="opus")).env
    assert not [name for name in family if name.endswith("_MODEL")]


def test_what_codex_is_told_on_its_command_line_is_toml(session: Session) -> None:
    told = replace(session, effort="high", mcp=("/opt/python", 'a"b\\c'), base_url='http://x/"v1"')
    command = adapter_of("codex").invocation(told).command
    said = [command[place + 1] for place, word in enumerate(command) if word == "-c"]
    found = tomllib.loads("\n".join(said))
    assert found["model_reasoning_effort"] == "high"
    assert found["model_providers"]["endpoint"]["base_url"] == 'http://x/"v1"'
    assert found["mcp_servers"]["gamecraft"]["args"] == ['a"b\\c']


def test_gemini_has_its_limits_in_its_settings(session: Session, tmp_path: Path) -> None:
    command = adapter_of("gemini").invocation(replace(session, effort="low", max_turns=7)).command
    settings = json.loads((tmp_path / ".gemini/settings.json").read_text())
    assert settings["model"] == {"maxSessionTurns": 7}
    alias = command[command.index("--model") + 1]
    thinking = settings["modelConfigs"]["customAliases"][alias]["modelConfig"]
    assert thinking["model"] == "some-model"
    assert thinking["generateContentConfig"]["thinkingConfig"]["thinkingLevel"] == "LOW"
