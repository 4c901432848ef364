"""The ranking of a race, from the racers' figures and states alone (RULES, Ranking of a round)."""

from collections.abc import Mapping
from enum import IntEnum
from itertools import groupby
from typing import NamedTuple

from protocol.settings import Settings
from protocol.vocabulary import SeatState
from server.rooms.record import Figures, Room, Round
from server.rooms.rounds import opening_figures

Key = tuple[int, ...]


class Line(NamedTuple):
    """One line of a leaderboard; `place` is None off the ranking, `late_ms` off the chase."""

    seat: int
    name: str
    state: SeatState
    place: int | None
    late_ms: int | None
    figures: Figures


class Group(IntEnum):
    """The three groups of a ranking, best first; they come before any score or time."""

    WON = 0
    PLAYED = 1  # to the end of the round, or still racing
    GIVEN_UP = 2  # also: left or kicked while racing


def _group(figures: Figures, state: SeatState | None) -> Group:
    if figures.won:  # a winner who left since keeps the win
        return Group.WON
    return Group.GIVEN_UP if state is SeatState.FORFEIT else Group.PLAYED


def _key(settings: Settings, figures: Figures, state: SeatState | None) -> Key:
    """Return the key that a player is ranked by; keys of one round can be compared.

    Take-backs of a turned card or a deal count inside a group, if the room says so: under
    `cheats: out` games with any are below all clean ones, under `tie` fewer of them come first
    where the score, or under `first_home` the time of a win, is the same.
    """
    group = _group(figures, state)
    unclean = int(settings.cheats == "out" and figures.cheats > 0)
    tie = figures.cheats if settings.cheats == "tie" else 0
    if group is Group.WON and settings.ranking == "first_home":
        assert figures.finished_ms is not None, "who has won has finished"
        return (group, unclean, figures.finished_ms, tie)
    if group is not Group.WON and settings.score == "moves":
        # This score starts high and sinks: by itself it would reward doing nothing.
        completed = figures.suits + figures.on_table
        left = figures.face_down
        return (group, unclean, -completed, left, -figures.score, tie, figures.gained_ms)
    return (group, unclean, -figures.score, tie, figures.face_down, figures.gained_ms)


def rank(
    played: Round, live: Mapping[int, Figures], states: Mapping[int, SeatState]
) -> list[Line]:
    """The leaderboard of a round, best first; equal keys share a place, chasers have none.

    `live` are the figures of those still at their tables; the round's own results go before them.
    """
    figures = {
        number: played.results.get(number) or live.get(number) or opening_figures(played)
        for number in played.names
    }
    keys = {
        number: _key(played.settings, of, states.get(number)) for number, of in figures.items()
    }

    def line(number: int, place: int | None) -> Line:
        late_ms = played.late.get(number)
        still = SeatState.RACING if late_ms is None else SeatState.CHASING
        state = states.get(number, still)
        return Line(number, played.names[number], state, place, late_ms, figures[number])

    ordered = sorted(figures, key=lambda number: (keys[number], number))
    lines: list[Line] = []
    racers = [number for number in ordered if number not in played.late]
    for _, group in groupby(racers, key=keys.__getitem__):
        place = len(lines) + 1
        lines += [line(number, place) for number in group]
    return lines + [line(number, None) for number in ordered if number in played.late]


def standings(room: Room, live: Mapping[int, Figures]) -> list[Line]:
    """The leaderboard of the room's round of now; empty before the first."""
    return [] if room.round is None else rank(room.round, live, room.round.states)
