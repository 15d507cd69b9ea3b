"""Packages of strangers: no path in them leads anywhere, and a broken one holds up no other."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.assets.manifest import ManifestError, read_manifest
from benchmark.authoring import check_package
from benchmark.craft.audit.cuts import check_cut
from benchmark.edit.package import EditPackage, read_package
from benchmark.package_paths import inside
from benchmark.tasks import TaskError, read_task, read_variants, survey_tasks
from fixtures.attacks import Saw

HERE = Path(__file__).parents[1]
TINY, LAMP = HERE / "tasks/craft/puzzle/tiny-switch", HERE / "edit/tasks/edit/gameplay/tiny-lamp"
BAD_NAMES = (
    "/etc/passwd", "../x", "a/../../x", "a/./b", ".", "", "a//b", "a/", "a\\b", "..\\x", "a\0b", "a\nb", "\x1b[31m",
    "\ud800",
    "x" * 201, "/".join(["d"] * 33), "é" * 600,
)  # fmt: skip


@pytest.fixture
def lamp(tmp_path: Path) -> Path:
    """An edit package to break."""
    return shutil.copytree(LAMP, tmp_path / "edit/gameplay/tiny-lamp")


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A craft package to break."""
    return shutil.copytree(TINY, tmp_path / "craft/puzzle/tiny-switch")


def edit_package(folder: Path) -> EditPackage:
    return read_package(read_variants(folder)[0])


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_leads_elsewhere_is_no_place_in_a_package(tmp_path: Path, name: str) -> None:
    with pytest.raises(TaskError, match=r"task.toml: x: .* must stay inside the project, but it ") as caught:
        inside(tmp_path, name, "task.toml: x")
    assert caught.value.message.isprintable()


def test_a_good_name_is_a_place_in_it_and_no_link_is(tmp_path: Path) -> None:
    assert inside(tmp_path, "scripts/it's “a” test.gd", "x") == tmp_path / "scripts/it's “a” test.gd"
    (tmp_path / "way").symlink_to("/etc")
    with pytest.raises(TaskError, match="'way' is a symbolic link"):
        inside(tmp_path, "way/passwd", "x")


HOLDERS: dict[str, Callable[[Path, Path], object]] = {
    # what a package says, with NAME for the path; and who reads it
    "wrong.toml, removes": lambda lamp, _: edit_package(lamp),
    "wrong.toml, the attempt's name": lambda lamp, _: edit_package(lamp),
    "right.toml, removes": lambda lamp, _: edit_package(lamp),
    "right.toml, the solution's name": lambda lamp, _: edit_package(lamp),
    "task.toml, solution.removes": lambda lamp, _: edit_package(lamp),
    "variant.toml, solution.removes": lambda lamp, _: read_package(read_variants(lamp)[1]),
    "art.toml, the folder": lambda lamp, _: read_manifest(lamp / "start"),
    "art.toml, the source": lambda lamp, _: read_manifest(lamp / "start"),
    "audit.toml, file": lambda _, tiny: check_cut(tiny),
}


def write_name(holder: str, name: str, lamp: Path, tiny: Path) -> None:
    quoted = f'"{name}"'
    attempt = 'about = "x"\nfails = ["a press lights it"]\n'
    place, text = {
        "wrong.toml, removes": (lamp / "tests/wrong.toml", f"[one]\n{attempt}removes = [{quoted}]\n"),
        "wrong.toml, the attempt's name": (lamp / "tests/wrong.toml", f"[{quoted}]\n{attempt}removes = ['x']\n"),
        "right.toml, removes": (lamp / "tests/right.toml", f"[one]\nabout = 'x'\nremoves = [{quoted}]\n"),
        "right.toml, the solution's name": (lamp / "tests/right.toml", f"[{quoted}]\nabout = 'x'\n"),
        "task.toml, solution.removes": (lamp / "task.toml", f"[solution]\nremoves = [{quoted}]\n"),
        "variant.toml, solution.removes": (
            lamp / "variants/bright/variant.toml", f"[solution]\nremoves = [{quoted}]\n[parameters]\nbrightness = 2\n",
        ),
        "art.toml, the folder": (lamp / "start/art.toml", f"[copy]\n{quoted} = ['kenney/x.png']\n"),
        "art.toml, the source": (lamp / "start/art.toml", f"[copy]\nart = [{quoted}]\n"),
        "audit.toml, file": (
            tiny / "tests/audit.toml",
            f"[cut]\ndescription='x'\n[[cut.edit]]\nfile={quoted}\nfind='a'\nreplace='b'\n",
        ),
    }[holder]  # fmt: skip
    if holder == "right.toml, removes":
        (lamp / "tests/right/one").mkdir(parents=True)
    if holder == "task.toml, solution.removes":
        text = place.read_text(encoding="utf-8") + text
    place.write_text(text, encoding="utf-8")


