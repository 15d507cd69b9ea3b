"""`python -m benchmark cache`."""

import argparse
import json
import time

from benchmark.cache import LIMIT_VARIABLE, CacheEntry, entries, kinds, limit_bytes, remove, trim
from benchmark.paths import cache_root
from benchmark.text import duration


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--trim", type=float, metavar="GB", help="delete the least recently used until GB are left")
    parser.add_argument(
        "--clear", action="append", default=[], choices=kinds(), help="delete all of a kind (again: more)"
    )
    parser.add_argument("--json", action="store_true", help="machine-readable output")


def run(options: argparse.Namespace) -> int:
    every = entries()
    gone: list[CacheEntry] = []
    for entry in every:
        if entry.kind in options.clear:
            remove(entry)
            gone.append(entry)
    if options.trim is not None:
        gone += trim(round(options.trim * 1e9), [entry for entry in every if entry not in gone])
    left = [entry for entry in every if entry not in gone]
    if options.json:
        sums = {kind: _sum(left, kind) for kind in kinds()}
        print(json.dumps({"folder": str(cache_root()), "limit_bytes": limit_bytes(), "kinds": sums}, indent=1))
        return 0
    print(f"{'what':38} {'entries':>8} {'MB':>9}  last used")
    for kind, what in kinds().items():
        found = _sum(left, kind)
        used = f"{duration(time.time() - found['used'])} ago" if found["entries"] else "–"
        print(f"{what:38} {found['entries']:8.0f} {found['bytes'] / 1e6:9.1f}  {used}")
    total = sum(entry.size_bytes for entry in left)
    print(f"{'together':38} {len(left):8} {total / 1e6:9.1f}  in {cache_root()}")
    if gone:
        print(f"deleted: {len(gone)} entries, {sum(entry.size_bytes for entry in gone) / 1e6:.1f} MB")
    print(
        f"kept within {limit_bytes() / 1e9:g} GB (${LIMIT_VARIABLE}); engine, art and public benchmarks are not counted"
    )
    return 0


def _sum(found: list[CacheEntry], kind: str) -> dict[str, float]:
    own = [entry for entry in found if entry.kind == kind]
    return {
        "entries": len(own),
        "bytes": sum(entry.size_bytes for entry in own),
        "used": max((entry.used for entry in own), default=0.0),
    }
