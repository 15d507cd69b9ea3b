"""`python -m benchmark …`: one obvious command for each job."""

import argparse
import importlib
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import TextIO, cast

from benchmark import __version__
from benchmark.errors import BenchmarkError
from benchmark.redaction import RedactedStream

# name → one-line help; the module of the same name in `commands` is imported only when it is used
COMMANDS = {
    "setup": "bring engine, display, sandbox and encoder onto this machine, without root",
    "doctor": "show what is there, whether it works, and how to mend what does not",
    "cache": "show what is kept between runs, and trim it",
    "assets": "bring the shared art library that agents and oracles draw from",
    "bring": "fetch a public benchmark at a pinned commit, to run it as it is",
    "demo": "run the oracle on the tasks that come along, and make a report",
    "agents": "list the agents and what each needs; `agents install NAME` brings a program here",
    "workspace": "lay out what an agent gets for a task, or what its oracle would leave",
    "mcp": "let a coding agent see a Godot project, or play a game: an MCP server on standard input and output",
    "lint": "check task packages, or input traces before you hand them in",
    "gate": "say whether a Godot project counts as built, and why not",
    "replay": "turn a project and its traces into gameplay evidence, or play a stored trial of a game once more",
    "games": "play the browser games of the track `play` yourself: a page of tiles on this machine",
    "verify": "score one project by one rubric, as the verifier of a Harbor task",
    "parity": "compare both recorders, still by still, on the demos of oracles",
    "verify-run": "replay a run that came from elsewhere, compare pictures and scores",
    "follow": "show the log of an agent line by line while it works",
    "report": "turn a run into pages and tables that need no server",
    "audit": "damage good games in known ways and see whether a judge notices",
    "validate": "show that tasks are sound: what is right passes, what is wrong or idle does not",
    "certify": "say whether a browser game does the same again under the stepped clock",
    "review": "judge a run yourself in the browser, and compare with its judge",
    "judgements": "export the judgements of a run, or import them into the cache",
    "compare-editor": "prepare projects with and without Godot's editor, and say where the results differ",
    "bench-browser": "measure what a step of a browser game costs under the stepped clock",
    "bench-play": "measure what playing our games costs, and play what was played again, step by step",
    "bench-edit": "measure what hidden tests cost against bare runs of the engine, and with two workers",
    "bench-suite": "measure what a run costs: workers, second runs",
    "bench-replay": "measure the recorders against each other on the bundled games",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; expected failures are one line on stderr and a non-zero exit code. It prints no secrets."""
    out, err = (cast(TextIO, RedactedStream(stream)) for stream in (sys.stdout, sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
        return _main(argv)


def _main(argv: Sequence[str] | None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="python -m benchmark", description="GameCraft-Bench")
    parser.add_argument("--version", action="version", version=f"gamecraft-bench {__version__}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    chosen = next((word for word in arguments if word in COMMANDS), None)
    for name, summary in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary)
        if name == chosen:
            module = importlib.import_module(f"benchmark.commands.{name.replace('-', '_')}")
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)
    options = parser.parse_args(arguments)
    # so that `with` blocks are left and nothing stays behind when the caller is told to stop
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        return int(options.run(options))
    except BenchmarkError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # `… | head` is no error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception:  # a bug of ours; the interpreter would print it past the redaction
        traceback.print_exc()
        return 1
