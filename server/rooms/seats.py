"""The seats of a room: their connections, host, numbers and colours. Pure, like the room itself.

Host:
1. The successor of a host who is gone for 15 seconds is the connected player who joined first.
   While a window is open the host is away for hours, and stays host until leaving for good.
2. A host who returns before the round is over, or in the lobby before the next countdown begins,
   is host again. At a kept table a host who returns always is.
3. Spectators become host only if no player is left; players in grace count as there. Computer
   players are never host.

Numbers:
1. Every number is given once, in order. After that free numbers are given again in turn: between
   two owners of a number about 10,000 people come to the room.
2. A number is free if no seat, no applicant and no round in the record has it: results, match
   cards and logs are by number. The claim of a former host goes with the seat.
3. Outside of the record a number is never the only key. The store deletes a seat in the change
   that removes it from the record (`change_room.lua`), and a new one has its own token.
   Connections are fenced by generations, which are times. Logs and progress are by round as well,
   and no owner of a number plays in a round in which an earlier owner has played.

Colours, by which players know each other:
1. A newcomer gets the colour that the fewest players have; of several, the one that the fewest
   seats have; of these, the first. So the first eight players have eight colours.
2. A spectator who becomes a player gets another colour if a player has this one and one is free.
"""

from collections.abc import Iterable
from itertools import chain, count

from protocol.from_client import HandOver, TakeColour
from protocol.lines import skeleton
from protocol.vocabulary import (
    HIGHEST_SEAT,
    SEAT_COLOURS,
    ErrorCode,
    Presence,
    RoomState,
    SeatColour,
    SeatState,
)
from server.rooms.events import Command, Refusal
from server.rooms.record import Room, Seat

BOT_GRACE_MS = 60_000  # a computer player is gone this long after no process has it
NUMBERS = HIGHEST_SEAT + 1


def grace_ends(seat: Seat, grace_ms: int) -> int | None:
    """Return when a seat in grace counts as gone (milliseconds since the epoch), else None."""
    if seat.connection is not Presence.GRACE:
        return None
    assert seat.left_at is not None, "a seat in grace was left"
    return seat.left_at + (max(grace_ms, BOT_GRACE_MS) if seat.is_played_by_bot else grace_ms)


def seat_of(room: Room, number: int) -> Seat:
    """Return the seat of this number.

    Raises:
        Refusal: the room has no such seat.
    """
    if (seat := room.seat(number)) is None:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    return seat


def holder_of(room: Room, number: int) -> Seat:
    """Return the seat of this number, in the room or in the queue.

    Raises:
        Refusal: neither has such a seat.
    """
    return room.applicant(number) or seat_of(room, number)


def host_only(room: Room, number: int) -> Seat:
    """Return the seat of this number if it is the host's.

    Raises:
        Refusal: it is not, or the room has no such seat.
    """
    seat = seat_of(room, number)
    if room.host != number:
        raise Refusal(ErrorCode.NOT_HOST)
    return seat


def owner_only(room: Room, number: int) -> Seat:
    """Return the seat of this number if it is the host's who stands in for no other one.

    Raises:
        Refusal: it is not, or the room has no such seat.
    """
    seat = host_only(room, number)
    if room.past_hosts:
        raise Refusal(ErrorCode.NOT_HOST)
    return seat


def hand_over(room: Room, command: Command[HandOver]) -> Room:
    """Make another person host, who is connected; whom the host stands in for may still return."""
    host_only(room, command.seat)
    successor = seat_of(room, command.message.seat)
    if successor.is_played_by_bot or successor.connection is not Presence.ON:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    claims = without_claim(room, successor.number).past_hosts
    return room.replace(host=successor.number, past_hosts=claims)


def free_name(room: Room, *wanted: str) -> str:
    """Return the first wanted name that no seat has, or it with a number; joiners do not count."""
    # A seat with the name of another could pass for it.
    taken = {skeleton(seat.name) for seat in room.everybody}
    names = chain(wanted, (f"{wanted[0]} {again}" for again in count(2)))
    return next(name for name in names if skeleton(name) not in taken)


def without(room: Room, number: int) -> Room:
    """Return the room without a seat; a room without people has no queue: no host could admit."""
    seats = tuple(seat for seat in room.seats if seat.number != number)
    waiting = () if all(seat.is_bot for seat in seats) else room.waiting
    return with_host(without_claim(room.replace(seats=seats, waiting=waiting), number))


def without_lost_bots(room: Room) -> Room:
    """Return the room without computer players that are gone."""
    kept = tuple(seat for seat in room.seats if not (seat.is_bot and seat.is_gone))
    return room if len(kept) == len(room.seats) else room.replace(seats=kept)


def without_idle_seats(room: Room, network: str | None = None) -> Room:
    """Return the room without its idle seats, or without those of a network."""
    concerned = (seat for seat in room.seats if network is None or network in seat.networks)
    idle = {seat.number for seat in concerned if is_idle(room, seat)}
    return room.replace(seats=tuple(seat for seat in room.seats if seat.number not in idle))


def is_idle(room: Room, seat: Seat) -> bool:
    """Return whether a seat may give way: gone, no part of the round, and not the host's.

    At a kept table its owner and people who have raced keep their seats, since they come back.
    """
    rounds = () if room.kept is None else room.rounds
    owners = () if room.kept is None else room.past_hosts[:1]
    return (
        seat.is_gone
        and seat.state in {SeatState.SEATED, SeatState.WATCHING}
        and (room.round is None or seat.number not in room.round.names)
        and not any(seat.number in played.names for played in rounds)
        and seat.number not in {room.host, *owners}
    )


def attended(room: Room) -> bool:
    """Return whether any person is connected or in grace; activity does not matter."""
    people = (seat for seat in room.seats if not seat.is_played_by_bot)
    return any(not seat.is_gone for seat in people)


