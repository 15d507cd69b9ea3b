"""`python -m benchmark setup`."""

import argparse

from benchmark.craft.replay.testcard import warm_up
from benchmark.progress import Progress
from benchmark.runtime.engine import OLDEST_FOR_RECORDING
from benchmark.runtime.machine import find_machine
from benchmark.runtime.provision.install import set_up


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--godot", metavar="PATH", help="use this engine instead of fetching one (also: $GODOT)")
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing unless something fails")


def run(options: argparse.Namespace) -> int:
    progress = Progress(quiet=options.quiet)
    outcome = set_up(options.godot, progress)
    machine = find_machine(options.godot)
    if machine.graphics_cache is None and machine.engine.number >= OLDEST_FOR_RECORDING:
        progress.say("compiling the engine's shaders once …")
        warm_up(machine)
    if outcome.changed:
        progress.say(f"ready after {outcome.seconds:.0f} s; `python -m benchmark doctor` shows what is there")
    else:
        progress.say(f"everything is already there ({outcome.seconds:.1f} s)")
    return 0
