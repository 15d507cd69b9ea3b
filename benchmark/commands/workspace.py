"""`python -m benchmark workspace`."""

import argparse
from pathlib import Path

from benchmark.craft.oracle import lay_out_oracle
from benchmark.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", type=Path, metavar="TASK", help="the folder of a task package")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a folder that does not exist yet")
    parser.add_argument("--oracle", action="store_true", help="put the task's own solution into game/")


def run(options: argparse.Namespace) -> int:
    if options.out.exists():
        raise UsageError(f"--out: {options.out} exists already", fix="name a new folder")
    options.out.mkdir(parents=True)
    if options.oracle:
        lay_out_oracle(options.task / "solution", options.out / "game")
    print(options.out)
    return 0