@pytest.mark.attack("{holder} names a file of the machine", "refused by name, the file stays")
@pytest.mark.parametrize("holder", HOLDERS)
def test_no_path_in_a_package_leads_out_of_it(lamp: Path, tiny: Path, tmp_path: Path, holder: str, saw: Saw) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    for name in (str(victim), "../../../../../victim", "..\\\\victim", "", "./x"):
        write_name(holder, name, lamp, tiny)
        with pytest.raises((TaskError, ManifestError)) as caught:
            HOLDERS[holder](lamp, tiny)
        shutil.rmtree(lamp / "tests/right/one", ignore_errors=True)
    saw(caught.value.message.replace(f"{tmp_path}/", ""))
    assert victim.read_text() == "mine"


@pytest.mark.attack("removes names a folder, or a file behind a link in an overlay", "refused, nothing is deleted")
def test_what_is_taken_away_is_a_file_of_the_copy(lamp: Path, tmp_path: Path, saw: Saw) -> None:
    write_name("wrong.toml, removes", "scripts", lamp, lamp)
    package = edit_package(lamp)
    with pytest.raises(TaskError, match="'scripts' is a folder") as caught:
        package.lay_out(package.wrong[0], tmp_path / "laid-out")
    saw(caught.value.message.replace(f"{tmp_path}/", ""))


LINKS = (
    "start/secret.txt", "solution/secret", "instruction.md", "tests/wrong/x", "tests/test.gd",
    "variants/bright/solution",
    "task.toml", "start", "tests",
)  # fmt: skip


@pytest.mark.attack("{name} of a package is a link to files of the machine", "refused, listed and linted by name")
@pytest.mark.parametrize("name", LINKS)
def test_links_are_refused(lamp: Path, tmp_path: Path, name: str, saw: Saw) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("s3cret")
    place = lamp / name
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(secret)
    found = survey_tasks([tmp_path])
    assert not found.tasks
    (error,) = found.broken
    saw(error.message.replace(f"{tmp_path}/", ""))
    assert error.message == f"{place}: is a symbolic link"
    (problem,) = check_package(lamp)
    assert str(problem) == f"{name}: is a symbolic link"


@pytest.mark.attack("a folder of packages holds a link to a package elsewhere", "named, not followed")
def test_a_linked_package_is_named_and_not_followed(lamp: Path, tmp_path: Path, saw: Saw) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "lamp").symlink_to(lamp)
    (error,) = survey_tasks([shared]).broken
    saw(error.message.replace(f"{tmp_path}/", ""))
    assert "lamp: is a symbolic link" in error.message
    with pytest.raises(TaskError, match="is a symbolic link"):
        read_task(shared / "lamp")


def _pipe(folder: Path) -> None:
    os.mkfifo(folder / "start/pipe")


def _socket(folder: Path) -> None:
    os.chdir(folder)
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("start/socket")


def _large(folder: Path) -> None:
    with (folder / "start/large.bin").open("wb") as handle:
        handle.truncate(65 << 20)


def _deep(folder: Path) -> None:
    (folder / "start" / "/".join(["d"] * 40)).mkdir(parents=True)


def _alike(folder: Path) -> None:
    (folder / "start/Main.tscn").write_text("x")


def _dated(folder: Path) -> None:
    text = (folder / "task.toml").read_text(encoding="utf-8")
    (folder / "task.toml").write_text(text.replace("[parameters]", "[parameters]\nwhen = 1979-05-27"), encoding="utf-8")


def _not_utf8(folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder / "start") + b"/\xff.gd")).write_text("x")


STRANGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a pipe": (_pipe, "start/pipe: is not a regular file"),
    "a socket": (_socket, "start/socket: is not a regular file"),
    "a file of 65 MiB": (_large, "start/large.bin: is larger than 64 MiB"),
    "40 folders in each other": (_deep, "is nested deeper than 32 folders"),
    "two names that differ in case": (_alike, "differs from 'Main.tscn' only in upper and lower case"),
    "a line end in a name": (lambda folder: (folder / "start/a\nb").write_text("x"), "a control character in it"),
    "a backslash in a name": (lambda folder: (folder / "start/a\\b").write_text("x"), "a backslash in it"),
    "a name that is not UTF-8": (_not_utf8, "is not UTF-8"),
    "a dated parameter": (_dated, "parameters: Object of type date is not JSON serializable"),
}  # fmt: skip


