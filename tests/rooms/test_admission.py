"""Admission: locks, caps, bans, one seat a person, seats an address, and the queue."""

from collections.abc import Iterable
from typing import Any

import pytest

from protocol.from_client import (
    Admit,
    Chase,
    Configure,
    Forfeit,
    Kick,
    Leave,
    NextRound,
    Ready,
    Start,
)
from protocol.settings import Settings
from protocol.vocabulary import ErrorCode, Presence, RoomState, SeatState
from server.rooms.admission import MAX_WAITING, MAX_WAITING_OF_A_NETWORK, has_place
from server.rooms.bans import MAX_BANS
from server.rooms.events import Disconnected, ProcessDied, Reconnected, SitDown, Tick
from server.rooms.identity import ClientOrigin, Identity, identify
from server.rooms.new_rooms import open_room
from server.rooms.record import PlayerStats, Room
from server.rooms.room import apply, deadline
from server.rooms.timings import GRACE_MS
from tests.rooms.rooms import (
    ADA,
    BOB,
    CODE,
    CY,
    NOW,
    ROOMS,
    T0,
    finished,
    happen,
    joins,
    lobby,
    refused_code,
    running,
    sends,
    states,
)

OPEN_STATES = [RoomState.LOBBY, RoomState.COUNTDOWN, RoomState.RUNNING, RoomState.FINISHED]
HOME, AWAY, THIRD = "203.0.113.1", "203.0.113.2", "203.0.113.3"


def at(address: str, browser: str = "") -> Identity:
    return identify("salt", ClientOrigin(address, browser or f"the one of {address}"))


def sit(name: str, address: str, browser: str = "", **fields: Any) -> SitDown:
    return joins(name, identity=at(address, browser), **fields)


def house(**settings: Any) -> Room:
    """Return a room with its host Ada in one network and Bob in another."""
    room = open_room(CODE, "Ada", Settings(**settings), "salt", at(HOME))
    return happen(room, sit("Bob", AWAY))


def started(room: Room) -> Room:
    return happen(room, sends(BOB, Ready()), sends(ADA, Ready()), Tick(T0))


# Locked


@pytest.mark.parametrize("state", OPEN_STATES)
@pytest.mark.parametrize("role", ["player", "spectator"])
def test_a_locked_room_takes_nobody_new_and_everybody_back(state: RoomState, role: Any) -> None:
    room = ROOMS[state]()
    locked = room.settings.model_copy(update={"locked": True})
    room = apply(room, sends(ADA, Configure(settings=locked)))
    assert refused_code(room, joins("Dee", role)) is ErrorCode.ROOM_LOCKED
    back = happen(room, Disconnected(BOB, 1, T0), Reconnected(BOB, 2))
    assert back.seats[BOB].connection is Presence.ON
    unlocked = locked.model_copy(update={"locked": False})
    opened = apply(room, sends(ADA, Configure(settings=unlocked)))
    assert apply(opened, joins("Dee", role)).seats[-1].name == "Dee"


def test_settings_about_people_leave_players_ready() -> None:
    room = apply(lobby(), sends(BOB, Ready()))
    for setting in (
        {"locked": True},
        {"max_players": 2},
        {"one_seat": True},
        {"approve": True},
        {"programs": False},
    ):
        room = apply(room, sends(ADA, Configure(settings=Settings(**setting))))
        assert states(room) == "Ada SEATED, Bob READY, Cy WATCHING"
    assert states(apply(room, sends(ADA, Configure(settings=Settings(cheats="out"))))).startswith(
        "Ada SEATED, Bob SEATED"
    )


def test_rules_stand_once_a_round_has_begun() -> None:
    for room in (running(), finished()):
        other_rules = sends(ADA, Configure(settings=Settings(locked=True, undo="any")))
        assert refused_code(room, other_rules) is ErrorCode.NOT_IN_STATE
        by_bob = sends(BOB, Configure(settings=Settings(locked=True)))
        assert refused_code(room, by_bob) is ErrorCode.NOT_HOST


# Programs


