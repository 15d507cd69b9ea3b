"""A harness that test_secrets.py kills: starts many processes in a sandbox, prints all their numbers, waits."""

import sys
import time
from pathlib import Path

from benchmark.runtime.machine import find_machine
from benchmark.runtime.processes import tree
from benchmark.runtime.sandbox import Sandbox
from tests.sandbox.conftest import Attacker

machine = find_machine()
assert isinstance(machine.sandbox, Sandbox)
attacker = Attacker(Sandbox(machine.userland, machine.sandbox.bwrap, machine.sandbox.as_nobody), Path(sys.argv[1]))
with attacker.start("forks", "30") as running:
    while len(tree(running.process.pid)) < 30:
        time.sleep(0.05)
    print(*tree(running.process.pid), flush=True)
    time.sleep(600)
