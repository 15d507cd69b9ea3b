"""A loopback server: `/` is the page of tiles, `/<genre>/<game>/` a game, `/base/` what games share.

Each game is answered under a host name of its own (`arcade-harbour-light.localhost`), so that no game reaches the
storage of another, and `/base/` means the same as in the benchmark.
"""

import re
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmark.play.gallery.tiles import tiles_page
from benchmark.play.game import PlayGame
from benchmark.runtime.stepped.site import ORIGIN, Site, answer

_HOST = re.compile(r"(?:([a-z0-9-]+)\.)?(?:localhost|127\.0\.0\.1)(?::\d+)?", re.IGNORECASE)


class GalleryServer(ThreadingHTTPServer):
    """Serves until it is told to stop. Takes port 0 for any that is free."""

    daemon_threads = True

    def __init__(self, games: tuple[PlayGame, ...], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.sites: Mapping[str, Site] = {host_of(game): site_of(game) for game in games}
        self.games = games

    @property
    def address(self) -> str:
        return f"http://localhost:{self.server_address[1]}/"


def host_of(game: PlayGame) -> str:
    return re.sub(r"[^a-z0-9]+", "-", game.id.lower()).strip("-")


def site_of(game: PlayGame) -> Site:
    mounts: dict[str, Path] = {"/": game.folder}
    if game.base:
        mounts["/base/"] = game.base
    return Site(mounts, f"/{game.entry}")


class _Handler(BaseHTTPRequestHandler):
    server: GalleryServer

    def do_GET(self) -> None:
        # Only names of this machine: a page elsewhere that had its own name point here gets nothing.
        host = _HOST.fullmatch(self.headers.get("host", ""))
        if not host:
            self._send(403, {"content-type": "text/plain"}, b"not by this name")
            return
        name = host[1].lower() if host[1] else ""
        if not name:
            is_front = self.path.split("?")[0] == "/"
            page = tiles_page(self.server.games, self.server.server_address[1]) if is_front else "not here"
            self._send(200 if is_front else 404, {"content-type": "text/html; charset=utf-8"}, page.encode())
            return
        site = self.server.sites.get(name)
        if site is None:
            self._send(404, {"content-type": "text/plain"}, b"no such game")
            return
        path = site.entry if self.path == "/" else self.path
        found = answer(site, ORIGIN + path)
        self._send(found.status, found.headers, found.body)

    def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
        pass
