"""Admission: locks, caps, bans, seats for each person and address, and the queue."""

from collections.abc import Iterable

import pytest

from protocol.from_client import Configure, Kick
from protocol.settings import Settings
from protocol.vocabulary import ErrorCode, RoomState
from server.rooms.admission import (
    MAX_BANS,
    MAX_WAITING,
    MAX_WAITING_OF_A_NETWORK,
    ClientOrigin,
    has_free_seat,
    identify,
)
from server.rooms.events import GRACE_MS, Disconnected, Tick
from server.rooms.record import Identity, Room
from server.rooms.room import apply
from tests.rooms.rooms import ADA, BOB, NOW, happen, lobby, refused_code, sends
from tests.rooms.stories import house, play, sits, story_test

IN_OPEN_STATES = pytest.mark.parametrize(
    "state", [state.name.lower() for state in RoomState if state is not RoomState.CLOSED]
)
BUILDER = {"countdown": "counting_down"}


@IN_OPEN_STATES
@pytest.mark.parametrize("role", ["player", "spectator"])
def test_a_locked_room_lets_nobody_new_in_but_everybody_back(state: str, role: str) -> None:
    play(f"""{BUILDER.get(state, state)}; Ada Changes locked=True
        Dee joins role={role} -> !ROOM_LOCKED
        Bob drops; Bob returns -> Bob on
        Ada Changes locked=False; Dee joins role={role} -> Dee seated""")


@IN_OPEN_STATES
@pytest.mark.parametrize("approve", [False, True])
def test_a_host_who_refuses_programs_removes_none_that_are_there(
    state: str, approve: bool
) -> None:
    play(f"""{BUILDER.get(state, state)}; Robo joins kind=program
        Ada Changes programs=False approve={approve}
        Eve joins kind=program -> !NO_PROGRAMS
        Eve joins kind=program role=spectator -> !NO_PROGRAMS
        Robo drops; Robo returns -> Robo on kind=program
        Eve joins -> Eve {"waiting" if approve else "seated"} kind=person""")


test_a_cap_on_players = story_test("""
Newcomers beyond the cap can only watch
  lobby max_players=2; Dee joins -> !ROOM_FULL
  Cy Ready -> !ROOM_FULL
  Dee joins role=spectator -> Dee spectator
  running max_players=2 chasers=True; Cy Chase -> !ROOM_FULL
  running max_players=3 chasers=True; Dee joins; Dee Chase -> Dee CHASING
A cap below the number of players removes no seat
  lobby; Ada Configure max_players=1 -> seats=3
  Dee joins -> !ROOM_FULL
Gone players give way under a cap
  lobby max_players=2; Bob is gone
  ? Cy Ready -> Cy READY
  Dee joins -> Ada SEATED, Bob absent, Cy WATCHING, Dee SEATED
""")


def test_a_room_is_full_when_no_idle_seat_can_give_way() -> None:
    room = lobby(max_players=2)
    assert not has_free_seat(room, player=True)
    assert has_free_seat(room, player=False)
    assert has_free_seat(lobby(max_players=3), player=True)
    assert has_free_seat(play("lobby max_players=2; Bob is gone"), player=True)


test_bans = story_test("""
A ban keeps browser and network out, a kick keeps nobody out
  house; Ada Kick Bob ban=True
  Back joins at=AWAY browser=another -> !BANNED
  Back joins at=THIRD browser=another -> Back seated
  house; Eve joins at=AWAY browser=own; Ada Kick Eve ban=True
  Back joins at=THIRD browser=own -> !BANNED
  house; Ada Kick Bob; Bob joins at=AWAY -> Bob seated
A ban does not shut out the host's own network
  house; Dee joins at=HOME browser=phone; Ada Kick Dee ban=True
  Dee joins at=AWAY browser=phone -> !BANNED
  Eve joins at=HOME browser=tablet -> Eve seated
A ban in a race is a forfeit and outlives the round
  house; Bob Ready; Ada Ready; tick @T0; Ada Kick Bob ban=True -> Bob FORFEIT
  Back joins at=AWAY -> !BANNED
  Ada Forfeit; Ada NextRound; Back joins at=AWAY -> !BANNED
A ban covers the address that the seat last reconnected from
  house; Bob drops; Bob returns at=THIRD; Ada Kick Bob ban=True
  Back joins at=THIRD browser=another -> !BANNED
""")


def test_the_number_of_bans_is_limited() -> None:
    room = house()
    for number in range(MAX_BANS):
        room = apply(room, sits(f"Bot {number}", f"198.51.{number // 250}.{number % 250}"))
        room = apply(room, sends(ADA, Kick(seat=room.numbers_given - 1, ban=True)))
    assert len(room.bans) == MAX_BANS
    again = apply(room, sends(ADA, Kick(seat=BOB, ban=True)))
    assert len(again.bans) == MAX_BANS


