"""Provisioning, locks and process supervision, without an engine."""

import hashlib
import os
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.errors import SetupError, UsageError
from benchmark.paths import cache_root
from benchmark.runtime.locking import exclusive
from benchmark.runtime.processes import Bounds, Finished, Start, Supervised, tree
from benchmark.runtime.provision import release
from benchmark.runtime.provision.apt import PackageFile, open_suites
from benchmark.runtime.provision.layout import installed_engine, installed_root, read_manifest, runtime_folder
from benchmark.runtime.workdir import work_folder

BOUNDS = Bounds(wall_sec=20.0, processes=50, threads=500, memory_bytes=1 << 30, output_bytes=1000)


def start(script: str, bounds: Bounds = BOUNDS) -> Supervised:
    return Supervised(Start((sys.executable, "-c", script), dict(os.environ)), bounds)


def running(pid: str) -> bool:
    """Neither gone nor a zombie that the machine's init has yet to collect."""
    try:
        return Path(f"/proc/{int(pid)}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_output_and_exit_code_are_kept() -> None:
    with start("print('hello'); raise SystemExit(3)") as process:
        finished = process.finish()
    assert (finished.exit_code, finished.text, finished.ending) == (3, "hello\n", "exited")


def test_a_process_that_takes_too_long_is_ended_with_its_children() -> None:
    script = (
        "import subprocess, time; p = subprocess.Popen(['sleep', '600']); print(p.pid, flush=True); time.sleep(600)"
    )
    with start(script, replace(BOUNDS, wall_sec=1.0)) as process:
        finished = process.finish()
    assert finished.ending == "wall time"
    time.sleep(0.1)
    assert not running(finished.text)


def test_too_many_processes_end_the_whole_tree() -> None:
    script = "import subprocess, time\nfor _ in range(40): subprocess.Popen(['sleep', '600'])\ntime.sleep(600)"
    with start(script, replace(BOUNDS, processes=10)) as process:
        finished = process.finish()
    assert finished.ending == "processes"
    assert tree(process.process.pid) == {process.process.pid}


def test_too_much_memory_ends_it() -> None:
    with start(
        "x = bytearray(400 << 20); import time; time.sleep(600)", replace(BOUNDS, memory_bytes=200 << 20)
    ) as process:
        assert process.finish().ending == "memory"


def test_long_output_is_cut_but_not_blocked() -> None:
    with start("print('x' * 5000); print('end')") as process:
        finished = process.finish()
    assert (finished.exit_code, len(finished.output)) == (0, 1000)
    assert finished.output_cut


def test_endless_output_ends_it() -> None:
    with start("while True: print('x' * 1000)") as process:
        assert process.finish().ending == "output"


def test_a_line_can_be_taken_out_of_the_output() -> None:
    seen: list[bytes] = []

    def watch(line: bytes) -> bool:
        seen.append(line)
        return line.startswith(b"marker")

    command = (sys.executable, "-c", "print('a'); print('marker 1'); print('b')")
    with Supervised(Start(command), BOUNDS, watch) as process:
        assert process.finish().text == "a\nb\n"
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("finished", "words"),
    [
        (Finished(exit_code=1, ending="exited", wall_sec=0, output=b"", output_cut=False), "exit code 1"),
        (Finished(exit_code=-11, ending="exited", wall_sec=0, output=b"", output_cut=False), "killed by SIGSEGV"),
        (Finished(exit_code=139, ending="exited", wall_sec=0, output=b"", output_cut=False), "killed by SIGSEGV"),
        (
            Finished(exit_code=-9, ending="memory", wall_sec=0, output=b"", output_cut=False),
            "ended at its memory limit",
        ),
    ],
)
def test_an_end_is_described_in_words(finished: Finished, words: str) -> None:
    assert finished.describe() == words


