"""`python -m benchmark games`."""

import argparse
import webbrowser
from pathlib import Path

from benchmark.errors import TaskError, UsageError, complain
from benchmark.play.gallery.server import GalleryServer, host_of
from benchmark.play.game import PlayGame
from benchmark.play.package import GAME_FILE, read_package
from benchmark.tasks import TASKS_ROOT, package_folders


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", type=Path, nargs="*", metavar="DIR", help="games, or folders of them (default: ours)")
    parser.add_argument("--port", type=int, default=0, help="default: any that is free")
    parser.add_argument("--open", action="store_true", help="open it in this machine's browser")
    parser.add_argument("--list", action="store_true", help="only say which games there are")


def run(options: argparse.Namespace) -> int:
    if not 0 <= options.port < 65536:
        raise UsageError(f"--port: {options.port} is no port")
    games = _games(options.path or [TASKS_ROOT / "play"])
    if options.list:
        for game in games:
            print(f"{game.id:32}  {game.level}  {game.title}: {game.about}")
        return 0
    try:
        server = GalleryServer(games, options.port)
    except OSError as error:
        raise UsageError(f"--port: {options.port} cannot be taken: {error.strerror}") from error
    with server:
        print(f"{len(games)} games: {server.address}   (Ctrl-C ends it)", flush=True)
        for game in games:
            print(f"  {game.title:28} http://{host_of(game)}.localhost:{server.server_address[1]}/", flush=True)
        if options.open:
            webbrowser.open(server.address)
        server.serve_forever()
    return 0


def _games(paths: list[Path]) -> tuple[PlayGame, ...]:
    games = []
    for path in paths:
        if not path.is_dir():
            raise UsageError(f"{path} is not a folder", fix="name a game, or a folder of games")
        for folder in package_folders(path):
            if not (folder / GAME_FILE).is_file():
                continue
            try:
                games.append(read_package(folder.absolute()).game)
            except TaskError as error:
                complain(error)
    if not games:
        raise UsageError(f"there is no game (a folder with {GAME_FILE}) in {', '.join(map(str, paths))}")
    return tuple(games)