@pytest.mark.parametrize("state", OPEN_STATES)
@pytest.mark.parametrize("approve", [False, True])
def test_a_host_may_refuse_programs_but_none_that_is_there(
    state: RoomState, approve: bool
) -> None:
    room = apply(ROOMS[state](), joins("Robo", kind="program"))
    settings = room.settings.model_copy(update={"programs": False, "approve": approve})
    room = apply(room, sends(ADA, Configure(settings=settings)))
    assert refused_code(room, joins("Eve", kind="program")) is ErrorCode.NO_PROGRAMS
    assert refused_code(room, joins("Eve", "spectator", "program")) is ErrorCode.NO_PROGRAMS
    back = happen(room, Disconnected(3, 1, T0), Reconnected(3, 2), joins("Eve"))
    assert [(seat.kind, seat.connection) for seat in back.seats[3:4]] == [("program", "on")]
    assert (*back.seats, *back.waiting)[-1].kind == "person"


# A cap on players


def test_newcomers_beyond_the_cap_can_only_watch() -> None:
    room = lobby(max_players=2)
    assert refused_code(room, joins("Dee")) is ErrorCode.ROOM_FULL
    assert refused_code(room, sends(CY, Ready())) is ErrorCode.ROOM_FULL
    assert apply(room, joins("Dee", "spectator")).seats[-1].role == "spectator"
    full = running(max_players=2, chasers=True)
    assert refused_code(full, sends(CY, Chase(), T0)) is ErrorCode.ROOM_FULL
    late = apply(running(max_players=3, chasers=True), joins("Dee"))
    assert apply(late, sends(3, Chase(), T0)).seats[-1].state is SeatState.CHASING


def test_a_cap_below_the_number_of_players_removes_no_seat() -> None:
    room = apply(lobby(), sends(ADA, Configure(settings=Settings(max_players=1))))
    assert len(room.seats) == 3
    assert refused_code(room, joins("Dee")) is ErrorCode.ROOM_FULL


def test_gone_players_give_way_under_a_cap() -> None:
    room = happen(lobby(max_players=2), Disconnected(BOB, 1, NOW), Tick(NOW + GRACE_MS))
    assert states(apply(room, joins("Dee"))) == "Ada SEATED, Cy WATCHING, Dee SEATED"
    assert "Cy READY" in states(apply(room, sends(CY, Ready())))


# Bans


@pytest.mark.parametrize(
    ("address", "browser", "admitted"),
    [
        (AWAY, "another", False),  # the same network
        (THIRD, f"the one of {AWAY}", False),  # the same browser
        (THIRD, "another", True),
    ],
)
def test_a_ban_keeps_browser_and_network_out(address: str, browser: str, admitted: bool) -> None:
    room = apply(house(), sends(ADA, Kick(seat=BOB, ban=True)))
    back = sit("Bob again", address, browser)
    if admitted:
        assert apply(room, back).seats[-1].name == "Bob again"
    else:
        assert refused_code(room, back) is ErrorCode.BANNED


def test_a_kick_alone_keeps_nobody_out() -> None:
    room = apply(house(), sends(ADA, Kick(seat=BOB)))
    assert apply(room, sit("Bob", AWAY)).seats[-1].name == "Bob"


def test_a_ban_does_not_shut_out_the_hosts_own_network() -> None:
    room = happen(house(), sit("Dee", HOME, "phone"), sends(ADA, Kick(seat=2, ban=True)))
    assert refused_code(room, sit("Dee", AWAY, "phone")) is ErrorCode.BANNED
    assert apply(room, sit("Eve", HOME, "tablet")).seats[-1].name == "Eve"


def test_a_ban_in_a_race_is_a_forfeit_and_outlives_the_round() -> None:
    room = apply(started(house()), sends(ADA, Kick(seat=BOB, ban=True), T0 + 9))
    assert "Bob FORFEIT" in states(room)
    assert refused_code(room, sit("Bob", AWAY)) is ErrorCode.BANNED
    room = happen(room, sends(ADA, Forfeit(), T0 + 10), sends(ADA, NextRound()))
    assert refused_code(room, sit("Bob", AWAY)) is ErrorCode.BANNED


def test_bans_follow_the_address_from_which_a_seat_was_taken_again() -> None:
    moved = Reconnected(BOB, 2, networks=at(THIRD).networks)
    room = happen(house(), Disconnected(BOB, 1, NOW), moved, sends(ADA, Kick(seat=BOB, ban=True)))
    assert refused_code(room, sit("Bob", THIRD, "another")) is ErrorCode.BANNED


