"""The page of tiles."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmark.play.game import PlayGame

_TEMPLATES = Path(__file__).with_name("templates")


def tiles_page(games: tuple[PlayGame, ...], port: int) -> str:
    """All games, by genre."""
    from benchmark.play.gallery.server import host_of

    genres = {genre: [game for game in games if game.genre == genre] for genre in sorted({g.genre for g in games})}
    environment = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined)
    links = {game.id: f"http://{host_of(game)}.localhost:{port}/" for game in games}
    return environment.get_template("tiles.html").render(genres=genres, links=links)
