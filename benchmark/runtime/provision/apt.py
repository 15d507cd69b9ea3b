"""The Debian archive without root: apt in private folders, packages unpacked beside the system.

The machine's own apt configuration stays in force (mirrors, proxies, validity settings); only the
folders apt writes to and the suite it looks at are ours.
"""

import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from benchmark.errors import SetupError
from benchmark.runtime.workdir import guard_group, release_group

Report = Callable[[str, float], None]

# What games and displays do not read; a third of the unpacked size.
_LEFT_OUT = ("doc", "man", "locale", "info", "lintian", "bug", "bash-completion")

# Suites that carry Godot 4, by distribution, best first. Debian 12 and 13 have Godot 3 only.
_SUITES = {"debian": ("testing", "unstable"), "ubuntu": ("{codename}", "devel")}
_COMPONENTS = {"debian": "main", "ubuntu": "main universe"}


@dataclass(frozen=True)
class PackageFile:
    """One package file that apt would fetch."""

    file_name: str
    size_bytes: int

    @property
    def package(self) -> str:
        return self.file_name.split("_", 1)[0]

    @property
    def version(self) -> str:
        parts = unquote(self.file_name).split("_")
        return parts[1] if len(parts) > 1 else "?"


class PrivateApt:
    """An apt whose state, lists and downloads live below `home`, looking at one suite and perhaps its updates."""

    def __init__(self, home: Path, source_lines: Iterable[str], suite: str) -> None:
        self.home = home
        self.suite = suite
        for folder in ("state/lists/partial", "cache/archives/partial", "nothing/partial", "etc"):
            (home / folder).mkdir(parents=True, exist_ok=True)
        self._status = home / "state/status"
        self._status.write_text("", encoding="utf-8")  # nothing counts as installed
        (home / "etc/sources.list").write_text("".join(f"{line}\n" for line in source_lines), encoding="utf-8")
        settings = {
            "Dir::State": home / "state",
            "Dir::State::status": self._status,
            "Dir::State::lists": home / "state/lists",
            "Dir::Cache": home / "cache",
            "Dir::Etc::sourcelist": home / "etc/sources.list",
            "Dir::Etc::sourceparts": "/nonexistent",
            "APT::Install-Recommends": "false",
        }
        if os.geteuid() == 0:
            settings["APT::Sandbox::User"] = "root"  # the _apt user cannot reach a private cache
        self._options = [part for key, value in settings.items() for part in ("-o", f"{key}={value}")]

    def _apt(self, tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [tool, *self._options, *arguments]
        with _guarded(command, stdout=subprocess.PIPE) as process:
            output, errors = process.communicate()
        return subprocess.CompletedProcess(command, process.returncode, output, errors)

    def update(self) -> None:
        """Fetch the suite's package index."""
        done = self._apt("apt-get", "update", "-q", "--error-on=any")
        if done.returncode != 0:
            raise SetupError(f"apt could not read the {self.suite} suite: {_last_error(done.stderr)}")

    def candidate(self, package: str) -> str | None:
        """The version of `package` this suite offers."""
        found = re.search(r"Candidate: (\S+)", self._apt("apt-cache", "policy", package).stdout)
        return found.group(1) if found and found.group(1) != "(none)" else None

    def leave_out(self, packages: Iterable[str]) -> None:
        """Count `packages` as installed: neither they nor what only they need will be fetched."""
        architecture = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True).stdout.strip()
        offered = {package: self.candidate(package) for package in packages}
        # On hold, because apt otherwise prefers the archive's package of the same version to this sketch of it.
        stanzas = (
            f"Package: {package}\nStatus: hold ok installed\nArchitecture: {architecture}\nVersion: {version}\n\n"
            for package, version in offered.items()
            if version
        )
        self._status.write_text("".join(stanzas), encoding="utf-8")

    def plan(self, packages: Iterable[str]) -> list[PackageFile]:
        """Every package file `packages` need, with sizes; nothing is fetched."""
        # apt leaves out what an interrupted run has fetched already: let it look where nothing is
        elsewhere = f"Dir::Cache::archives={self.home / 'nothing'}"
        done = self._apt("apt-get", "-o", elsewhere, "install", "-y", "--print-uris", *packages)
        if done.returncode != 0:
            raise SetupError(f"apt cannot resolve {' '.join(packages)}: {_last_error(done.stderr)}")
        return [
            PackageFile(file_name, int(size))
            for file_name, size in re.findall(r"^'[^']+' (\S+\.deb) (\d+)", done.stdout, re.MULTILINE)
        ]

    def download(self, packages: Iterable[str], report: Report) -> None:
        """Fetch the package files; files that are already there are kept, partial ones continued."""
        read_end, write_end = os.pipe()
        arguments = ["install", "-y", "-q", "--download-only", "-o", f"APT::Status-Fd={write_end}"]
        command = ["apt-get", *self._options, *arguments, *packages]
        with _guarded(command, stdout=subprocess.DEVNULL, pass_fds=(write_end,)) as process:
            os.close(write_end)
            with os.fdopen(read_end) as status:
                for line in status:
                    if line.startswith("dlstatus:"):
                        _, _, percent, text = line.rstrip().split(":", 3)
                        report(text, float(percent) / 100)
            _, errors = process.communicate()
        if process.returncode != 0:
            raise SetupError(
                f"download from the {self.suite} suite failed: {_last_error(errors)}",
                fix="run the same command again; what has arrived is kept",
            )

    def unpack(self, archives: list[PackageFile], into: Path, report: Report) -> None:
        """Lay the files of all packages into one folder, several at a time."""
        excludes = [f"--exclude=./usr/share/{name}" for name in _LEFT_OUT]
        into.mkdir(parents=True, exist_ok=True)

        def lay_out(archive: PackageFile) -> None:
            path = self.home / "cache/archives" / archive.file_name
            stream = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(path)], stdout=subprocess.PIPE)
            tar = subprocess.run(
                ["tar", "-x", "-C", str(into), "--no-same-owner", *excludes],
                stdin=stream.stdout, capture_output=True, text=True,
            )  # fmt: skip
            assert stream.stdout is not None
            stream.stdout.close()
            if stream.wait() != 0 or tar.returncode != 0:
                path.unlink(missing_ok=True)  # damaged: the next run fetches it again
                raise SetupError(
                    f"cannot unpack {archive.file_name}: {_last_error(tar.stderr) or 'damaged archive'}",
                    fix="run the same command again; check the free disk space if it repeats",
                )

        with ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
            for count, _ in enumerate(pool.map(lay_out, archives), start=1):
                report(f"unpacked {count} of {len(archives)}", count / len(archives))