def test_the_number_of_bans_is_limited() -> None:
    room = house()
    for number in range(MAX_BANS):
        room = apply(room, sit(f"Bot {number}", f"198.51.{number // 250}.{number % 250}"))
        room = apply(room, sends(ADA, Kick(seat=room.numbers_given - 1, ban=True)))
    assert len(room.bans) == MAX_BANS
    again = apply(room, sends(ADA, Kick(seat=BOB, ban=True)))
    assert len(again.bans) == MAX_BANS


def test_a_second_ban_of_a_person_takes_no_more_space() -> None:
    room = happen(house(), sit("Bob too", AWAY), sends(ADA, Kick(seat=BOB, ban=True)))
    assert apply(room, sends(ADA, Kick(seat=2, ban=True))).bans == room.bans


# One seat for each person


@pytest.mark.parametrize("role", ["player", "spectator"])
def test_a_second_seat_of_a_network_or_browser_is_refused(role: Any) -> None:
    room = house(one_seat=True)
    for second in (sit("Eve", AWAY, "other", role=role), sit("Eve", THIRD, f"the one of {AWAY}")):
        assert refused_code(room, second) is ErrorCode.ONE_SEAT
    assert apply(room, sit("Cy", THIRD)).seats[-1].name == "Cy"
    assert apply(house(), sit("Eve", AWAY)).seats[-1].name == "Eve"


def test_a_gone_seat_gives_way_to_its_owner_unless_its_game_is_on() -> None:
    room = happen(house(one_seat=True), Disconnected(BOB, 1, NOW))
    assert refused_code(room, sit("Bob", AWAY)) is ErrorCode.ONE_SEAT
    gone = apply(room, Tick(NOW + GRACE_MS))
    assert apply(gone, sit("Bob", AWAY)).seats[-1].name == "Bob 2"
    racing = happen(started(house(one_seat=True)), Disconnected(BOB, 1, T0), Tick(T0 + GRACE_MS))
    assert refused_code(racing, sit("Bob", AWAY)) is ErrorCode.ONE_SEAT


def test_owners_reconnect_to_their_seats_whatever_the_settings() -> None:
    room = happen(house(), sit("Eve", AWAY))
    room = apply(room, sends(ADA, Configure(settings=Settings(one_seat=True))))
    back = happen(room, Disconnected(2, 1, NOW), Reconnected(2, 2, networks=at(AWAY).networks))
    assert back.seats[2].connection is Presence.ON


# A deal that was given up


def test_a_seat_that_forfeits_cannot_chase() -> None:
    room = apply(running(chasers=True), sends(BOB, Forfeit(), T0 + 9))
    assert refused_code(room, sends(BOB, Chase(), T0 + 10)) is ErrorCode.NOT_IN_STATE


@pytest.mark.parametrize(
    "again", [sit("Bob", AWAY, "new"), sit("Bob", THIRD, f"the one of {AWAY}")]
)
def test_a_player_who_leaves_and_joins_again_cannot_chase(again: SitDown) -> None:
    room = happen(
        started(house(chasers=True, one_seat=True)),
        sends(BOB, Leave(), T0 + 9, {BOB: PlayerStats()}),
        again,
    )
    assert refused_code(room, sends(2, Chase(), T0 + 10)) is ErrorCode.ONE_SEAT
    fresh = apply(room, sit("Cy", "203.0.113.9"))
    assert apply(fresh, sends(3, Chase(), T0 + 10)).seats[-1].state is SeatState.CHASING


def test_a_second_seat_may_chase_where_people_may_have_many() -> None:
    room = happen(started(house(chasers=True)), sends(BOB, Leave(), T0 + 9), sit("Bob", AWAY))
    assert apply(room, sends(2, Chase(), T0 + 10)).seats[-1].state is SeatState.CHASING


# Seats of an address


def bots(room: Room, count: int, address: str = AWAY) -> Room:
    for number in range(count):
        room = apply(room, sit(f"Bot {number}", address, f"b{number}", seats_per_address=20))
    return room


