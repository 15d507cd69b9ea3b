"""The gateway between a program and its model: what passes, what is refused, and what it says of the endpoint."""

import http.client
import json
import socket
import struct
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from benchmark.agents.adapters.protocol import Wire
from benchmark.agents.gateway.answers import AnswerReader
from benchmark.agents.gateway.ledger import NETWORK_FILE, CallLedger, Prices
from benchmark.agents.trajectory import Tokens
from tests.agents.endpoints import (
    CALL,
    DONE,
    KEY,
    LAST,
    PORT,
    STAND_IN,
    USAGE,
    WORD,
    behind_gateway,
    endpoint,
    event,
    head,
)
from tests.agents.server import closed_port


def well(connection: socket.socket, request: bytes) -> None:
    connection.sendall(head() + WORD + LAST + USAGE + DONE)


def test_a_call_goes_out_with_the_real_key_and_is_counted(tmp_path: Path) -> None:
    with endpoint(well) as (url, got), behind_gateway(url, folder=tmp_path) as caller:
        status, body = caller.ask(headers={"Cookie": "a=b", "X-Forwarded-For": "here", "X-Own": "kept"})
        ledger = caller.settled()
    assert (status, body) == (200, WORD + LAST + USAGE + DONE)
    assert f"Authorization: Bearer {KEY}".encode() in got[0]
    assert STAND_IN.encode() not in got[0]
    assert b"Cookie" not in got[0]
    assert b"Forwarded" not in got[0]
    assert b"X-Own: kept" in got[0]
    assert (ledger.answered, ledger.trouble, ledger.tokens) == (1, "", Tokens(100, 7, 60))
    assert dict(ledger.answered_models) == {"m-2025": 1}
    assert json.loads((tmp_path / "model_calls.jsonl").read_text())["prompt_tokens"] == 100


@pytest.mark.parametrize("name", ["x-api-key", "X-Goog-Api-Key", "api-key"])
def test_every_header_that_holds_the_stand_in_gets_the_key(name: str) -> None:
    with endpoint(well) as (url, got), behind_gateway(url) as caller:
        assert caller.ask(headers={"Authorization": "", name: STAND_IN})[0] == 200
    assert f"{name}: {KEY}".lower().encode() in got[0].lower()


def test_a_key_in_the_address_is_replaced_too() -> None:
    with endpoint(well) as (url, got), behind_gateway(url) as caller:
        assert caller.ask(f"/v1/chat/completions?key={STAND_IN}&a=b", key="")[0] == 200
    assert f"?key={KEY}&a=b".encode() in got[0]


def test_an_answer_streams_through_as_it_comes() -> None:
    first, go_on = threading.Event(), threading.Event()

    def slow(connection: socket.socket, request: bytes) -> None:
        connection.sendall(head() + WORD)
        first.set()
        go_on.wait(60)
        connection.sendall(LAST + DONE)

    with endpoint(slow) as (url, _), behind_gateway(url) as caller:
        connection = caller.connection()
        connection.request("POST", "/v1/chat/completions", json.dumps(CALL), {"Authorization": f"Bearer {STAND_IN}"})
        answer = connection.getresponse()
        assert answer.read1(65536) == WORD  # while the endpoint still holds the rest
        assert not go_on.is_set()
        go_on.set()
        assert answer.read() == LAST + DONE
        connection.close()
        assert caller.settled().answered == 1


def test_a_connection_serves_one_call_after_another() -> None:
    with endpoint(well) as (url, _), behind_gateway(url) as caller:
        connection = caller.connection()
        for _ in range(3):
            connection.request(
                "POST", "/v1/chat/completions", json.dumps(CALL), {"Authorization": f"Bearer {STAND_IN}"}
            )
            assert connection.getresponse().read() == WORD + LAST + USAGE + DONE
        connection.close()
        assert caller.settled(3).tokens == Tokens(300, 21, 180)


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def cut_by_reset(connection: socket.socket, request: bytes) -> None:
    connection.sendall(head() + WORD)
    time.sleep(0.2)
    reset(connection)


def cut_of_chunks(connection: socket.socket, request: bytes) -> None:
    connection.sendall(head("Transfer-Encoding: chunked") + b"%x\r\n%s\r\n" % (len(WORD), WORD))


