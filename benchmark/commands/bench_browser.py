"""`python -m benchmark bench-browser`: what a step of a browser game costs under the stepped clock."""

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from benchmark.commands.timed import cpu_sec
from benchmark.errors import UsageError
from benchmark.runtime.stepped.browser import SteppedBrowser
from benchmark.runtime.stepped.page import SteppedPage
from benchmark.runtime.stepped.site import Site

_STEP_FRAMES = 12  # 200 ms of play
_PAGES = Path(__file__).with_name("bench_pages")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--steps", type=int, default=100, metavar="N", help="steps of 200 ms each (default: 100)")


def run(options: argparse.Namespace) -> int:
    if options.steps < 2:
        raise UsageError("--steps must be at least 2")
    print("| page | start | key down, 200 ms, key up | state | PNG | JPEG |\n|---|---|---|---|---|---|")
    with SteppedBrowser() as browser:
        for page in sorted(_PAGES.glob("*.html")):
            began = time.monotonic()
            with browser.open(Site({"/": _PAGES}, f"/{page.name}")) as opened:
                start = (time.monotonic() - began) * 1000
                print(f"| {page.stem} | {start:.0f} ms | {' | '.join(_measure(opened, options.steps))} |", flush=True)
    confined = "yes" if browser.confined else "no"
    print(f"median / 95th percentile, CPU time of all processes; {options.steps} steps; in a sandbox: {confined}")
    return 0


def _measure(page: SteppedPage, steps: int) -> list[str]:
    acts: tuple[Callable[[], object], ...] = (
        lambda: _step(page),
        lambda: page.evaluate("gameAPI.getState()"),
        lambda: page.screenshot(),
        lambda: page.screenshot("jpeg"),
    )
    cells = []
    for act in acts:
        taken = []
        cpu_before = cpu_sec()
        for _ in range(steps):
            began = time.monotonic()
            act()
            taken.append((time.monotonic() - began) * 1000)
        cpu = (cpu_sec() - cpu_before) * 1000 / steps
        quick, slow = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
        cells.append(f"{quick:.1f} / {slow:.1f} ms, CPU {cpu:.1f}")
    return cells


def _step(page: SteppedPage) -> None:
    page.key_down("ArrowRight")
    page.advance(_STEP_FRAMES)
    page.key_up("ArrowRight")