def test_a_second_ban_of_a_person_takes_no_more_space() -> None:
    room = happen(house(), sits("Bob too", "AWAY"), sends(ADA, Kick(seat=BOB, ban=True)))
    assert apply(room, sends(ADA, Kick(seat=2, ban=True))).bans == room.bans


test_one_seat_for_each_person = story_test("""
A second seat of a network or browser is refused
  house one_seat=True; Eve joins at=AWAY browser=other -> !ONE_SEAT
  Eve joins at=AWAY browser=other role=spectator -> !ONE_SEAT
  Cy joins at=THIRD browser=laptop; Eve joins at=FOURTH browser=laptop -> !ONE_SEAT
  house; Eve joins at=AWAY -> Eve seated
Owners can always reconnect to their seats
  house; Eve joins at=AWAY; Ada Configure one_seat=True; Eve drops; Eve returns at=AWAY -> Eve on
A seat that forfeits cannot chase
  running chasers=True; Bob Forfeit; Bob Chase -> !NOT_IN_STATE
A player who leaves and joins again cannot chase
  house chasers=True one_seat=True; Bob Ready; Ada Ready; tick @T0; Bob Leave
  ? Eve joins at=AWAY browser=new -> Eve WATCHING
  Eve joins at=AWAY browser=new; Eve Chase -> !ONE_SEAT
  Cy joins at=THIRD; Cy Chase -> Cy CHASING
A second seat may chase if people may have several
  house chasers=True; Bob Ready; Ada Ready; tick @T0; Bob Leave; Eve joins at=AWAY
  Eve Chase -> Eve CHASING
""")


def test_a_gone_seat_gives_way_to_its_owner_unless_its_game_is_on() -> None:
    play("""house one_seat=True; Bob drops; Bob joins at=AWAY -> !ONE_SEAT
        tick @+GRACE; Bob joins at=AWAY -> Bob 2 seated
        house one_seat=True; Bob Ready; Ada Ready; tick @T0; Bob is gone
        Bob joins at=AWAY -> !ONE_SEAT""")


def bots(room: Room, count: int, place: str = "AWAY") -> Room:
    for number in range(count):
        room = apply(room, sits(f"Bot {number}", place, f"b{number}", seats_per_address=20))
    return room


def is_full_for(room: Room, place: str) -> bool:
    more = sits("One more", place, "b", seats_per_address=20)
    return refused_code(room, more) is ErrorCode.TOO_MANY_SEATS


def test_one_address_cannot_fill_a_room_unless_it_is_the_hosts() -> None:
    room = bots(house(), 19)
    assert is_full_for(room, "AWAY")
    assert apply(room, sits("Cy", "THIRD", seats_per_address=20)).seats[-1].name == "Cy"
    assert len(bots(house(), 90, "HOME").seats) == 92


def test_larger_networks_of_ipv6_have_more_seats() -> None:
    room = bots(house(), 20, "2001:db8:1:0::/64")
    assert is_full_for(room, "2001:db8:1:0::/64")
    room = bots(room, 20, "2001:db8:1:1::/64")
    assert is_full_for(room, "2001:db8:1:2::/64")  # the /56 has forty
    room = bots(bots(room, 20, "2001:db8:1:100::/64"), 20, "2001:db8:1:200::/64")
    assert is_full_for(room, "2001:db8:1:300::/64")  # the /48 has eighty
    assert len(bots(room, 1, "2001:db8:2::/64").seats) == 83


def test_gone_bots_give_way_to_their_own_address_only() -> None:
    room = bots(house(), 19)
    room = happen(room, *(Disconnected(seat.number, 1, NOW) for seat in room.seats[1:]))
    room = apply(room, Tick(NOW + GRACE_MS))
    assert [seat.name for seat in bots(room, 1).seats] == ["Ada", "Bot 0"]


test_newcomers_who_wait_for_the_host = story_test("""
Newcomers wait until the host admits them
  house approve=True -> Ada SEATED, Bob waiting
  Bob Admit Bob -> !NO_SUCH_SEAT
  Ada Admit 7 -> !NO_SUCH_SEAT
  Ada Admit Bob -> Bob SEATED seated, waiting=0
  running; Ada Admit Cy -> !NO_SUCH_SEAT
Applicants are not part of the room
  house approve=True; Ada Start; tick @T0 -> Ada RACING, seats=1
  Bob Chase -> !NO_SUCH_SEAT
  Ada Admit Bob -> Ada RACING, Bob WATCHING seated
The host can refuse a newcomer once or for good
  house approve=True; Ada Kick Bob; Bob joins at=AWAY -> Bob waiting
  house approve=True; Ada Kick Bob ban=True; Bob joins at=AWAY -> !BANNED
  house approve=True; Ada Start; tick @T0; Ada Kick Bob -> waiting=0
Applicants may leave, disconnect and reconnect
  house approve=True
  ? Bob Leave -> waiting=0
  ? process "" dies -> Bob grace waiting
  Bob drops -> deadline=+GRACE
  ? Bob returns -> Bob on waiting
  tick @+GRACE -> waiting=0
A new host can admit people
  house; Ada Configure approve=True; Cy joins at=THIRD; Ada is gone
  Bob Admit Cy -> Cy SEATED seated
Newcomers to an empty room do not wait
  house approve=True; Ada Leave -> seats=0, waiting=0
  Dee joins at=THIRD -> Dee SEATED seated, host=Dee, idle_since=None
An admitted player may find the room full
  house approve=True; Ada Configure approve=True max_players=1; Ada Admit Bob -> !ROOM_FULL
""")


