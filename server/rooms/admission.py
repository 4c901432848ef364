"""Admission to a room: recognising people, bans, limits, and the queue for the host.

Pure, like `room.py`. A room recognises people by hashes of their networks and browsers. The hashes
are salted for each room, stored with its seats, and never sent to any client.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from protocol.from_client import Admit, Carry
from protocol.vocabulary import ATTEMPT_S, CARRY_S, MAX_SEATS, ErrorCode, RoomState, SeatState
from server.networks import locates_client, networks_of
from server.rooms.events import Command, Refusal, SitDown, TakenOver
from server.rooms.record import CarryRecord, Identity, Room, Seat
from server.rooms.seats import free_colour, require_host, seat_of, without_idle_seats

HASH_DIGITS = 16
ATTEMPT_DIGITS = 32
MAX_BANS = 200  # hashes of banned people in a record, several for each; the oldest are dropped
MAX_WAITING = 20  # seats in the queue
MAX_PAST_BROWSERS = 4  # remembered for each seat; the oldest are dropped
MAX_WAITING_OF_A_NETWORK = 5  # seats in the queue that share a network or a browser


class ClientOrigin(NamedTuple):
    """Where a connection comes from: its address or network, and its browser's id, if any."""

    address: str
    browser: str = ""


def client_name(origin: ClientOrigin) -> str:
    """Return a text that identifies the browser: its id or, without one, its address."""
    return f"browser {origin.browser}" if origin.browser else f"address {origin.address}"


def identify(salt: str, origin: ClientOrigin) -> Identity:
    """Return the identity of an origin in the room with this salt.

    Clients that send no browser id count as one browser per address. An address that does not
    locate a client gives no networks: all clients behind an unconfigured proxy would share them.
    """
    browser = client_name(origin)
    networks = networks_of(origin.address) if locates_client(origin.address) else ()
    return Identity(tuple(_hash(salt, network.name) for network in networks), _hash(salt, browser))


def _hash(salt: str, text: str) -> str:
    return hashlib.sha256(f"{salt} {text}".encode()).hexdigest()[:HASH_DIGITS]


def with_ban(room: Room, seat: Seat) -> Room:
    """Return the room after banning a seat's owner; the host's network is never banned."""
    host = room.seat(room.host)
    spared = () if host is None else host.networks[:1]  # the smallest: a family's or a classroom's
    networks = (network for network in seat.networks[:1] if network not in spared)
    hashes = tuple(hashed for hashed in (seat.browser, *seat.past_browsers, *networks) if hashed)
    others = tuple(banned for banned in room.bans if banned not in hashes)
    return room.replace(bans=(*others, *hashes)[-MAX_BANS:])


def hash_attempt(attempt: str) -> str:
    """Return the hash of an attempt, a client's id for a request it may repeat; "" for none."""
    digest = hashlib.sha256(f"attempt {attempt}".encode()).hexdigest()
    return digest[:ATTEMPT_DIGITS] if attempt else ""


def seat_of_attempt(room: Room, attempt: str, now_ms: int) -> Seat | None:
    """Return the seat that this attempt to join (see `hash_attempt`) has already taken, if any.

    After `ATTEMPT_S`, or once the seat was given up, the same attempt counts as a new one.
    """
    seats = room.everybody if attempt else ()
    for seat in seats:
        is_young = now_ms - seat.joined_at < ATTEMPT_S * 1_000
        if seat.attempt == attempt and is_young and not (seat.has_left or seat.was_kicked):
            return seat
    return None


def with_seat_for(room: Room, event: SitDown) -> Room:
    """Return the room with a free seat for the newcomer; refuse those whom it does not admit."""
    check_not_banned(room, event.identity)
    if room.settings.locked:
        raise Refusal(ErrorCode.ROOM_LOCKED)
    if event.message.kind == "program" and not room.settings.programs:
        raise Refusal(ErrorCode.NO_PROGRAMS)
    # Spectators count too, since they see more than players.
    check_one_seat(room, event.identity, present_seats(room))
    room = _with_seat_for_network(room, event)
    return with_free_seat(room, player=event.message.role == "player")


def check_not_banned(room: Room, identity: Identity) -> None:
    """Refuse a person whose browser or smallest network the host has banned."""
    if any(hashed in room.bans for hashed in (identity.browser, *identity.networks[:1])):
        raise Refusal(ErrorCode.BANNED)


def with_free_seat(room: Room, *, player: bool) -> Room:
    """Free a seat for a `player` or a spectator, by removing idle seats if needed, or refuse."""
    if not has_free_seat(room, player=player):
        raise Refusal(ErrorCode.ROOM_FULL)
    return without_idle_seats(room) if _is_full(room, player=player) else room


def has_free_seat(room: Room, *, player: bool) -> bool:
    """Return whether there is a seat for a `player` or a spectator once idle seats give way."""
    return not _is_full(without_idle_seats(room), player=player)


def _is_full(room: Room, *, player: bool) -> bool:
    players = sum(seat.role == "player" for seat in room.seats)
    return len(room.seats) >= MAX_SEATS or (player and players >= room.settings.max_players)


def present_seats(room: Room) -> list[Seat]:
    """Return the seats and applicants whose owners are present or can resume a game."""
    return [seat for seat in room.everybody if not seat.is_gone or seat.plays]


def check_one_seat(room: Room, identity: Identity, others: Iterable[Seat]) -> None:
    """Refuse a person who may own one of `others`, if the room allows one seat per person."""
    if room.settings.one_seat and any(seat.may_be_of(identity) for seat in others):
        raise Refusal(ErrorCode.ONE_SEAT)


