"""`python -m benchmark review`."""

import argparse
import webbrowser
from pathlib import Path

from benchmark.craft.review.address import Address, new_address, remember, remembered
from benchmark.craft.review.ledger import Ledger, valid_reviewer
from benchmark.craft.review.queue import lay_out
from benchmark.craft.review.results import FORMATS, PAGE_FILE, counts_of, export
from benchmark.craft.review.routes import Routes
from benchmark.craft.review.web import ReviewServer
from benchmark.errors import UsageError
from benchmark.results.store import RUNS_ROOT, RunStore, open_run
from benchmark.tasks import TASKS_ROOT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="RUN", help="a run's name, `latest`, or its folder")
    parser.add_argument(
        "--runs-dir", type=Path, default=RUNS_ROOT, metavar="DIR", help=f"where runs are (default: {RUNS_ROOT}/)"
    )
    parser.add_argument("--tasks", type=Path, action="append", metavar="DIR", help="where its tasks are, if not ours")
    parser.add_argument("--reviewer", metavar="NAME", help="who judges (default: the page asks)")
    parser.add_argument("--blind", action="store_true", help="hide which agent made what, and shuffle the trials")
    parser.add_argument("--port", type=int, metavar="N", help="of the page (default: the one it had last, or any)")
    parser.add_argument("--no-browser", action="store_true", help="print the address and open nothing")
    parser.add_argument("--export", type=Path, metavar="DIR", help="serve nothing; write scores and calibration there")
    parser.add_argument(
        "--format", choices=FORMATS, action="append", metavar="F",
        help=f"with --export: {', '.join(FORMATS)}; may be repeated (default: all of them)",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    store = RunStore(open_run(options.name, options.runs_dir).folder.resolve())
    tasks = tuple(options.tasks or (TASKS_ROOT,))
    if options.export is not None:
        return _export(store, tasks, options)
    if options.format:
        raise UsageError("--format is for --export", fix="add --export DIR")
    if options.reviewer is not None:
        valid_reviewer(options.reviewer)
    if options.port is not None and not 0 <= options.port < 65536:
        raise UsageError(f"--port: {options.port} is not a port", fix="a number from 1024 to 65535, or 0 for any")
    return _serve(store, tasks, options)


def _export(store: RunStore, tasks: tuple[Path, ...], options: argparse.Namespace) -> int:
    ledger = Ledger(store.folder)
    if not ledger.reviewers():
        raise UsageError(
            f"nobody has reviewed {store.name!r} yet", fix=f"python -m benchmark review {options.name}"
        )  # fmt: skip
    queue = lay_out(store, b"", tasks)
    files = export(store, queue, ledger, options.export, options.format or FORMATS)
    print("\n".join(counts_of(queue, ledger.read_all())))
    page = options.export / PAGE_FILE
    print(page if page.resolve() in files else options.export)
    return 0


def _serve(store: RunStore, tasks: tuple[Path, ...], options: argparse.Namespace) -> int:
    with _server(store, tasks, options) as server:
        print(f"open {server.url}\nCtrl-C ends it; every score is saved at once", flush=True)
        if not options.no_browser:
            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    _say_goodbye(store, options)
    return 0


def _server(store: RunStore, tasks: tuple[Path, ...], options: argparse.Namespace) -> ReviewServer:
    """At the address this run had before, if it is free: pages that are still open go on where they were."""

    def at(address: Address) -> tuple[ReviewServer, Routes]:
        routes = Routes(store, address.token, tasks, reviewer=options.reviewer, blind=options.blind)
        if not routes.queue.cases:
            raise UsageError("\n  ".join([f"nothing of {store.name!r} can be judged", *routes.queue.remarks]))
        return ReviewServer(address, routes.application), routes

    before = remembered(store.folder)
    again = before is not None and options.port in (None, before.port)
    try:
        server, routes = at(before if before is not None and again else new_address(options.port or 0))
    except OSError as error:
        if options.port:
            raise UsageError(
                f"--port: {options.port} cannot be used: {error.strerror}", fix="leave --port away, or name another"
            ) from error
        server, routes = at(new_address())  # another server of this run keeps the address it had
    else:
        remember(store.folder, Address(server.port, server.token.decode()))
    print("\n".join([f"{len(routes.queue.cases)} trial(s) to judge", *routes.queue.remarks]))
    return server


def _say_goodbye(store: RunStore, options: argparse.Namespace) -> None:
    ledger = Ledger(store.folder)
    if ledger.reviewers():
        print(f"scores are in {ledger.folder}")
        print(f"next: python -m benchmark review {options.name} --export DIR")
    else:
        print("no score was given")
