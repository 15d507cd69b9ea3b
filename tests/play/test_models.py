"""Models at the game: each provider's own client against a server that speaks its protocol."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from benchmark.agents.profiles import parse_agent
from benchmark.errors import InfrastructureError, UsageError
from benchmark.jsonl import as_line
from benchmark.play.episode import Setup
from benchmark.play.models.player import ModelPlayer
from benchmark.play.models.settings import ModelAgent, PlayModel, parse_model
from benchmark.play.package import PlayPackage
from benchmark.play.parsing import Interface, parse
from benchmark.play.players import Proposal, Seat, Turn
from benchmark.play.step_log import read_steps, summarize
from benchmark.redaction import redact
from benchmark.runtime.stepped.browser import SteppedBrowser
from tests.play.models_server import Answer, Api, Asked, Plan, PlayModelServer
from tests.play.playing import Played

KEY = "key-of-the-player-0123456789"
APIS: tuple[Api, ...] = ("responses", "chat", "anthropic", "gemini")
MODELS: dict[Api, str] = {"responses": "gpt-x", "chat": "own-x", "anthropic": "claude-x", "gemini": "gemini-x"}
PICTURE = b"\xff\xd8\xff\xe0 a picture \xff\xd9"
each_api = pytest.mark.parametrize("api", APIS)
right = Answer((("right", {"reasoning": "The goal is on the right."}),), text="I walk.")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYER_KEY", KEY)
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "meant-for-another-address")


def seat_of(package: PlayPackage, browser: SteppedBrowser | None = None, number: int = 1) -> Seat:
    """A model's player opens no page, so most of these tests have no browser."""
    game = package.game
    return Seat(
        game=game, goal=package.goal(number), role=game.roles[0], seed=1, browser=cast(SteppedBrowser, browser),
        policy=None, folder=Path("unused"),
    )  # fmt: skip


def agent_for(server: PlayModelServer, api: Api, **changes: Any) -> ModelAgent:
    settings = PlayModel(
        MODELS[api], api, base_url=server.url(api), key_variable="PLAYER_KEY", request_sec=60, retry_sec=0.05,
        thousandths=api == "gemini",
    )  # fmt: skip
    return ModelAgent(replace(settings, **changes))


@contextmanager
def at_the_game(plan: Plan, package: PlayPackage, api: Api = "chat", **changes: Any) -> Iterator[Any]:
    """A server and a player that asks it."""
    with PlayModelServer(plan) as server:
        player = agent_for(server, api, **changes).sit_down(seat_of(package))
        assert isinstance(player, ModelPlayer)
        try:
            yield server, player
        finally:
            player.close()


def turn(package: PlayPackage, step: int = 0, refused: str = "") -> Turn:
    return Turn(
        role=package.game.roles[0], step=step, steps_left=14 - step, episode=0, picture=PICTURE, state=None,
        refused=refused,
    )  # fmt: skip


def judged(package: PlayPackage, proposal: Proposal) -> str:
    """What the loop makes of it: the kind of an action, or the fault."""
    found = parse(proposal.calls, proposal.interface, package.game, package.game.roles[0])
    return str(getattr(found, "fault", "") or getattr(found, "kind", ""))


@pytest.mark.browser
@each_api
def test_a_model_plays_a_whole_trial(
    api: Api, played: Callable[..., Played], steps_game: PlayPackage, stepped: SteppedBrowser
) -> None:
    def plan(asked: Asked, number: int) -> Answer:
        return Answer(text="I only think.") if number == 1 else right

    with PlayModelServer(plan) as server:
        player = agent_for(server, api, prices=(2.0, 10.0), prices_of="2026-11-01").sit_down(
            seat_of(steps_game, stepped, 2)
        )
        trial = played(Setup(steps_game.game, steps_game.goal(2)), {"walker": player})
        player.close()
    found = summarize(read_steps(trial.folder), 4)
    assert (found.solved, found.actions, found.no_call, found.out_of_space) == (True, 3, 1, 0)
    move = read_steps(trial.folder)[1].moves[0]
    assert move.thought == "The goal is on the right."
    assert move.said == "I walk."
    assert move.calls == ({"name": "right", "arguments": {}},)
    assert (move.tokens["input"], move.tokens["output"], move.tokens["cached"]) == (1200, 34, 100)
    assert move.cost_usd == pytest.approx((1200 * 2 + 34 * 10) / 1e6)
    assert 0 < move.latency_sec < 300
    assert [one.key for one in server.asked] == [KEY] * 3
    assert server.strays == []
    first, _, third = server.asked
    assert (first.pictures, third.pictures) == (1, 3)
    assert "# Rules of the game" in first.system
    assert "Come to 4 points." in first.system
    assert "a walker goes to the right" in first.system.lower()
    assert list(first.functions) == ["wait", "right", "lose", "stride", "tap", "spell"]
    stride = first.functions["stride"]
    assert stride["required"] == ["reasoning", "frames"]
    assert (stride["properties"]["frames"]["minimum"], stride["properties"]["frames"]["maximum"]) == (1, 60)
    said = "\n".join(third.texts)
    assert "You called: right(" in said
    assert "You thought: I only think." in said
    assert "Your last call was not done: the answer calls no action" in said
    identity = dict(player.identity)
    answered = "gemini-dated" if api == "gemini" else f"{MODELS[api]}-dated"
    assert (identity["model"], identity["model_answered"], identity["api"]) == (MODELS[api], answered, api)
    assert identity["endpoint"] == server.url(api)
    assert identity["prices"] == "2 in, 10 out, 2026-11-01"
    assert KEY not in (trial.folder / "steps.jsonl").read_text()


