"""The colours of seats: chosen by the room, and changed by their owners."""

import pytest

from protocol.from_client import Ready
from protocol.settings import Settings
from protocol.vocabulary import SEAT_COLOURS
from server.rooms.lobby import open_room
from server.rooms.record import Room
from server.rooms.room import apply
from server.views.finished_rounds import round_over
from server.views.rooms import room_view
from tests.rooms.rooms import ADA, BOB, CODE, CY, happen, joins, lobby, sends
from tests.rooms.stories import Story, play, story_test


def colours(room: Room) -> str:
    """Return the colours of all seats in one line, in order of the seats."""
    return " ".join(seat.colour or "-" for seat in room_view(room, 1).seats)


def test_eight_players_have_eight_colours() -> None:
    room = open_room(CODE, "P0", Settings())
    room = happen(room, *(joins(f"P{number}") for number in range(1, 8)))
    assert colours(room) == " ".join(SEAT_COLOURS)
    assert colours(apply(room, joins("P8"))).endswith(f"{SEAT_COLOURS[-1]} {SEAT_COLOURS[0]}")


def test_spectators_take_no_colour_from_players() -> None:
    room = open_room(CODE, "Ada", Settings())
    room = happen(room, *(joins(f"S{number}", "spectator") for number in range(20)))
    room = happen(room, *(joins(f"P{number}") for number in range(7)))
    assert len({seat.colour for seat in room.seats if seat.role == "player"}) == 8


@pytest.mark.parametrize(
    "event", ["lobby; Cy Ready", "finished; Cy Rematch", "running chasers=True; Cy Chase"]
)
def test_a_spectator_who_starts_to_play_gets_a_free_colour(event: str) -> None:
    story = Story()
    built, plays = event.split("; ")
    story.tell(built)
    ada, bob, cy = story.room.seats
    shared = (ada, bob, cy.model_copy(update={"colour": "red"}))
    story.room = story.room.model_copy(update={"seats": shared})
    story.tell(plays)
    assert colours(story.room) == "blue red green"


def test_without_a_free_colour_a_spectator_who_starts_to_play_keeps_theirs() -> None:
    room = happen(lobby(), *(joins(f"P{number}") for number in range(6)))
    assert colours(apply(room, sends(CY, Ready()))) == colours(room)


test_colours_are_free_or_taken = story_test("""
Newcomers and computer players get the colour of a player who has left
  lobby; Dee joins; Bob Leave; Eve joins -> Ada blue, Cy green, Dee violet, Eve red
  lobby; Ada AddBot level=club -> Ada blue, Bob red, Cy green, Web violet
A player can take a free colour between races
  lobby; Bob TakeColour colour=gold -> Ada blue, Bob gold, Cy green
  Bob TakeColour colour=gold -> same
  finished; Bob TakeColour colour=pink -> Bob pink
  running; Bob TakeColour colour=gold -> !NOT_IN_STATE
Another player's colour is refused, a spectator's is not
  lobby; Bob TakeColour colour=blue -> !COLOUR_TAKEN
  Bob TakeColour colour=green -> Ada blue, Bob green, Cy green
""")


def test_a_round_keeps_the_colours_of_its_players() -> None:
    over = play("running chasers=True; Cy Chase; tick @T0+15m; Bob Leave")
    shown = {row.seat: row.colour for row in round_over(over).colours}
    assert shown == {ADA: "blue", BOB: "red", CY: "green"}
