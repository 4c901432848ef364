import pytest

from server.sessions import losses as losses_of_seats
from server.sessions.losses import Losses
from server.store import SeatFigures

CODE, SEAT, T0 = "7K3QZ0A", 2, 1_000


def figures(last_id: int, seat: int = SEAT) -> SeatFigures:
    return SeatFigures(seat, 1, last_id, None, 0, None, 0, 0)


class Known:
    """The figures that a process knows of its seats."""

    def __init__(self) -> None:
        self.of: dict[tuple[str, int], SeatFigures] = {}

    def __call__(self, code: str, seat: int) -> SeatFigures | None:
        return self.of.get((code, seat))


@pytest.fixture
def known() -> Known:
    return Known()


def test_nothing_is_lost_while_the_store_has_what_this_process_knows(known: Known) -> None:
    losses = Losses(known)
    losses.loaded(CODE, figures(5))
    known.of[CODE, SEAT] = figures(5)
    for last_id in (5, 6):
        losses.loaded(CODE, figures(last_id))
        assert not losses.take(CODE, SEAT, T0)


def test_as_many_acts_as_were_taken_back_may_be_sent_again(known: Known) -> None:
    losses = Losses(known)
    known.of[CODE, SEAT] = figures(5)
    losses.loaded(CODE, figures(3))
    known.of[CODE, SEAT] = figures(3)
    losses.loaded(CODE, figures(3))
    assert [losses.take(CODE, SEAT, T0) for _ in range(3)] == [True, True, False]
    assert not losses.take(CODE, SEAT + 1, T0)


def test_what_was_known_when_the_last_socket_left_the_room_is_compared_too(known: Known) -> None:
    losses = Losses(known)
    known.of[CODE, SEAT] = figures(5)
    losses.keep(CODE, SEAT)
    known.of.clear()
    losses.keep(CODE, SEAT)
    losses.loaded(CODE, figures(4))
    assert [losses.take(CODE, SEAT, T0) for _ in range(2)] == [True, False]
    losses.loaded(CODE, figures(3))  # of a process that does not know the seat any more
    assert not losses.take(CODE, SEAT, T0)


def test_a_client_is_believed_for_rounds_in_which_the_store_was_away(known: Known) -> None:
    interrupted_at = T0 - 1
    losses = Losses(known, lambda: interrupted_at)
    assert not losses.take(CODE, SEAT, T0)
    interrupted_at = T0
    assert [losses.take(CODE, SEAT, T0) for _ in range(2)] == [True, True]


def test_no_more_seats_are_kept_than_were_meant(
    known: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(losses_of_seats, "KEPT", 2)
    losses = Losses(known)
    for seat in range(3):
        known.of[CODE, seat] = figures(5, seat)
        losses.keep(CODE, seat)
    known.of.clear()
    for seat in range(3):
        losses.loaded(CODE, figures(4, seat))
    assert [losses.take(CODE, seat, T0) for seat in range(3)] == [False, True, True]
