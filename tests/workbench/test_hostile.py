"""Agents that attack the workbench: what they do costs them their answer, and nothing else."""

import contextlib
import os
import re
import shutil
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmark.limits import MAX_FILES
from benchmark.paths import cache_root
from benchmark.replay.build_gate import check_build
from benchmark.runtime.machine import Machine
from benchmark.runtime.processes import tree
from benchmark.workbench.answers import BUSY, MISUSED, Answer, read_answer
from benchmark.workbench.client import Client, spoken
from benchmark.workbench.service import MOST_CONNECTIONS, SOCKET, Offer, Service, workbench
from tests.workbench.conftest import Work

pytestmark = pytest.mark.engine
ALL = frozenset({"check", "replay", "screenshot", "editor", "errors", "art", "mcp"})


@contextmanager
def bench(folder: Path, *, a_minute: int = 1000) -> Iterator[tuple[Client, Path, Service]]:
    """A workbench with an empty game, who asks it, and where."""
    tools, game = folder / "tools", folder / "game"
    tools.mkdir(parents=True)
    game.mkdir()
    with workbench(tools, game, Offer("craft", ALL, most_a_minute=a_minute)) as service:
        yield Client(tools / SOCKET), game, service


def workers() -> set[int]:
    """Our children that answer a request. Their own children look like them until they have become another program."""
    found = set()
    for pid in tree(os.getpid()):
        with contextlib.suppress(OSError):
            parent = re.search(r"^PPid:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
            ours = parent is not None and int(parent[1]) == os.getpid()
            if ours and b"benchmark.workbench" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.add(pid)
    return found


@pytest.mark.attack("requests with paths, options and bytes of all kinds", "refused in a line, the service goes on")
def test_odd_requests_are_refused(tmp_path: Path) -> None:
    with bench(tmp_path) as (client, game, _):
        for words in (
            [], ["nothing"], ["../../bin/sh"], ["check", "--project", "/etc"], ["replay", "--demo"],
            ["replay", "--seconds", "1e9"], ["replay", "--seconds", "nan"], ["screenshot", "--frames", "99999"],
            ["screenshot", "--scene", "/etc/passwd"], ["screenshot", "--scene", "file:///etc/passwd"],
            ["editor", "--screen", "AssetLib"], ["errors", "--scenario", "a\nb"], ["check"] * 60, ["check\0"],
        ):  # fmt: skip
            answer = client.ask(words)
            assert answer.code == MISUSED, (words, answer)
            assert answer.picture is None
        assert "there is no pack '../../../etc'" in client.ask(["art", "../../../etc"]).text
        place = str(client.place)
        for garbage in (
            b"", b"\0", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 4000, struct.pack(">II", 1, 1 << 31),
            struct.pack(">I", 65), struct.pack(">II", 2, 5) + b"check",
        ):  # fmt: skip
            with socket.socket(socket.AF_UNIX) as one:
                one.connect(place)
                one.sendall(garbage)
                one.shutdown(socket.SHUT_WR)
                one.settimeout(20)
                with contextlib.suppress(ConnectionResetError):  # it did not even read to the end
                    assert one.recv(10) == b"", garbage[:20]
        assert client.ask(["check"]).text.startswith("BUILD 0")
        assert not list(game.iterdir())


@pytest.mark.attack("links, pipes and devices in the game folder", "left out, as at the end of a trial")
def test_links_out_of_the_game_lead_nowhere(tmp_path: Path, games: Path) -> None:
    secret = tmp_path / "rubric.json"
    secret.write_text("score_formula")
    with bench(tmp_path / "b") as (client, game, _):
        shutil.copytree(games / "bench/tinker_market", game, dirs_exist_ok=True)
        (game / "demo_outputs/00.json").symlink_to(secret)
        (game / "linked.gd").symlink_to(secret)
        (game / "up").symlink_to("/")
        os.mkfifo(game / "pipe.json")
        answer = client.ask(["check"])
        assert "score_formula" not in answer.text
        assert "left-out" in answer.text
        assert answer.text.startswith("BUILD 1"), answer.text
        game.rename(tmp_path / "b/moved")
        game.symlink_to("/etc")
        assert "passwd" not in client.ask(["check"]).text


@pytest.mark.attack("more files than a submission may have", "refused with the reason, at once")
def test_a_huge_project_is_refused(tmp_path: Path) -> None:
    with bench(tmp_path) as (client, game, _):
        for number in range(MAX_FILES + 10):
            (game / f"{number}").touch()
        began = time.monotonic()
        answer = client.ask(["screenshot"])
        assert f"{MAX_FILES:,} files".replace(",", "") in answer.text.replace(",", ""), answer
        assert time.monotonic() - began < 60
        shutil.rmtree(game)  # pytest keeps its folders for a while


@pytest.mark.attack("a hundred connections and requests at once", "a few wait their turn, the others hear so")
def test_a_flood_is_held_back(tmp_path: Path) -> None:
    with bench(tmp_path, a_minute=6) as (client, _, _):
        answers: list[Answer] = []
        threads = [
            threading.Thread(target=lambda: answers.append(client.ask(["check"]))) for _ in range(MOST_CONNECTIONS * 3)
        ]
        began, most = time.monotonic(), 0
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            most = max(most, len(workers()))
            time.sleep(0.02)
        assert most <= 1, "one request at a time"
        good = [one for one in answers if one.text.startswith("BUILD")]
        assert 1 <= len(good) <= 6 * (1 + (time.monotonic() - began) // 60)
        assert len(answers) == len(threads)
        assert all(one.code == BUSY for one in answers if one not in good)
        idle = [socket.socket(socket.AF_UNIX) for _ in range(100)]
        for one in idle:
            with contextlib.suppress(OSError):
                one.settimeout(1)
                one.connect(str(client.place))
        for one in idle:
            one.close()
        time.sleep(0.5)
        said = client.ask(["check"]).text  # perhaps that none of this minute's six is left
        assert "BUILD 0" in said or "6 requests in a minute" in said, said


@pytest.mark.attack("a game that hangs, and an agent that is killed while it waits", "both end within seconds")
def test_whoever_hangs_up_ends_what_was_asked(tmp_path: Path, games: Path) -> None:
    with bench(tmp_path) as (client, game, service):
        shutil.copytree(games / "broken/hang_in_ready", game, dirs_exist_ok=True)
        one = socket.socket(socket.AF_UNIX)
        one.connect(str(client.place))
        one.sendall(spoken(["screenshot"]))
        until = time.monotonic() + 60
        while not workers() and time.monotonic() < until:
            time.sleep(0.05)
        assert workers()
        time.sleep(3)
        one.close()
        until = time.monotonic() + 10
        while workers() and time.monotonic() < until:
            time.sleep(0.05)
        assert not workers(), "the engine it started is still there"
        ended = socket.socket(socket.AF_UNIX)
        ended.connect(str(client.place))
        ended.sendall(spoken(["errors"]))
        time.sleep(3)
        assert service.closing.is_set() is False
        began = time.monotonic()
    assert time.monotonic() - began < 20, "a trial is held up by what its agent left waiting"
    assert not workers()
    ended.settimeout(5)
    with contextlib.suppress(Exception), ended.makefile("rb") as reader:
        read_answer(reader.read)
    ended.close()


@pytest.mark.attack("trying the check until a flaky game starts once", "the verifier launches it by itself")
def test_what_an_agent_was_told_is_not_remembered(machine: Machine, tmp_path: Path, games: Path) -> None:
    def gates() -> set[str]:
        folder = cache_root() / "gates"
        return {path.name for path in folder.iterdir()} if folder.is_dir() else set()

    project = tmp_path / "fresh"
    shutil.copytree(games / "bench/tinker_market", project)
    (project / "unique.txt").write_text(os.urandom(8).hex())
    with bench(tmp_path / "b") as (client, game, _):
        shutil.copytree(project, game, dirs_exist_ok=True)
        assert client.ask(["check"]).code == 0
    before = gates()
    gate = check_build(project, machine)
    assert gate.build == 1
    assert len(gates() - before) >= 1, "the launch was remembered from the agent's own check"


@pytest.mark.attack(
    "removing, replacing or blocking the socket", "the agent loses its tools, and is scored on what it left"
)
def test_an_agent_that_breaks_its_own_tools_is_scored_all_the_same(work: Work) -> None:
    worked = work(
        "cp tools/bin/relay /tmp/relay; rm -rf tools; ln -s /etc tools; mkdir -p game; echo x > game/x;"
        " (sleep 1; kill -9 $$) & /tmp/relay /workspace/tools/.workbench check"
    )
    assert worked.report.ended in ("crashed", "finished")
    assert (worked.submission / "x").read_text() == "x\n"
