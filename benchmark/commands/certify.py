"""`python -m benchmark certify`: whether a browser game does the same again under the stepped clock."""

import argparse
import time
from pathlib import Path

from benchmark.errors import BenchmarkError, UsageError, complain
from benchmark.limits import MAX_TEXT_BYTES
from benchmark.progress import Progress
from benchmark.runtime.stepped.browser import SteppedBrowser
from benchmark.runtime.stepped.certificate import InputStep, PageCertificate, certify, parse_script
from benchmark.runtime.stepped.public_games import fetch_public_game, public_game_names
from benchmark.runtime.stepped.site import Site
from benchmark.untrusted import UnreadableFileError, read_utf8

_DEFAULT_SCRIPT = "key ArrowLeft\nkey ArrowUp\nclick 640 360\nkey ArrowRight\nkey Space\nwait 60\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR", help="the folder of a game")
    parser.add_argument("--entry", default="/index.html", metavar="PATH", help="its page (default: /index.html)")
    parser.add_argument("--script", type=Path, metavar="FILE", help="what to do: key NAME, click X Y, wait FRAMES")
    parser.add_argument(
        "--npm", nargs="*", choices=public_game_names(), metavar="GAME", help="public games from npm (default: all)"
    )


def run(options: argparse.Namespace) -> int:
    if not options.folders and options.npm is None:
        raise UsageError("nothing to certify", fix="name the folder of a game, or give --npm")
    script = _script(options.script)
    games: list[tuple[str, Site, tuple[InputStep, ...]]] = [
        (str(folder), Site({"/": folder}, options.entry), script) for folder in options.folders
    ]
    for name in options.npm or (public_game_names() if options.npm is not None else ()):
        game = fetch_public_game(name)
        games.append((f"{name} {game.version}", game.site, game.script))
    progress = Progress()
    failed = False
    print("| game | steps | the same three times | noted | seconds |\n|---|---|---|---|---|")
    with SteppedBrowser() as browser:
        for name, site, steps in games:
            progress.say(f"{name} …")
            began = time.monotonic()
            try:
                certificate = certify(browser, site, steps)
            except BenchmarkError as error:
                complain(error)
                failed = True
                continue
            progress.done()
            failed = failed or not certificate.same
            print(_row(name, certificate, time.monotonic() - began), flush=True)
    return 1 if failed else 0


def _script(file: Path | None) -> tuple[InputStep, ...]:
    try:
        return parse_script(_DEFAULT_SCRIPT if file is None else read_utf8(file, MAX_TEXT_BYTES))
    except UnreadableFileError as error:
        raise UsageError(f"{file} {error}") from error


def _row(name: str, certificate: PageCertificate, seconds: float) -> str:
    same = "yes" if certificate.same else f"no: {certificate.reason}"
    noted = ", ".join(sorted({trouble.kind for trouble in certificate.troubles})) or "–"
    return f"| {name} | {certificate.steps} | {same} | {noted} | {seconds:.0f} |"
