"""Who came how far, for the front page: a leaderboard for each interface, and PG and SR by genre and level."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmark.play.report.published import Published, published
from benchmark.play.results.success import PlayStanding, Rates, game_of, rates_of, standings
from benchmark.trials import TrialRecord


@dataclass(frozen=True)
class Ladder:
    """The standings of one interface and clock, farthest first."""

    interface: str
    clock: str
    standings: tuple[PlayStanding, ...]


@dataclass(frozen=True)
class RateTable:
    """Agents in rows, groups in columns."""

    kind: str
    columns: tuple[tuple[str, int], ...]  # with how many tasks
    rows: tuple[tuple[PlayStanding, tuple[Rates | None, ...]], ...]


@dataclass(frozen=True)
class PlayBoard:
    """All that the track's part of the front page shows besides its plain tables."""

    ladders: tuple[Ladder, ...]
    groups: tuple[RateTable, ...]
    published: tuple[Published, ...]
    real_time: bool  # whether a game went on while somebody thought
    unknown: tuple[PlayStanding, ...]  # agents of which every trial is void


def play_board(records: Sequence[TrialRecord]) -> PlayBoard:
    found = standings(records)
    known = tuple(one for one in found if one.rates.tasks)
    kinds = dict.fromkeys((one.interface, one.clock) for one in known)
    ladders = tuple(
        Ladder(interface, clock, tuple(one for one in known if (one.interface, one.clock) == (interface, clock)))
        for interface, clock in kinds
    )
    groups = (*(_group_table(kind, known) for kind in ("genre", "level")), _game_table(known, records))
    return PlayBoard(
        ladders=ladders,
        groups=tuple(one for one in groups if one.columns),
        published=published(),
        real_time=any(one.clock not in ("", "paused") for one in known),
        unknown=tuple(one for one in found if not one.rates.tasks),
    )


def _group_table(kind: str, found: Sequence[PlayStanding]) -> RateTable:
    values: dict[str, int] = {}
    for one in found:
        for group, value, rates in one.groups:
            if group == kind:
                values[value] = max(values.get(value, 0), rates.tasks)
    rows = []
    for one in found:
        mine = {value: rates for group, value, rates in one.groups if group == kind}
        rows.append((one, tuple(mine.get(value) for value in values)))
    return RateTable(kind, tuple(values.items()), tuple(rows))


def _game_table(found: Sequence[PlayStanding], records: Sequence[TrialRecord]) -> RateTable:
    games = sorted({game_of(record) for record in records})
    rows = []
    columns: dict[str, int] = dict.fromkeys(games, 0)
    for one in found:
        cells = []
        for game in games:
            # an agent has one interface; where its records have two clocks, both rows show both together
            rates = rates_of(r for r in records if r.agent == one.agent and game_of(r) == game)
            columns[game] = max(columns[game], rates.tasks)
            cells.append(rates if rates.tasks else None)
        rows.append((one, tuple(cells)))
    titles = tuple((game.rpartition("/")[2].replace("-", " "), tasks) for game, tasks in columns.items())
    return RateTable("game", titles, tuple(rows))
