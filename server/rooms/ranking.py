"""The ranking of a race, from the stats and states of its players (RULES, Ranking of a round)."""

from collections.abc import Mapping
from enum import IntEnum
from itertools import groupby
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


def rank(
    played: Round, live: Mapping[int, PlayerStats], states: Mapping[int, SeatState]
) -> list[LeaderboardRow]:
    """Return the leaderboard of a round, best first; equal keys share a place, chasers have none.

    `live` are the stats of running games; results of the round take precedence.
    """
    stats = {
        number: played.results.get(number) or live.get(number) or opening_stats(played)
        for number in played.names
    }
    keys = {number: _key(played.settings, of, states.get(number)) for number, of in stats.items()}

    def ranked(number: int, place: int | None) -> LeaderboardRow:
        late_ms = played.late.get(number)
        still = SeatState.RACING if late_ms is None else SeatState.CHASING
        state = states.get(number, still)
        return LeaderboardRow(number, played.names[number], state, place, late_ms, stats[number])

    ordered = sorted(stats, key=lambda number: (keys[number], number))
    leaderboard: list[LeaderboardRow] = []
    racers = [number for number in ordered if number not in played.late]
    for _, group in groupby(racers, key=keys.__getitem__):
        place = len(leaderboard) + 1
        leaderboard += [ranked(number, place) for number in group]
    return leaderboard + [ranked(number, None) for number in ordered if number in played.late]


def standings(room: Room, live: Mapping[int, PlayerStats]) -> list[LeaderboardRow]:
    """Return the leaderboard of the room's current round; empty before the first one."""
    return [] if room.round is None else rank(room.round, live, room.round.states)
