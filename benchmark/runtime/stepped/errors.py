"""What can come of a page. All of these are the page's doing; when our side fails, it is an InfrastructureError."""

from benchmark.errors import BenchmarkError


class PageError(BenchmarkError):
    """The page did something that ends what was asked of it."""


class PageHungError(PageError):
    """The page did not give way within its limit of real time. It is ended: nothing more can be asked of it."""


class PageGoneError(PageError):
    """The page crashed, ran out of memory, or was ended before."""


class PageScriptError(PageError):
    """What was evaluated threw, or its value is none that can be taken: too large, nested too deeply."""
