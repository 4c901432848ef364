"""Computer players that the host adds to a room, and stand-ins. Pure, like `room.py`.

1. A computer player has a seat like a person's, with a `level`. The process that serves the host
   connects to the seat like a client (`server/bots`).
2. It never counts as a person: it cannot be host, keeps no room open, and does not race without
   people. It is ranked, but a win against it counts in no tally.
3. It is always ready, in the lobby and after a race.
4. If its connection is lost, another process takes over. If none has done so within
   `BOT_GRACE_MS`, it loses its seat or, in a race, its game ends.
5. It plays its game to the end. But it does not wait in a room that people have left: it leaves
   after `LEAVES_AFTER_MS`, or at once if nobody may come back. That frees its place in the quota.
6. A stand-in finishes the game of a person who is gone, if the host asks for it. The owner keeps
   the seat and its token: an owner who returns goes on with the game, and the stand-in stops.
7. The host's process connects the stand-in to the seat until the game is over. The generation
   fences this connection like any other.
8. A seat with a stand-in counts as a computer player's: it cannot be host and keeps no room open.
9. There are no stand-ins in an open window. Computer players start when it opens.
10. A game is not ranked if a stand-in has taken part in it (`Round.stand_ins`).
"""

from collections.abc import Mapping

from protocol.from_client import AddBot, AddStandIn
from protocol.vocabulary import MAX_BOTS, BotLevel, ErrorCode, Presence, RoomState, SeatState
from server.rooms.admission import with_free_seat, with_newcomer
from server.rooms.events import Command, Refusal
from server.rooms.record import Room, Seat, StandIn, round_of
from server.rooms.seats import deserted_since, free_name, require_host, seat_of, with_new_number

NAMES: Mapping[BotLevel, tuple[str, ...]] = {
    "beginner": ("Pip", "Dot", "Bim", "Kit", "Tam", "Lou"),
    "club": ("Web", "Ivo", "Ned", "Mab", "Gus", "Wyn"),
    "expert": ("Ara", "Orb", "Ash", "Rex", "Zed", "Nyx"),
}  # short, since the list of events is narrow; an icon beside the name shows that it is a program

LEAVES_AFTER_MS = 120_000  # computer players stay this long after the last person has left

FIRST_GENERATION = 1  # the generation of a new seat, which no connection has yet


def add_bot(room: Room, command: Command[AddBot]) -> Room:
    """Add a computer player; the host's process connects it right after."""
    require_host(room, command.seat)
    message = command.message
    _check_bot_limit(room)
    room, number, arrival = with_new_number(with_free_seat(room, player=True), before=room)
    seat = Seat(
        number=number,
        name=free_name(room, *NAMES[message.level]),
        role="player",
        state=SeatState.READY,
        connection=Presence.GRACE,
        generation=FIRST_GENERATION,
        left_at=command.now_ms,
        arrival=arrival,
        attempt=counted_name(command.token_hash),  # here, its name in the quotas
        kind="program",
        level=message.level,
        pace=message.pace,
    )
    return with_newcomer(room, seat)


def _check_bot_limit(room: Room, uncounted: int | None = None) -> None:
    """Refuse if the room has `MAX_BOTS` computer players, not counting the seat `uncounted`."""
    bots = sum(seat.is_played_by_bot for seat in room.seats if seat.number != uncounted)
    if bots >= MAX_BOTS:
        raise Refusal(ErrorCode.TOO_MANY_BOTS)


def counted_name(token_hash: str) -> str:
    """Return the name of the computer player with this token in the server's quotas."""
    return token_hash[:16]


def counted_bots(room: Room) -> dict[str, BotLevel]:
    """Return the levels of the room's active computer players and stand-ins, by `counted_name`.

    Computer players that have left a race keep their seats, but are not counted.
    """
    counted: dict[str, BotLevel] = {}
    for seat in room.seats:
        if seat.level is not None and seat.attempt and not seat.has_left:
            counted[seat.attempt] = seat.level  # its `counted_name`
        elif seat.stand_in is not None and not seat.is_gone:
            counted[counted_name(seat.stand_in.token)] = seat.stand_in.level
    return counted


def bots_leave_at(room: Room) -> int | None:
    """Return when computer players leave because people are gone (ms since the epoch), or None."""
    since = deserted_since(room)
    return None if since is None or not _idle_bots(room) else since + LEAVES_AFTER_MS


def without_unattended_bots(room: Room, now_ms: int) -> Room:
    """Return the room without idle computer players if people are gone for long, or for good."""
    due = bots_leave_at(room)
    may_return = any(not (seat.is_bot or seat.has_left) for seat in room.seats)
    if due is None or (now_ms < due and may_return):
        return room
    leaving = _idle_bots(room)
    if room.state is not RoomState.RUNNING:
        return room.replace(seats=tuple(seat for seat in room.seats if seat not in leaving))
    # Their seats stay for the standings; `was_kicked` closes their connections.
    gone = (
        seat.replace(connection=Presence.GONE, left_at=now_ms, has_left=True, was_kicked=True)
        for seat in leaving
    )
    return room.with_seats(*gone)


def _idle_bots(room: Room) -> list[Seat]:
    """Return the computer players that neither have a game nor are about to start one."""
    bots = [seat for seat in room.seats if seat.is_bot]
    if room.state is RoomState.RUNNING:
        return [seat for seat in bots if not (seat.plays or seat.has_left)]
    return bots if room.state in {RoomState.LOBBY, RoomState.FINISHED} else []


def add_stand_in(room: Room, command: Command[AddStandIn]) -> Room:
    """Let a computer player stand in for a player who is gone; the host's process connects it."""
    require_host(room, command.seat)
    message = command.message
    seat = seat_of(room, message.seat)
    if seat.stand_in is not None and not seat.is_gone:
        return room  # a stand-in plays already
    if seat.is_bot or not seat.plays:
        raise Refusal(ErrorCode.NOT_RACING)
    # In a window players may be away and come back. Today's race has only one player.
    if room.has_open_window or round_of(room).is_todays_race:
        raise Refusal(ErrorCode.NOT_IN_STATE)
    if not seat.is_gone:
        raise Refusal(ErrorCode.PLAYER_IS_BACK)
    _check_bot_limit(room, uncounted=seat.number)
    stand_in = StandIn(level=message.level, token=command.token_hash)
    taken = seat.replace(stand_in=stand_in, connection=Presence.GRACE, left_at=command.now_ms)
    return room.with_seats(taken)


def with_stand_in_noted(room: Room, seat: Seat) -> Room:
    """Note in the round that a stand-in plays at this seat, so the game is not ranked."""
    assert seat.stand_in is not None, "a stand-in has just connected"
    played = round_of(room)
    if played.stand_ins.get(seat.number) == seat.stand_in.level:
        return room
    stand_ins = played.stand_ins | {seat.number: seat.stand_in.level}
    return room.replace(round=played.replace(stand_ins=stand_ins))
