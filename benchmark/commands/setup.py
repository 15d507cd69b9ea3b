"""`python -m benchmark setup`."""

import argparse

from benchmark.progress import Progress
from benchmark.replay.testcard import warm_up
from benchmark.runtime.browser import find_browser
from benchmark.runtime.engine import OLDEST_FOR_RECORDING
from benchmark.runtime.machine import find_machine
from benchmark.runtime.provision.browser import set_up_browser
from benchmark.runtime.provision.install import set_up


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--godot", metavar="PATH", help="use this engine instead of fetching one (also: $GODOT)")
    what.add_argument("--browser", action="store_true", help="only a headless Chromium, if the machine has none")
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing unless something fails")


def run(options: argparse.Namespace) -> int:
    progress = Progress(quiet=options.quiet)
    if options.browser:
        return _browser(progress)
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


def _browser(progress: Progress) -> int:
    outcome = set_up_browser(progress)
    browser = find_browser()
    when = f"ready after {outcome.seconds:.0f} s" if outcome.changed else f"already there ({outcome.seconds:.1f} s)"
    progress.say(f"Chromium {browser.version} is {when}: {browser.program} ({browser.source})")
    return 0
