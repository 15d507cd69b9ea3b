"""What ends a trial without a number."""

from benchmark.errors import BenchmarkError


class BrokenGameError(BenchmarkError):
    """The game, not the agent, failed: it offers no gameAPI, never gets ready, hangs, crashes, or cannot be read.

    Games belong to the benchmark. Whatever an agent did with the keys and buttons that it is allowed, a game must stand
    it; so no number of the agent can be made from one that does not, and the trial is void.
    """


class BrokenPolicyError(BenchmarkError):
    """A package's policy.js threw, hung, or answered with what is no decision."""
