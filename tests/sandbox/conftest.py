"""A program that attacks, and sandboxes to start it in."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from benchmark.runtime.machine import Machine
from benchmark.runtime.native import host_compiler
from benchmark.runtime.processes import Supervised
from benchmark.runtime.sandbox import Job, Limits, Mount, Sandbox
from benchmark.runtime.seccomp import Conduct
from benchmark.runtime.userland import HOST
from benchmark.runtime.workdir import work_folder

SOURCE = Path(__file__).with_name("attack.c")
PLACE = "/opt/attack"  # where an attack lies in a sandbox
GAME = Limits(wall_sec=40)
AGENT = replace(GAME, address_space_bytes=0, processes=512, threads=4096, descriptors=16384, file_bytes=4 << 30)


@pytest.fixture(scope="session")
def attack() -> Iterator[Path]:
    """The compiled program, where other users can reach it."""
    compiler = host_compiler()
    assert compiler is not None, "the attacks are written in C: install gcc"
    with work_folder("attack", on_disk=True) as folder:
        folder.chmod(0o755)
        program = folder / "attack"
        subprocess.run([compiler, "-O1", "-w", "-pthread", "-o", program, SOURCE], check=True)
        yield program


@dataclass(frozen=True)
class Attacker:
    """Starts attacks in a sandbox as agents have it: the machine's own programs are there."""

    sandbox: Sandbox
    program: Path

    def start(self, *words: str, limits: Limits = GAME, conduct: Conduct = "game", network: bool = False) -> Supervised:
        mounts = (Mount(PLACE.lstrip("/"), self.program),)
        arguments = ("-c", 'exec "$0" "$@"', PLACE, *words)
        return self.sandbox.start(
            Job(Path("/bin/sh"), arguments, mounts, limits=limits, conduct=conduct, network=network)
        )

    def __call__(self, *words: str, limits: Limits = GAME, conduct: Conduct = "game") -> tuple[str, str]:
        """What the attack says, and how it ended."""
        with self.start(*words, limits=limits, conduct=conduct) as running:
            finished = running.finish()
        return finished.text, finished.describe()


@pytest.fixture
def attacker(machine: Machine, attack: Path) -> Attacker:
    assert isinstance(machine.sandbox, Sandbox), "there is no sandbox here: python -m benchmark doctor"
    return Attacker(Sandbox(HOST, machine.sandbox.bwrap, machine.sandbox.as_nobody), attack)


def results(text: str) -> dict[str, str]:
    """`name RESULT` lines; of several with one name, all results that differ."""
    found: dict[str, set[str]] = {}
    for line in text.splitlines():
        name, _, result = line.rpartition(" ")
        found.setdefault(name, set()).add(result)
    return {name: " ".join(sorted(values)) for name, values in found.items()}