@pytest.mark.attack("a package with {what} in it", "refused with the place")
@pytest.mark.parametrize("what", STRANGE)
def test_what_is_no_plain_file_breaks_a_package(
    lamp: Path, what: str, saw: Saw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(lamp)
    change, message = STRANGE[what]
    change(lamp)
    (problem,) = check_package(lamp)
    saw(problem)
    assert message in str(problem)
    assert str(problem).isprintable()


def _task_is_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _task_is_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _task_is_large(path: Path) -> None:
    with path.open("wb") as handle:
        handle.truncate(1 << 30)


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "nested a thousand levels": (lambda path: path.write_text("a = " + "[" * 1000), "nested deeper"),
    "nested by dots": (lambda path: path.write_text("a." * 100_000 + "b = 1"), "a key of more than 32 parts"),
    "not UTF-8": (lambda path: path.write_bytes(b"\xff"), "is not UTF-8"),
    "a gigabyte": (_task_is_large, "is larger than"),
    "a pipe": (_task_is_a_pipe, "is not a regular file"),
    "a folder": (_task_is_a_folder, "is not a regular file"),
}


@pytest.mark.attack("task.toml is {what}", "the package is named, the others are listed")
@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_package_holds_up_no_other(tiny: Path, tmp_path: Path, what: str, saw: Saw) -> None:
    bad = shutil.copytree(tiny, tiny.with_name("a-bad-one"))
    change, message = BROKEN[what]
    change(bad / "task.toml")
    began = time.process_time()
    found = survey_tasks([tmp_path])
    assert [task.slug for task in found.tasks] == ["tiny-switch"]
    (error,) = found.broken
    saw(error.message.replace(f"{tmp_path}/", ""))
    assert f"{bad}/task.toml: " in error.message
    assert message in error.message
    assert check_package(bad)
    assert time.process_time() - began < 5


@pytest.mark.attack("a package that only its owner may read", "named, the others are listed")
def test_a_package_that_cannot_be_read_holds_up_no_other(tiny: Path, tmp_path: Path, saw: Saw) -> None:
    """As another user, whatever we are: root reads everything."""
    for name, mode in (("a-closed-folder", 0o000), ("a-closed-file", 0o755)):
        bad = shutil.copytree(tiny, tiny.with_name(name))
        (bad / "task.toml").chmod(0o000)
        bad.chmod(mode)
    for folder in (tmp_path, *tmp_path.parents):
        if folder != Path(tempfile.gettempdir()) and folder.is_relative_to(tempfile.gettempdir()):
            folder.chmod(0o755)
    script = (
        "import os, sys; sys.path.insert(0, sys.argv[2])\n"
        "from pathlib import Path; from benchmark.tasks import survey_tasks\n"
        "survey_tasks([Path(sys.argv[2]) / 'tests/tasks'])\n"  # all modules are there before another user looks
        "if os.geteuid() == 0: os.setgid(65534); os.setuid(65534)\n"
        "found = survey_tasks([Path(sys.argv[1])])\n"
        "print([task.slug for task in found.tasks]); print(*(error.message for error in found.broken), sep='\\n')"
    )
    command = [sys.executable, "-c", script, str(tmp_path), str(HERE.parent)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    for name in ("a-closed-folder", "a-closed-file"):
        (tiny.with_name(name)).chmod(0o755)
    listed, *broken = done.stdout.splitlines()
    saw("; ".join(broken).replace(f"{tmp_path}/", ""))
    assert listed == "['tiny-switch']", done.stderr
    assert len(broken) == 2
    assert all("Permission denied" in line for line in broken)


def test_lint_says_what_is_wrong_and_goes_on(tiny: Path, tmp_path: Path) -> None:
    bad = shutil.copytree(tiny, tiny.with_name("a-bad-one"))
    (bad / "task.toml").write_text("a = " + "[" * 5000)
    (tiny.parent / "linked").symlink_to(tiny)
    command = [sys.executable, "-m", "benchmark", "lint", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=HERE.parent)
    assert done.returncode == 1, done.stderr
    assert f"{tiny}: ok" in done.stdout
    assert "nested deeper than 64 levels" in done.stdout
    assert "linked: is a symbolic link" in done.stdout