def test_one_address_cannot_fill_the_room_of_another_host() -> None:
    room = bots(house(), 19)
    assert refused_code(room, sit("One more", AWAY, seats_per_address=20)) is (
        ErrorCode.TOO_MANY_SEATS
    )
    assert apply(room, sit("Cy", THIRD, seats_per_address=20)).seats[-1].name == "Cy"


def test_a_classroom_behind_the_address_of_its_host_may_join() -> None:
    assert len(bots(house(), 90, HOME).seats) == 92


def test_networks_of_ipv6_have_more_seats_the_larger_they_are() -> None:
    def full(room: Room, network: str) -> bool:
        more = sit("One more", network, "b", seats_per_address=20)
        return refused_code(room, more) is ErrorCode.TOO_MANY_SEATS

    room = bots(house(), 20, "2001:db8:1:0::/64")
    assert full(room, "2001:db8:1:0::/64")
    room = bots(room, 20, "2001:db8:1:1::/64")
    assert full(room, "2001:db8:1:2::/64")  # the /56 has forty
    room = bots(bots(room, 20, "2001:db8:1:100::/64"), 20, "2001:db8:1:200::/64")
    assert full(room, "2001:db8:1:300::/64")  # the /48 has eighty
    assert len(bots(room, 1, "2001:db8:2::/64").seats) == 83


def test_gone_bots_give_way_to_their_own_address_only() -> None:
    room = bots(house(), 19)
    for seat in room.seats[1:]:
        room = apply(room, Disconnected(seat.number, 1, NOW))
    room = apply(room, Tick(NOW + GRACE_MS))
    assert [seat.name for seat in bots(room, 1).seats] == ["Ada", "Bot 0"]


# The queue


def with_queue(**settings: Any) -> Room:
    """Return Ada's room, in whose queue Bob waits."""
    return house(approve=True, **settings)


def test_newcomers_wait_until_the_host_admits_them() -> None:
    room = with_queue()
    assert (states(room), [seat.name for seat in room.waiting]) == ("Ada SEATED", ["Bob"])
    assert refused_code(room, sends(BOB, Admit(seat=BOB))) is ErrorCode.NO_SUCH_SEAT
    assert refused_code(room, sends(ADA, Admit(seat=7))) is ErrorCode.NO_SUCH_SEAT
    room = apply(room, sends(ADA, Admit(seat=BOB)))
    assert (states(room), room.waiting) == ("Ada SEATED, Bob SEATED", ())


def test_waiting_people_are_no_part_of_the_room() -> None:
    room = happen(with_queue(), sends(ADA, Start()), Tick(T0))
    assert states(room) == "Ada RACING"
    assert refused_code(room, sends(BOB, Chase(), T0)) is ErrorCode.NO_SUCH_SEAT
    assert states(apply(room, sends(ADA, Admit(seat=BOB)))) == "Ada RACING, Bob WATCHING"


def test_the_host_can_refuse_a_newcomer_once_or_for_good() -> None:
    once = apply(with_queue(), sends(ADA, Kick(seat=BOB)))
    assert apply(once, sit("Bob", AWAY)).waiting[0].name == "Bob"
    for_good = apply(with_queue(), sends(ADA, Kick(seat=BOB, ban=True)))
    assert refused_code(for_good, sit("Bob", AWAY)) is ErrorCode.BANNED
    racing = happen(with_queue(), sends(ADA, Start()), Tick(T0), sends(ADA, Kick(seat=BOB), T0))
    assert racing.waiting == ()


def test_waiting_people_may_leave_disconnect_and_reconnect() -> None:
    assert apply(with_queue(), sends(BOB, Leave())).waiting == ()
    lost = apply(with_queue(), ProcessDied("", NOW))
    assert lost.waiting[0].connection is Presence.GRACE
    assert apply(lost, Reconnected(BOB, 2)).waiting[0].connection is Presence.ON
    dropped = apply(with_queue(), Disconnected(BOB, 1, NOW))
    assert deadline(dropped) == NOW + GRACE_MS
    assert apply(dropped, Tick(NOW + GRACE_MS)).waiting == ()


