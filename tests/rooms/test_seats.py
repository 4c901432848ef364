"""Seats: numbers, each given once and then free ones in turn, and colours."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.from_client import Admit, Configure, Leave, NextRound, Ready, Start
from protocol.settings import Settings
from protocol.vocabulary import HIGHEST_SEAT, SEAT_COLOURS, ErrorCode
from server.rooms import seats
from server.rooms.events import Reconnected, Tick
from server.rooms.lobby import open_room
from server.rooms.race import ROUNDS_KEPT
from server.rooms.record import Room, round_of
from server.rooms.room import apply
from server.rooms.seats import NUMBERS, latest_number
from server.views.finished_rounds import round_over
from server.views.rooms import room_view
from tests.rooms.rooms import (
    ADA,
    BOB,
    CODE,
    CY,
    NOW,
    finished,
    happen,
    joins,
    lobby,
    refused_code,
    sends,
)
from tests.rooms.stories import Story, play, story_test
from tests.rooms.test_deadlines import TimedEvent, played, timed_events

APPROVE = Configure(settings=Settings(approve=True))


def used_up(room: Room) -> Room:
    """Return the room as if all numbers had been given once."""
    return room.replace(numbers_given=NUMBERS)


def numbers(room: Room) -> list[int]:
    return [seat.number for seat in room.seats]


def left(room: Room, *seats: int) -> Room:
    return happen(room, *(sends(seat, Leave()) for seat in seats))


def test_new_numbers_come_first() -> None:
    room = happen(left(lobby(), CY), joins("Dee"))
    assert numbers(room) == [ADA, BOB, 3]
    assert (room.numbers_given, room.number_given_again, latest_number(room)) == (4, None, 3)


def test_after_the_last_number_free_ones_are_reused_in_turn() -> None:
    room = happen(left(lobby(), BOB).replace(numbers_given=HIGHEST_SEAT), joins("Dee"))
    assert (numbers(room), latest_number(room)) == ([ADA, CY, HIGHEST_SEAT], HIGHEST_SEAT)
    room = apply(room, joins("Eve"))
    assert (numbers(room), latest_number(room)) == ([ADA, BOB, CY, HIGHEST_SEAT], BOB)
    room = apply(left(room, BOB), joins("Finn"))
    assert (room.numbers_given, latest_number(room)) == (NUMBERS, 3)  # the next in turn
    room = room.replace(number_given_again=HIGHEST_SEAT - 1)
    assert latest_number(apply(room, joins("Gus"))) == 1  # starting over, past numbers in use
    assert [seat.name for seat in apply(room, joins("Gus")).seats][:2] == ["Ada", "Gus"]


def test_ten_thousand_people_may_come_and_go_many_at_a_time() -> None:
    """Regression: one address shut a room for ever in 33 minutes, by joining and leaving."""
    room, people = lobby(), 0
    while people < NUMBERS + 500:
        room = apply(room, joins("Dee"))
        first = latest_number(room)
        room = apply(room, joins("Eve"))
        room = left(room, latest_number(room), first)
        people += 2
    assert numbers(room) == [ADA, BOB, CY]
    assert room.numbers_given == NUMBERS
    assert room.number_given_again == people - NUMBERS + 5


def test_applicants_use_up_no_more_numbers_than_others() -> None:
    room = apply(used_up(lobby()), sends(ADA, APPROVE))
    room = apply(room, joins("Dee"))
    assert [seat.number for seat in room.waiting] == [3]
    room = left(room, 3).replace(number_given_again=2)
    room = apply(room, joins("Eve"))
    assert [seat.number for seat in room.waiting] == [3]
    taken = apply(room, joins("Finn"))  # while one waits with the next number
    assert [seat.number for seat in taken.waiting] == [3, 4]
    assert numbers(apply(taken, sends(ADA, Admit(seat=4)))) == [ADA, BOB, CY, 4]


@pytest.mark.parametrize("rounds_later", [0, 1, ROUNDS_KEPT - 1])
def test_a_number_in_a_kept_round_is_not_free(rounds_later: int) -> None:
    room = left(finished(), BOB)
    for _ in range(rounds_later):
        room = another_round(room)
    assert BOB in room.rounds[0].names
    room = used_up(room)
    assert latest_number(apply(room, joins("Dee"))) == 3
    free = BOB if rounds_later == ROUNDS_KEPT - 1 else 3
    assert latest_number(apply(another_round(room), joins("Dee"))) == free


def another_round(room: Room) -> Room:
    """Return the finished room after one more round that Ada plays alone."""
    t0 = (room.idle_since or NOW) + 3_600_000
    room = happen(room, sends(ADA, NextRound(), t0), sends(ADA, Start(), t0))
    room = apply(room, Tick(round_of(room).t0))
    return apply(room, Tick(round_of(room).t_end or 0))


def test_numbers_of_the_running_round_and_of_seats_that_give_way_are_not_free() -> None:
    racing = play("running; Bob Leave")
    assert latest_number(apply(used_up(racing), joins("Dee"))) == 3
    # The last connection of a seat that gives way may not have been closed yet.
    room = used_up(play("lobby max_players=2; Bob is gone"))
    joined = apply(room.replace(number_given_again=ADA), joins("Dee"))
    assert joined.seat(BOB) is None
    assert latest_number(joined) == 3


def test_the_host_is_succeeded_by_the_player_who_joined_first() -> None:
    room = used_up(play("lobby; Cy Leave"))
    room = room.replace(number_given_again=HIGHEST_SEAT - 1)
    room = happen(room, joins("Dee"), joins("Eve"))  # the highest number, and then Cy's
    assert numbers(room) == [ADA, BOB, CY, HIGHEST_SEAT]
    assert left(room, ADA, BOB).host == HIGHEST_SEAT
    assert left(room, ADA, BOB, HIGHEST_SEAT).host == CY


def test_the_next_owner_of_a_number_is_not_a_former_host() -> None:
    room = play("lobby; Ada is gone")
    assert (room.host, room.past_hosts) == (BOB, (ADA,))
    kept = room.replace(seats=room.seats[1:])  # idle seats go without leaving
    dee = apply(used_up(kept), joins("Dee"))
    assert latest_number(dee) == ADA
    assert apply(dee, Reconnected(ADA, 9)).host == BOB


def test_without_a_free_number_a_room_is_full() -> None:
    room = finished()
    names = dict.fromkeys(range(NUMBERS), "somebody")
    room = used_up(room).replace(round=round_of(room).replace(names=names))
    assert refused_code(room, joins("Dee")) is ErrorCode.ROOM_FULL


@settings(max_examples=60)
@given(st.lists(timed_events(), min_size=40, max_size=60))
def test_a_number_in_use_is_never_given_again(events: list[TimedEvent]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seats, "NUMBERS", 4)
        for room, _, after in played(events, Settings(max_players=3)):
            before = in_use(room)
            came = {seat.number: seat for seat in (*after.seats, *after.waiting)}
            for number in came.keys() - seats_of(room):
                assert number not in before, "a round or a seat has it"
                assert number not in after.past_hosts
                assert number == latest_number(after)
            assert len(came) == len(after.seats) + len(after.waiting)
            assert numbers(after) == sorted(numbers(after))
            orders = [seat.order for seat in came.values()]
            assert len(set(orders)) == len(orders)


def seats_of(room: Room) -> set[int]:
    return {seat.number for seat in (*room.seats, *room.waiting)}


def in_use(room: Room) -> set[int]:
    played = (*room.rounds, room.round) if room.round else room.rounds
    return seats_of(room) | {number for known in played for number in known.names}


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


def test_a_spectator_who_starts_to_play_gets_a_free_colour() -> None:
    for built, plays in {"lobby": "Ready", "finished": "Rematch", "running": "Chase"}.items():
        story = Story()
        story.tell(f"{built} chasers=True")
        ada, bob, cy = story.room.seats
        shared = (ada, bob, cy.replace(colour="red"))
        story.room = story.room.replace(seats=shared)
        story.tell(f"Cy {plays}")
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