def cut_of_length(connection: socket.socket, request: bytes) -> None:
    connection.sendall(head("Content-Length: 100000", kind="application/json") + b'{"choices": [')


@pytest.mark.parametrize("speak", [cut_by_reset, cut_of_chunks, cut_of_length])
def test_a_cut_answer_is_cut_for_the_program_too(speak: Any) -> None:
    with endpoint(speak) as (url, _), behind_gateway(url) as caller:
        with pytest.raises((http.client.HTTPException, OSError)):
            caller.ask()
        ledger = caller.settled()
    assert (ledger.answered, ledger.trouble) == (0, "cut")


def test_an_answer_that_ends_politely_in_the_middle_is_cut_as_well() -> None:
    def speak(connection: socket.socket, request: bytes) -> None:
        connection.sendall(head(f"Content-Length: {len(WORD)}") + WORD)

    with endpoint(speak) as (url, _), behind_gateway(url) as caller:
        assert caller.ask() == (200, WORD)
        assert caller.settled().trouble == "cut"


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 429, 500, 529])
def test_a_status_reaches_the_program_and_is_the_trouble(status: int) -> None:
    def speak(connection: socket.socket, request: bytes) -> None:
        body = b'{"error": {"message": "no"}}'
        connection.sendall(
            head(f"Content-Length: {len(body)}", "Retry-After: 7", status=f"{status} No", kind="application/json")
            + body
        )

    with endpoint(speak) as (url, _), behind_gateway(url) as caller:
        connection = caller.connection()
        connection.request("POST", "/v1/chat/completions", json.dumps(CALL), {"Authorization": f"Bearer {STAND_IN}"})
        answer = connection.getresponse()
        assert (answer.status, answer.getheader("retry-after")) == (status, "7")
        answer.read()
        connection.close()
        assert caller.settled().trouble == str(status)


def test_an_error_within_a_stream_is_trouble() -> None:
    def speak(connection: socket.socket, request: bytes) -> None:
        connection.sendall(head() + event({"type": "error", "error": {"type": "overloaded_error"}}))

    with endpoint(speak) as (url, _), behind_gateway(url, wire="anthropic") as caller:
        caller.ask("/v1/messages")
        assert caller.settled().trouble == "529"