def deserted_since(room: Room) -> int | None:
    """Return since when the room is not attended (milliseconds since the epoch), or None."""
    return None if attended(room) else room.idle_since


def with_idle_since(before: Room, room: Room, now_ms: int | None) -> Room:
    """Note when the last person left the room; `now_ms` is None if this event lets nobody go."""
    is_same, since = room.state is before.state, room.idle_since
    if room.state is RoomState.FINISHED:
        # The end of the round has set the time; the last person who leaves later sets it again.
        if is_same and attended(before) and not attended(room):
            since = now_ms
    elif attended(room):
        since = None
    elif not is_same or since is None:
        since = deserted_since(before) if now_ms is None else now_ms
    return room if since == room.idle_since else room.replace(idle_since=since)


def after_grace(room: Room, now_ms: int, grace_ms: int) -> Room:
    """Return the room with all seats gone whose grace has ended."""
    ends = {seat.number: grace_ends(seat, grace_ms) for seat in room.everybody}
    over = {number for number, end in ends.items() if end is not None and end <= now_ms}
    if not over:
        return room
    lost = (seat.replace(connection=Presence.GONE) for seat in room.seats if seat.number in over)
    waiting = tuple(seat for seat in room.waiting if seat.number not in over)
    return with_host(room.replace(waiting=waiting).with_seats(*lost))


def with_host(room: Room) -> Room:
    """Return the room with a connected host: the player who joined first, if any."""
    host = room.seat(room.host)
    if host is not None and (not host.is_gone or (room.has_open_window and not host.has_left)):
        return room
    people = [seat for seat in room.seats if not seat.is_played_by_bot]
    players = [seat for seat in people if seat.role == "player" and not seat.is_gone]
    connected = [seat for seat in players or people if seat.connection is Presence.ON]
    first = min(connected, key=lambda seat: seat.order, default=None)
    successor = None if first is None else first.number
    if host is None:
        return room.replace(host=successor)
    if successor is None:
        return room  # the first player to reconnect becomes host
    return room.replace(host=successor, past_hosts=(*room.past_hosts, host.number))


def with_returned_host(room: Room, number: int) -> Room:
    """Return the room with a former host as host again; unchanged for any other seat."""
    if number not in room.past_hosts:
        return room
    at = room.past_hosts.index(number)
    return room.replace(host=number, past_hosts=room.past_hosts[:at])


def lasting_hosts(room: Room) -> tuple[int, ...]:
    """Return the former hosts who may be host again after a countdown, or the end of a round."""
    return () if room.kept is None else room.past_hosts


def without_claim(room: Room, number: int) -> Room:
    """Return the room in which a seat that was given up is no former host."""
    return room.replace(past_hosts=tuple(each for each in room.past_hosts if each != number))


def with_new_number(room: Room, before: Room) -> tuple[Room, int, int | None]:
    """Return the room in which a new seat has its number, the number, and the seat's arrival.

    The number is free in the room `before`, too: it is not that of a seat that gives way to this
    one. The arrival is None if the number says it.

    Raises:
        Refusal: all numbers are in use.
    """
    if before.numbers_given < NUMBERS:
        return room.replace(numbers_given=before.numbers_given + 1), before.numbers_given, None
    used = {seat.number for seat in before.everybody}
    used.update(*(played.names for played in before.known_rounds))
    used.update(*(each.seats for each in before.shelf))
    first = 0 if before.number_given_again is None else before.number_given_again + 1
    in_turn = chain(range(first, NUMBERS), range(first))
    number = next((each for each in in_turn if each not in used), None)
    if number is None:
        raise Refusal(ErrorCode.ROOM_FULL)
    arrival = max((NUMBERS - 1, *(seat.order for seat in before.everybody))) + 1
    return without_claim(room, number).replace(number_given_again=number), number, arrival


def latest_number(room: Room) -> int:
    """Return the number of the seat that was taken last."""
    return room.numbers_given - 1 if room.number_given_again is None else room.number_given_again


def free_colour(seats: Iterable[Seat]) -> SeatColour:
    """Return the colour of a newcomer among these seats."""
    players = dict.fromkeys(SEAT_COLOURS, 0)
    owners = dict.fromkeys(SEAT_COLOURS, 0)
    for seat in seats:
        owners[seat.colour] += 1
        players[seat.colour] += seat.role == "player"
    return min(SEAT_COLOURS, key=lambda colour: (players[colour], owners[colour]))


def as_player(room: Room, seat: Seat, state: SeatState) -> Seat:
    """Return the seat of a player in this state, who may have been a spectator.

    Raises:
        Refusal: the room has the most players that its settings allow.
    """
    if seat.role == "player":
        return seat.replace(state=state)
    players = sum(other.role == "player" and not is_idle(room, other) for other in room.seats)
    if players >= room.settings.max_players:
        raise Refusal(ErrorCode.ROOM_FULL)
    free = free_colour(other for other in room.seats if other.number != seat.number)
    keeps = not _is_taken(room, seat, seat.colour) or _is_taken(room, seat, free)
    return seat.replace(state=state, role="player", colour=seat.colour if keeps else free)


def take_colour(room: Room, command: Command[TakeColour]) -> Room:
    """Give a seat another colour, which no other player has."""
    seat, colour = seat_of(room, command.seat), command.message.colour
    if seat.colour == colour:
        return room
    if _is_taken(room, seat, colour):
        raise Refusal(ErrorCode.COLOUR_TAKEN)
    return room.with_seats(seat.replace(colour=colour))


def _is_taken(room: Room, seat: Seat, colour: SeatColour) -> bool:
    return any(
        other.role == "player" and other.number != seat.number and other.colour == colour
        for other in room.seats
    )
