"""The ranking of a race, from the racers' figures alone."""

from collections.abc import Mapping
from itertools import groupby

from protocol.views import SeatState, Standing
from server.rooms.record import Figures, Room, Round
from server.rooms.rounds import opening_figures

Key = tuple[int, ...]


def _first_home(figures: Figures) -> Key:
    """Winners by time; the rest by score, then fewer cards face down, then the last gain."""
    if figures.won:
        assert figures.finished_ms is not None, "who has won has finished"
        return (0, figures.finished_ms)
    return (1, -figures.score, figures.face_down, figures.gained_ms)


def _best_score(figures: Figures) -> Key:
    """By score, then by the time at which it was reached."""
    reached = figures.finished_ms if figures.won else figures.gained_ms
    assert reached is not None, "who has won has finished"
    return (-figures.score, reached)


KEYS = {"first_home": _first_home, "best_score": _best_score}


def rank(
    played: Round, live: Mapping[int, Figures], states: Mapping[int, SeatState]
) -> list[Standing]:
    """The leaderboard of a round, best first; equal keys share a place, chasers have none.

    `live` are the figures of those still at their tables; the round's own results go before them.
    """
    figures = {
        number: played.results.get(number) or live.get(number) or opening_figures(played)
        for number in played.names
    }
    key = KEYS[played.settings.ranking]
    keys = {number: key(of) for number, of in figures.items()}

    def line(number: int, place: int | None) -> Standing:
        late_ms = played.late.get(number)
        still = SeatState.RACING if late_ms is None else SeatState.CHASING
        return Standing(
            seat=number,
            name=played.names[number],
            state=states.get(number, still),
            place=place,
            late_ms=late_ms,
            **vars(figures[number]),
        )

    ordered = sorted(figures, key=lambda number: (keys[number], number))
    lines: list[Standing] = []
    racers = [number for number in ordered if number not in played.late]
    for _, group in groupby(racers, key=keys.__getitem__):
        place = len(lines) + 1
        lines += [line(number, place) for number in group]
    return lines + [line(number, None) for number in ordered if number in played.late]


def standings(room: Room, live: Mapping[int, Figures]) -> list[Standing]:
    """The leaderboard of the room's round of now; empty before the first."""
    return [] if room.round is None else rank(room.round, live, room.round.states)
