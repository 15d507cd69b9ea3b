"""Memory that the resident set of a process does not show, and many of everything."""

import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from fixtures.attacks import Saw
from fixtures.recording import Play
from tests.sandbox.conftest import AGENT, GAME, Attacker, results

pytestmark = pytest.mark.engine
SMALL = replace(AGENT, resident_bytes=256 << 20)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("a file in memory that no process has mapped", "memory-file 700"),
        ("shared memory, filled and let go of", "let-go 700"),
        ("page tables", "page-tables 600"),
        ("2,000 full sockets", "sockets 2000"),
        ("a process whose first thread has ended", "first-thread-ends 700"),
    ],
)
@pytest.mark.attack("agent: more memory than it may have, in {what}", "memory limit")
def test_memory_is_counted_wherever_it_is(attacker: Attacker, what: str, words: str, saw: Saw) -> None:
    said, ended = attacker(*words.split(), limits=SMALL, conduct="agent")
    saw(ended)
    assert ended == "ended at its memory limit"
    assert "held on" not in said


def test_what_is_below_the_limit_is_left_alone(attacker: Attacker) -> None:
    attempts = ("memory-file 100", "let-go 100", "page-tables 100", "sockets 100", "first-thread-ends 100")
    with ExitStack() as stack:
        started = [
            stack.enter_context(attacker.start(*words.split(), limits=SMALL, conduct="agent")) for words in attempts
        ]
        finished = [running.finish() for running in started]
    assert [(one.text.splitlines()[-1], one.describe()) for one in finished] == [("held on", "exit code 0")] * 5


@pytest.mark.attack("a thread bomb", "the kernel gives no more than 320")
def test_threads_end_at_the_limit(attacker: Attacker, saw: Saw) -> None:
    said, ended = attacker("threads", "2000")
    saw(f"{said} {ended}")
    assert 300 < int(results(said)["threads"]) <= 320


@pytest.mark.attack("a fork bomb beside an honest demo of the same user", "the demo is complete")
def test_a_fork_bomb_takes_nothing_from_the_game_beside_it(
    attacker: Attacker, play: Play, games: Path, saw: Saw
) -> None:
    with attacker.start("forks", "5000", "20", limits=replace(GAME, processes=5000)) as bomb:
        outcome = play(games / "broken/warning_only").evidence.outcome
        said = bomb.stop().text
    saw(f"{outcome.kind}; {said}")
    assert outcome.complete
    assert 300 < int(results(said)["forks"]) <= 320
    assert "held on" not in said  # it was there all the time


@pytest.mark.attack("one game looks for another: files, sockets, signals", "nobody is there")
def test_two_at_once_do_not_meet(attacker: Attacker, saw: Saw) -> None:
    with attacker.start("be-there") as other:
        time.sleep(1)
        said = results(attacker("reach")[0])
        there = other.finish()
    saw(said)
    assert results(there.text) == {"bind": "ok", "/tmp/here": "ok", "/dev/shm/here": "ok", "held": "on"}
    assert said == {"connect": "ECONNREFUSED", "/tmp/here": "ENOENT", "/dev/shm/here": "ENOENT", "kill": "ESRCH"}
