"""Core mechanics: does the game answer, and does what the player does have consequences?"""

from benchmark.craft.judging.offline.observed import Measure, Sight, saturating


def answers(sight: Sight) -> Measure:
    """After how many inputs does the picture move, and not as it would have moved anyway?"""
    moments = sight.moments
    if not moments:
        return Measure(0.0, "no input was given")
    share = sum(sight.moved(index) and sight.apart[index] for index in moments) / len(moments)
    return Measure(saturating(share, 0.9), f"{share:.0%} of {len(moments)} inputs are answered by the picture")


def sway(sight: Sight) -> Measure:
    """How much of what moves is the player's doing?"""
    count = len(sight.apart)
    if not count:
        return Measure(0.0, "no picture")
    share = sum(apart and sight.moved(index) for index, apart in enumerate(sight.apart)) / count
    distance = sight.counterfactual.mean_distance
    value = saturating(share, 0.8) * (0.6 + 0.4 * saturating(distance, 0.08))
    return Measure(
        value, f"{share:.0%} of the pictures move under the player's hand, {distance:.0%} away from the game left alone"
    )


def consequence(sight: Sight) -> Measure:
    """Rules show in what the game says and brings out: which states would not be there without the player?"""
    alone = {(look.visible_texts, look.images) for look in sight.untouched_looks}
    taken = {look.frame for look in sight.untouched_looks}  # fewer of them: only looks that both runs have compare
    reached = {(look.visible_texts, look.images) for look in sight.looks if look.frame in taken} - alone
    # without a change in the picture it is a claim of the log
    moved = sum(sight.moved(index) for index in range(len(sight.apart)))
    count = min(len(reached), moved)
    return Measure(saturating(count, 9), f"{count} states that the game left alone does not reach")


def play(sight: Sight) -> Measure:
    """A demo in which nobody plays shows little; in a game that does not answer, nobody plays."""
    share = len(sight.moments) / max(len(sight.apart), 1)
    answered = any(sight.apart)
    return Measure(saturating(share, 0.4) if answered else 0.0, f"inputs before {share:.0%} of the pictures")
