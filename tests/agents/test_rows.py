"""Each row of each adapter's table of endings: the words that programs were seen to say, and what they mean."""

from dataclasses import replace

import pytest

from benchmark.agents.adapters import adapter_of
from benchmark.agents.endings import Row, SessionFacts, decide

# kind, exit code, the program's last word, what it means
SEEN = (
    ("claude", 0, "success completed", "finished"),
    ("claude", 1, "error_max_turns max_turns is_error Reached maximum number of turns (3)", "turn limit"),
    ("claude", 1, "error_max_budget_usd budget is_error Reached maximum budget ($0.01)", "budget"),
    ("claude", 1, "success completed refusal", "refused"),
    ("claude", 1, "success is_error Not logged in · Please run /login", "infrastructure"),
    ("claude", 1, "success api_error is_error Failed to authenticate. API Error: 401 no", "infrastructure"),
    ("claude", 1, "success api_error is_error API Error: Request rejected (429) · no", "infrastructure"),
    ("claude", 1, "success api_error is_error API Error: 500 no. This is a server-side issue", "infrastructure"),
    ("claude", 1, "success api_error is_error API Error: Connection refused — a firewall", "infrastructure"),
    ("claude", 1, "success api_error is_error API Error: Connection lost mid-response.", "infrastructure"),
    ("claude", 1, "success api_error is_error API Error: 400 messages.7: 500 is not a 401", "crashed"),
    ("claude", 1, "success prompt_too_long is_error Prompt is too long", "crashed"),
    ("codex", 0, "turn.completed", "finished"),
    ("codex", 1, "turn.failed unexpected status 401 Unauthorized: no, url: http://x/v1/responses", "infrastructure"),
    ("codex", 1, "turn.failed exceeded retry limit, last status: 429 Too Many Requests", "infrastructure"),
    ("codex", 1, "turn.failed We’re currently experiencing high demand, which may cause", "infrastructure"),
    ("codex", 1, "turn.failed stream disconnected before completion: Transport error: network", "infrastructure"),
    ("codex", 1, "turn.failed stream disconnected before completion: Incomplete response returned", "crashed"),
    ("codex", 1, "turn.failed unexpected status 400 Bad Request: 429 images", "crashed"),
    ("gemini", 0, "success", "finished"),
    ("gemini", 53, "error FatalTurnLimitedError Reached max session turns for this session.", "turn limit"),
    ("gemini", 145, 'error unknown [API Error: {"error":{"code":401,"message":"no"}}]', "infrastructure"),
    ("gemini", 173, 'error unknown [API Error: {"error":{"code":429,"message":"no"}}]', "infrastructure"),
    ("gemini", 1, "error unknown [API Error: Incomplete JSON segment at the end]", "infrastructure"),
    ("gemini", 144, 'error unknown [API Error: {"error":{"code":400,"message":"429 tokens"}}]', "crashed"),
    ("codebuddy", 0, "success", "finished"),
    ("codebuddy", 0, "error_during_execution is_error Max turns (3) exceeded", "turn limit"),
    ("codebuddy", 0, "error_during_execution is_error 401 no", "infrastructure"),
    ("codebuddy", 0, "error_during_execution is_error 500 no", "infrastructure"),
    ("codebuddy", 0, "error_during_execution is_error 400 no", "crashed"),
)
WITHOUT_GATEWAY = SessionFacts(exit_code=0, seconds=60, gateway=False)


@pytest.mark.parametrize(("kind", "exit_code", "closing", "ending"), SEEN)
def test_the_last_word_says_how_it_ended(kind: str, exit_code: int, closing: str, ending: str) -> None:
    facts = replace(WITHOUT_GATEWAY, exit_code=exit_code, closing=closing)
    assert decide(adapter_of(kind).endings, facts)[0] == ending


@pytest.mark.parametrize(("kind", "exit_code", "closing", "ending"), SEEN)
def test_an_outage_is_none_if_the_gateway_saw_none(kind: str, exit_code: int, closing: str, ending: str) -> None:
    facts = SessionFacts(exit_code=exit_code, seconds=60, closing=closing, answered=5)
    assert decide(adapter_of(kind).endings, facts)[0] == (
        ending if ending != "infrastructure" else other(exit_code, kind)
    )


def other(exit_code: int, kind: str) -> str:
    """What is left of it: CodeBuddy says in words alone that it failed."""
    return "crashed" if exit_code or kind == "codebuddy" else "finished"


@pytest.mark.parametrize(
    ("kind", "exit_code", "errors"),
    [("claude", 1, "--dangerously-skip-permissions cannot be used with root/sudo privileges"), ("gemini", 41, "")],
)
def test_a_program_that_did_not_begin_is_an_outage(kind: str, exit_code: int, errors: str) -> None:
    adapter = adapter_of(kind)
    facts = SessionFacts(exit_code=exit_code, seconds=3, errors=errors, answered=0)
    row = next(row for row in adapter.endings if row.fits(facts))
    assert row.ending == "infrastructure"
    assert decide(adapter.endings, replace(facts, answered=1))[0] == "crashed"


@pytest.mark.parametrize("kind", ["claude", "codex", "gemini", "codebuddy"])
def test_every_row_was_seen(kind: str) -> None:
    def used(row: Row) -> bool:
        facts = (
            replace(WITHOUT_GATEWAY, exit_code=code, closing=closing) for one, code, closing, _ in SEEN if one == kind
        )
        return any(row.fits(one) for one in facts) or bool(row.answered_at_most == 0)

    assert [row.reason for row in adapter_of(kind).endings if not used(row)] == []