@each_api
def test_low_level_functions_are_those_of_the_role_in_its_own_measure(api: Api, steps_game: PlayPackage) -> None:
    place = {"x": 500, "y": 500} if api == "gemini" else {"x": 640, "y": 360}
    plan = lambda asked, number: Answer((("click", {"reasoning": "There.", "action": "wait", **place}),))  # noqa: E731
    with at_the_game(plan, steps_game, api, interface="computer") as (server, player):
        proposal = player.propose(turn(steps_game))
    assert proposal.thought == "There."
    (call,) = proposal.calls
    assert (call.name, dict(call.arguments)) == ("click", {"x": 640, "y": 360})
    assert judged(steps_game, proposal) == "click"
    functions = server.asked[0].functions
    assert list(functions) == ["click", "click_hold", "type", "press_key", "press_keys", "wait"]
    assert functions["press_key"]["properties"]["key"]["enum"] == ["ArrowRight", "ArrowUp", "a", "b", "c"]
    assert functions["click"]["properties"]["x"]["maximum"] == (999 if api == "gemini" else 1279)
    assert ("0 to 999" in server.asked[0].system) == (api == "gemini")
    assert "You may press these keys and no others: ArrowRight" in server.asked[0].system


@each_api
def test_requests_are_cold_and_want_one_call(api: Api, steps_game: PlayPackage) -> None:
    with at_the_game(lambda asked, number: right, steps_game, api) as (server, player):
        player.propose(turn(steps_game))
    body = server.asked[0].body
    temperature = body["generationConfig"]["temperature"] if api == "gemini" else body["temperature"]
    assert temperature == 0
    if api == "anthropic":
        assert body["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}
    elif api != "gemini":
        assert body["parallel_tool_calls"] is False


ODD: list[tuple[Interface, tuple[tuple[Any, Any], ...], str]] = [
    ("semantic", (), "no call"),
    ("semantic", (("right", {}), ("right", {})), "out of space"),
    ("semantic", (("fly", {}),), "out of space"),
    ("semantic", (("stride", {"frames": "20"}),), "out of space"),
    ("semantic", (("stride", {"frames": 10**400}),), "out of space"),
    ("semantic", (("stride", {"frames": True}),), "out of space"),
    ("semantic", (("tap", {"cell": ["a1"]}),), "out of space"),
    ("semantic", (("spell", {"word": "a" * 5000}),), "out of space"),
    ("computer", (("press_key", {"key": "F5"}),), "out of space"),
    ("computer", (("click", {"x": 1e9, "y": 2}),), "out of space"),
    ("computer", (("click", {"x": "12", "y": 2}),), "out of space"),
    ("computer", (("scroll", {"delta_y": 5}),), "out of space"),
]


@each_api
@pytest.mark.parametrize(("interface", "calls", "fault"), ODD, ids=[str(n) for n in range(len(ODD))])
def test_odd_answers_are_counted_and_not_executed(
    api: Api, interface: Interface, calls: tuple[tuple[Any, Any], ...], fault: str, steps_game: PlayPackage
) -> None:
    plan = lambda asked, number: Answer(calls, text="Well.")  # noqa: E731
    with at_the_game(plan, steps_game, api, interface=interface) as (_, player):
        assert judged(steps_game, player.propose(turn(steps_game))) == fault


@each_api
@pytest.mark.parametrize(
    "arguments",
    [{"reasoning": "a" * 50_000}, {"reasoning": "NaN", "n": float("nan")}, {"n": [float("-inf")]}],
    ids=["long", "nan", "infinite"],
)
def test_arguments_that_no_log_can_hold_call_nothing(
    api: Api, arguments: dict[str, Any], steps_game: PlayPackage
) -> None:
    with at_the_game(lambda asked, number: Answer((("right", arguments),)), steps_game, api) as (_, player):
        proposal = player.propose(turn(steps_game))
        assert judged(steps_game, proposal) == "out of space"
        assert len(as_line({"calls": [dict(call.arguments) for call in proposal.calls]})) < 1000
        player.propose(turn(steps_game, 1))


@each_api
def test_half_characters_do_not_stop_the_next_question(api: Api, steps_game: PlayPackage) -> None:
    half = Answer((("right", {"reasoning": "so \ud800 so"}),), text="well \udfff")
    with at_the_game(lambda asked, number: half, steps_game, api) as (server, player):
        first = player.propose(turn(steps_game))
        assert judged(steps_game, first) == "press_key"
        assert (first.thought, first.said) == ("so ? so", "well ?")
        player.propose(turn(steps_game, 1))
    assert "You thought: so ? so" in "\n".join(server.asked[1].texts)


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("arguments", ['{"reasoning": "cut off', "[1, 2]", '"right"', "{" * 5000, '{"a": 1, "a": 2}'])
@pytest.mark.parametrize("name", ["right", "wait"])
def test_arguments_that_are_no_object_call_nothing(
    api: Api, arguments: str, name: str, steps_game: PlayPackage
) -> None:
    interface = "computer" if name == "wait" else "semantic"
    plan = lambda asked, number: Answer(((name, arguments),))  # noqa: E731
    with at_the_game(plan, steps_game, api, interface=interface) as (_, player):
        assert judged(steps_game, player.propose(turn(steps_game))) == "out of space"


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"choices": 5},
        {"choices": [{"message": {"tool_calls": [{"function": 5}, 7]}}]},
        {"choices": [{"message": {"content": [1]}}], "usage": {"prompt_tokens": -5, "completion_tokens": 10**30}},
        {"choices": [{"message": {"tool_calls": [{"function": {"name": None}}]}}], "usage": []},
    ],
)
def test_an_answer_of_another_form_calls_nothing_and_counts_nothing(
    document: dict[str, Any], steps_game: PlayPackage
) -> None:
    with at_the_game(lambda asked, number: Answer(document={"x": 1, **document}), steps_game) as (_, player):
        proposal = player.propose(turn(steps_game))
    assert judged(steps_game, proposal) == "no call"
    assert (dict(proposal.tokens), proposal.cost_usd) == ({}, 0.0)


