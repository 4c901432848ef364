"""The ranking of a race, from the stats and states of its players (RULES, Ranking of a round)."""

from collections.abc import Mapping
from enum import IntEnum
from typing import NamedTuple

from protocol.settings import Settings
from protocol.vocabulary import SeatState
from server.rooms.record import PlayerStats, Room, Round
from server.rooms.rounds import opening_stats

Key = tuple[int, ...]


class LeaderboardRow(NamedTuple):
    """One row of a leaderboard; `place` is None for chasers, `late_ms` for racers."""

    seat: int
    name: str
    state: SeatState
    place: int | None
    late_ms: int | None
    stats: PlayerStats


class Group(IntEnum):
    """The three groups of a ranking, best first; they come before any score or time."""

    WON = 0
    PLAYED = 1  # to the end of the round, or still racing
    GIVEN_UP = 2  # also: left or kicked while racing


def _group(stats: PlayerStats, state: SeatState | None) -> Group:
    if stats.won:  # a winner who leaves afterwards keeps the win
        return Group.WON
    return Group.GIVEN_UP if state is SeatState.FORFEIT else Group.PLAYED


def _key(settings: Settings, stats: PlayerStats, state: SeatState | None) -> Key:
    """Return the sort key of a player; keys of one round can be compared.

    Take-backs of a turned card or a deal count inside a group, if the room says so: under
    `cheats: out` games with any are below all clean ones, under `tie` fewer of them come first
    where the score, or under `first_home` the time of a win, is the same.
    """
    group = _group(stats, state)
    unclean = int(settings.cheats == "out" and stats.cheats > 0)
    tie = stats.cheats if settings.cheats == "tie" else 0
    if group is Group.WON and settings.ranking == "first_home":
        assert stats.finished_ms is not None, "a winner has finished"
        return (group, unclean, stats.finished_ms, tie)
    if group is not Group.WON and settings.score == "moves":
        # This score starts high and sinks, so idle players would be ahead by it alone.
        completed = stats.suits + stats.on_table
        return (group, unclean, -completed, stats.face_down, -stats.score, tie, stats.gained_ms)
    return (group, unclean, -stats.score, tie, stats.face_down, stats.gained_ms)


Entry = tuple[bool, Key, int]
"""A player in the order of a ranking: chasers last, equal keys by seat."""


class Ranking:
    """The leaderboard of a round, which is ranked again as the stats of its players change.

    `rows` has the best first; equal keys share a place, chasers have none. The list and the rows
    are never changed, and a row is replaced only if it is another one.
    """

    __slots__ = ("_entries", "_order", "_played", "_states", "_stats", "rows")

    def __init__(
        self, played: Round, live: Mapping[int, PlayerStats], states: Mapping[int, SeatState]
    ) -> None:
        """Rank all players; `live` are the stats of running games, `played` has the results."""
        self._played = played
        self._states = states
        self._stats = {
            seat: played.results.get(seat) or live.get(seat) or opening_stats(played)
            for seat in played.names
        }
        self._entries = {seat: self._entry(seat) for seat in played.names}
        self._order: list[Entry] = []  # of the rows
        self.rows: list[LeaderboardRow] = []
        self._rank()

    def update(self, live: Mapping[int, PlayerStats]) -> None:
        """Rank again after the stats of some running games have changed."""
        rows = self.rows.copy()
        placed = True
        for seat, running in live.items():
            stats = self._played.results.get(seat) or running
            if stats is self._stats[seat]:
                continue
            self._stats[seat] = stats
            before, entry = self._entries[seat], self._entry(seat)
            self._entries[seat] = entry
            if placed:
                at = self._order.index(before)
                placed = self._stays(at, entry)
                self._order[at] = entry
                rows[at] = self._row(seat, rows[at].place)
        if placed:
            self.rows = rows
        else:
            self._rank()

    def _stays(self, at: int, entry: Entry) -> bool:
        """Return whether the player there keeps the place, and shares it with nobody."""
        order = self._order
        best, worst = min(order[at], entry), max(order[at], entry)
        return (at == 0 or order[at - 1][:2] < best[:2]) and (
            at + 1 == len(order) or worst[:2] < order[at + 1][:2]
        )

    def _rank(self) -> None:
        known = {row.seat: row for row in self.rows}
        self._order = sorted(self._entries.values())
        rows: list[LeaderboardRow] = []
        place, latest = 0, None
        for chasing, key, seat in self._order:
            if key != latest:
                place, latest = len(rows) + 1, key
            shown = None if chasing else place
            row = known.get(seat)
            if row is None or row.stats is not self._stats[seat] or row.place != shown:
                row = self._row(seat, shown)
            rows.append(row)
        self.rows = rows

    def _entry(self, seat: int) -> Entry:
        played = self._played
        key = _key(played.settings, self._stats[seat], self._states.get(seat))
        return (seat in played.late, key, seat)

    def _row(self, seat: int, place: int | None) -> LeaderboardRow:
        late_ms = self._played.late.get(seat)
        still = SeatState.RACING if late_ms is None else SeatState.CHASING
        state = self._states.get(seat, still)
        name = self._played.names[seat]
        return LeaderboardRow(seat, name, state, place, late_ms, self._stats[seat])


def rank(
    played: Round, live: Mapping[int, PlayerStats], states: Mapping[int, SeatState]
) -> list[LeaderboardRow]:
    """Return the leaderboard of a round, best first; see `Ranking`."""
    return Ranking(played, live, states).rows


def standings(room: Room, live: Mapping[int, PlayerStats]) -> list[LeaderboardRow]:
    """Return the leaderboard of the room's current round; empty before the first one."""
    return [] if room.round is None else rank(room.round, live, room.round.states)