def test_nothing_stays_behind_when_the_caller_is_killed(tmp_path: Path) -> None:
    script = (
        "import sys, time\n"
        "from benchmark.runtime.workdir import work_folder\n"
        "from benchmark.runtime.processes import Bounds, Start, Supervised\n"
        "with work_folder('test') as folder:\n"
        "    (folder / 'file').write_text('x')\n"
        "    child = Supervised(Start(('sleep', '600'), {'PATH': '/usr/bin:/bin'}), Bounds(900, 9, 99, 1 << 30, 9))\n"
        "    print(folder, child.process.pid, flush=True)\n"
        "    time.sleep(600)\n"
    )
    caller = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert caller.stdout is not None
    folder, child = caller.stdout.readline().split()
    assert Path(folder, "file").exists()
    caller.send_signal(signal.SIGKILL)
    caller.wait()
    caller.stdout.close()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and (Path(folder).parent.exists() or running(child)):
        time.sleep(0.05)
    assert not Path(folder).parent.exists()
    assert not running(child)


def test_a_work_folder_is_gone_after_its_block() -> None:
    with work_folder("test") as folder:
        (folder / "file").write_text("x", encoding="utf-8")
    assert not folder.exists()


def test_a_lock_is_held_by_one_process_and_dropped_when_it_dies(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from benchmark.runtime.locking import exclusive\n"
        "with exclusive(Path(sys.argv[1])): print('held', flush=True); time.sleep(600)"
    )
    lock = tmp_path / "lock"
    holder = subprocess.Popen([sys.executable, "-c", script, str(lock)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    waited: list[bool] = []

    def kill_holder() -> None:
        waited.append(True)
        holder.kill()

    with exclusive(lock, on_wait=kill_holder):
        assert waited == [True]
    holder.wait()
    holder.stdout.close()


def test_a_half_finished_installation_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path))
    assert cache_root() == tmp_path
    partial = runtime_folder() / "root.partial/usr/bin"
    partial.mkdir(parents=True)
    (partial / "godot").touch()
    (runtime_folder() / "root").mkdir()
    for manifest in ("", "{}", '{"requested": [], "suite": "s", "versions": {}, "layout": 99}'):
        (runtime_folder() / "root/manifest.json").write_text(manifest, encoding="utf-8")
        assert read_manifest() is None
    assert installed_root() is None
    assert installed_engine() is None


def test_the_cache_must_be_an_absolute_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", "relative")
    with pytest.raises(UsageError, match="not an absolute path"):
        cache_root()


def test_a_release_is_checked_against_its_published_checksum(tmp_path: Path) -> None:
    archive = tmp_path / "Godot_v9.zip"
    with zipfile.ZipFile(archive, "w") as bundle:
        bundle.writestr("Godot_v9", "#!/bin/sh\n")
    digest = hashlib.sha512(archive.read_bytes()).hexdigest()
    release.verify(archive, f"{digest}  Godot_v9.zip\n{'0' * 128}  other.zip\n")
    program = release.unpack(archive, "Godot_v9", tmp_path / "godot")
    assert os.access(program, os.X_OK)
    with pytest.raises(SetupError, match="not in the release's checksum file"):
        release.verify(archive, "")
    with pytest.raises(SetupError, match="sha512 is"):
        release.verify(archive, f"{'0' * 128}  Godot_v9.zip\n")
    assert not archive.exists()  # a damaged download is not kept


def test_package_files_tell_name_and_version() -> None:
    archive = PackageFile("libllvm21_1%3a21.1.8-13_amd64.deb", 28)
    assert (archive.package, archive.version) == ("libllvm21", "1:21.1.8-13")


def test_a_plan_names_every_package_also_those_an_interrupted_run_has_fetched(tmp_path: Path) -> None:
    apt = next(iter(open_suites(tmp_path)))
    apt.update()
    before = apt.plan(["dash"])
    assert "dash" in {archive.package for archive in before}
    apt.download(["dash"], lambda *_: None)
    assert apt.plan(["dash"]) == before
    apt.unpack(before, tmp_path / "root", lambda *_: None)
    assert (tmp_path / "root/usr/bin/dash").exists()
    assert not (tmp_path / "root/usr/share/doc").exists()
