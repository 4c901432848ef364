"""The seats of a room: their connections, host, numbers and colours. Pure, like `room.py`.

Host:
1. When a host has been gone for 15 seconds, the connected player who joined first becomes host. In
   an open window, where a host may be away for hours, they stay host until they leave for good.
2. A host who returns before the round is over, or before the next countdown starts, is host again.
   At a kept table a returning host always is.
3. Spectators become host only if no player is left; players in grace count as present. Computer
   players are never host.

Numbers:
1. Numbers are given in order, each once. After that free numbers are reused in turn, so about
   10,000 people come to the room between two owners of a number.
2. A number is free if no seat, no applicant and no round in the record has it, since results,
   match cards and logs are stored by number. A former host's right to return ends with the seat.
3. Outside of the record a number is never the only key. The store deletes a seat in the change
   that removes it from the record (`change_room.lua`), and a new seat has another token.
   Generations, which are times, fence connections. Logs and progress are also stored by round, and
   no two owners of a number play in the same round.

Colours tell players apart:
1. A newcomer gets the colour that the fewest players have; if several, the one that the fewest
   seats have, then the first. So the first eight players have eight colours.
2. A spectator who becomes a player gets another colour if a player has theirs and one is free.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain, count

from protocol import vocabulary
from protocol.from_client import HandOver, TakeColour
from protocol.lines import skeleton
from protocol.vocabulary import SEAT_COLOURS, ErrorCode, Presence, RoomState, SeatColour, SeatState
from server.rooms.events import Command, Refusal, Tick
from server.rooms.record import Room, Seat

BOT_GRACE_MS = 60_000  # a computer player is gone this long after its connection was lost
NUMBERS = vocabulary.HIGHEST_SEAT + 1  # how many seat numbers there are


def grace_ends(seat: Seat, grace_ms: int) -> int | None:
    """Return when a seat whose connection was just lost counts as gone (ms since the epoch)."""
    if seat.connection is not Presence.GRACE:
        return None
    assert seat.left_at is not None, "a seat in grace has lost its connection"
    return seat.left_at + (max(grace_ms, BOT_GRACE_MS) if seat.is_played_by_bot else grace_ms)


def seat_of(room: Room, number: int) -> Seat:
    """Return the seat with this number in the room; refuse if it does not exist."""
    if (seat := room.seat(number)) is None:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    return seat


def holder_of(room: Room, number: int) -> Seat:
    """Return the seat with this number in the room or in the queue; refuse if it is missing."""
    return room.applicant(number) or seat_of(room, number)


def require_host(room: Room, number: int) -> Seat:
    """Return the seat with this number; refuse unless it is the host's."""
    seat = seat_of(room, number)
    if room.host != number:
        raise Refusal(ErrorCode.NOT_HOST)
    return seat


def require_owner(room: Room, number: int) -> Seat:
    """Return the seat with this number; refuse unless its owner is host and owns the table."""
    seat = require_host(room, number)
    if room.past_hosts:  # then this host only acts for the owner, who may return
        raise Refusal(ErrorCode.NOT_HOST)
    return seat


def hand_over(room: Room, command: Command[HandOver]) -> Room:
    """Make another connected person host; earlier hosts may still return to be host again."""
    require_host(room, command.seat)
    successor = seat_of(room, command.message.seat)
    if successor.is_played_by_bot or successor.connection is not Presence.ON:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    return without_past_host(room, successor.number).replace(host=successor.number)


def free_name(room: Room, *wanted: str) -> str:
    """Return the first of the wanted names that is free, or the first of them with a number."""
    # Names that look alike count as taken: a seat could pass for another one.
    taken = {skeleton(seat.name) for seat in room.everybody}
    names = chain(wanted, (f"{wanted[0]} {again}" for again in count(2)))
    return next(name for name in names if skeleton(name) not in taken)


def without_seat(room: Room, number: int) -> Room:
    """Return the room without a seat, and without its queue if no people are left to admit it."""
    seats = tuple(seat for seat in room.seats if seat.number != number)
    waiting = () if all(seat.is_bot for seat in seats) else room.waiting
    return with_host(without_past_host(room.replace(seats=seats, waiting=waiting), number))


def without_lost_bots(room: Room) -> Room:
    """Return the room without disconnected computer players."""
    staying = tuple(seat for seat in room.seats if not (seat.is_bot and seat.is_gone))
    return room.replace(seats=staying)


def without_idle_seats(room: Room, network: str | None = None) -> Room:
    """Return the room without its idle seats; given a `network`, remove only its own."""
    removable = (seat for seat in room.seats if network is None or network in seat.networks)
    idle = {seat.number for seat in removable if is_idle(room, seat)}
    return room.replace(seats=tuple(seat for seat in room.seats if seat.number not in idle))


def is_idle(room: Room, seat: Seat) -> bool:
    """Return whether newcomers may replace a seat: gone, not in the round, and not the host's.

    The owner of a kept table and people who have raced there keep their seats: they come back.
    """
    rounds = () if room.kept is None else room.rounds
    owners = () if room.kept is None else room.past_hosts[:1]  # if another host acts for the owner
    return (
        seat.is_gone
        and seat.state in {SeatState.SEATED, SeatState.WATCHING}
        and (room.round is None or seat.number not in room.round.names)
        and not any(seat.number in played.names for played in rounds)
        and seat.number not in {room.host, *owners}
    )


