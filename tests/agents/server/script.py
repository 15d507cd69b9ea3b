"""What the model does in a session: a list of turns, and what each of its answers costs in tokens."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

GAME = Path(__file__).with_name("game")
CLOSING = "The game is in game/, with one demo."


@dataclass(frozen=True)
class Turn:
    """One answer of the model: a command, or a file to look at, or a call of the tool whose name ends so."""

    command: str = ""
    look: str = ""
    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    says: str = ""
    thinks: str = ""


@dataclass(frozen=True)
class Usage:
    """Tokens of one answer. `prompt` includes what a cache gave or took, `completion` the thoughts."""

    prompt: int = 0
    cached: int = 0
    written: int = 0
    completion: int = 0
    reasoning: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            prompt=self.prompt + other.prompt, cached=self.cached + other.cached, written=self.written + other.written,
            completion=self.completion + other.completion, reasoning=self.reasoning + other.reasoning,
        )  # fmt: skip


@dataclass(frozen=True)
class Script:
    """`turn(number)` is the answer after so many calls of tools; a turn that calls nothing ends the session."""

    turn: Callable[[int], Turn]

    @staticmethod
    def of(*turns: Turn, closing: str = CLOSING) -> "Script":
        return Script(lambda number: turns[number] if number < len(turns) else Turn(says=closing))


NOTHING = Usage()
ASIDE = Usage(prompt=70, completion=3)  # a title, a choice between models: whatever has no tools


def usage_of(number: int) -> Usage:
    """Different for each answer, so that one that is counted twice or not at all shows."""
    cached = 800 + 90 * (number - 1) if number else 0
    return Usage(
        prompt=1000 + 110 * number, cached=cached, written=50, completion=40 + 3 * number, reasoning=8 + number
    )


def game_session(*more: Turn) -> Script:
    """Writes a small game with one demo into `game/`, file by file, checks it, and says that it is done."""
    files = sorted(path for path in GAME.rglob("*") if path.is_file())
    turns = [Turn("ls", thinks="I look at what is there before I begin.")]
    turns += [Turn(_write(path), says=f"Now {path.name}.") for path in files]
    check = "if [ -x tools/check ]; then tools/check; else find game -type f | sort; fi"
    return Script.of(*turns, Turn(check, thinks="Does it hold?"), *more)


def endless() -> Script:
    """A model that never comes to an end."""
    return Script(lambda number: Turn(f"echo again {number}"))


def _write(path: Path) -> str:
    place = Path("game") / path.relative_to(GAME)
    text = path.read_text(encoding="utf-8").rstrip("\n")
    return f"mkdir -p {place.parent} && cat > {place} <<'END_OF_FILE'\n{text}\nEND_OF_FILE"
