"""Where a Chromium is looked for, in which order, and what is said when there is none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmark.errors import MissingRuntimeError, SetupError, UsageError
from benchmark.progress import QUIET
from benchmark.runtime import doctor
from benchmark.runtime.browser import LAUNCHER, browser_root, find_browser
from benchmark.runtime.provision import browser as provision
from benchmark.runtime.provision.apt import open_own_release
from benchmark.runtime.provision.layout import Manifest, write_manifest

pytest_plugins = ["pytester"]


def program(path: Path, script: str = "echo Chromium 1.2.3.4") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def playwrights(folder: Path, revision: str = "chromium-1200/chrome-linux64/chrome", script: str = "") -> Path:
    path = program(folder / "playwright" / revision, script or "echo Google Chrome for Testing 9.8.7.6")
    (path.parents[1] / "INSTALLATION_COMPLETE").touch()
    return path


def fetched(requested: tuple[str, ...] = provision.PACKAGES, script: str = "echo Chromium 5.5.5.5") -> Path:
    path = program(browser_root() / LAUNCHER, script)
    write_manifest(browser_root(), Manifest(requested, "suite", {}))
    return path


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser; returns the folder that is its PATH."""
    monkeypatch.delenv("GAMECRAFT_BROWSER", raising=False)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "bin"


def test_without_a_browser_the_error_says_how_to_get_one(empty: Path) -> None:
    with pytest.raises(MissingRuntimeError, match=r"no Chromium found\n  next: python -m benchmark setup --browser"):
        find_browser()


def test_the_variable_comes_before_everything(empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = program(tmp_path / "mine")
    playwrights(tmp_path)
    program(empty / "chromium")
    monkeypatch.setenv("GAMECRAFT_BROWSER", str(mine))
    found = find_browser()
    assert (found.program, found.source, found.version) == (mine, "$GAMECRAFT_BROWSER", "1.2.3.4")


@pytest.mark.parametrize("kind", ["missing", "not executable", "folder"])
def test_a_variable_that_names_no_program_is_an_error(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    program(empty / "chromium")  # not looked at: the user asked for another
    path = tmp_path / "mine"
    if kind == "not executable":
        path.touch(mode=0o644)
    elif kind == "folder":
        path.mkdir()
    monkeypatch.setenv("GAMECRAFT_BROWSER", str(path))
    with pytest.raises(UsageError, match=rf"\$GAMECRAFT_BROWSER: {path} is not an executable file"):
        find_browser()


def test_a_variable_that_names_another_program_is_an_error(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMECRAFT_BROWSER", str(program(tmp_path / "mine", "echo GNU something 4; exit 3")))
    with pytest.raises(MissingRuntimeError, match="not a Chromium that works here: --version says 'GNU something 4'"):
        find_browser()


def test_playwrights_own_comes_before_path(empty: Path, tmp_path: Path) -> None:
    program(empty / "chromium")
    own = playwrights(tmp_path)
    assert (find_browser().program, find_browser().source) == (own, "Playwright's own")


def test_of_several_downloads_the_newest_headless_shell_is_taken(empty: Path, tmp_path: Path) -> None:
    playwrights(tmp_path, "chromium_headless_shell-999/chrome-linux/headless_shell")
    playwrights(tmp_path, "chromium-1200/chrome-linux64/chrome")
    newest = playwrights(tmp_path, "chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell")
    assert find_browser().program == newest


def test_a_download_of_playwright_is_passed_over_if_unfinished_or_broken(empty: Path, tmp_path: Path) -> None:
    (playwrights(tmp_path).parents[1] / "INSTALLATION_COMPLETE").unlink()
    playwrights(tmp_path, "chromium-1100/chrome-linux/chrome", "echo cannot open shared object file >&2; exit 127")
    on_path = program(empty / "chromium")
    assert find_browser().program == on_path


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"])
def test_path_comes_before_the_private_root(empty: Path, name: str) -> None:
    private = fetched()
    assert find_browser().program == private
    on_path = program(empty / name)
    assert (find_browser().program, find_browser().source) == (on_path, "PATH")


def test_a_program_that_only_asks_for_a_snap_is_passed_over(empty: Path) -> None:
    program(empty / "chromium-browser", "echo Command requires the chromium snap to be installed; exit 10")
    private = fetched()
    assert (find_browser().program, find_browser().source) == (private, "archive (suite)")


def test_a_half_finished_private_root_is_not_used(empty: Path) -> None:
    program(browser_root() / LAUNCHER)
    program(browser_root().with_name(browser_root().name + ".partial") / LAUNCHER)
    with pytest.raises(MissingRuntimeError, match="no Chromium found"):
        find_browser()


def test_looking_for_a_browser_does_not_import_playwright() -> None:
    script = "import sys, benchmark.runtime.browser, fixtures.browser; print('playwright' in sys.modules)"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout == "False\n"


@pytest.fixture
def no_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise SetupError("the archive was asked")

    monkeypatch.setattr(provision, "open_own_release", refuse)


@pytest.mark.usefixtures("no_archive")
def test_setup_fetches_nothing_if_the_machine_has_a_browser(empty: Path) -> None:
    program(empty / "google-chrome")
    assert not provision.set_up_browser(QUIET).changed
    assert not Path(os.environ["GAMECRAFT_CACHE"]).exists()


@pytest.mark.usefixtures("no_archive")
def test_setup_fetches_nothing_the_second_time(empty: Path) -> None:
    fetched()
    assert not provision.set_up_browser(QUIET).changed


@pytest.mark.usefixtures("no_archive")
@pytest.mark.parametrize("state", ["nothing", "other packages", "does not start"])
def test_setup_asks_the_archive_if_what_is_there_does_not_do(empty: Path, state: str) -> None:
    if state == "other packages":
        fetched(requested=("chromium",))
    elif state == "does not start":
        fetched(script="exit 1")
    with pytest.raises(SetupError, match="the archive was asked"):
        provision.set_up_browser(QUIET)


def test_what_is_left_out_is_not_planned_nor_what_only_it_needs(tmp_path: Path) -> None:
    apt = open_own_release(tmp_path)
    apt.update()
    assert {"dash", "libc6", "libgcc-s1"} <= {archive.package for archive in apt.plan(["dash"])}
    apt.leave_out(["libc6", "no-such-package"])
    packages = {archive.package for archive in apt.plan(["dash"])}
    assert "dash" in packages
    assert not packages & {"libc6", "libgcc-s1"}


def test_doctor_notes_a_missing_browser_without_calling_it_vital(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def row() -> doctor.MachineCheck:
        checks = doctor.examine(None, lambda _: Path())
        return next(check for check in checks if check.name == "browser")

    check = row()
    assert (check.works, check.vital, check.fix) == (False, False, "python -m benchmark setup --browser")
    assert "only the report tests and the web and play tracks need one" in check.found
    monkeypatch.setenv("GAMECRAFT_BROWSER", "/nonexistent")
    assert "unset GAMECRAFT_BROWSER" in row().fix
    monkeypatch.delenv("GAMECRAFT_BROWSER")
    program(empty / "chromium")
    assert (row().works, row().version) == (True, "1.2.3.4")


def test_a_test_without_a_browser_fails_with_the_fix(empty: Path, pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_page(page): pass")
    done = pytester.runpytest_inprocess("-p", "fixtures.browser", "-p", "no:cacheprovider")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["no Chromium found", "  next: python -m benchmark setup --browser"])