def queue_of(networks: Iterable[str], count: int) -> Room:
    """Return a room with `count` applicants from each of these networks."""
    room = apply(house(), sends(ADA, Configure(settings=Settings(approve=True))))
    for network in networks:
        for number in range(count):
            room = apply(room, sits(f"{network} {number}", network, f"{network} b{number}"))
    return room


def test_the_queue_is_bounded_in_all_and_for_each_network() -> None:
    room = queue_of(["AWAY"], MAX_WAITING_OF_A_NETWORK)
    assert refused_code(room, sits("One more", "AWAY", "b")) is ErrorCode.TOO_MANY_JOINS
    for number in range(MAX_WAITING - MAX_WAITING_OF_A_NETWORK):
        room = apply(room, sits(f"Guest {number}", f"198.51.100.{number}"))
    assert refused_code(room, sits("One more", "THIRD")) is ErrorCode.TOO_MANY_JOINS


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
    room = apply(full, sits("Friend", "THIRD"))
    names = [seat.name for seat in full.waiting[1:]]
    assert [seat.name for seat in room.waiting] == [*names, "Friend"]
    # The networks that fill most of the queue do not get a place instead.
    for network in networks:
        assert refused_code(room, sits("Bot", network, "new")) is ErrorCode.TOO_MANY_JOINS
    for number in range(11):
        room = apply(room, sits(f"Friend {number}", f"203.0.113.{100 + number}"))
    assert [seat.name for seat in room.waiting if "Friend" in seat.name][:1] == ["Friend"]
    assert len(room.waiting) == MAX_WAITING


def test_a_full_queue_of_many_networks_stays_unchanged() -> None:
    room = queue_of([f"198.51.100.{number}" for number in range(MAX_WAITING)], 1)
    assert refused_code(room, sits("Friend", "THIRD")) is ErrorCode.TOO_MANY_JOINS


def test_people_behind_an_unconfigured_proxy_count_as_different_people() -> None:
    """Regression: only five could wait, since without networks they counted as one network."""
    room = queue_of(["127.0.0.1"], MAX_WAITING)
    assert refused_code(room, sits("One more", "127.0.0.1", "b")) is ErrorCode.TOO_MANY_JOINS


def of(address: str, browser: str = "", salt: str = "salt") -> Identity:
    return identify(salt, ClientOrigin(address, browser))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("203.0.113.7", "a"), ("203.0.113.7", "b"), True),
        (("203.0.113.7", "a"), ("203.0.113.8", "a"), True),
        (("203.0.113.7", "a"), ("203.0.113.8", "b"), False),
        (("203.0.113.7", ""), ("203.0.113.8", ""), False),
        (("2001:db8::/64", "a"), ("2001:db8::9", "b"), True),
        (("2001:db8::/64", "a"), ("2001:db8:0:1::/64", "b"), False),
        # Everybody is on the loopback behind a proxy that was not named; browsers still differ.
        (("127.0.0.1", "a"), ("127.0.0.1", "b"), False),
        (("::/64", "a"), ("::1", "b"), False),
        (("127.0.0.1", "a"), ("127.0.0.1", "a"), True),
        (("127.0.0.1", ""), ("127.0.0.1", ""), True),
        (("", "a"), ("", "b"), False),
    ],
)
def test_a_person_is_recognised_by_network_or_browser(
    one: tuple[str, str], other: tuple[str, str], same: bool
) -> None:
    assert of(*one).may_be_same_person(of(*other)) is same


def test_networks_of_ipv6_are_nested() -> None:
    own, neighbour = of("2001:db8:1:2::/64").networks, of("2001:db8:1:3::/64").networks
    assert len(own) == 3
    assert [a == b for a, b in zip(own, neighbour, strict=True)] == [False, True, True]
    assert len(of("203.0.113.7").networks) == 1
    assert not Identity().may_be_same_person(Identity())


def test_identities_are_hashes_that_differ_by_room() -> None:
    one, other = of("203.0.113.7", "browser"), of("203.0.113.7", "browser", salt="pepper")
    assert not set(one.networks) & set(other.networks)
    assert one.browser != other.browser
    assert "203" not in one.networks[0]
    assert "browser" not in one.browser
