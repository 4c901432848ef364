"""A room of a backup, as it goes on at another time."""

import pytest

from protocol.from_client import Leave
from protocol.vocabulary import Presence, RoomState
from server.rooms.events import Disconnected, Reconnected, Tick
from server.rooms.race import round_of
from server.rooms.restored_rooms import restored
from server.rooms.room import deadline
from server.rooms.timings import GRACE_MS
from tests.present import present
from tests.rooms.rooms import (
    ADA,
    BOB,
    CY,
    NOW,
    ROOMS,
    T0,
    closed,
    connections,
    finished,
    happen,
    lobby,
    running,
    sends,
)

DAY_MS = 24 * 3_600_000


@pytest.mark.parametrize("by_ms", [-DAY_MS, 0, DAY_MS])
def test_a_race_goes_on_with_the_time_that_it_had_left(by_ms: int) -> None:
    room = running(time_limit_s=600)
    now = T0 + 60_000 + by_ms
    after = restored(room, T0 + 60_000, now)
    assert (now - round_of(after).t0, after.state) == (60_000, RoomState.RUNNING)
    assert round_of(after).t_end == round_of(after).t0 + 600_000
    assert happen(after, Tick(now + 540_000 - 1)).state is RoomState.RUNNING
    assert happen(after, Tick(now + 540_000)).state is RoomState.FINISHED
    assert round_of(after).deal == round_of(room).deal


def test_everybody_is_disconnected_and_has_the_usual_time_to_return() -> None:
    now = T0 + DAY_MS
    room = restored(running(), T0, now)
    assert connections(room) == "Ada grace, Bob grace, Cy grace"
    assert deadline(room) == now + GRACE_MS
    back = happen(room, Reconnected(ADA, 1, "west"), Tick(now + GRACE_MS))
    assert connections(back) == "Ada on, Bob gone, Cy gone"
    assert back.host == ADA


@pytest.mark.parametrize("generation", [0, 1, NOW])
def test_no_loss_of_an_older_connection_disconnects_a_player_who_is_back(generation: int) -> None:
    """Also if the clock of the other store is behind, so that generations are lower there."""
    room = happen(restored(running(), T0, 1_000), Reconnected(ADA, 1_000, "west"))
    assert happen(room, Disconnected(ADA, generation, 1_000)) == room


def test_a_countdown_goes_on() -> None:
    room = restored(ROOMS[RoomState.COUNTDOWN](), NOW, NOW + DAY_MS)
    assert happen(room, Tick(T0 + DAY_MS - 1)).state is RoomState.COUNTDOWN
    assert happen(room, Tick(T0 + DAY_MS)).state is RoomState.RUNNING


def test_a_round_that_is_over_keeps_its_times() -> None:
    room = finished()
    after = restored(room, T0 + DAY_MS, T0 + 9 * DAY_MS)
    assert (after.round, after.rounds) == (room.round, room.rounds)


def test_a_room_that_nobody_attends_is_kept_as_long_as_it_would_have_been() -> None:
    gone = happen(lobby(), *(Disconnected(seat, 1, NOW) for seat in (ADA, BOB, CY)))
    room = happen(gone, Tick(NOW + GRACE_MS))
    closes_at = present(deadline(room))
    after = restored(room, NOW + GRACE_MS, NOW + GRACE_MS + 9 * DAY_MS)
    assert deadline(after) == closes_at + 9 * DAY_MS
    assert connections(after) == "Ada gone, Bob gone, Cy gone"


def test_people_who_have_left_do_not_come_back() -> None:
    room = happen(running(), sends(BOB, Leave(), T0 + 1_000))
    seat = present(restored(room, T0 + 1_000, T0 + DAY_MS).seat(BOB))
    assert seat.has_left
    assert seat.connection is Presence.GONE


def test_a_closed_room_stays_as_it_is() -> None:
    room = closed()
    assert restored(room, NOW, NOW + DAY_MS) is room