@each_api
@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_passing_faults_are_tried_again(api: Api, status: int, steps_game: PlayPackage) -> None:
    plan = lambda asked, number: right if number >= 2 else Answer(status=status)  # noqa: E731
    with at_the_game(plan, steps_game, api) as (server, player):
        assert judged(steps_game, player.propose(turn(steps_game))) == "press_key"
    assert len(server.asked) == 3


@each_api
@pytest.mark.parametrize(
    ("answer", "said", "attempts"),
    [
        (Answer(status=401), "HTTP 401: scripted 401", 1),
        (Answer(status=400), "HTTP 400", 1),
        (Answer(status=429), "HTTP 429", 4),
        (Answer(status=429, headers={"retry-after": "100"}), "HTTP 429", 1),
        (Answer(status=502), "HTTP 502", 4),
        (Answer(status=302, headers={"location": "/v1/elsewhere"}), "which is not followed", 1),
        (Answer(kind="cut"), "connection|malformed", 4),
        (Answer(kind="no json"), "not one JSON object", 4),
        (Answer(kind="huge"), "larger than", 4),
    ],
    ids=["401", "400", "429", "429-long", "502", "302", "cut", "no-json", "huge"],
)
def test_faults_of_the_endpoint_are_void(
    api: Api, answer: Answer, said: str, attempts: int, steps_game: PlayPackage
) -> None:
    with (
        at_the_game(lambda asked, number: answer, steps_game, api, turn_sec=90) as (server, player),
        pytest.raises(InfrastructureError, match=said) as caught,
    ):
        player.propose(turn(steps_game))
    assert len(server.asked) == attempts
    assert KEY not in redact(str(caught.value))
    assert server.strays == []


@each_api
@pytest.mark.parametrize("kind", ["hang", "drip"])
def test_an_endpoint_that_stalls_ends_in_time(api: Api, kind: Any, steps_game: PlayPackage) -> None:
    changes = {"request_sec": 1.0, "turn_sec": 2.0}
    with (
        at_the_game(lambda asked, number: Answer(kind=kind), steps_game, api, **changes) as (server, player),
        pytest.raises(InfrastructureError, match="timeout: no whole answer"),
    ):
        player.propose(turn(steps_game))
    assert 1 <= len(server.asked) <= 3


