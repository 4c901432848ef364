import pytest

from server.live import progress as losses_of_seats
from server.live.progress import LostActs
from server.store import SeatProgress
from tests.live.watched import progress
from tests.rooms.rooms import ADA as SEAT

CODE, T0 = "7K3QZ0A", 1_000


class Known(dict[tuple[str, int], SeatProgress]):
    """The progress that a process knows of its seats."""

    def __call__(self, code: str, seat: int) -> SeatProgress | None:
        return self.get((code, seat))


@pytest.fixture
def known() -> Known:
    return Known()


def test_as_many_acts_as_were_taken_back_may_be_sent_again(known: Known) -> None:
    lost_acts = LostActs(known)
    known[CODE, SEAT] = progress(5)
    lost_acts.compare(CODE, progress(3))
    known[CODE, SEAT] = progress(3)
    lost_acts.compare(CODE, progress(3))
    assert [lost_acts.take(CODE, SEAT, T0) for _ in range(3)] == [True, True, False]
    assert not lost_acts.take(CODE, SEAT + 1, T0)


def test_what_was_known_when_the_last_socket_left_the_room_is_compared_too(known: Known) -> None:
    lost_acts = LostActs(known)
    known[CODE, SEAT] = progress(5)
    lost_acts.keep(CODE, SEAT)
    known.clear()
    lost_acts.keep(CODE, SEAT)
    lost_acts.compare(CODE, progress(4))
    assert [lost_acts.take(CODE, SEAT, T0) for _ in range(2)] == [True, False]
    lost_acts.compare(CODE, progress(3))  # of a process that does not know the seat any more
    assert not lost_acts.take(CODE, SEAT, T0)


def test_a_client_is_believed_for_rounds_in_which_the_store_was_away(known: Known) -> None:
    interrupted_at = T0 - 1
    lost_acts = LostActs(known, lambda: interrupted_at)
    assert not lost_acts.take(CODE, SEAT, T0)
    interrupted_at = T0
    assert [lost_acts.take(CODE, SEAT, T0) for _ in range(2)] == [True, True]


def test_kept_seats_have_a_limit(known: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losses_of_seats, "KEPT", 2)
    lost_acts = LostActs(known)
    for seat in range(3):
        known[CODE, seat] = progress(5, seat=seat)
        lost_acts.keep(CODE, seat)
    known.clear()
    for seat in range(3):
        lost_acts.compare(CODE, progress(4, seat=seat))
    assert [lost_acts.take(CODE, seat, T0) for seat in range(3)] == [False, True, True]
