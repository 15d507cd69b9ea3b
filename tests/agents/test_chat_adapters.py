"""How the programs that speak chat completions are started, and what their endings mean, row by row."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.agents.adapters import adapter_of
from benchmark.agents.adapters.protocol import Session
from benchmark.agents.endings import SessionFacts, decide
from benchmark.agents.programs import recipe_of

KINDS = ("kimi", "opencode", "qwen", "openhands", "mini")
PROMPT = "--help\nis no option, but a “prompt”"
KIMI_SAID = "error: failed to run prompt: {} 401 no\nSee log: /home/agent/.kimi-code/logs/kimi-code.log\n"

ROWS = [
    ("kimi", 0, "ended", "", "", "finished"),
    ("kimi", 1, "", KIMI_SAID.format("loop.max_steps_exceeded:"), "", "turn limit"),
    ("kimi", 1, "", KIMI_SAID.format("provider.auth_error:"), "", "infrastructure"),
    ("kimi", 1, "", KIMI_SAID.format("provider.rate_limit:"), "", "infrastructure"),
    ("kimi", 1, "", KIMI_SAID.format("provider.connection_error:"), "", "infrastructure"),
    # what an agent's tools print is on the same stream: only the very last words are the program's own
    ("kimi", 1, "", KIMI_SAID.format("provider.auth_error:") + "error: something else\n", "", "crashed"),
    ("kimi", 1, "", KIMI_SAID.format("provider.auth_error:") + "…" + KIMI_SAID.format("loop.x"), "", "crashed"),
    ("kimi", 1, "", "", "500", "infrastructure"),
    ("opencode", 0, "stop", "", "", "finished"),
    ("opencode", 0, "content-filter", "", "", "refused"),
    ("opencode", 1, "APIError: status 401", "", "", "infrastructure"),
    ("opencode", 1, "APIError: status 503", "", "", "infrastructure"),
    ("opencode", 1, "APIError: Cannot connect to API: Unable to connect.", "", "", "infrastructure"),
    ("opencode", 1, "APIError: status 400", "", "", "crashed"),
    ("opencode", 1, "APIError: status 429", "", "429", "infrastructure"),
    ("opencode", 1, "UnknownError: it broke", "", "", "crashed"),
    ("qwen", 0, "success", "", "", "finished"),
    ("qwen", 53, "", "", "", "turn limit"),
    ("qwen", 1, "error_during_execution is_error [API Error: 429 slow down]", "", "", "infrastructure"),
    ("qwen", 1, "error_during_execution is_error [API Error: Connection error. (cause: fetch failed)]", "", "",
     "infrastructure"),
    ("qwen", 1, "error_during_execution is_error [API Error: 400 too long]", "", "", "crashed"),
    ("openhands", 0, "finished", "", "", "finished"),
    ("openhands", 0, "MaxIterationsReached", "", "", "turn limit"),
    ("openhands", 0, "stuck", "", "", "refused"),
    ("openhands", 0, "AuthenticationError", "", "", "infrastructure"),
    ("openhands", 0, "RateLimitError", "", "", "infrastructure"),
    ("openhands", 0, "BadRequestError", "", "", "crashed"),
    ("openhands", 0, "BadRequestError", "", "401", "infrastructure"),
    ("mini", 0, "Submitted", "", "", "finished"),
    ("mini", 0, "LimitsExceeded", "", "", "turn limit"),
    ("mini", 0, "RepeatedFormatError", "", "", "refused"),
    ("mini", 1, "AuthenticationError", "", "", "infrastructure"),
    ("mini", 1, "APIConnectionError", "", "", "infrastructure"),
    ("mini", 1, "ContextWindowExceededError", "", "", "crashed"),
    ("mini", 1, "InternalServerError", "", "unreachable", "infrastructure"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "code", "closing", "errors", "trouble", "ending"), ROWS)
def test_an_ending_is_read_off_what_its_program_itself_says(
    kind: str, code: int, closing: str, errors: str, trouble: str, ending: str
) -> None:
    facts = SessionFacts(
        exit_code=code, seconds=60, closing=closing, errors=errors, trouble=trouble, answered=3, gateway=bool(trouble)
    )
    assert decide(adapter_of(kind).endings, facts)[0] == ending


@pytest.mark.parametrize("kind", KINDS)
def test_every_row_of_a_table_is_met(kind: str) -> None:
    met = {
        next((row for row in adapter_of(kind).endings if row.fits(facts)), None)
        for one, code, closing, errors, trouble, _ in ROWS
        if one == kind
        for facts in [
            SessionFacts(
                exit_code=code,
                seconds=60,
                closing=closing,
                errors=errors,
                trouble=trouble,
                answered=3,
                gateway=bool(trouble),
            )
        ]
    }
    assert set(adapter_of(kind).endings) <= met


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(
        program=("program",), home="/home/agent", home_outside=tmp_path, workspace="/workspace", prompt=PROMPT,
        model="maker/model", base_url="http://127.0.0.1:9/v1", key="a-stand-in",
    )  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_prompt_arrives_as_it_is_and_the_key_stands_in_no_command_line(kind: str, session: Session) -> None:
    invocation = adapter_of(kind).invocation(session)
    assert invocation.command[0] == "program"
    assert invocation.stdin == PROMPT or any(word.endswith(f"={PROMPT}") for word in invocation.command)
    assert not any("a-stand-in" in word for word in invocation.command)
    assert any("a-stand-in" in value for value in invocation.env.values())
    said = [*invocation.command, *invocation.env.values()]
    assert any("http://127.0.0.1:9/v1" in one for one in said)
    assert any("maker/model" in one for one in said)
    assert not any(str(session.home_outside) in one for one in said), "it does not see the folder there"


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_profile_asks_for_is_told_to_the_program(kind: str, session: Session) -> None:
    adapter = adapter_of(kind)

    def told(asked: Session) -> str:
        invocation = adapter.invocation(asked)
        files = sorted(path for path in asked.home_outside.rglob("*") if path.is_file())
        return json.dumps([invocation.command, invocation.env]) + "".join(path.read_text() for path in files)

    plain = told(session)
    assert "medium" in told(replace(session, effort="medium"))
    assert "medium" not in plain
    assert told(replace(session, arguments=("--more",))).count("--more") == 1
    if kind != "openhands":  # which cannot be told
        assert "4711" in told(replace(session, max_turns=4711))
    if kind != "mini":  # which knows neither
        assert "/tools/server" in told(replace(session, mcp=("/tools/server", "--stdio")))
        assert adapter.resumes
        assert "session-4711" in told(replace(session, resume="session-4711"))


@pytest.mark.parametrize("kind", KINDS)
def test_its_program_can_be_brought(kind: str) -> None:
    recipe = recipe_of(kind)
    assert recipe is not None
    assert any(recipe.version in package for package in (*recipe.npm, *recipe.pypi))
    assert recipe.words()