def _with_seat_for_network(room: Room, event: SitDown) -> Room:
    """Check the limits of the newcomer's networks; remove idle seats of a network that is full."""
    host = room.seat(room.host)
    networks = event.identity.networks
    if host is None or (networks and networks[0] in host.identity.networks):
        return room  # the host's network has no limit
    for level, network in enumerate(networks):
        limit = event.seats_per_address << level  # twice as many for each larger network
        if _seats_of(room, network) >= limit:
            room = without_idle_seats(room, network)
        if _seats_of(room, network) >= limit:
            raise Refusal(ErrorCode.TOO_MANY_SEATS)
    return room


def _seats_of(room: Room, network: str) -> int:
    return sum(network in seat.networks for seat in room.everybody)


def newcomers_wait(room: Room) -> bool:
    """Return whether the host must admit newcomers; a room without people has no host."""
    return room.settings.approve and not all(seat.is_bot for seat in room.seats)


def with_applicant(room: Room, seat: Seat) -> Room:
    """Return the room with one more seat in the queue; refuse if its network or the queue is full.

    If a few networks fill most of the queue, a seat of theirs gives way to another network.
    """
    related = sum(seat.identity.may_be_same_person(other.identity) for other in room.waiting)
    if related >= MAX_WAITING_OF_A_NETWORK:
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    if len(room.waiting) >= MAX_WAITING:
        room = _with_place_in_queue(room, seat, related)
    return room.replace(waiting=(*room.waiting, seat))


def _with_place_in_queue(room: Room, seat: Seat, related: int) -> Room:
    """Make room in a full queue: remove the oldest applicant of the network that has the most.

    Refuse a newcomer who may already be in the queue (`related` times) or shares a network with an
    applicant. Refuse all newcomers while few networks have more than one applicant, which is fair.
    """
    waiting = Counter(_largest_network(other) for other in room.waiting)
    surplus = len(room.waiting) - len(waiting)  # applicants beyond the first of each network
    is_shared_fairly = surplus < MAX_WAITING_OF_A_NETWORK
    if related or waiting[_largest_network(seat)] or is_shared_fairly:
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    network, _ = waiting.most_common(1)[0]
    oldest = next(other for other in room.waiting if _largest_network(other) == network)
    return without_applicant(room, oldest.number)


def _largest_network(seat: Seat) -> str:
    """Return the largest network of a seat, or its browser if it has none (on the loopback)."""
    return seat.networks[-1] if seat.networks else seat.browser


def without_applicant(room: Room, number: int) -> Room:
    """Remove the applicant with this seat number from the queue, if there is one."""
    return room.replace(waiting=tuple(seat for seat in room.waiting if seat.number != number))


def admit(room: Room, command: Command[Admit]) -> Room:
    """Let the host admit an applicant from the queue."""
    require_host(room, command.seat)
    if (seat := room.applicant(command.message.seat)) is None:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    room = with_free_seat(without_applicant(room, seat.number), player=seat.role == "player")
    return with_newcomer(room, seat.replace(state=first_state(room, seat.role)))


def with_newcomer(room: Room, seat: Seat) -> Room:
    """Return the room with one more seat, which gets a colour; seats are sorted by number."""
    seat = seat.replace(colour=free_colour(room.seats))
    seats = sorted((*room.seats, seat), key=lambda taken: taken.number)
    return room.replace(seats=tuple(seats))


def first_state(room: Room, role: str) -> SeatState:
    """Return the state of a seat that was just taken."""
    plays = role == "player" and room.state is RoomState.LOBBY
    return SeatState.SEATED if plays else SeatState.WATCHING


# Moving a seat to another device of its owner, with a code that works once.
#
# 1. The owner asks for a code on the old device. The room keeps its hash; a new code replaces it.
# 2. The change that uses up the code also gives the seat another token (`change_room.lua`). So
#    only one device gets the seat, and the old device keeps it exactly until then.
# 3. The reply may be lost. So the attempt that used the code may be repeated until it expires.
# 4. The seat remembers its past browsers: a browser that knows its cards gets no second game.


def carry(room: Room, command: Command[Carry]) -> Room:
    """Store the hash of the code that moves the sender's seat to another device."""
    seat = seat_of(room, command.seat)
    until = command.now_ms + CARRY_S * 1_000
    code = CarryRecord(code_hash=command.token_hash, until=until)
    return room.with_seats(seat.replace(carry=code))


def take_over(room: Room, event: TakenOver) -> Room:
    """Move a seat to the device that has its code; refuse wrong, expired and used codes."""
    seat, attempt = room.seat(event.seat), hash_attempt(event.message.attempt)
    code = None if seat is None or seat.has_left or seat.was_kicked else seat.carry
    is_valid = code is not None and code.code_hash == event.code_hash and event.now_ms < code.until
    if seat is None or code is None or not is_valid or code.used_by not in {"", attempt}:
        raise Refusal(ErrorCode.BAD_TOKEN)
    if code.used_by:
        return room  # the same attempt again: its reply was lost
    check_not_banned(room, event.identity)
    others = (other for other in present_seats(room) if other.number != seat.number)
    check_one_seat(room, event.identity, others)
    other_browsers = seat.known_browsers - {event.identity.browser}
    past = (known for known in (*seat.past_browsers, seat.browser) if known in other_browsers)
    moved = seat.replace(
        carry=code.replace(used_by=attempt) if attempt else None,
        moved=seat.generation,  # connections up to this one are the old device's
        browser=event.identity.browser,
        by_address=not event.message.browser,
        past_browsers=tuple(dict.fromkeys(past))[-MAX_PAST_BROWSERS:],
        attempt="",  # the old device joined with it, and must not get back in with it
    )
    return room.with_seats(moved)