@each_api
def test_nobody_there_and_no_key_are_void(api: Api, steps_game: PlayPackage, monkeypatch: pytest.MonkeyPatch) -> None:
    with at_the_game(lambda asked, number: right, steps_game, api) as (server, player):
        server.__exit__()
        with pytest.raises(InfrastructureError, match="connection"):
            player.propose(turn(steps_game))
        agent = agent_for(server, api)
        monkeypatch.delenv("PLAYER_KEY")
        with pytest.raises(InfrastructureError, match="PLAYER_KEY is not set"):
            agent.sit_down(seat_of(steps_game))


def test_a_key_that_is_said_back_is_shown_nowhere(steps_game: PlayPackage) -> None:
    told = Answer(((KEY, {"reasoning": f"It is {KEY}."}),), text=f"Your key is {KEY}")
    with at_the_game(lambda asked, number: told, steps_game) as (_, player):
        proposal = player.propose(turn(steps_game))
    assert KEY not in repr(proposal)
    denied = Answer(status=401, error={"message": f"no such key: {KEY}"})
    with (
        at_the_game(lambda asked, number: denied, steps_game) as (_, player),
        pytest.raises(InfrastructureError) as caught,
    ):
        player.propose(turn(steps_game))
    assert KEY not in str(caught.value)


@each_api
def test_a_parameter_that_a_model_does_not_take_is_left_out(api: Api, steps_game: PlayPackage) -> None:
    def plan(asked: Asked, number: int) -> Answer:
        held = asked.body.get("generationConfig", asked.body)
        if "temperature" in held:
            return Answer(status=400, error={"message": "temperature is not supported with this model"})
        return right

    with at_the_game(plan, steps_game, api) as (server, player):
        for step in range(2):
            assert judged(steps_game, player.propose(turn(steps_game, step))) == "press_key"
        assert player.identity["temperature"] == "the model's own"
    assert len(server.asked) == 3


@pytest.mark.parametrize(("memory", "pictures"), [(0, [1, 1, 1, 1]), (1, [1, 2, 2, 2]), (2, [1, 2, 3, 3])])
def test_memory_is_of_so_many_rounds(memory: int, pictures: list[int], steps_game: PlayPackage) -> None:
    with at_the_game(lambda asked, number: right, steps_game, memory=memory) as (server, player):
        for step in range(4):
            player.propose(turn(steps_game, step))
    assert [asked.pictures for asked in server.asked] == pictures
    assert "Step 4; 11 actions left." in server.asked[-1].texts[-1]


def test_an_agent_is_named_by_what_it_is(tmp_path: Path) -> None:
    agent = parse_agent("model:gpt-5.2,interface=computer,memory=0")
    assert (agent.name, agent.feedback) == ("gpt-5.2-computer-memory0", "none")
    settings = cast(ModelAgent, agent).settings
    assert (settings.api, settings.interface, settings.memory) == ("responses", "computer", 0)
    assert agent.version != parse_agent("model:gpt-5.2").version
    apis = [cast(ModelAgent, parse_model(f"model:{name}")).settings.api for name in MODELS.values()]
    assert apis == list(MODELS)
    profile = tmp_path / "mine.toml"
    profile.write_text(
        'model = "qwen/q:1"\nname = "mine"\nbase_url = "http://127.0.0.1:9/v1"\nkey = "K"\nprices = [1, 2.5]\n'
        'prices_of = "2026-11-01"\npositions = "thousandths"\n'
    )
    own = cast(ModelAgent, parse_model(f"model:{profile},interface=computer"))
    assert (own.name, own.settings.api, own.settings.thousandths) == ("mine-computer", "chat", True)
    assert own.settings.cost_of({"input": 1e6, "output": 2e6}) == 6.0
    assert parse_model("random") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("model:", "names no model"),
        ("model:gpt,memory=99", "memory"),
        ("model:gpt,memory=-1", "number of rounds"),
        ("model:gpt,interface=telepathy", "interface"),
        ("model:gpt,key=abc", "not known"),
        ("model:gpt,api=ftp", "api"),
        ("model:nowhere.toml", "nowhere.toml"),
    ],
)
def test_what_is_no_agent_is_said_in_one_line(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_agent(text)


@pytest.mark.parametrize(
    "line", ["prices = [1]", "prices = [true, 2]", "request_sec = 0", "request_sec = nan", "a = 1"]
)
def test_a_profile_is_checked(line: str, tmp_path: Path) -> None:
    profile = tmp_path / "p.toml"
    profile.write_text(f'model = "m"\n{line}\n')
    with pytest.raises(UsageError, match=json.dumps(line.split()[0]).strip('"')):
        parse_agent(f"model:{profile}")
