"""The reviews of finished rounds: the games that are reviewed, and what is kept. Pure.

Reviews are made after the round, when somebody opens its results (`thinking/reviews.py`).
"""

from collections.abc import Sequence
from typing import Final

from server.rooms.ranking import rank
from server.rooms.record import Record, Round
from server.rooms.winnable_deals import pack_line
from server.solver.reviews import Reviewed

MOST_GAMES: Final = 32
"""The games of a round that are reviewed."""


class SeatReview(Record):
    """The review of one game. Times are milliseconds since t0."""

    known_at: int | None = None
    """The entries of the log up to the last position with a known win; None without one."""
    known_ms: int | None = None  # when the player left that position, or the game
    line: str = ""  # the packed acts that win from there
    is_known_to_the_end: bool = False  # whether the game ended in that position
    lost_ms: int | None = None
    """The time from which on no win was left; None if that is not proved."""
    children: int = 0  # the positions that were judged


def games_to_review(played: Round) -> tuple[int, ...]:
    """Return the seats whose games are reviewed, in this order."""
    return unwon_games(played)[:MOST_GAMES]


def unwon_games(played: Round) -> tuple[int, ...]:
    """Return the seats of games with acts that were not won: people first, the best first.

    A game that a computer has played on for somebody is none of a person.
    """
    seats = [
        row.seat
        for row in rank(played, {}, played.states)
        if row.stats.has_acted and not row.stats.won
    ]
    seats.sort(key=lambda seat: seat in played.programs or seat in played.stand_ins)
    return tuple(seats)


def seat_review(reviewed: Reviewed, times: Sequence[int], began_ms: int) -> SeatReview:
    """Return what is kept of a review.

    `times` are those of the entries of the log, of which there are some, and `began_ms` is that of
    the beginning of the game.
    """
    known_at, lost_at = reviewed.known_at, reviewed.lost_at
    return SeatReview(
        known_at=known_at,
        known_ms=None if known_at is None else times[min(known_at, len(times) - 1)],
        line=pack_line(reviewed.line),
        is_known_to_the_end=reviewed.is_known_to_the_end,
        lost_ms=None if lost_at is None else times[lost_at - 1] if lost_at else began_ms,
        children=reviewed.children,
    )
