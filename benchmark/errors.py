"""The exceptions a user may meet. Each is one readable line: what, where, and what to do next.

Anything else that escapes is a bug of ours and keeps its traceback.
"""


class BenchmarkError(Exception):
    """Base of all expected failures; the command line prints it without a traceback."""

    exit_code = 1

    def __init__(self, message: str, *, fix: str | None = None) -> None:
        self.message = message
        self.fix = fix
        super().__init__(f"{message}\n  next: {fix}" if fix else message)


class UsageError(BenchmarkError):
    """The command was called with something it cannot take."""

    exit_code = 2


class SetupError(BenchmarkError):
    """Provisioning did not succeed."""


class MissingRuntimeError(BenchmarkError):
    """A program the harness needs is not there or does not work."""


class InfrastructureError(BenchmarkError):
    """The harness, not the game, failed: display lost, disk full, engine would not start.

    Whoever scores a trial turns this into *void*, never into a number.
    """
