"""`--judge`: from what a user types to a judge."""

from benchmark.errors import UsageError
from benchmark.judges.protocol import Judge

NAMES = ("offline",)


def make_judge(text: str) -> Judge:
    """The judge of that name. Imports it only now: collecting tests needs none."""
    if text == "offline":
        from benchmark.judges.offline.judge import OfflineJudge

        return OfflineJudge()
    raise UsageError(f"--judge: {text!r} is no judge", fix=f"one of: {', '.join(NAMES)}")
