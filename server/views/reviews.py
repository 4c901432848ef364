"""Reviews of finished rounds: until when a win was known to each player, and the win itself."""

from collections.abc import Mapping, Sequence
from itertools import chain

from protocol.http import GameReview, RoundReview
from server.rooms.record import Room, Round
from server.rooms.reviews import SeatReview, unwon_games
from server.rooms.winnable_deals import unpack_line
from server.views.replays import LineAct
from server.views.timed_action import TimedAction

PACE_MS = 1_000
"""The time of an act in a win that nobody has played."""


def round_review(
    room: Room,
    played: Round,
    reviews: Mapping[int, SeatReview],
    *,
    has_begun: bool,
    is_done: bool,
) -> RoundReview:
    """Return the review of a round as far as it is made, from what is kept by seat."""
    assert played.ended is not None, "a running round is not revealed"
    seats = unwon_games(played)
    return RoundReview(
        room=room.code,
        n=played.n,
        state="done" if is_done else "running" if has_begun else "waiting",
        games=tuple(_game(played, seat, reviews[seat]) for seat in seats if seat in reviews),
        missing=tuple(seat for seat in seats if seat not in reviews) if is_done else (),
    )


def _game(played: Round, seat: int, review: SeatReview) -> GameReview:
    return GameReview(
        seat=seat,
        name=played.names[seat],
        known_ms=review.known_ms,
        to_the_end=review.is_known_to_the_end,
        lost_ms=review.lost_ms,
        acts=len(unpack_line(review.line)),
    )


def win_log(review: SeatReview, log: Sequence[TimedAction]) -> list[TimedAction]:
    """Return a player's log up to the last time a win was known, continued by that win.

    The log is empty if no win was ever known.
    """
    if review.known_at is None or review.known_ms is None:
        return []
    line = enumerate(unpack_line(review.line), 1)
    won = (LineAct(each, review.known_ms + PACE_MS * at) for at, each in line)
    return list(chain(log[: review.known_at], won))
