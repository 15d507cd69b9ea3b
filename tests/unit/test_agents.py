"""Agents by name, art by manifest, submissions by copy."""

import os
import threading
import time
from pathlib import Path

import pytest

from benchmark.agents.command import CommandAgent
from benchmark.agents.outages import built_in, outage_of
from benchmark.agents.profiles import parse_agent
from benchmark.assets import library
from benchmark.assets.manifest import ManifestError, copy_art, read_manifest
from benchmark.errors import SetupError, UsageError
from benchmark.projects.project import NOTE, scan_project
from benchmark.projects.solutions import lay_out_oracle
from benchmark.projects.submission import take_submission
from benchmark.runtime import tokens


def test_built_in_agents_and_commands() -> None:
    assert parse_agent("oracle").name == "oracle"
    agent = parse_agent("mine=python3 agent.py --model a=b")
    assert isinstance(agent, CommandAgent)
    assert (agent.name, agent.command) == ("mine", "python3 agent.py --model a=b")
    assert agent.version != parse_agent("mine=python3 other.py").version


def test_a_profile_file_names_keys_and_folders(tmp_path: Path) -> None:
    path = tmp_path / "codex.toml"
    path.write_text(
        'command = "codex exec"\nenv = ["OPENAI_API_KEY"]\nread = ["~/tools"]\nnetwork = false\ntimeout_sec = 60\n'
    )
    agent = parse_agent(str(path))
    assert isinstance(agent, CommandAgent)
    assert agent.name == "codex"
    assert agent.env == ("OPENAI_API_KEY",)
    assert agent.read == (Path.home() / "tools",)
    assert agent.timeout_sec == 60
    assert not agent.network


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("command = 3", "command: 3 is not a str"),
        ('comand = "x"', "comand: not known"),
        ('command = "x"\nenv = "KEY"', "env: a list of texts is needed"),
        ('command = "x"\nkind = "magic"', "agent kind 'magic' is not known"),
        ('command = "x"\nname = "a b"', "'a b' cannot name an agent"),
        ('command = "x"\nnetwork = 1', "network: 1 is not a bool"),
        ("command =", "Invalid value"),
    ],
)
def test_a_bad_profile_says_where(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "p.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=message):
        parse_agent(str(path))


@pytest.fixture
def art(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with one pack of two images."""
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path / "cache"))
    folder = library.library_folder() / "pack/tiles"
    folder.mkdir(parents=True)
    for name in ("grass.png", "stone.png"):
        (folder / name).write_bytes(name.encode())
    return tmp_path


def test_an_oracle_gets_its_art_copied_in(art: Path) -> None:
    solution = art / "solution"
    solution.mkdir()
    (solution / "project.godot").touch()
    (solution / "coverage.toml").touch()
    (solution / "art.toml").write_text('[copy]\n"art/t" = ["pack/tiles/*.png"]\n"icons" = ["pack/tiles/grass.png"]\n')
    lay_out_oracle(solution, art / "game")
    assert {p.relative_to(art / "game").as_posix() for p in (art / "game").rglob("*") if p.is_file()} == {
        "project.godot", "art/t/grass.png", "art/t/stone.png", "icons/grass.png",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[copy]\n"art" = ["pack/none.png"]', "no file of the art library matches 'pack/none.png'"),
        ('[copy]\n"../x" = ["pack/tiles/grass.png"]', "must stay inside"),
        ('[copy]\n"art" = ["../../secret"]', "must stay inside"),
        ('[copy]\n"art" = ["/etc/passwd"]', "must stay inside"),
        ('[copy]\n"art" = "pack"', "copy.art: .* is not a list"),
        ("[other]\n", "one table"),
        ("[copy", "art.toml"),
    ],
)
def test_a_bad_art_manifest_says_where(art: Path, text: str, message: str) -> None:
    (art / "art.toml").write_text(text)
    with pytest.raises(ManifestError, match=message):
        copy_art(read_manifest(art), art / "game")


def test_every_pack_is_pinned_and_licensed() -> None:
    for pack in library.known_packs():
        assert len(pack.sha256) == 64
        assert "==" in pack.archive
        assert pack.licence in ("CC0-1.0", "OFL-1.1")
        assert pack.licence_file


def test_a_pack_that_cannot_be_fetched_leaves_nothing_behind(art: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(art))
    with pytest.raises(SetupError, match=r"art pack kenney: arcade==.* could not be fetched"):
        library.bring()
    assert not (library.library_folder() / "kenney").exists()
    assert not list(library.library_folder().parent.glob("*.partial"))


def test_a_submission_is_copied_without_links_or_oddities(tmp_path: Path) -> None:
    game = tmp_path / "game"
    (game / "demo_outputs").mkdir(parents=True)
    (game / ".godot").mkdir()
    (game / ".godot/extension_list.cfg").write_text("x")
    (game / "project.godot").write_text("x")
    (game / "demo_outputs/01.json").write_text("{}")
    (game / "passwd").symlink_to("/etc/passwd")
    (game / "up").symlink_to("..")
    os.mkfifo(game / "pipe")
    target = tmp_path / "submission"
    copied = take_submission(game, target)
    files = [path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()]
    assert sorted(files) == [NOTE, "demo_outputs/01.json", "project.godot"]
    assert copied.files == 2
    assert copied.left_out == ("passwd: a symbolic link", "pipe: not a regular file", "up: a symbolic link")
    assert set(copied.left_out) <= set(scan_project(target).left_out)
    assert not (target / "project.godot").stat().st_mode & 0o222


@pytest.mark.parametrize("what", ["link", "file", "nothing"])
def test_a_game_folder_that_is_none_gives_an_empty_submission(tmp_path: Path, what: str) -> None:
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden/rubric.json").write_text("{}")
    if what == "link":
        (tmp_path / "game").symlink_to(tmp_path / "hidden")
    elif what == "file":
        (tmp_path / "game").touch()
    assert take_submission(tmp_path / "game", tmp_path / "submission").files == 0
    assert not scan_project(tmp_path / "submission").files


def test_no_more_games_than_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path))
    monkeypatch.setenv(tokens.CORES_VARIABLE, "2")
    running = most = 0
    lock = threading.Lock()

    def work() -> None:
        nonlocal running, most
        with tokens.cpu_token():
            with lock:
                running += 1
                most = max(most, running)
            time.sleep(0.05)
            with lock:
                running -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 2
    with tokens.whole_machine():
        assert all(tokens._try(path) is None for path in tokens._files())


def test_a_program_that_is_not_there_is_an_outage_only_at_once(tmp_path: Path) -> None:
    log = tmp_path / "agent.log"
    log.write_text("sh: mine: not found\n")
    found = outage_of(built_in(), 127, 0.2, log)
    assert found is not None
    assert found.reason == "its program was not found"
    assert outage_of(built_in(), 127, 60.0, log) is None  # it had worked: whatever it ran last is its own affair
    assert outage_of(built_in(), 1, 0.2, log) is None
    assert outage_of(built_in(), 0, 0.2, log) is None


def test_a_profile_says_what_else_is_an_outage(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'command = "mine"\n[[outage]]\nreason = "overloaded"\nexit_codes = [1, 2]\npatterns = ["overloaded_error"]\n'
    )
    agent = parse_agent(str(path))
    assert isinstance(agent, CommandAgent)
    log = tmp_path / "agent.log"
    log.write_text("x" * 100_000 + ' {"type": "overloaded_error"}')
    assert outage_of(agent.outages, 2, 900.0, log) == agent.outages[0]
    assert outage_of(agent.outages, 3, 900.0, log) is None
    log.write_text("overloaded_error" + "x" * 100_000)  # long before its end
    assert outage_of(agent.outages, 2, 900.0, log) is None
    assert agent.version != CommandAgent("mine", "mine").version


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ('reason = "x"', "exit_codes: at least one is needed"),
        ('reason = "x"\nexit_codes = [0]', "[0] is not a list of whole numbers from 1 to 255"),
        ("exit_codes = [1]", "reason is missing"),
        ('reason = "x"\nexit_codes = [1]\npatterns = ["("]', "'(' is no regular expression"),
        ('reason = "x"\nexit_codes = [1]\nwithin_sec = -1', "within_sec: -1 is not a number from 0"),
        ('reason = "x"\nexit_codes = [1]\ncode = 2', "code not known"),
    ],
)
def test_a_row_that_is_none_is_told_with_its_place(row: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'command = "mine"\n[[outage]]\n{row}\n')
    with pytest.raises(UsageError) as told:
        parse_agent(str(path))
    assert "outage[0]" in told.value.message
    assert problem in told.value.message