@contextmanager
def _guarded(command: list[str], stdout: int, pass_fds: tuple[int, ...] = ()) -> Iterator[subprocess.Popen[str]]:
    """A child that does not outlive us: an apt left behind would hold the lock on our folders."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, text=True, pass_fds=pass_fds,
        start_new_session=True, env={**os.environ, "LC_ALL": "C"},
    )  # fmt: skip
    guard_group(process.pid)
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        release_group(process.pid)


def open_suites(home: Path) -> Iterable[PrivateApt]:
    """Private apts for the suites of this machine's own mirror that may carry Godot 4."""
    family, codename = _system()
    mirror = _mirror(_sources())
    for template in _SUITES[family]:
        suite = template.format(codename=codename)
        yield PrivateApt(home / suite, [_source_line(family, mirror, suite)], suite)


def open_own_release(home: Path) -> PrivateApt:
    """A private apt for the release this machine runs, with the updates the machine itself would take."""
    family, codename = _system()
    sources = _sources()
    wanted = {codename, f"{codename}-updates", f"{codename}-security"}
    own = {(s.uri, s.suite) for s in sources if s.origin.lower() == family and {s.suite, s.codename} & wanted}
    own = own or {(_mirror(sources), codename)}
    return PrivateApt(home / codename, [_source_line(family, *source) for source in sorted(own)], codename)


def _system() -> tuple[str, str]:
    """The family of this machine's distribution and the code name of its release."""
    release = _os_release()
    family = next((f for f in _SUITES if f in (release.get("ID", ""), *release.get("ID_LIKE", "").split())), None)
    if family is None:
        raise SetupError(f"{release.get('PRETTY_NAME', 'this system')} is neither Debian nor Ubuntu")
    return family, release.get("VERSION_CODENAME", "stable")


def _source_line(family: str, mirror: str, suite: str) -> str:
    keyring = Path(f"/usr/share/keyrings/{family}-archive-keyring.gpg")
    signed_by = f"[signed-by={keyring}] " if keyring.exists() else ""
    return f"deb {signed_by}{mirror} {suite} {_COMPONENTS[family]}"


@dataclass(frozen=True)
class _Source:
    """A suite the machine's apt knows: as its sources name it (`stable`), its code name (`bookworm`), its maker."""

    uri: str
    suite: str
    codename: str
    origin: str


def _sources() -> list[_Source]:
    fields = "$(REPO_URI)\t$(RELEASE)\t$(CODENAME)\t$(ORIGIN)"
    try:
        listed = subprocess.run(
            ["apt-get", "indextargets", "--format", fields, "Created-By: Packages"],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetupError(f"apt is not usable here: {error}") from error
    return [_Source(*line.split("\t")) for line in listed.splitlines()]


def _mirror(known: list[_Source]) -> str:
    if known:
        return known[0].uri
    # Before the first `apt-get update` of a new machine there are no index targets: read the sources.
    sources = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    for path in sources:
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        if found := re.search(r"^(?:deb\s+(?:\[[^\]]*\]\s+)?|URIs:\s*)(\w+:\S+)", text, re.MULTILINE):
            return found.group(1)
    raise SetupError("apt has no package source configured", fix="add one to /etc/apt/sources.list")


def _os_release() -> dict[str, str]:
    text = Path("/etc/os-release").read_text(encoding="utf-8")
    pairs = (line.split("=", 1) for line in text.splitlines() if "=" in line)
    return {key: value.strip().strip('"') for key, value in pairs}


def _last_error(stderr: str) -> str:
    lines = [line for line in stderr.splitlines() if line.startswith(("E:", "tar:", "dpkg"))]
    return lines[-1] if lines else stderr.strip()[-300:]
