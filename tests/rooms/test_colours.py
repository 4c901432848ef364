"""The colours of seats: chosen by the room, and changed by their owners."""

import pytest

from protocol.from_client import AddBot, Chase, Leave, Ready, Rematch, TakeColour
from protocol.settings import Settings
from protocol.vocabulary import SEAT_COLOURS, ErrorCode
from server.rooms.colours import colours_in
from server.rooms.events import Tick
from server.rooms.new_rooms import open_room
from server.rooms.race import round_of
from server.rooms.record import Room
from server.rooms.room import apply
from server.views.finished_rounds import round_over
from server.views.rooms import room_view
from tests.rooms.rooms import (
    ADA,
    BOB,
    CODE,
    CY,
    T0,
    finished,
    happen,
    joins,
    lobby,
    refused_code,
    running,
    sends,
)


def colours(room: Room) -> str:
    """Return the colours of all seats in one line, in order of the seats."""
    return " ".join(seat.colour or "-" for seat in room_view(room, 1).seats)


def test_eight_players_have_eight_colours() -> None:
    room = open_room(CODE, "P0", Settings())
    for number in range(1, 8):
        room = apply(room, joins(f"P{number}"))
    assert colours(room) == " ".join(SEAT_COLOURS)
    assert colours(apply(room, joins("P8"))).endswith(f"{SEAT_COLOURS[-1]} {SEAT_COLOURS[0]}")


def test_a_newcomer_gets_the_colour_of_a_player_who_has_left() -> None:
    room = happen(lobby(), joins("Dee"), sends(BOB, Leave()), joins("Eve"))
    assert colours(room) == "blue green violet red"


def test_spectators_take_no_colour_from_players() -> None:
    room = open_room(CODE, "Ada", Settings())
    for number in range(20):
        room = apply(room, joins(f"S{number}", "spectator"))
    room = happen(room, *(joins(f"P{number}") for number in range(7)))
    assert len({seat.colour for seat in room.seats if seat.role == "player"}) == 8


def test_computer_players_have_colours() -> None:
    room = apply(lobby(), sends(ADA, AddBot(level="club")))
    assert colours(room) == "blue red green violet"


@pytest.mark.parametrize(
    ("room", "message"),
    [
        (lobby(), Ready()),
        (finished(), Rematch()),
        (running(chasers=True), Chase()),
    ],
)
def test_a_spectator_who_plays_gets_a_colour_of_its_own(
    room: Room, message: Ready | Rematch | Chase
) -> None:
    shared = tuple(
        seat.model_copy(update={"colour": "red"}) if seat.number == CY else seat
        for seat in room.seats
    )
    plays = apply(room.model_copy(update={"seats": shared}), sends(CY, message, T0 + 9))
    assert colours(plays) == "blue red green"


def test_without_a_free_colour_a_spectator_who_plays_keeps_its_own() -> None:
    room = happen(lobby(), *(joins(f"P{number}") for number in range(6)))
    before = colours(room)
    assert colours(apply(room, sends(CY, Ready()))) == before


def test_a_player_takes_a_free_colour() -> None:
    room = apply(lobby(), sends(BOB, TakeColour(colour="gold")))
    assert colours(room) == "blue gold green"
    assert apply(room, sends(BOB, TakeColour(colour="gold"))) is room
    assert colours(apply(finished(), sends(BOB, TakeColour(colour="pink")))) == "blue pink green"


def test_a_colour_of_another_player_is_refused() -> None:
    take = TakeColour(colour="blue")
    assert refused_code(lobby(), sends(BOB, take)) is ErrorCode.COLOUR_TAKEN
    assert colours(apply(lobby(), sends(BOB, TakeColour(colour="green")))) == "blue green green"


def test_a_colour_is_not_changed_during_a_race() -> None:
    take = sends(BOB, TakeColour(colour="gold"))
    assert refused_code(running(), take) is ErrorCode.NOT_IN_STATE


def test_a_round_keeps_the_colours_of_its_players() -> None:
    room = happen(running(chasers=True), sends(CY, Chase(), T0 + 9))
    over = happen(room, Tick(round_of(room).t_end or 0), sends(BOB, Leave(), T0 * 2))
    shown = {row.seat: row.colour for row in round_over(over).colours}
    assert shown == {ADA: "blue", BOB: "red", CY: "green"}


def test_records_of_an_older_release_get_colours_by_number() -> None:
    room = running()
    seats = tuple(seat.model_copy(update={"colour": None}) for seat in room.seats)
    old = room.model_copy(
        update={"seats": seats, "round": round_of(room).model_copy(update={"colours": {}})}
    )
    assert colours(old) == "blue red green"
    assert colours_in(round_of(old)) == {ADA: "blue", BOB: "red"}
