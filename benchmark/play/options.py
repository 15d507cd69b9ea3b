"""The track's own options: the seed, the clock, and which pictures are kept."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmark.errors import UsageError
from benchmark.play.episode import Mode

MAX_SEED = (1 << 32) - 1000


@dataclass(frozen=True)
class PlaySettings:
    """How games are played. Attempt n has the n-th seed from `seed` on."""

    seed: int = 1
    mode: Mode = "paused"
    every_picture: bool = False


def add_options(group: Any) -> None:
    group.addoption(
        "--play-seed", type=int, default=1, metavar="N", help="seed of the first attempt at a game (default: 1)"
    )
    group.addoption(
        "--play-real-time", action="store_true",
        help="games go on while a player thinks: its time is turned into frames",
    )  # fmt: skip
    group.addoption(
        "--play-pictures", action="store_true", help="keep the picture of every step, also for players that do not look"
    )


def read_options(option: Callable[[str], Any]) -> PlaySettings:
    seed = option("--play-seed")
    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"--play-seed: {seed} is outside 0–{MAX_SEED}")
    mode: Mode = "real time" if option("--play-real-time") else "paused"
    return PlaySettings(seed=seed, mode=mode, every_picture=bool(option("--play-pictures")))


def option_versions(settings: PlaySettings) -> dict[str, str]:
    return {"play_seed": str(settings.seed), "play_clock": settings.mode}
