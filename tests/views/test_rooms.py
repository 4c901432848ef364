"""The views of rooms."""

import pytest

from protocol.vocabulary import RoomState
from server.rooms.events import Disconnected, Tick
from server.rooms.race import round_of
from server.rooms.record import Room
from server.rooms.timings import GRACE_MS
from server.views.finished_rounds import round_over
from server.views.match import match_view
from server.views.public_rooms import chosen, public_rooms, row_of
from server.views.replays import round_course
from server.views.rooms import invitation, public_room, room_view
from tests.rooms.rooms import (
    ADA,
    BOB,
    CY,
    ENTROPY,
    ROOMS,
    T0,
    closed,
    finished,
    happen,
    joins,
    lobby,
    raced_by_programs,
    running,
)


@pytest.mark.parametrize("state", [*RoomState])
def test_a_room_never_shows_seed_or_salt(state: RoomState) -> None:
    text = room_view(ROOMS[state](), 7).model_dump_json()
    assert ENTROPY.seed.hex() not in text
    assert ENTROPY.salt.hex() not in text
    assert '"v":7' in text


def test_the_view_of_a_room_has_its_host_times_and_match() -> None:
    room = room_view(running(time_limit_s=60), 1)
    assert room.host == ADA
    assert room.round is not None
    assert (room.round.t0, room.round.t_end) == (T0, T0 + 60_000)
    assert (room.match, room.round.ended) == (None, None)
    over = finished(rounds=3)
    shown = room_view(over, 2)
    assert shown.match == match_view(over)
    assert shown.match is not None
    assert shown.round is not None
    assert shown.round.ended == shown.round.t_end
    assert [seat.wins for seat in shown.seats] == [1, 0, 0]


def test_everybody_sees_which_seats_are_programs() -> None:
    racing = raced_by_programs()
    shown = room_view(racing, 1)
    assert [seat.kind for seat in shown.seats] == [*["person"] * 3, *["program"] * 2]
    assert shown.round is not None
    assert shown.round.programs == (3, 4)
    over = happen(racing, Tick(round_of(racing).t_end or 0))
    assert round_course(over, round_of(over), ()).programs == (3, 4)
    queue = happen(lobby(approve=True), joins("Robo", kind="program"))
    assert [seat.kind for seat in room_view(queue, 1).waiting][-1:] == ["program"]


def test_the_commitment_is_shown_from_the_countdown_on() -> None:
    room = room_view(running(), 1)
    assert room.round is not None
    over = round_over(finished())
    assert room.round.commitment == over.reveal.commitment
    assert over.reveal.seed == ENTROPY.seed.hex()
    assert over.reveal.salt == ENTROPY.salt.hex()


def test_an_open_deal_shows_its_number_and_has_no_commitment() -> None:
    room = room_view(running(deal="numbered", number=24), 1)
    assert room.round is not None
    assert (room.round.number, room.round.commitment) == (24, None)
    reveal = round_over(finished(deal="numbered", number=24)).reveal
    assert (reveal.deal, reveal.seed, reveal.number) == ("numbered", None, 24)


def test_the_front_page_shows_the_host_and_the_number_of_players() -> None:
    line = public_room(lobby(public=True))
    assert (line.host, line.players, line.state) == ("Ada", 2, RoomState.LOBBY)
    nobody: Room = closed().model_copy(update={"host": None})
    assert public_room(nobody).host == ""


def test_the_front_page_says_which_rooms_are_full_and_leaves_out_deserted_ones() -> None:
    open_, full = lobby(public=True), lobby(public=True, max_players=2)
    left = happen(lobby(public=True), *(Disconnected(seat, 1, T0) for seat in (ADA, BOB, CY)))
    deserted = happen(left, Tick(T0 + GRACE_MS))
    rows = public_rooms(chosen(map(row_of, [open_, full, deserted]))).rooms
    assert [row.full for row in rows] == [False, True]


def test_an_invitation_says_what_newcomers_may_expect() -> None:
    room = lobby()
    decides = room.settings.model_copy(update={"locked": True, "approve": True, "programs": False})
    shown = invitation(room.model_copy(update={"settings": decides}), T0)
    assert (shown.host, shown.colour, shown.players) == ("Ada", "blue", 2)
    assert invitation(room.model_copy(update={"host": None}), T0).colour is None
    assert (shown.locked, shown.approve, shown.programs) == (True, True, False)
    assert shown.running_ms is None
    assert invitation(running(chasers=True), T0 + 130_000).running_ms == 130_000
    assert invitation(running(), T0 - 1).running_ms == 0
    assert invitation(finished(), T0 + 1).running_ms is None


@pytest.mark.parametrize("state", [*RoomState])
def test_an_invitation_shows_nothing_of_the_deal(state: RoomState) -> None:
    text = invitation(ROOMS[state](), T0).model_dump_json()
    assert ENTROPY.seed.hex() not in text
    assert "commitment" not in text
