"""Whatever an agent leaves behind, its trial is scored: a void would take it from the mean and give it another try.

Real trials: command agents in their sandbox, the engine, the judge.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.results.store import RunStore
from benchmark.trials import TrialRecord
from fixtures.attacks import Saw
from tests.suite.conftest import RunSuite

pytestmark = pytest.mark.engine
Records = Callable[[str], list[TrialRecord]]
EDIT_TASKS = Path(__file__).parents[1] / "edit/tasks"
GAME = """cd /workspace/game && cat > project.godot <<'END'
config_version=5
[application]
run/main_scene="res://m.tscn"
END
printf '[gd_scene format=3]\\n[node name="A" type="Node2D"]\\n' > m.tscn
mkdir -p demo_outputs && echo '{"duration_frames": 9, "events": []}' > demo_outputs/01.json
"""
ODD_NAMES = r"""printf x > "$(printf '\377.gd')"; printf x > "$(printf 'two\nlines.gd')"
printf x > "$(printf '\033[31m.gd')"
printf x > $(printf 'x%.0s' $(seq 255)); printf x > $(printf 'y%.0s' $(seq 240)).png
mkfifo pipe; ln -s /dev/zero zero.gd
touch closed.gd; chmod 000 closed.gd
d=$(printf 'd%.0s' $(seq 200)); for i in $(seq 60); do mkdir $d && cd $d || break; done"""
LEAVINGS: dict[str, tuple[str, int, str]] = {
    # what is left behind: the commands, BUILD, and what the record says of it
    "odd": (
        GAME + "mkfifo $HOME/usage.json; ln -s / root; mkfifo demo_outputs/02.json\n" + ODD_NAMES, 1, "",
    ),
    "places": (GAME + "echo x > .godot; mkdir -p override.cfg/x x.png.import; printf x > x.png", 1, ""),
    "sparse": (
        GAME + "truncate -s 4G huge.bin 2>/dev/null || for i in 1 2 3 4; do truncate -s 1G $i.bin; done", 0,
        "more than 1024 MiB",
    ),
    "folders": (
        GAME + "yes '[' | tr -d '\\n' | head -c 60000 > $HOME/usage.json; mkdir many; cd many\nseq 5100 | xargs mkdir",
        0, "more than 5000 folders",
    ),
    "settings": (
        "cd game; printf 'config_version=²\\n[application]\\nrun/main_scene=' > project.godot;"
        " yes '[' | tr -d '\\n' | head -c 900000 >> project.godot", 0, "no usable trace",
    ),
    "hugesettings": (GAME + "yes 'a=1' | head -c 30000000 >> project.godot", 0, "a project.godot of more than 1 MiB"),
    "nogame": ("rm -rf game; mkfifo game", 0, "no project.godot"),
    "linked": ("rm -rf game; ln -s / game", 0, "no project.godot"),
}  # fmt: skip


def commands(names: list[str]) -> list[str]:
    return [word for name in names for word in ("--agent", f"{name}={LEAVINGS[name][0]}")]


@pytest.mark.attack("craft: agents leave pipes, links, odd and deep names, too much", "each scored, none void")
def test_no_craft_agent_makes_its_trial_void(suite: RunSuite, records: Records, saw: Saw) -> None:
    suite("--track", "craft", "--run", "r", "--video-fps", "0", *commands(list(LEAVINGS)))
    found = {one.agent: one for one in records("r")}
    assert set(found) == set(LEAVINGS)
    saw("; ".join(f"{name} {one.outcome}, BUILD {one.facts['build']}" for name, one in found.items()))
    for name, one in found.items():
        _, build, reason = LEAVINGS[name]
        assert (name, one.outcome, one.facts["build"]) == (name, "scored", build), one.reason
        assert reason in one.reason
        assert one.score is not None
        assert one.cost_usd == 0


@pytest.mark.attack("edit: agents leave pipes, odd and deep names, too much", "each a failed test, none void")
def test_no_edit_agent_makes_its_trial_void(suite: RunSuite, records: Records, saw: Saw) -> None:
    names = ["odd", "places", "sparse", "hugesettings", "linked"]
    suite("--track", "edit", f"--tasks={EDIT_TASKS}", "--run", "r", "-k", "not bright", *commands(names))
    found = {one.agent: one for one in records("r")}
    assert set(found) == set(names)
    saw("; ".join(f"{name} {one.outcome} {one.score}" for name, one in found.items()))
    for name, one in found.items():
        assert (name, one.outcome, one.score) == (name, "scored", 0.0), one.reason
    assert "the project has more than 1024 MiB" in found["sparse"].reason


def test_a_bug_of_ours_is_a_void_record_with_its_traceback(
    suite: RunSuite, records: Records, pytester: pytest.Pytester
) -> None:
    conftest = (pytester.path / "conftest.py").read_text()
    pytester.makeconftest(
        conftest
        + """
class Broken:
    name = version = "broken"
    proxy = needs_untouched = steady = False
    def ready(self):
        raise KeyError("a bug")

@pytest.fixture(scope="session")
def judge():
    return Broken()
""".replace("@pytest", "@__import__('pytest')")
    )
    assert suite("--run", "r").ret == 10
    (record,) = records("r")
    assert record.outcome == "void"
    assert record.reason == "unexpected KeyError: 'a bug' (see traceback.txt)"
    folder = RunStore(pytester.path / "reports/r").trial_folder(record.id)
    assert "KeyError: 'a bug'" in (folder / "traceback.txt").read_text()


@pytest.mark.attack("pytest --tasks DIR with broken packages in DIR", "named, the others run")
def test_broken_packages_hold_up_no_other(suite: RunSuite, pytester: pytest.Pytester, saw: Saw) -> None:
    for name, text in (("deep", "a = " + "[" * 1000), ("bytes", "\x00")):
        folder = pytester.path / f"strange/craft/puzzle/{name}"
        folder.mkdir(parents=True)
        (folder / "task.toml").write_text(text)
    result = suite("--collect-only", "-q", f"--tasks={pytester.path / 'strange'}", "--agent", "nop")
    result.stdout.fnmatch_lines(
        ["*craft/puzzle/tiny-switch[[]nop]]", "broken package, left out: */bytes/task.toml: is not TOML*",
         "broken package, left out: */deep/task.toml: is nested deeper than 64 levels"]
    )  # fmt: skip
    saw([line for line in result.outlines if "broken package" in line][-1].rpartition("/puzzle/")[2])
    assert result.ret == 12


def test_an_outage_of_an_agent_is_void_and_tried_again(
    suite: RunSuite, records: Records, pytester: pytest.Pytester
) -> None:
    profile = pytester.path / "mine.toml"
    profile.write_text(
        'command = "echo overloaded_error; exit 3"\n[[outage]]\nreason = "overloaded"\nexit_codes = [3]\n'
    )
    suite("--run", "r", "--agent", "gone=no-such-program --help", f"--agent={profile}", "--agent", "bad=exit 3")
    found = {one.agent: one for one in records("r")}
    assert (found["gone"].outcome, found["mine"].outcome) == ("void", "void")
    assert "its program was not found" in found["gone"].reason
    assert "agent mine: overloaded (exit code 3)" in found["mine"].reason
    assert (found["bad"].outcome, found["bad"].score) == ("scored", 0.0)
    again = suite("--run", "r", f"--agent={profile}")
    again.stdout.fnmatch_lines(["*mine*void*agent mine: overloaded*"])