def is_attended(room: Room) -> bool:
    """Return whether any person is connected or in grace, even if they do nothing."""
    return any(not (seat.is_gone or seat.is_played_by_bot) for seat in room.seats)


def deserted_since(room: Room) -> int | None:
    """Return when the last person left (ms since the epoch); None if somebody is there."""
    return None if is_attended(room) else room.idle_since


def with_idle_since(before: Room, room: Room, now_ms: int | None) -> Room:
    """Note when the last person left; `now_ms` is None if this event cannot make anybody leave."""
    has_new_state, since = room.state is not before.state, room.idle_since
    if room.state is RoomState.FINISHED:
        # The end of the round has set the time; if people leave later, it is set again.
        if not has_new_state and is_attended(before) and not is_attended(room):
            since = now_ms
    elif is_attended(room):
        since = None
    elif has_new_state or since is None:
        # A new state starts the wait for people again. An event that cannot make anybody leave
        # keeps the time when the last person left.
        since = deserted_since(before) if now_ms is None else now_ms
    return room if since == room.idle_since else room.replace(idle_since=since)


def after_grace(room: Room, tick: Tick) -> Room:
    """Mark seats as gone once their grace has ended, and drop applicants whose grace has ended."""
    ends = {seat.number: grace_ends(seat, tick.timings.grace_ms) for seat in room.everybody}
    over = {number for number, end in ends.items() if end is not None and end <= tick.now_ms}
    if not over:
        return room
    lost = (seat.replace(connection=Presence.GONE) for seat in room.seats if seat.number in over)
    waiting = tuple(seat for seat in room.waiting if seat.number not in over)
    return with_host(room.replace(waiting=waiting).with_seats(*lost))


def with_host(room: Room) -> Room:
    """Return the room; if the host is gone, the connected person who joined first becomes host."""
    host = room.seat(room.host)
    # While a window is open, players may be away, and so may the host.
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
    """Make seat `number` host again if it belongs to a former host."""
    if number not in room.past_hosts:
        return room
    at = room.past_hosts.index(number)
    return room.replace(host=number, past_hosts=room.past_hosts[:at])  # later hosts cannot return


def lasting_hosts(room: Room) -> tuple[int, ...]:
    """Return the former hosts whose right to return outlasts a countdown or a round."""
    return () if room.kept is None else room.past_hosts


def without_past_host(room: Room, number: int) -> Room:
    """Remove seat `number` from the former hosts who may return as host."""
    return room.replace(past_hosts=tuple(host for host in room.past_hosts if host != number))


def with_new_number(room: Room, before: Room) -> tuple[Room, int, int | None]:
    """Give out a number: return the room that notes it, the number, and the seat's `arrival`.

    Once all numbers have been given, they are used again; `arrival` keeps the order of joining.

    `before` is the room before idle seats gave way: their numbers are not free yet. Refuse if all
    numbers are in use.
    """
    if before.numbers_given < NUMBERS:
        return room.replace(numbers_given=before.numbers_given + 1), before.numbers_given, None
    used = {seat.number for seat in before.everybody}
    used.update(*(played.names for played in before.known_rounds))
    used.update(*(shelved.seats for shelved in before.shelf))
    first = 0 if before.number_given_again is None else before.number_given_again + 1
    in_turn = chain(range(first, NUMBERS), range(first))
    number = next((free for free in in_turn if free not in used), None)
    if number is None:
        raise Refusal(ErrorCode.ROOM_FULL)
    arrival = max((NUMBERS - 1, *(seat.order for seat in before.everybody))) + 1
    room = without_past_host(room, number)  # an idle seat that gave way may have been a host's
    return room.replace(number_given_again=number), number, arrival


def latest_number(room: Room) -> int:
    """Return the seat number that was given out last."""
    return room.numbers_given - 1 if room.number_given_again is None else room.number_given_again


def free_colour(seats: Sequence[Seat]) -> SeatColour:
    """Return the colour that the fewest players have, and among those the fewest seats."""
    owners = Counter(seat.colour for seat in seats)
    players = Counter(seat.colour for seat in seats if seat.role == "player")
    return min(SEAT_COLOURS, key=lambda colour: (players[colour], owners[colour]))


def as_player(room: Room, seat: Seat, state: SeatState) -> Seat:
    """Return the seat as a player's, in this state; refuse if the room is full."""
    if seat.role == "player":
        return seat.replace(state=state)
    players = sum(other.role == "player" and not is_idle(room, other) for other in room.seats)
    if players >= room.settings.max_players:
        raise Refusal(ErrorCode.ROOM_FULL)
    another = free_colour([other for other in room.seats if other.number != seat.number])
    if _is_colour_taken(room, seat, seat.colour) and not _is_colour_taken(room, seat, another):
        seat = seat.replace(colour=another)
    return seat.replace(state=state, role="player")


def take_colour(room: Room, command: Command[TakeColour]) -> Room:
    """Give a seat another colour that no other player has."""
    seat, colour = seat_of(room, command.seat), command.message.colour
    if seat.colour == colour:
        return room
    if _is_colour_taken(room, seat, colour):
        raise Refusal(ErrorCode.COLOUR_TAKEN)
    return room.with_seats(seat.replace(colour=colour))


def _is_colour_taken(room: Room, seat: Seat, colour: SeatColour) -> bool:
    return any(
        other.role == "player" and other.number != seat.number and other.colour == colour
        for other in room.seats
    )
