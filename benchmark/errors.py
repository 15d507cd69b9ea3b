"""The exceptions a user may meet. Each is one readable line: what, where, and what to do next.

Anything else that escapes is a bug of ours and keeps its traceback.
"""

import sys

from benchmark.redaction import redact


class BenchmarkError(Exception):
    """Base of all expected failures; the command line prints it without a traceback. It never holds a secret."""

    exit_code = 1

    def __init__(self, message: str, *, fix: str | None = None) -> None:
        self.message = redact(message)
        self.fix = redact(fix) if fix else None
        super().__init__(f"{self.message}\n  next: {self.fix}" if self.fix else self.message)


class UsageError(BenchmarkError):
    """The command was called with something it cannot take."""

    exit_code = 2


class TaskError(UsageError):
    """A package that cannot be used, with file and key."""


class SetupError(BenchmarkError):
    """Provisioning did not succeed."""


class MissingRuntimeError(BenchmarkError):
    """A program the harness needs is not there or does not work."""


class InfrastructureError(BenchmarkError):
    """The harness, not the game, failed: display lost, disk full, engine would not start.

    Whoever scores a trial turns this into *void*, never into a number.
    """


def complain(error: BenchmarkError) -> None:
    """Say what is wrong with one thing, and go on with the others."""
    print(f"error: {error}", file=sys.stderr)
