"""How many actions a game's own policy needs for a target: what the actions of players are compared with."""

from typing import Any

from benchmark.agents.builtin import OracleAgent
from benchmark.cache import key_of, place, recalled
from benchmark.files import write_json
from benchmark.play.errors import BrokenGameError, BrokenPolicyError
from benchmark.play.goals import Goal
from benchmark.play.package import PlayPackage
from benchmark.play.validation import played
from benchmark.versions import tree_digest


def policy_actions(package: PlayPackage, goal: Goal, seed: int) -> int:
    """0 where the policy does not reach the target with this seed, or fails. Played once and kept."""
    game = package.game
    folders = [game.folder, *([game.base] if game.base else [])]
    kept = place("policies", key_of(["1", tree_digest(*folders), goal.number, seed]))
    known: Any = recalled(kept)
    if isinstance(known, int) and not isinstance(known, bool):
        return known
    try:
        _, summary = played(package, goal, OracleAgent(), seed)
    except (BrokenGameError, BrokenPolicyError):  # nobody else's result depends on it
        return 0
    found = summary.solved_at or 0
    write_json(kept, found)
    return found