def test_a_good_answer_ends_the_trouble() -> None:
    faults = iter([b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"])

    def speak(connection: socket.socket, request: bytes) -> None:
        connection.sendall(next(faults, head() + WORD + LAST + DONE))

    with endpoint(speak) as (url, _), behind_gateway(url) as caller:
        assert caller.ask()[0] == 500
        assert caller.settled().trouble == "500"
        assert caller.ledger.trouble_sec() > 0
        assert caller.ask()[0] == 200
        assert caller.settled(2).trouble == ""
        assert caller.ledger.trouble_sec() == 0


def test_an_endpoint_that_refuses_is_unreachable() -> None:
    with closed_port() as port, behind_gateway(f"http://127.0.0.1:{port}/v1") as caller:
        assert caller.ask()[0] == 502
        assert caller.settled().trouble == "unreachable"


@pytest.mark.parametrize("said", [b"", head() + WORD])
def test_an_endpoint_that_falls_silent_has_stalled(said: bytes) -> None:
    over = threading.Event()

    def speak(connection: socket.socket, request: bytes) -> None:
        connection.sendall(said)
        over.wait(60)

    with endpoint(speak) as (url, _), behind_gateway(url, stall_sec=0.5) as caller:
        if said:
            with pytest.raises((http.client.HTTPException, OSError)):
                caller.ask()
        else:
            assert caller.ask()[0] == 504
        assert caller.settled().trouble == "stalled"
        over.set()


def test_a_drip_that_never_ends_is_ended() -> None:
    def speak(connection: socket.socket, request: bytes) -> None:
        connection.sendall(head())
        while True:
            connection.sendall(b":\n")
            time.sleep(0.05)

    with endpoint(speak) as (url, _), behind_gateway(url, stall_sec=5, call_sec=1) as caller:
        with pytest.raises((http.client.HTTPException, OSError)):
            caller.ask()
        assert caller.settled().trouble == "stalled"


@pytest.mark.parametrize("line", [b"X: " + b"a" * 70_000 + b"\r\n", b"X: a\r\n" * 200])
def test_huge_headers_of_an_endpoint_are_no_answer(line: bytes) -> None:
    with (
        endpoint(lambda connection, _: connection.sendall(b"HTTP/1.1 200 OK\r\n" + line + b"\r\n")) as (url, _),
        behind_gateway(url) as caller,
    ):
        assert caller.ask()[0] == 502
        assert caller.settled().trouble == "cut"


@pytest.mark.attack("an endpoint redirects a call, and with it the key", "the redirect is refused and told")
def test_a_redirect_is_not_followed(tmp_path: Path) -> None:
    with endpoint(well) as (other, followed):
        moved = f"HTTP/1.1 307 Moved\r\nLocation: {other}/chat/completions\r\nContent-Length: 0\r\n\r\n".encode()
        with (
            endpoint(lambda connection, _: connection.sendall(moved)) as (url, _),
            behind_gateway(url, folder=tmp_path) as caller,
        ):
            assert caller.ask()[0] == 502
            assert caller.settled().trouble == "unreachable"
    assert not followed
    assert "redirect" in json.loads((tmp_path / NETWORK_FILE).read_text())["why"]


@pytest.mark.attack("an endpoint repeats the real key in body and headers", "the program reads the stand-in")
def test_the_key_never_comes_back() -> None:
    body = f'{{"error": "wrong key {KEY}, {KEY}", "choices": [{{"finish_reason": "stop"}}]}}'.encode()

    def speak(connection: socket.socket, request: bytes) -> None:
        connection.sendall(head(f"X-Request-Id: {KEY}", f"Content-Length: {len(body)}", kind="application/json"))
        for byte in range(len(body)):  # never whole in one piece
            connection.sendall(body[byte : byte + 1])

    with endpoint(speak) as (url, _), behind_gateway(url) as caller:
        answer = caller.raw(
            b"POST /v1/chat/completions HTTP/1.0\r\nAuthorization: Bearer "
            + STAND_IN.encode()
            + b"\r\nContent-Length: 2\r\n\r\n{}"
        )
    assert KEY.encode() not in answer
    assert answer.count(STAND_IN.encode()) == 3


OTHER_HOSTS = {
    "a tunnel": (b"CONNECT github.com:443 HTTP/1.1\r\n\r\n", "github.com:443"),
    "a whole address": (b"GET http://example.com/solution HTTP/1.1\r\nHost: x\r\n\r\n", "example.com/solution"),
    "another path": (
        b"GET /v1/files HTTP/1.1\r\nAuthorization: Bearer " + STAND_IN.encode() + b"\r\n\r\n", "/v1/files",
    ),
    "above the endpoint": (
        b"POST /other HTTP/1.1\r\nContent-Length: 0\r\nAuthorization: Bearer " + STAND_IN.encode() + b"\r\n\r\n",
        "/other",
    ),
    "a path that climbs": (
        b"POST /v1/chat/completions/../../x HTTP/1.1\r\nContent-Length: 0\r\nAuthorization: Bearer "
        + STAND_IN.encode()
        + b"\r\n\r\n",
        "/v1/chat/completions/../../x",
    ),
    "without the session's key": (
        b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 2\r\nAuthorization: Bearer nope\r\n\r\n{}",
        "/v1/chat/completions",
    ),
}  # fmt: skip


@pytest.mark.attack(
    "an agent asks the gateway for anything but its model", "it is refused, and told with host and time"
)
@pytest.mark.parametrize("what", OTHER_HOSTS)
def test_everything_else_is_refused_and_told(what: str, tmp_path: Path) -> None:
    request, shown = OTHER_HOSTS[what]
    with endpoint(well) as (url, got), behind_gateway(url, folder=tmp_path) as caller:
        answer = caller.raw(request)
    assert answer.split()[1] in (b"401", b"403")
    assert not got
    row = json.loads((tmp_path / NETWORK_FILE).read_text())
    assert row["refused"].endswith(shown)
    assert row["count"] == 1
    assert row["time"].startswith("20")


REACHING_OUT: dict[str, tuple[Wire, dict[str, Any]]] = {
    "a web search of Anthropic's": ("anthropic", {"tools": [{"type": "web_search_20250305", "name": "web_search"}]}),
    "a server of somebody's": ("anthropic", {"mcp_servers": [{"type": "url", "url": "https://example.com"}]}),
    "a document by its address": (
        "anthropic",
        {"messages": [{"content": [{"type": "document", "source": {"type": "url", "url": "https://example.com"}}]}]},
    ),
    "a web search of OpenAI's": ("responses", {"tools": [{"type": "web_search"}]}),
    "an MCP server by OpenAI": ("responses", {"tools": [{"type": "mcp", "server_url": "https://example.com"}]}),
    "a file by its address": (
        "responses",
        {"input": [{"content": [{"type": "input_file", "file_url": "https://e.x"}]}]},
    ),
    "a search option": ("chat", {"web_search_options": {"a": 1}}),
    "a plugin": ("chat", {"plugins": [{"id": "web"}]}),
    "a model with search": ("chat", {"model": "m:online"}),
    "a picture by its address": (
        "chat",
        {"messages": [{"content": [{"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}]}]},
    ),
    "Google": ("gemini", {"tools": [{"googleSearch": {}}]}),
    "an address's content": ("gemini", {"tools": [{"urlContext": {}}]}),
}
CALLS: dict[Wire, str] = {
    "anthropic": "/v1/v1/messages?beta=true",
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
    "gemini": "/v1/v1beta/models/m:streamGenerateContent?alt=sse",
}


@pytest.mark.attack("an agent lets the model's provider reach out for it", "such a call is refused")
@pytest.mark.parametrize("what", REACHING_OUT)
def test_the_provider_is_no_way_out(what: str, tmp_path: Path) -> None:
    wire, more = REACHING_OUT[what]
    with endpoint(well) as (url, got), behind_gateway(url, wire=wire, folder=tmp_path) as caller:
        status, _ = caller.ask(CALLS[wire], {"model": "m", **more})
    assert status == 403
    assert not got
    assert (tmp_path / NETWORK_FILE).exists()


@pytest.mark.parametrize(
    ("wire", "more"),
    [
        ("anthropic", {"tools": [{"name": "web_search_notes", "input_schema": {"source": {"type": "url"}}}]}),
        ("anthropic", {"tools": [{"type": "bash_20250124", "name": "bash"}]}),
        ("anthropic", {"messages": [{"content": [{"type": "tool_use", "input": {"file_url": "https://a.b"}}]}]}),
        ("responses", {"tools": [{"type": "function", "name": "browser"}, {"type": "custom", "name": "apply_patch"}]}),
        ("chat", {"tools": [{"type": "function", "function": {"name": "web_fetch"}}]}),
        ("chat", {"messages": [{"content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}]}]}),
        ("gemini", {"tools": [{"functionDeclarations": [{"name": "google_web_search"}]}]}),
    ],
)
def test_a_program_s_own_tools_may_be_called_what_they_like(wire: Wire, more: dict[str, Any]) -> None:
    with endpoint(well) as (url, got), behind_gateway(url, wire=wire) as caller:
        assert caller.ask(CALLS[wire], {"model": "m", **more})[0] == 200
    assert len(got) == 1


def test_whoever_takes_it_for_a_proxy_reaches_the_model_all_the_same() -> None:
    call = json.dumps(CALL).encode()
    rest = f"\r\nAuthorization: Bearer {STAND_IN}\r\nContent-Length: {len(call)}\r\nConnection: close\r\n\r\n".encode()
    with endpoint(well) as (url, got), behind_gateway(url) as caller:
        whole = b"POST http://127.0.0.1:%d/v1/chat/completions HTTP/1.1" % PORT
        assert b"200 OK" in caller.raw(whole + rest + call)
        tunnel = b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n" % PORT
        answer = caller.raw(tunnel + b"POST /v1/chat/completions HTTP/1.1" + rest + call)
    assert answer.startswith(b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK")
    assert len(got) == 2


def test_a_chunked_request_is_passed_on_whole() -> None:
    call = json.dumps(CALL).encode()
    request = (
        f"POST /v1/chat/completions HTTP/1.1\r\nAuthorization: Bearer {STAND_IN}\r\nTransfer-Encoding: chunked\r\n"
        f"Connection: close\r\n\r\n"
    ).encode()
    pieces = b"".join(b"%x\r\n%s\r\n" % (len(call[at : at + 9]), call[at : at + 9]) for at in range(0, len(call), 9))
    with endpoint(well) as (url, got), behind_gateway(url) as caller:
        assert b" 200 " in caller.raw(request + pieces + b"0\r\n\r\n")
    assert got[0].endswith(call)


@pytest.mark.parametrize("length", ["99999999999", "-1", "x", "1e3"])
def test_a_request_without_a_sane_length_is_refused(length: str) -> None:
    with endpoint(well) as (url, got), behind_gateway(url) as caller:
        answer = caller.raw(
            f"POST /v1/chat/completions HTTP/1.1\r\nAuthorization: Bearer {STAND_IN}\r\n"
            f"Content-Length: {length}\r\n\r\n".encode()
        )
    assert answer.split()[1] in (b"400", b"413")
    assert not got


def test_a_program_that_hangs_up_is_no_trouble_of_the_endpoint() -> None:
    def speak(connection: socket.socket, request: bytes) -> None:
        connection.sendall(head() + WORD)
        connection.recv(1)  # until the gateway hangs up as well

    with endpoint(speak) as (url, _), behind_gateway(url) as caller:
        connection = caller.connection()
        connection.request("POST", "/v1/chat/completions", json.dumps(CALL), {"Authorization": f"Bearer {STAND_IN}"})
        connection.getresponse().read1(10)
        connection.close()
        assert caller.settled().trouble == ""


@pytest.mark.attack("an agent calls a model that does not exist, to make an outage of its bad trial", "it counts not")
def test_only_calls_of_the_program_s_own_models_can_be_trouble() -> None:
    ledger = CallLedger(model="m")
    first = ledger.begin("m-small")  # before any answer: the program's own errand
    ledger.bad(first, "404")
    assert ledger.trouble == "404"
    ledger.good(ledger.begin("m"), 200, AnswerReader("chat", events=True).facts)
    ledger.bad(ledger.begin("no-such-model"), "404")
    assert ledger.trouble == ""
    ledger.bad(ledger.begin("m-small"), "500")
    assert ledger.trouble == "500"


@pytest.mark.parametrize(
    ("wire", "events", "tokens"),
    [
        (
            "anthropic",
            [
                {"type": "message_start", "message": {"model": "x", "usage": {"input_tokens": 10, "output_tokens": 1,
                 "cache_read_input_tokens": 5, "cache_creation_input_tokens": 3}}},
                {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 40}},
                {"type": "message_stop"},
            ],
            Tokens(18, 40, 5),
        ),
        (
            "responses",
            [{"type": "response.completed", "response": {"model": "x", "usage": {"input_tokens": 10, "output_tokens": 9,
              "input_tokens_details": {"cached_tokens": 4}, "output_tokens_details": {"reasoning_tokens": 2}}}}],
            Tokens(10, 9, 4, 2),
        ),
        (
            "gemini",
            [{"modelVersion": "x", "candidates": [{"finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 10,
              "candidatesTokenCount": 9, "thoughtsTokenCount": 2, "cachedContentTokenCount": 4}}],
            Tokens(10, 11, 4, 2),
        ),
    ],
)  # fmt: skip
def test_tokens_are_read_along_in_every_protocol(wire: Wire, events: list[dict[str, Any]], tokens: Tokens) -> None:
    reader = AnswerReader(wire, events=True)
    for byte in b"".join(map(event, events)):
        reader.feed(bytes([byte]))
    reader.end()
    assert reader.complete
    assert (reader.facts.tokens, reader.facts.model) == (tokens, "x")
    assert Prices(1, 10, 0.1).of(tokens) == pytest.approx(
        (tokens.prompt - tokens.cached + tokens.cached * 0.1 + tokens.completion * 10) / 1e6
    )


@pytest.mark.parametrize(
    "data", [b"data: " + b"[" * 100_000 + b"\n", b"data: {\n", b"\xff" * 9_000_000, b'data: {"usage": 3}\n']
)
def test_nothing_that_an_endpoint_sends_breaks_the_reader(data: bytes) -> None:
    reader = AnswerReader("chat", events=True)
    reader.feed(data)
    reader.feed(b"\n" + LAST)
    reader.end()
    assert reader.complete
    assert reader.facts.tokens == Tokens()
