"""The reviews of finished rounds: the job, the games that are reviewed, and what is kept. Pure.

Reviews are made after the round, by the process that thinks (`solver/reviews.py`).
"""

from collections.abc import Sequence
from operator import not_
from typing import Final

from pydantic import Field

from server.rooms.ranking import rank
from server.rooms.record import Record, Room, Round
from server.rooms.winnable_deals import pack_line
from server.solver.reviews import Reviewed

JOB: Final = "review"
"""The kind of the job."""
TAKEN_WITHIN_MS: Final = 30 * 60_000
"""The time in which a process must take the job; later nobody waits for the review."""
MAKER_GONE_MS: Final = 60_000
"""The time after the latest sign of a thinking process for which reviews are still expected."""
MADE_WITHIN_MS: Final = 24 * 3_600_000
"""The time after a round in which a review that has begun is expected to be done."""
MOST_OF_ADDRESS: Final = 8
"""The rounds of the rooms of one address that wait for their reviews at a time."""
MOST_GAMES: Final = 32
"""The games of a round that are reviewed."""


class ReviewJob(Record):
    """A round to be reviewed."""

    room: str
    n: int
    networks: tuple[str, ...] = Field(default=(), exclude_if=not_)
    """The hashed networks of the person who opened the room."""

    @property
    def key(self) -> str:
        """The key of the job: a round is reviewed once."""
        return f"{self.room}:{self.n}"


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


def ended_round(before: Room, after: Room) -> Round | None:
    """Return the round that a change of the room has ended, if it has games to review."""
    latest = after.rounds[-1] if after.rounds else None
    if latest is None or any(played.n == latest.n for played in before.rounds):
        return None
    return latest if games_to_review(latest) else None


def is_expected(played: Round, now: int, maker_seen_ms: int, *, has_begun: bool) -> bool:
    """Return whether more may come of a review that is not done.

    `maker_seen_ms` is the time at which a thinking process was last there.
    """
    if played.ended is None or not games_to_review(played) or now > maker_seen_ms + MAKER_GONE_MS:
        return False
    return now <= played.ended + (MADE_WITHIN_MS if has_begun else TAKEN_WITHIN_MS)


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
