"""A room of a backup, as it goes on at another time."""

import pytest

from server.rooms.events import Disconnected, Reconnected, Tick
from server.rooms.race import round_of
from server.rooms.restored_rooms import restored
from server.rooms.room import apply, deadline
from server.rooms.timings import GRACE_MS
from tests.present import present
from tests.rooms.rooms import (
    ADA,
    BOB,
    NOW,
    T0,
    closed,
    connections,
    counting_down,
    finished,
    happen,
    running,
)
from tests.rooms.stories import play

DAY_MS = 24 * 3_600_000


@pytest.mark.parametrize("by_ms", [-DAY_MS, 0, DAY_MS])
def test_a_race_goes_on_with_the_time_that_it_had_left(by_ms: int) -> None:
    room = running(time_limit_s=600)
    now = T0 + 60_000 + by_ms
    after = restored(room, T0 + 60_000, now)
    assert (now - round_of(after).t0, after.state) == (60_000, "RUNNING")
    assert round_of(after).t_end == round_of(after).t0 + 600_000
    assert apply(after, Tick(now + 540_000 - 1)).state == "RUNNING"
    assert apply(after, Tick(now + 540_000)).state == "FINISHED"
    assert round_of(after).deal == round_of(room).deal


def test_a_countdown_goes_on_and_a_round_that_is_over_keeps_its_times() -> None:
    room = restored(counting_down(), NOW, NOW + DAY_MS)
    assert apply(room, Tick(T0 + DAY_MS - 1)).state == "COUNTDOWN"
    assert apply(room, Tick(T0 + DAY_MS)).state == "RUNNING"
    over = finished()
    after = restored(over, T0 + DAY_MS, T0 + 9 * DAY_MS)
    assert (after.round, after.rounds) == (over.round, over.rounds)
    shut = closed()
    assert restored(shut, NOW, NOW + DAY_MS) is shut


def test_everybody_is_disconnected_and_has_the_usual_time_to_return() -> None:
    now = T0 + DAY_MS
    room = restored(running(), T0, now)
    assert connections(room) == "Ada grace, Bob grace, Cy grace"
    assert deadline(room) == now + GRACE_MS
    back = happen(room, Reconnected(ADA, 1, "west"), Tick(now + GRACE_MS))
    assert connections(back) == "Ada on, Bob gone, Cy gone"
    assert back.host == ADA
    left = restored(play("running; Bob Leave @+1s"), T0 + 1_000, now)
    bob = present(left.seat(BOB))
    assert (bob.has_left, bob.connection) == (True, "gone")


@pytest.mark.parametrize("generation", [0, 1, NOW])
def test_no_loss_of_an_older_connection_disconnects_a_player_who_is_back(generation: int) -> None:
    """Also if the clock of the other store is behind, so that generations are lower there."""
    room = happen(restored(running(), T0, 1_000), Reconnected(ADA, 1_000, "west"))
    assert happen(room, Disconnected(ADA, generation, 1_000)) == room


def test_a_room_that_nobody_attends_is_kept_as_long_as_it_would_have_been() -> None:
    room = play("lobby; all are gone")
    after = restored(room, NOW + GRACE_MS, NOW + GRACE_MS + 9 * DAY_MS)
    assert deadline(after) == present(deadline(room)) + 9 * DAY_MS
    assert connections(after) == "Ada gone, Bob gone, Cy gone"
