"""May this agent be released? A condition over its numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmark.errors import UsageError
from benchmark.expressions import Expression, ExpressionError
from benchmark.results.averages import by_track
from benchmark.results.metrics import as_name
from benchmark.tracks import all_tracks
from benchmark.trials import TrialRecord


@dataclass(frozen=True)
class Decision:
    """To a condition or a baseline, for one agent. `lines` say why in words."""

    agent: str
    passed: bool
    lines: tuple[str, ...]


def _names() -> dict[str, tuple[str, ...]]:
    """By track."""
    return {name: track.metrics(track).gate_names() for name, track in all_tracks().items()}


def check_names(condition: Expression) -> None:
    """Before a long run, not after it."""
    names = _names()
    known = {name for own in names.values() for name in own}
    known |= {f"{track}_{name}" for track, own in names.items() for name in own}
    if unknown := sorted(condition.names - known):
        common = dict.fromkeys(name for track, own in names.items() for name in own if name not in _families(track))
        raise UsageError(
            f"--gate: {', '.join(unknown)}: not known",
            fix=f"one of {', '.join(common)}, or a family such as card_game; {_before(names)} may stand before it",
        )


def _families(track: str) -> set[str]:
    return set(map(as_name, all_tracks()[track].families))


def _before(tracks: Iterable[str]) -> str:
    """The tracks' names as they stand before a number's."""
    return " or ".join(f"{track}_" for track in tracks)


def check_tracks(condition: Expression, tracks: Iterable[str]) -> None:
    """In a run of several tracks a number has to say of which it is."""
    found = sorted(set(tracks))
    plain = sorted(
        name for name in condition.names if not name.startswith(tuple(f"{track}_" for track in all_tracks()))
    )
    if len(found) > 1 and plain:
        every = "both" if len(found) == 2 else "all"
        raise UsageError(
            f"--gate: {', '.join(plain)}: of {' or of '.join(found)}? This run has {every}",
            fix=f"say {' or '.join(f'{track}_{plain[0]}' for track in found)}, or choose one with --track",
        )


def gate_values(records: Sequence[TrialRecord]) -> dict[str, float]:
    """The numbers of an agent that a condition may use; what has no number is not among them.

    Each has the name of its track before it, and where a run has one track only, also its plain name.
    """
    own = {track.name: track.metrics(track).gate_values(found) for track, found in by_track(records)}
    values = {f"{track}_{name}": value for track, values in own.items() for name, value in values.items()}
    return values | (next(iter(own.values())) if len(own) == 1 else {})


def at_gate(agent: str, records: Sequence[TrialRecord], condition: Expression) -> Decision:
    """Does the condition hold? A number that is not there fails the gate, with that reason."""
    values = gate_values([record for record in records if record.agent == agent])
    used = ", ".join(f"{name} {values[name]:.3f}" for name in sorted(condition.names & values.keys()))
    try:
        passed = condition.holds(values)
    except ExpressionError as error:
        found = [track.name for track, _ in by_track(one for one in records if one.agent == agent)]
        several = f"; this run has {len(found)} tracks: say {'… or '.join(f'{name}_' for name in found)}…"
        hint = several if len(found) > 1 else ""
        return Decision(agent, False, (f"gate not passed: {error.message}{hint}",))
    return Decision(agent, passed, (f"gate {'passed' if passed else 'NOT passed'}: {condition.text}  ({used})",))
