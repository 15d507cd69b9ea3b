"""The public benchmarks that can be brought by name."""

from dataclasses import dataclass
from pathlib import Path

from benchmark.limits import MAX_TOML_BYTES
from benchmark.untrusted import read_toml

_FILE = Path(__file__).with_name("benchmarks.toml")


@dataclass(frozen=True)
class PublicBenchmark:
    """`tasks` is the folder below the checkout that `pytest --tasks` takes."""

    name: str
    title: str
    source: str
    commit: str
    track: str
    tasks: str
    unpack: tuple[str, ...] = ()  # folders whose zips are projects


def known_benchmarks() -> dict[str, PublicBenchmark]:
    """All of them, by name."""
    entries = read_toml(_FILE, MAX_TOML_BYTES)
    return {
        name: PublicBenchmark(name, **{**entry, "unpack": tuple(entry.get("unpack", ()))})
        for name, entry in entries.items()
    }