def test_the_queue_is_bounded_in_all_and_for_each_network() -> None:
    room = with_queue()
    for number in range(MAX_WAITING_OF_A_NETWORK - 1):
        room = apply(room, sit(f"Bot {number}", AWAY, f"b{number}"))
    assert refused_code(room, sit("One more", AWAY, "b")) is ErrorCode.TOO_MANY_JOINS
    for number in range(MAX_WAITING - MAX_WAITING_OF_A_NETWORK):
        room = apply(room, sit(f"Guest {number}", f"198.51.100.{number}"))
    assert refused_code(room, sit("One more", THIRD)) is ErrorCode.TOO_MANY_JOINS


def queue_of(networks: Iterable[str], each: int) -> Room:
    """Return a room in which as many wait of each of these networks."""
    room = apply(house(), sends(ADA, Configure(settings=Settings(approve=True))))
    for network in networks:
        for number in range(each):
            room = apply(room, sit(f"{network} {number}", network, f"{network} b{number}"))
    return room


@pytest.mark.parametrize(
    "networks",
    [
        [f"198.51.100.{number}" for number in range(4)],
        [f"2001:db8:1:{number}00::1" for number in range(4)],  # one customer may have them all
    ],
)
def test_a_few_networks_do_not_block_the_queue_for_others(networks: list[str]) -> None:
    full = queue_of(networks, MAX_WAITING_OF_A_NETWORK)
    assert len(full.waiting) == MAX_WAITING
    room = apply(full, sit("Friend", THIRD))
    assert [seat.name for seat in room.waiting] == [
        *(seat.name for seat in full.waiting[1:]),
        "Friend",
    ]
    # The networks that have most of the queue get none of the friend's place.
    for network in networks:
        assert refused_code(room, sit("Bot", network, "new")) is ErrorCode.TOO_MANY_JOINS
    for number in range(11):
        room = apply(room, sit(f"Friend {number}", f"203.0.113.{100 + number}"))
    assert [seat.name for seat in room.waiting if "Friend" in seat.name][:1] == ["Friend"]
    assert len(room.waiting) == MAX_WAITING


def test_a_queue_of_many_networks_stays_as_it_is() -> None:
    room = queue_of([f"198.51.100.{number}" for number in range(MAX_WAITING)], 1)
    assert refused_code(room, sit("Friend", THIRD)) is ErrorCode.TOO_MANY_JOINS


def test_people_behind_a_proxy_that_is_not_configured_wait_as_different_people() -> None:
    """They have no networks, and only five of them could wait, as of one network."""
    room = with_queue()
    for number in range(MAX_WAITING - 1):
        room = apply(room, sit(f"Guest {number}", "127.0.0.1", f"b{number}"))
    assert refused_code(room, sit("One more", "127.0.0.1", "b")) is ErrorCode.TOO_MANY_JOINS


def test_the_next_host_admits_people_when_the_host_is_gone() -> None:
    room = happen(
        house(), sends(ADA, Configure(settings=Settings(approve=True))), sit("Cy", THIRD)
    )
    room = happen(room, Disconnected(ADA, 1, NOW), Tick(NOW + GRACE_MS))
    assert "Cy SEATED" in states(apply(room, sends(BOB, Admit(seat=2))))


def test_newcomers_to_an_empty_room_do_not_wait() -> None:
    empty = apply(with_queue(), sends(ADA, Leave()))
    assert (empty.seats, empty.waiting) == ((), ())
    room = apply(empty, sit("Dee", THIRD))
    assert (states(room), room.host, room.idle_since) == ("Dee SEATED", 2, None)


def test_an_admitted_player_may_find_the_room_full() -> None:
    room = apply(
        with_queue(), sends(ADA, Configure(settings=Settings(approve=True, max_players=1)))
    )
    assert refused_code(room, sends(ADA, Admit(seat=BOB))) is ErrorCode.ROOM_FULL
    assert refused_code(running(), sends(ADA, Admit(seat=CY))) is ErrorCode.NO_SUCH_SEAT


def test_a_room_has_no_place_when_no_idle_seat_can_give_way() -> None:
    room = lobby(max_players=2)
    assert not has_place(room, player=True)
    assert has_place(room, player=False)
    assert has_place(lobby(max_players=3), player=True)
    gone = happen(room, Disconnected(BOB, 1, NOW), Tick(NOW + GRACE_MS))
    assert has_place(gone, player=True)
