"""`python -m benchmark assets`."""

import argparse

from benchmark.assets.library import bring, installed, known_packs, library_folder
from benchmark.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--list", action="store_true", help="show the packs and whether they are here; fetch nothing")
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing unless something fails")


def run(options: argparse.Namespace) -> int:
    if not options.list:
        bring(Progress(quiet=options.quiet))
    if not options.quiet:
        for pack in known_packs():
            here = installed(pack)
            state = f"{here.files:4} files {here.size_bytes / 1e6:5.1f} MB" if here else "not fetched yet"
            print(f"{pack.name:18} {pack.licence:8} {state:>20}  {pack.title}")
        print(f"library: {library_folder()} (a preview.jpg in each pack shows its images)")
    return 0
